import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { containing } from '#kit/server/list/words.ts';
import { returnRowsSelect } from '#modules/inventory/server/index.ts';
import { atSites } from '#modules/listing/server/index.ts';
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

/** Cases `c` that were refunded or came back, for the last time, within the days; today is the company's. */
function within(ctx: Ctx, dates: ReconcileFilter['dates']): RawBuilder<unknown> {
  const to = dates?.to ?? ctx.clock.today();
  const from = dates?.from ?? dayAfter(to, 1 - USUAL_DAYS);
  const days = sql`BETWEEN ${from}::date AND ${to}::date`;
  return sql`(c.refunded_on ${days} OR c.returned_on ${days})`;
}

/**
 * Where goods of a kind were told of at all: those of another one may be back already, and nobody knows. Read as scalars, so
 * that no plan adds all returns up for it.
 */
const REPORTED = (ctx: Ctx) => sql`
  SELECT a.id AS account_id, v.channel, (
           SELECT true FROM (${returnRowsSelect()}) AS f
            WHERE f.company_id = ${ctx.companyId} AND f.account_id = a.id AND f.channel = v.channel LIMIT 1) AS told
    FROM marketplace.seller_account AS a CROSS JOIN (VALUES ('FBA'), ('FBM')) AS v (channel)
   WHERE a.company_id = ${ctx.companyId}`;

/** SELECT of all rows of a filter with their state, which depends on today. */
export function reconcileSelect(ctx: Ctx, filter: ReconcileFilter): RawBuilder<ReconcileCells> {
  const { dates, state, sites, keyword, channel, orderId } = filter;
  // A day before this one is too long ago to wait for the goods.
  const patience = dayAfter(ctx.clock.today(), -RETURN_DAYS);
  const all: RawBuilder<unknown>[] = [sql`c.company_id = ${ctx.companyId}`, within(ctx, dates)];
  if (sites?.length) all.push(atSites('c', sites));
  if (keyword?.trim()) all.push(sql`c.seller_sku ILIKE ${containing(keyword)}`);
  if (orderId?.trim()) all.push(sql`c.order_id ILIKE ${containing(orderId)}`);
  if (channel) all.push(sql`c.channel = ${channel}`);
  return sql<ReconcileCells>`
    WITH reported AS MATERIALIZED (${REPORTED(ctx)})
    SELECT concat_ws('|', x.account_id, x.order_id, x.seller_sku) AS key, x.* FROM (
      SELECT c.account_id, c.order_id, c.seller_sku, c.marketplace_id, c.channel, c.ordered, c.returned, c.paid, c.refund,
             c.currency, c.refunded_on, c.returned_on, CASE WHEN c.refund > c.paid THEN c.refund - c.paid END AS over,
             CASE WHEN c.refund > c.paid THEN 'over'
                  WHEN c.refund IS NULL THEN 'unrefunded'
                  WHEN c.returned > 0 THEN 'matched'
                  WHEN c.refunded_on < ${patience}::date AND p.told THEN 'kept' ELSE 'waiting' END AS state
        FROM returns.refund_case AS c
        LEFT JOIN reported AS p ON p.account_id = c.account_id AND p.channel = c.channel
       WHERE ${sql.join(all, sql` AND `)}) AS x
     ${state ? sql`WHERE x.state = ${state}` : sql``}`;
}
