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
    -- Each tells its part of a row and they are added up once: joins of such sums would be planned for a row of each.
    part AS (
      SELECT k.account_id, k.order_id, k.seller_sku, CASE WHEN ${IS_REFUND} THEN -m.amount END AS refund,
             CASE WHEN ${IS_PRICE} THEN m.amount END AS paid, CASE WHEN ${IS_REFUND} THEN m.posted_date END AS refunded_on,
             m.currency AS money_currency, m.marketplace_id AS money_site, NULL::int AS returned, NULL::date AS returned_on,
             NULL::text AS return_site, NULL::text AS return_channel, NULL::int AS ordered, NULL::numeric AS price,
             NULL::text AS order_currency, NULL::text AS order_site, NULL::text AS fulfilled_by
        FROM looked AS k JOIN ${COUNTED_MONEY} ON m.company_id = ${ctx.companyId} AND m.order_id = k.order_id
         AND m.account_id = k.account_id AND m.sku = k.seller_sku
      UNION ALL
      SELECT k.account_id, k.order_id, k.seller_sku, NULL, NULL, NULL, NULL, NULL, f.quantity, f.day, f.marketplace_id, f.channel,
             NULL, NULL, NULL, NULL, NULL
        FROM looked AS k JOIN (${returnRowsSelect()}) AS f ON f.company_id = ${ctx.companyId} AND f.order_id = k.order_id
         AND f.account_id = k.account_id AND f.seller_sku = k.seller_sku
      UNION ALL
      SELECT k.account_id, k.order_id, k.seller_sku, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, l.first_quantity, ${PRICE},
             l.currency, l.marketplace_id, o.fulfilled_by
        FROM looked AS k
        JOIN "order".amazon_order AS o ON o.company_id = ${ctx.companyId} AND o.amazon_order_id = k.order_id
         AND o.account_id = k.account_id
        JOIN "order".amazon_order_line AS l ON l.company_id = o.company_id AND l.selling_partner_id = o.selling_partner_id
         AND l.amazon_order_id = o.amazon_order_id AND l.seller_sku = k.seller_sku AND l.superseded_by IS NULL),
    told AS (
      SELECT account_id, order_id, seller_sku, sum(ordered)::int AS ordered, coalesce(sum(returned), 0)::int AS returned,
             max(returned_on) AS returned_on, coalesce(sum(paid), sum(price)) AS paid, nullif(sum(refund), 0) AS refund,
             max(refunded_on) AS refunded_on, coalesce(min(money_currency), min(order_currency)) AS currency,
             coalesce(min(order_site), min(money_site), min(return_site)) AS marketplace_id,
             CASE min(fulfilled_by) WHEN 'AMAZON' THEN 'FBA' WHEN 'MERCHANT' THEN 'FBM' ELSE min(return_channel) END AS channel
        FROM part GROUP BY account_id, order_id, seller_sku),
    -- Goods of a kind that no report has told of yet may be back already: nobody knows.
    reported AS MATERIALIZED (
      SELECT a.id AS account_id, c.channel FROM marketplace.seller_account AS a CROSS JOIN (VALUES ('FBA'), ('FBM')) AS c (channel)
       WHERE a.company_id = ${ctx.companyId} AND EXISTS (SELECT FROM (${returnRowsSelect()}) AS f
         WHERE f.company_id = ${ctx.companyId} AND f.account_id = a.id AND f.channel = c.channel))
    SELECT concat_ws('|', x.account_id, x.order_id, x.seller_sku) AS key, x.* FROM (
      SELECT t.*, CASE WHEN t.refund > t.paid THEN t.refund - t.paid END AS over,
             CASE WHEN t.refund > t.paid THEN 'over'
                  WHEN t.refund IS NULL THEN 'unrefunded'
                  WHEN t.returned > 0 THEN 'matched'
                  WHEN t.refunded_on < ${patience}::date AND p.channel IS NOT NULL THEN 'kept' ELSE 'waiting' END AS state
        FROM told AS t LEFT JOIN reported AS p ON p.account_id = t.account_id AND p.channel = t.channel) AS x
     WHERE ${sql.join(all, sql` AND `)}`;
}
