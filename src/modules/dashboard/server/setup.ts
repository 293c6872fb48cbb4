import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf, marketplaceOf, REGION_NAMES, type Region } from '#modules/marketplace/contract/marketplaces.ts';
import { connectionOf } from '#modules/marketplace/server/index.ts';
import type { HomeFilter, setup } from '../contract.ts';
import { ofAccounts } from './source.ts';

/** "marketplaceId-accountId" of the sites that a filter lets through. */
export async function sitesOf(ctx: Ctx, filter: Pick<HomeFilter, 'accountIds' | 'marketplaceIds'>): Promise<string[]> {
  const { rows } = await sql<{ site: string }>`
    SELECT s.marketplace_id || '-' || s.account_id AS site
      FROM marketplace.seller_marketplace AS s
      JOIN marketplace.seller_account AS a ON a.company_id = s.company_id AND a.id = s.account_id
     WHERE s.company_id = ${ctx.companyId} AND a.status <> 'deleted' AND ${ofAccounts('s', filter.accountIds)}
       ${filter.marketplaceIds.length > 0 ? sql`AND s.marketplace_id = ANY (${filter.marketplaceIds}::text[])` : sql``}
     ORDER BY 1`.execute(ctx.db);
  return rows.map((row) => row.site);
}

async function stepsOf(ctx: Ctx) {
  const { rows } = await sql<{ costed: boolean; hasData: boolean }>`
    SELECT EXISTS (SELECT FROM product.sku_cost WHERE company_id = ${ctx.companyId}) AS costed,
           EXISTS (SELECT FROM sales.store_day WHERE company_id = ${ctx.companyId}) AS "hasData"`.execute(ctx.db);
  return { ...(await connectionOf(ctx)), ...(rows[0] ?? { costed: false, hasData: false }) };
}

/** Choices of the filter line and the steps of a new company. */
export async function setupOf(ctx: Ctx): Promise<Reply<typeof setup>> {
  const { rows } = await sql<{ id: string; name: string; region: Region }>`
    SELECT a.id, s.name, a.region FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
     WHERE a.company_id = ${ctx.companyId} AND a.status <> 'deleted' ORDER BY s.sort_index, s.id, a.id`.execute(ctx.db);
  const sites = await sitesOf(ctx, { accountIds: [], marketplaceIds: [] });
  const markets = [...new Set(sites.map((site) => site.split('-')[0] ?? ''))];
  return {
    accounts: rows.map((row) => ({ id: row.id, name: `${row.name}-${REGION_NAMES[row.region]}` })),
    markets: markets.map((id) => ({ id, country: countryOf(id), name: marketplaceOf(id)?.name ?? id })),
    sites,
    ...(await stepsOf(ctx)),
  };
}
