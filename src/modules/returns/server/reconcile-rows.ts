import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { containing } from '#kit/server/list/words.ts';
import { returnRowsSelect } from '#modules/inventory/server/index.ts';
import { atSites } from '#modules/listing/server/index.ts';
import { COUNTED_MONEY, IS_PRICE, IS_REFUND } from '#modules/settlement/server/index.ts';
import { RETURN_DAYS, type ReconcileFilter, type RefundState, USUAL_DAYS } from '../contract/reconcile.ts';

/** A SKU of an order of which something was refunded or came back. */
export interface ReconcileCells {
  key: string;
  account_id: string;
  order_id: string;
  seller_sku: string;
  marketplace_id: string;
  channel: 'FBA' | 'FBM' | null;
  state: RefundState;
  ordered: number | null;
  returned: number;
  paid: string | null;
  refund: string | null;
  over: string | null;
  currency: string | null;
  refunded_on: string | null;
  returned_on: string | null;
}

/** Days of the list; both ends are days of marketplaces, today is the company's. */
function periodOf(ctx: Ctx, dates: ReconcileFilter['dates']): { from: string; to: string } {
  const to = dates?.to ?? ctx.clock.today();
  return { from: dates?.from ?? dayAfter(to, 1 - USUAL_DAYS), to };
}

/**
 * What is looked at: SKUs of orders that were refunded or came back within the period. Everything else that is said of them is
 * read by their order, whenever it happened.
 */
function looked(ctx: Ctx, dates: ReconcileFilter['dates']): RawBuilder<unknown> {
  const { from, to } = periodOf(ctx, dates);
  return sql`
    SELECT m.account_id, m.order_id, m.sku AS seller_sku FROM ${COUNTED_MONEY}
     WHERE m.company_id = ${ctx.companyId} AND m.posted_date BETWEEN ${from}::date AND ${to}::date AND m.order_id IS NOT NULL
       AND m.sku <> '' AND ${IS_REFUND}
    UNION
    SELECT f.account_id, f.order_id, f.seller_sku FROM (${returnRowsSelect()}) AS f
     WHERE f.company_id = ${ctx.companyId} AND f.day BETWEEN ${from}::date AND ${to}::date`;
}

const PRICE = sql`coalesce(l.item_price, l.estimated_price, 0) + coalesce(l.shipping_price, 0) + coalesce(l.gift_wrap_price, 0)
  - coalesce(l.item_discount, 0) - coalesce(l.shipping_discount, 0)`;

/** SELECT of all rows of a filter with their state. */
export function reconcileSelect(ctx: Ctx, filter: ReconcileFilter): RawBuilder<ReconcileCells> {
  const { state, sites, keyword, channel, orderId } = filter;
  // A day before this one is too long ago to wait for the goods.
  const patience = dayAfter(ctx.clock.today(), -RETURN_DAYS);
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (sites?.length) all.push(atSites('x', sites));
  if (keyword?.trim()) all.push(sql`x.seller_sku ILIKE ${containing(keyword)}`);
  if (orderId?.trim()) all.push(sql`x.order_id ILIKE ${containing(orderId)}`);
  if (channel) all.push(sql`x.channel = ${channel}`);
  if (state) all.push(sql`x.state = ${state}`);
  return sql<ReconcileCells>`
    WITH looked AS MATERIALIZED (${looked(ctx, filter.dates)}),
    money AS (
      SELECT k.account_id, k.order_id, k.seller_sku, -sum(m.amount) FILTER (WHERE ${IS_REFUND}) AS refund,
             sum(m.amount) FILTER (WHERE ${IS_PRICE}) AS paid, max(m.posted_date) FILTER (WHERE ${IS_REFUND}) AS refunded_on,
             min(m.currency) AS currency, min(m.marketplace_id) AS marketplace_id
        FROM looked AS k JOIN ${COUNTED_MONEY} ON m.company_id = ${ctx.companyId} AND m.order_id = k.order_id
         AND m.account_id = k.account_id AND m.sku = k.seller_sku
       GROUP BY k.account_id, k.order_id, k.seller_sku),
    back AS (
      SELECT k.account_id, k.order_id, k.seller_sku, sum(f.quantity)::int AS returned, max(f.day) AS returned_on,
             min(f.marketplace_id) AS marketplace_id, min(f.channel) AS channel
        FROM looked AS k JOIN (${returnRowsSelect()}) AS f ON f.company_id = ${ctx.companyId} AND f.order_id = k.order_id
         AND f.account_id = k.account_id AND f.seller_sku = k.seller_sku
       GROUP BY k.account_id, k.order_id, k.seller_sku),
    bought AS (
      SELECT k.account_id, k.order_id, k.seller_sku, sum(l.first_quantity)::int AS ordered, sum(${PRICE}) AS price,
             min(l.currency) AS currency, min(l.marketplace_id) AS marketplace_id, min(o.fulfilled_by) AS fulfilled_by
        FROM looked AS k
        JOIN "order".amazon_order AS o ON o.company_id = ${ctx.companyId} AND o.amazon_order_id = k.order_id
         AND o.account_id = k.account_id
        JOIN "order".amazon_order_line AS l ON l.company_id = o.company_id AND l.selling_partner_id = o.selling_partner_id
         AND l.amazon_order_id = o.amazon_order_id AND l.seller_sku = k.seller_sku AND l.superseded_by IS NULL
       GROUP BY k.account_id, k.order_id, k.seller_sku),
    told AS (
      SELECT k.account_id, k.order_id, k.seller_sku, b.ordered, coalesce(r.returned, 0) AS returned, r.returned_on,
             coalesce(m.paid, b.price) AS paid, nullif(m.refund, 0) AS refund, m.refunded_on, coalesce(m.currency, b.currency) AS currency,
             coalesce(b.marketplace_id, m.marketplace_id, r.marketplace_id) AS marketplace_id,
             CASE b.fulfilled_by WHEN 'AMAZON' THEN 'FBA' WHEN 'MERCHANT' THEN 'FBM' ELSE r.channel END AS channel
        FROM looked AS k
        LEFT JOIN money AS m USING (account_id, order_id, seller_sku)
        LEFT JOIN back AS r USING (account_id, order_id, seller_sku)
        LEFT JOIN bought AS b USING (account_id, order_id, seller_sku))
    SELECT concat_ws('|', x.account_id, x.order_id, x.seller_sku) AS key, x.* FROM (
      SELECT t.*, CASE WHEN t.refund > t.paid THEN t.refund - t.paid END AS over,
             CASE WHEN t.refund > t.paid THEN 'over'
                  WHEN t.refund IS NULL THEN 'unrefunded'
                  WHEN t.returned > 0 THEN 'matched'
                  WHEN t.refunded_on < ${patience}::date THEN 'kept' ELSE 'waiting' END AS state
        FROM told AS t) AS x
     WHERE ${sql.join(all, sql` AND `)}`;
}
