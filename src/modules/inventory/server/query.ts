import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { LOW_DAYS, type StockFilter, type StockTab } from '../contract.ts';
import { type Units30, velocityOf } from './velocity.ts';

export type Filter = { [K in keyof StockFilter]?: StockFilter[K] | undefined };

/** A typed text as a LIKE pattern over lower-case text: what the user types means itself. */
function containing(text: string): string {
  return `%${text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;
}

/** Splits "marketplaceId-accountId". */
/** The two parts of a site filter. */
export function siteOf(value: string): { marketplaceId: string; accountId: string } {
  const at = value.indexOf('-');
  return { marketplaceId: value.slice(0, at), accountId: value.slice(at + 1) };
}

/** Pieces that can be sold soon: those on their way between warehouses are Amazon's to deliver. */
const SOON = 's.fulfillable + coalesce(s.reserved_transfer, 0) + coalesce(s.reserved_processing, 0)';

/** Days for which the stock lasts at the pace of the last 30 days, one decimal; NULL without sales. */
export const COVER = `round((${SOON}) * 30.0 / nullif(u.units30, 0), 1)`;

/** The conditions of the tabs; `low` is never true without sales figures. */
export const TABS: Record<StockTab, string> = {
  out: 's.fulfillable = 0',
  low: `s.fulfillable > 0 AND ${COVER} < ${LOW_DAYS}`,
  unsellable: 's.unsellable > 0',
};

/** Stock rows `s` of a filter with their listing `p` and what was sold of them `u`, without order and limit. */
export function filtered(ctx: Ctx, filter: Filter) {
  let query = ctx.db
    // Computed once: as a subquery the planner, which cannot know its size, may run it again for every row.
    .with(
      (cte) => cte('u').materialized(),
      () => sql<Units30>`(${velocityOf(ctx).select})`,
    )
    .selectFrom('inventory.fba_stock as s')
    .leftJoin('listing.product as p', (join) =>
      join
        .onRef('p.company_id', '=', 's.company_id')
        .onRef('p.account_id', '=', 's.account_id')
        .onRef('p.marketplace_id', '=', 's.marketplace_id')
        .onRef('p.seller_sku', '=', 's.seller_sku'),
    )
    .leftJoin('u', (join) =>
      join
        .onRef('u.account_id', '=', 's.account_id')
        .onRef('u.marketplace_id', '=', 's.marketplace_id')
        .onRef('u.seller_sku', '=', 's.seller_sku'),
    )
    .where('s.company_id', '=', ctx.companyId);
  const { tab, sites, keyword, skus, hasStock } = filter;
  if (tab) query = query.where(sql.raw<boolean>(TABS[tab]));
  if (sites?.length) {
    query = query.where((eb) =>
      eb.or(
        sites
          .map(siteOf)
          .map(({ accountId, marketplaceId }) =>
            eb.and([eb('s.account_id', '=', accountId), eb('s.marketplace_id', '=', marketplaceId)]),
          ),
      ),
    );
  }
  if (keyword) {
    query = query.where(
      sql<boolean>`(lower(s.seller_sku || ' ' || coalesce(s.asin, '') || ' ' || coalesce(s.fnsku, ''))
        LIKE ${containing(keyword)} OR p.search LIKE ${containing(keyword)})`,
    );
  }
  if (skus?.length) query = query.where('s.seller_sku', 'in', skus);
  if (hasStock !== undefined) query = query.where('s.total', hasStock ? '>' : '=', 0);
  return query;
}

/** Sums of the list's columns over a filter, by field of the row. */
export const SUMS = {
  total: 'total',
  onHand: 'on_hand',
  fulfillable: 'fulfillable',
  inbound: 'inbound',
  inboundWorking: 'inbound_working',
  inboundShipped: 'inbound_shipped',
  inboundReceiving: 'inbound_receiving',
  reserved: 'reserved',
  reservedCustomer: 'reserved_customer',
  reservedTransfer: 'reserved_transfer',
  reservedProcessing: 'reserved_processing',
  unsellable: 'unsellable',
  researching: 'researching',
} as const;

/** Time up to which all marketplaces of the company were read; null before the first. */
export async function freshness(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{ as_of: string | null }>`
    SELECT min(as_of) AS as_of FROM inventory.fba_snapshot WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0]?.as_of ?? null;
}
