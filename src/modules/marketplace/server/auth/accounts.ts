import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import type { Region } from '../../contract/marketplaces.ts';
import type { AccountRef } from '../streams.ts';

export const LIVE_STATUSES = ['active', 'expiring', 'suspended'] as const;

/** A seller account with its enabled marketplaces, or undefined. */
export async function accountOf(db: Db, companyId: string, id: string): Promise<AccountRef | undefined> {
  const row = await db
    .selectFrom('marketplace.seller_account')
    .select(['id', 'store_id', 'selling_partner_id', 'region', 'own_client_id', 'proxy_url'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
  if (!row) return undefined;
  const sites = await db
    .selectFrom('marketplace.seller_marketplace')
    .select('marketplace_id')
    .where('company_id', '=', companyId)
    .where('account_id', '=', id)
    .where('enabled', '=', true)
    .where('is_participating', '=', true)
    .orderBy('marketplace_id')
    .execute();
  return {
    companyId,
    id: row.id,
    storeId: row.store_id,
    sellingPartnerId: row.selling_partner_id,
    region: row.region as Region,
    marketplaceIds: sites.map((site) => site.marketplace_id),
    applicationId: row.own_client_id ?? undefined,
    proxyUrl: row.proxy_url ?? undefined,
  };
}

/** How lists name a (seller account, marketplace): the store's name and the country badge. */
export async function storeNames(ctx: Ctx): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('marketplace.seller_account as a')
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .select(['a.id', 's.name'])
    .where('a.company_id', '=', ctx.companyId)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}
