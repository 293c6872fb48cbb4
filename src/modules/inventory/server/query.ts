import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { LOW_DAYS, type StockFilter, type StockTab } from '../contract.ts';
import { type Units30, velocityOf } from './velocity.ts';

export type Filter = { [K in keyof StockFilter]?: StockFilter[K] | undefined } & {
  /** Rows that are known already. */
  ids?: readonly string[] | undefined;
};

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

/** Units of 30 days as a table to join; of some SKUs where a SELECT of them is given. */
export function soldOf(ctx: Ctx, skus?: RawBuilder<unknown>): RawBuilder<Units30> {
  // Computed once: as a plain subquery the planner, which cannot know its size, may run it again for every row.
  return sql<Units30>`(WITH sold AS MATERIALIZED (${velocityOf(ctx, skus).select}) SELECT * FROM sold)`;
}

/** Whether a filter asks what was sold; all else of it is told by the stock and its listing. */
export const asksSales = ({ tab }: Filter): boolean => tab === 'low';

/**
 * Stock rows `s` of a filter with their listing `p`, without order and limit: of one that does not ask what was sold. `common`: its
 * word is known to be in many rows. Under row-level security the planner takes any for rare; of a case it expects one in two.
 */
export function stockOf(ctx: Ctx, filter: Filter, common = false) {
  let query = ctx.db
    .selectFrom('inventory.fba_stock as s')
    .leftJoin('listing.product as p', (join) => join.on(ofListing(ctx, 's')))
    .where('s.company_id', '=', ctx.companyId);
  const { tab, sites, keyword, skus, hasStock, ids } = filter;
  if (ids) query = query.where(sql<boolean>`s.id = ANY (${ids}::uuid[])`);
  if (tab && !asksSales(filter)) query = query.where(sql.raw<boolean>(TABS[tab]));
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
    const found = sql<boolean>`(lower(s.seller_sku || ' ' || coalesce(s.asin, '') || ' ' || coalesce(s.fnsku, ''))
        LIKE ${containingLower(keyword)} OR p.search LIKE ${containingLower(keyword)})`;
    query = query.where(common ? sql<boolean>`CASE WHEN ${found} THEN true ELSE false END` : found);
  }
  if (skus?.length) query = query.where('s.seller_sku', 'in', skus);
  if (hasStock !== undefined) query = query.where('s.total', hasStock ? '>' : '=', 0);
  return query;
}

/** All stock rows `s` of a filter with their listing `p` and what was sold of them `u`. */
export function filtered(ctx: Ctx, filter: Filter) {
  const { ids } = filter;
  const theirs =
    ids &&
    sql`SELECT k.seller_sku FROM inventory.fba_stock AS k WHERE k.company_id = ${ctx.companyId} AND k.id = ANY (${ids}::uuid[])`;
  const query = stockOf(ctx, filter).leftJoin(soldOf(ctx, theirs).as('u'), (join) =>
    join
      .onRef('u.account_id', '=', 's.account_id')
      .onRef('u.marketplace_id', '=', 's.marketplace_id')
      .onRef('u.seller_sku', '=', 's.seller_sku'),
  );
  return asksSales(filter) ? query.where(sql.raw<boolean>(TABS.low)) : query;
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
