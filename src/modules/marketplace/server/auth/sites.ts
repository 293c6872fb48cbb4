import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { requireRoom } from '#modules/identity/server/index.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import { startAccount } from '../sync/start.ts';

/** Streams of the site stop; reports that were not asked for yet ask for the other sites only. */
async function cancelJobs(ctx: Ctx, authid: string, marketplaceId: string): Promise<void> {
  await sql`
    UPDATE marketplace.sync_cursor
       SET state = 'paused', lease_version = lease_version + 1, lease_until = NULL
     WHERE company_id = ${ctx.companyId} AND account_id = ${authid} AND marketplace_id = ${marketplaceId}`.execute(
    ctx.db,
  );
  await sql`
    UPDATE marketplace.report_request
       SET marketplace_ids = CASE WHEN cardinality(marketplace_ids) = 1 THEN marketplace_ids
                                  ELSE array_remove(marketplace_ids, ${marketplaceId}) END,
           status = CASE WHEN cardinality(marketplace_ids) = 1 THEN 'failed' ELSE status END,
           error = CASE WHEN cardinality(marketplace_ids) = 1 THEN '站点已停用' ELSE error END,
           finished_at = CASE WHEN cardinality(marketplace_ids) = 1 THEN kit.now() ELSE finished_at END
     WHERE company_id = ${ctx.companyId} AND account_id = ${authid} AND status = 'planned'
       AND ${marketplaceId} = ANY(marketplace_ids)`.execute(ctx.db);
}

/**
 * Switches a site of an account on or off; what was read of it stays, and reading goes on where it stopped.
 * @throws refused B0164 where the plan has no room for one more
 */
export async function changeSite(ctx: Ctx, authid: string, marketplaceId: string, enabled: boolean): Promise<void> {
  const before = await ctx.db
    .selectFrom('marketplace.seller_marketplace')
    .select('enabled')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', authid)
    .where('marketplace_id', '=', marketplaceId)
    .executeTakeFirst();
  if (!before) throw notFound('站点不存在，请先刷新站点');
  if (enabled && !before.enabled) await requireRoom(ctx, 'sites');
  await ctx.db
    .updateTable('marketplace.seller_marketplace')
    .set({ enabled })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', authid)
    .where('marketplace_id', '=', marketplaceId)
    .execute();
  if (enabled) {
    await sql`
      UPDATE marketplace.sync_cursor SET state = 'ready', not_before = kit.now()
       WHERE company_id = ${ctx.companyId} AND account_id = ${authid} AND marketplace_id = ${marketplaceId}
         AND state = 'paused'`.execute(ctx.db);
    await startAccount(ctx, authid);
  } else {
    await cancelJobs(ctx, authid, marketplaceId);
  }
  await audit(ctx, {
    action: enabled ? '启用站点' : '停用站点',
    resource: 'marketplace.sellerAccount',
    resourceId: authid,
    after: { site: countryOf(marketplaceId), enabled },
  });
}
