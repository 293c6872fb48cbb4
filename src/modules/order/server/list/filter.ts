import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import type { OrderFilter } from '../../contract/orders.ts';

/** Calendar day of an instant in the zone of the row's marketplace, in SQL. */
export function siteDay(instant: string, marketplace: string) {
  const zones = Map.groupBy(MARKETPLACES, (m) => m.timeZone);
  const cases = [...zones].map(
    ([zone, sites]) => sql`WHEN ${sql.raw(marketplace)} IN (${sql.join(sites.map((m) => m.id))}) THEN ${zone}`,
  );
  return sql<string>`(${sql.raw(instant)} AT TIME ZONE CASE ${sql.join(cases, sql` `)} ELSE 'UTC' END)::date`;
}

/** Every word of LIKE taken literally, anywhere in the text. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

/** No zone is further from UTC than this; a day of any marketplace lies between these bounds. */
const LEAD = `interval '14 hours'`;
const TRAIL = `interval '36 hours'`;

const DATE_COLUMNS = { purchase: 'purchased_at', update: 'last_updated_at', ship: 'latest_ship_at' } as const;

function base(ctx: Ctx) {
  return ctx.db.selectFrom('order.amazon_order as o').where('o.company_id', '=', ctx.companyId);
}
export type OrderQuery = ReturnType<typeof base>;

function withDates(query: OrderQuery, { dates, dateType = 'purchase' }: OrderFilter): OrderQuery {
  if (!dates) return query;
  const column = DATE_COLUMNS[dateType];
  const day = dateType === 'purchase' ? sql<string>`o.local_date` : siteDay(`o.${column}`, 'o.marketplace_id');
  let narrowed = query;
  // The bounds on the instant say nothing new, but an index on it can be walked between them.
  if (dates.from !== undefined) {
    narrowed = narrowed
      .where(day, '>=', dates.from)
      .where(sql<string>`o.${sql.raw(column)}`, '>=', sql<string>`${dates.from}::date - ${sql.raw(LEAD)}`);
  }
  if (dates.to !== undefined) {
    narrowed = narrowed
      .where(day, '<=', dates.to)
      .where(sql<string>`o.${sql.raw(column)}`, '<', sql<string>`${dates.to}::date + ${sql.raw(TRAIL)}`);
  }
  return narrowed;
}

function lineWith(ctx: Ctx, condition: ReturnType<typeof sql>) {
  return sql<boolean>`EXISTS (
    SELECT FROM "order".amazon_order_line l
     WHERE l.company_id = ${ctx.companyId} AND l.selling_partner_id = o.selling_partner_id
       AND l.amazon_order_id = o.amazon_order_id AND l.superseded_by IS NULL AND ${condition})`;
}

function withGoods(ctx: Ctx, query: OrderQuery, { sku, asin }: OrderFilter): OrderQuery {
  let narrowed = query;
  if (sku) {
    const known = sql`l.seller_sku IN (SELECT s.seller_sku FROM "order".sold_sku s
      WHERE s.company_id = ${ctx.companyId} AND s.seller_sku ILIKE ${containing(sku)})`;
    narrowed = narrowed.where(lineWith(ctx, known));
  }
  if (asin?.length) narrowed = narrowed.where(lineWith(ctx, sql`l.asin = ANY(${asin})`));
  return narrowed;
}

/** All orders of a filter, without order and limit. Order numbers stand for themselves: dates do not narrow them. */
export function ordersOf(ctx: Ctx, filter: OrderFilter): OrderQuery {
  let query = base(ctx);
  if (filter.status?.length) query = query.where('o.status', 'in', filter.status);
  if (filter.accountIds?.length) query = query.where('o.account_id', 'in', filter.accountIds);
  if (filter.marketplaceIds?.length) query = query.where('o.marketplace_id', 'in', filter.marketplaceIds);
  if (filter.fulfilledBy) query = query.where('o.fulfilled_by', '=', filter.fulfilledBy);
  if (filter.channel) query = query.where('o.channel', '=', filter.channel);
  if (filter.isBusiness !== undefined) query = query.where('o.is_business', '=', filter.isBusiness);
  if (filter.isReplacement !== undefined) query = query.where('o.is_replacement', '=', filter.isReplacement);
  if (filter.cancelRequested !== undefined) {
    query = query.where('o.buyer_cancel_requested', '=', filter.cancelRequested);
  }
  if (filter.orderIds?.length) query = query.where('o.amazon_order_id', 'in', filter.orderIds);
  else query = withDates(query, filter);
  return withGoods(ctx, query, filter);
}

/** Whether the day counts know all that the filter asks for. */
export function fitsDays(filter: OrderFilter): boolean {
  const byOtherDate = filter.dates !== undefined && filter.dateType !== undefined && filter.dateType !== 'purchase';
  return (
    !byOtherDate &&
    !filter.orderIds?.length &&
    !filter.sku &&
    !filter.asin?.length &&
    filter.cancelRequested === undefined
  );
}

/** Day counts of a filter that fits them. */
export function daysOf(ctx: Ctx, filter: OrderFilter) {
  let query = ctx.db.selectFrom('order.order_day as d').where('d.company_id', '=', ctx.companyId);
  if (filter.status?.length) query = query.where('d.status', 'in', filter.status);
  if (filter.accountIds?.length) query = query.where('d.account_id', 'in', filter.accountIds);
  if (filter.marketplaceIds?.length) query = query.where('d.marketplace_id', 'in', filter.marketplaceIds);
  if (filter.fulfilledBy) query = query.where('d.fulfilled_by', '=', filter.fulfilledBy);
  if (filter.channel) query = query.where('d.channel', '=', filter.channel);
  if (filter.isBusiness !== undefined) query = query.where('d.is_business', '=', filter.isBusiness);
  if (filter.isReplacement !== undefined) query = query.where('d.is_replacement', '=', filter.isReplacement);
  if (filter.dates?.from !== undefined) query = query.where('d.local_date', '>=', filter.dates.from);
  if (filter.dates?.to !== undefined) query = query.where('d.local_date', '<=', filter.dates.to);
  return query;
}
