import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { adDaysSelect, adsToSelect } from '#modules/advertising/server/index.ts';
import { returnsKnownSelect, returnsSelect, type SkuDays, stockDaysSelect } from '#modules/inventory/server/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { trafficDaysSelect, trafficToSelect } from '#modules/report/server/index.ts';
import { salesSitesSelect } from '#modules/sales/server/index.ts';
import { FEATURED_VIEWS, SELLABLE } from './rules.ts';

const IDS = MARKETPLACES.map((one) => one.id);
const STOCKS = IDS.map(stockOf);

/**
 * The facts of an account's SKUs as the parts of a WITH, each gathered once: `site`, `sold`, `stocked`, `returned`, `seen`,
 * `advertised` and `lying`. Windows are whole days: of sales those before the day up to which orders have been read, of
 * visits and ads those that end with the newest that is told. Where they begin is reckoned before they are read: a difference of
 * days is not leakproof, and under row-level security the whole history would be read for it.
 */
export function factParts(ctx: Ctx, of: SkuDays): RawBuilder<unknown> {
  const { accountId, skus } = of;
  const some = (alias: string) => (skus ? sql`AND ${sql.ref(`${alias}.seller_sku`)} = ANY (${skus}::text[])` : sql``);
  const within = (days: number) => sql`FILTER (WHERE s.local_date >= t.today - ${sql.lit(days)})`;
  const full = (days: number) => sql`
    CASE WHEN count(*) FILTER (WHERE d.day >= t.today - ${sql.lit(days)}) = ${sql.lit(days)}
         THEN count(*) FILTER (WHERE d.day >= t.today - ${sql.lit(days)} AND d.fulfillable > 0) END::int`;
  return sql`
    site AS MATERIALIZED (
      SELECT s.marketplace_id, s.zone, s.today, s.today - 30 AS since, s.known, coalesce(p.stock, s.marketplace_id) AS stock,
             least(v.day, s.today - 1) AS traffic_to, least(a.day, s.today - 1) AS ads_to
        FROM (${salesSitesSelect(ctx, accountId)}) AS s
        LEFT JOIN unnest(${IDS}::text[], ${STOCKS}::text[]) AS p (marketplace_id, stock)
          ON p.marketplace_id = s.marketplace_id
        LEFT JOIN (${trafficToSelect(ctx, of)}) AS v ON v.marketplace_id = s.marketplace_id
        LEFT JOIN (${adsToSelect(ctx, of)}) AS a ON a.marketplace_id = s.marketplace_id),
    sold AS MATERIALIZED (
      SELECT s.marketplace_id, s.seller_sku, coalesce(sum(s.units) ${within(7)}, 0)::int AS units7,
             coalesce(sum(s.units) ${within(15)}, 0)::int AS units15, sum(s.units)::int AS units30,
             sum(s.orders)::int AS orders30, coalesce(sum(s.product_sales) ${within(7)}, 0) AS sales7,
             sum(s.product_sales) AS sales30
        FROM site AS t
        JOIN sales.sku_day AS s ON s.company_id = ${ctx.companyId} AND s.account_id = ${accountId}
         AND s.marketplace_id = t.marketplace_id AND s.local_date >= t.since AND s.local_date < t.today ${some('s')}
       GROUP BY 1, 2),
    stocked AS MATERIALIZED (
      SELECT d.marketplace_id, d.seller_sku, ${full(7)} AS days7, ${full(15)} AS days15, ${full(30)} AS days30
        FROM (${stockDaysSelect(ctx, of)}) AS d
        JOIN site AS t ON t.marketplace_id = d.marketplace_id AND d.day >= t.today - 30 AND d.day < t.today
       GROUP BY 1, 2),
    returned AS MATERIALIZED (
      SELECT o.marketplace_id, r.seller_sku, sum(r.quantity)::int AS pieces
        FROM (${returnsSelect(ctx, of)}) AS r
        JOIN "order".amazon_order AS o ON o.company_id = ${ctx.companyId} AND o.amazon_order_id = r.order_id
         AND o.account_id = ${accountId}
        JOIN site AS t ON t.marketplace_id = o.marketplace_id AND r.day >= t.today - 30 AND r.day < t.today
       GROUP BY 1, 2),
    returns AS MATERIALIZED (${returnsKnownSelect(ctx, accountId)}),
    seen AS MATERIALIZED (
      SELECT d.marketplace_id, d.seller_sku, sum(d.sessions)::int AS sessions, sum(d.page_views)::int AS page_views,
             sum(d.units)::int AS units, sum(${sql.raw(FEATURED_VIEWS)}) AS featured_views,
             (sum(d.page_views) FILTER (WHERE d.featured IS NOT NULL))::int AS featured_base
        FROM (${trafficDaysSelect(ctx, of)}) AS d
        JOIN site AS t ON t.marketplace_id = d.marketplace_id AND d.day > t.traffic_to - 7 AND d.day <= t.traffic_to
       GROUP BY 1, 2),
    advertised AS MATERIALIZED (
      SELECT d.marketplace_id, d.seller_sku, sum(d.impressions)::int AS impressions, sum(d.clicks)::int AS clicks,
             sum(d.orders)::int AS orders, sum(d.cost) AS spend, sum(d.sales) AS sales
        FROM (${adDaysSelect(ctx, of)}) AS d
        JOIN site AS t ON t.marketplace_id = d.marketplace_id AND d.day > t.ads_to - 7 AND d.day <= t.ads_to
       GROUP BY 1, 2),
    -- Sites that share a stock tell the same pieces: they are not added up.
    lying AS MATERIALIZED (
      SELECT pool, seller_sku, max(fulfillable)::int AS fulfillable, max(sellable)::int AS sellable,
             max(inbound)::int AS inbound, max(as_of) AS as_of
        FROM (SELECT coalesce(t.stock, f.marketplace_id) AS pool, f.seller_sku, sum(f.fulfillable) AS fulfillable,
                     sum(${sql.raw(SELLABLE)}) AS sellable, sum(f.inbound) AS inbound, max(f.as_of) AS as_of
                FROM inventory.fba_stock AS f
                LEFT JOIN site AS t ON t.marketplace_id = f.marketplace_id
               WHERE f.company_id = ${ctx.companyId} AND f.account_id = ${accountId} ${some('f')}
               GROUP BY 1, f.marketplace_id, 2) AS each
       GROUP BY 1, 2)`;
}
