import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { withoutFields } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import { hiddenFields, type ListDef, page } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { ReviewState } from '../../contract/acts.ts';
import { type OrderFilter, OrderRow } from '../../contract/orders.ts';
import type { FulfilledBy, OrderStatus, OrderTag } from '../../contract/status.ts';
import { REVIEW, SHIPPING } from '../acts/show.ts';
import { ordersAsOf } from '../freshness.ts';
import { type OrderQuery, ordersOf } from './filter.ts';
import { totalsOf } from './totals.ts';

/** Adds the store's name and what names and shows the leading line: the title as sold, the picture of the listing. */
export function withProduct(query: OrderQuery) {
  return query
    .leftJoin('order.sold_sku as s', (join) =>
      join
        .onRef('s.company_id', '=', 'o.company_id')
        .onRef('s.account_id', '=', 'o.account_id')
        .onRef('s.marketplace_id', '=', 'o.marketplace_id')
        .onRef('s.seller_sku', '=', 'o.lead_sku'),
    )
    .leftJoin('listing.product as p', (join) =>
      join
        .onRef('p.company_id', '=', 'o.company_id')
        .onRef('p.account_id', '=', 'o.account_id')
        .onRef('p.marketplace_id', '=', 'o.marketplace_id')
        .onRef('p.seller_sku', '=', 'o.lead_sku'),
    )
    .leftJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'o.company_id').onRef('a.id', '=', 'o.account_id'),
    )
    .leftJoin('marketplace.store as shop', (join) =>
      join.onRef('shop.company_id', '=', 'a.company_id').onRef('shop.id', '=', 'a.store_id'),
    )
    .select(['s.asin', 's.title', 'p.name as listed', 'p.image', 'shop.name as store'])
    .select([SHIPPING.as('shipping'), REVIEW.as('review')]);
}

function selected(ctx: Ctx, filter: OrderFilter) {
  return ordersOf(ctx, filter).select([
    'o.company_id',
    'o.selling_partner_id',
    'o.amazon_order_id',
    'o.account_id',
    'o.marketplace_id',
    'o.status',
    'o.purchased_at',
    'o.local_date',
    'o.last_updated_at',
    'o.latest_ship_at',
    'o.quantity',
    'o.item_amount',
    'o.discount_amount',
    'o.order_total',
    'o.currency',
    'o.fulfilled_by',
    'o.is_business',
    'o.is_replacement',
    'o.ship_country',
    'o.ship_state',
    'o.tags',
    'o.remark',
    'o.lead_sku',
    'o.line_count',
  ]);
}
type Found = ReturnType<typeof selected>;

/** Orders of a page with what names and shows them; `o` stands for the same columns as before. */
function shown(ctx: Ctx, found: Found) {
  return withProduct(ctx.db.selectFrom(found.as('o')).selectAll('o') as unknown as OrderQuery);
}
type RowsOf<Q extends { execute(): Promise<readonly unknown[]> }> = Awaited<ReturnType<Q['execute']>>[number];
type DbRow = RowsOf<Found> & RowsOf<ReturnType<typeof shown>>;

/** How the list names an order: seller and number. */
export function keyOf(row: { selling_partner_id: string; amazon_order_id: string }): string {
  return `${row.selling_partner_id}~${row.amazon_order_id}`;
}

export function rowOf(row: DbRow): OrderRow {
  return {
    id: keyOf(row),
    amazonOrderId: row.amazon_order_id,
    product: {
      name: row.title ?? row.listed ?? row.lead_sku,
      code: row.lead_sku,
      image: row.image,
      extra: row.asin,
      ...(row.line_count > 1 ? { more: row.line_count - 1 } : {}),
    },
    store: { name: row.store ?? '—', country: countryOf(row.marketplace_id) },
    status: row.status as OrderStatus,
    purchasedAt: row.purchased_at,
    localDate: row.local_date,
    quantity: row.quantity,
    itemAmount: row.item_amount,
    discountAmount: row.discount_amount,
    orderTotal: row.order_total,
    currency: row.currency,
    fulfilledBy: row.fulfilled_by as FulfilledBy,
    isBusiness: row.is_business,
    isReplacement: row.is_replacement,
    latestShipAt: row.latest_ship_at,
    updatedAt: row.last_updated_at,
    shipTo: [row.ship_country, row.ship_state].filter(Boolean).join(' ') || null,
    tags: row.tags as OrderTag[],
    remark: row.remark,
    shipping: row.shipping,
    review: row.review as ReviewState | null,
  };
}

/** Field of the row to SQL; nothing else can be sorted by. */
const SORT = {
  quantity: 'o.quantity',
  itemAmount: 'o.item_amount',
  discountAmount: 'o.discount_amount',
  orderTotal: 'o.order_total',
  latestShipAt: 'o.latest_ship_at',
  updatedAt: 'o.last_updated_at',
};

type Asked = Pick<PageRequest<OrderFilter>, 'sort' | 'order' | 'filter'>;

/**
 * The list of a request. The time of purchase is its own order and not an entry of the white list: an explicit
 * "nulls last" on it would keep the index from being used.
 */
export function orderList(ctx: Ctx, asked: Asked) {
  const byTime = asked.sort === undefined || asked.sort === 'purchasedAt';
  const direction = byTime && asked.sort ? (asked.order ?? 'asc') : 'desc';
  const request = { ...asked, sort: byTime ? undefined : asked.sort };
  const def = {
    row: OrderRow,
    query: selected(ctx, asked.filter) as unknown as ListDef<DbRow, OrderRow>['query'],
    around: (rows: ListDef<DbRow, OrderRow>['query']) =>
      shown(ctx, rows as unknown as Found) as unknown as ListDef<DbRow, OrderRow>['query'],
    sort: SORT,
    order: [['o.purchased_at', direction]] as const,
    // Two columns: uploads may bring the same number for two sellers.
    key: `o.amazon_order_id ${byTime ? direction : (asked.order ?? 'asc')}, o.selling_partner_id`,
    map: rowOf,
  };
  return { def, request };
}

/** One page of the order list. `total` is exact wherever totals are asked for: the sums know it. */
export async function orderPage(ctx: Ctx, asked: PageRequest<OrderFilter>): Promise<PageOf<OrderRow>> {
  const { def, request } = orderList(ctx, asked);
  const sums = asked.loadType === 'loadTable' ? undefined : await totalsOf(ctx, asked.filter);
  const result = await page<DbRow, OrderRow>(
    ctx,
    { ...asked, ...request },
    {
      ...def,
      ...(sums ? { count: async () => sums.orders } : {}),
      asOf: async () => (sums ? sums.asOf : ordersAsOf(ctx, asked.filter.accountIds)),
    },
  );
  if (!sums) return result;
  return { ...result, totals: withoutFields(sums.sums, hiddenFields(ctx, OrderRow)) };
}

/** How many orders a filter has, counted up to `limit` + 1. */
export async function countUpTo(ctx: Ctx, filter: OrderFilter, limit: number): Promise<number> {
  const row = await ctx.db
    .selectFrom(
      ordersOf(ctx, filter)
        .select(sql<number>`1`.as('one'))
        .limit(limit + 1)
        .as('some'),
    )
    .select(sql<number>`count(*)`.as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}
