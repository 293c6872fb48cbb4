import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import { retireProfiles } from './block.ts';
import { connectionRef, foreignProfiles, listProfiles, readProfiles, writeProfiles } from './profiles.ts';
import { openProfiles } from './start.ts';

/** Stops an advertising consent: its tokens stay sealed but unused, its profiles are free for another company. */
export async function disableAds(ctx: Ctx, id: string): Promise<void> {
  const connection = await connectionRef(ctx, id);
  if (connection.status === 'disabled') throw conflict('该广告授权已停用');
  await ctx.db
    .updateTable('marketplace.ads_connection')
    .set({ status: 'disabled', access_token_sealed: null, access_expires_at: null, version: sql`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await retireProfiles(ctx, id);
  await audit(ctx, {
    action: '停用广告授权',
    resource: 'marketplace.adsConnection',
    resourceId: id,
    before: { status: connection.status },
    after: { status: 'disabled' },
  });
}

/** Looks at a consent's profiles again and writes what it shows now; the call outwards holds no transaction open. */
export async function captureAds(open: OpenCtx, id: string) {
  const { runtime, principal } = open;
  const options = { requestId: open.requestId, ip: open.ip };
  const connection = await inTenant(runtime, principal, (ctx) => connectionRef(ctx, id), options);
  if (connection.status !== 'active') throw refused('广告授权已失效，请重新授权', 'B0335');
  const found = await readProfiles(runtime, connection);
  const foreign = await foreignProfiles(
    runtime,
    principal.companyId,
    found.map((one) => one.profileId),
  );
  const own = found.filter((one) => !foreign.has(one.profileId));
  return inTenant(
    runtime,
    principal,
    async (ctx) => {
      await writeProfiles(ctx, connection, own);
      await openProfiles(ctx, id);
      await audit(ctx, {
        action: '重新获取广告配置',
        resource: 'marketplace.adsConnection',
        resourceId: id,
        after: { profiles: own.length, foreign: foreign.size },
      });
      return { profiles: await listProfiles(ctx, { id }), foreign: foreign.size };
    },
    options,
  );
}

export interface AdsState {
  id: string;
  status: string;
  authorizedAt: string;
}

/** Advertising consents by "store/region". */
export async function adsByStore(ctx: Ctx): Promise<Map<string, AdsState>> {
  const rows = await ctx.db
    .selectFrom('marketplace.ads_connection')
    .select(['id', 'store_id', 'region', 'status', 'authorized_at'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  return new Map(
    rows.map((row) => [
      `${row.store_id}/${row.region}`,
      { id: row.id, status: row.status, authorizedAt: row.authorized_at },
    ]),
  );
}

/** Stores whose advertising may be read now, with their regions. */
export async function adsGroups(ctx: Ctx): Promise<{ id: string; name: string; regions: string[] }[]> {
  const rows = await ctx.db
    .selectFrom('marketplace.ads_connection as c')
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'c.company_id').onRef('s.id', '=', 'c.store_id'),
    )
    .select(['s.id', 's.name', 'c.region'])
    .where('c.company_id', '=', ctx.companyId)
    .where('c.status', '=', 'active')
    .where('s.deleted_at', 'is', null)
    .orderBy('s.sort_index')
    .orderBy('s.name')
    .execute();
  return [...Map.groupBy(rows, (row) => row.id)].map(([id, group]) => ({
    id,
    name: group[0]?.name ?? '',
    regions: group.map((row) => REGION_NAMES[row.region as Region]),
  }));
}
