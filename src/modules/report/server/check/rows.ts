import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { factsOf } from '#modules/inventory/server/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { missingWindowsSelect } from '#modules/marketplace/server/index.ts';
import { nowThere, ORDER_HISTORY, ordersReadUpToSelect } from '#modules/order/server/index.ts';
import type { CheckFilter, CheckRow } from '../../contract/check.ts';

/** A day of a site with both counts, own less Amazon's, and what that means. Amounts are decimal text. */
export interface DbRow {
  id: string;
  account_id: string;
  marketplace_id: string;
  day: string;
  currency: string;
  read_to: string;
  verdict: CheckRow['verdict'];
  orders: number;
  units: number;
  sales: string;
  own_orders: number;
  own_units: number;
  own_sales: string;
  order_gap: number;
  unit_gap: number;
  sales_gap: string;
  /** Pieces of orders that were cancelled, whole or in part: Amazon may count them still. */
  cancelled: number;
  /** The part of own_sales that stands on the offer's price. */
  estimated: string;
  /** Pieces that own_sales lacks, as there is neither a price nor an estimate. */
  unpriced: number;
  replaced: number;
  mcf: number;
  orders_read_to: string | null;
  day_end: string;
  /** Reports of the past that cover the day and are not read. */
  waiting: number;
  failed: number;
}

const DEFAULT_DAYS = 30;
const ZONES = MARKETPLACES.map((one) => one.id);
const ZONE_NAMES = MARKETPLACES.map((one) => one.timeZone);

/**
 * Own count of the day m: the sum of what the rollup of orders has of it, which counts as Amazon does: no cancelled ones, no
 * replacements, no orders of other channels, pending ones with the price of the offer.
 */
const OWN = sql.raw(`(
  SELECT coalesce(sum(s.orders), 0)::int AS orders, coalesce(sum(s.units), 0)::int AS units,
         coalesce(sum(s.product_sales), 0) AS sales, coalesce(sum(s.cancelled_units), 0)::int AS cancelled,
         coalesce(sum(s.estimated_sales), 0) AS estimated, coalesce(sum(s.unpriced_units), 0)::int AS unpriced,
         coalesce(sum(s.replacement_units), 0)::int AS replaced, coalesce(sum(s.mcf_units), 0)::int AS mcf
    FROM sales.store_day AS s
   WHERE s.company_id = m.company_id AND s.account_id = m.account_id AND s.marketplace_id = m.marketplace_id
     AND s.local_date = m.day)`);

/** Half a cent: what is nearer than that is the same amount. */
const SAME_SALES = 'abs(own.sales - m.sales) < 0.005';
/** Cancelled pieces that Amazon counts still, and nothing else, make up the pieces. */
const CANCELLED = 'own.cancelled > 0 AND m.units = own.units + own.cancelled';

const VERDICT = sql.raw<CheckRow['verdict']>(`CASE
  WHEN m.read_to < z.day_end OR r.read_to IS NULL OR r.read_to < z.day_end OR w.waiting > 0 THEN 'pending'
  WHEN m.orders = own.orders AND m.units = own.units AND ${SAME_SALES} THEN 'equal'
  WHEN ${CANCELLED} THEN 'explained'
  WHEN m.orders = own.orders AND m.units = own.units AND (own.estimated <> 0 OR own.unpriced > 0) THEN 'explained'
  ELSE 'differs' END`);

/** The days of a filter: the last 30 where it names none, by the marketplace's clock. */
async function datesOf(ctx: Ctx, { dates }: CheckFilter): Promise<CheckFilter['dates']> {
  if (dates?.from || dates?.to) return dates;
  const now = await nowThere(ctx.runtime);
  return { from: new Date(now.getTime() - DEFAULT_DAYS * 86_400_000).toISOString().slice(0, 10) };
}

/**
 * Days on which either side counts anything, with what becomes of holding one against the other. The rows of the rollup are
 * read by the key's prefix, day by day, so that a year of other days costs nothing.
 */
export async function checkRows(ctx: Ctx, filter: CheckFilter): Promise<RawBuilder<DbRow>> {
  const dates = await datesOf(ctx, filter);
  const days = factsOf(ctx, 'report.order_metric', { dates, sites: filter.sites }).selectAll('f');
  const verdicts = filter.verdict ?? [];
  return sql<DbRow>`(
    WITH missing AS MATERIALIZED (${missingWindowsSelect(ctx, ORDER_HISTORY)})
    SELECT * FROM (
      SELECT concat_ws('|', m.account_id, m.marketplace_id, m.day) AS id, m.company_id, m.account_id, m.marketplace_id, m.day,
             m.currency, m.read_to, ${VERDICT} AS verdict, m.orders, m.units, m.sales,
             own.orders AS own_orders, own.units AS own_units, own.sales AS own_sales,
             own.orders - m.orders AS order_gap, own.units - m.units AS unit_gap, own.sales - m.sales AS sales_gap,
             own.cancelled, own.estimated, own.unpriced, own.replaced, own.mcf,
             r.read_to AS orders_read_to, z.day_end, w.waiting, w.failed
        FROM (${days}) AS m
        LEFT JOIN unnest(${ZONES}::text[], ${ZONE_NAMES}::text[]) AS zone (id, name) ON zone.id = m.marketplace_id
        LEFT JOIN (${ordersReadUpToSelect(ctx)}) AS r ON r.account_id = m.account_id
       CROSS JOIN LATERAL (
             SELECT (m.day + 1)::timestamp AT TIME ZONE coalesce(zone.name, 'UTC') AS day_end,
                    m.day::timestamp AT TIME ZONE coalesce(zone.name, 'UTC') AS day_start) AS z
       CROSS JOIN LATERAL (
             SELECT count(*) FILTER (WHERE NOT q.failed)::int AS waiting, count(*) FILTER (WHERE q.failed)::int AS failed
               FROM missing AS q
              WHERE q.account_id = m.account_id AND m.marketplace_id = ANY (q.marketplace_ids)
                AND q.data_from < z.day_end AND q.data_to > z.day_start) AS w
       CROSS JOIN LATERAL ${OWN} AS own
       WHERE m.units <> 0 OR m.orders <> 0 OR own.orders <> 0 OR own.cancelled <> 0) AS compared
     ${verdicts.length > 0 ? sql`WHERE verdict = ANY (${verdicts}::text[])` : sql``})`;
}
