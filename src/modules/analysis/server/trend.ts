import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { hiddenFields } from '#kit/server/list/page.ts';
import { adDaysSelect } from '#modules/advertising/server/index.ts';
import { stockDaysSelect } from '#modules/inventory/server/index.ts';
import { priceMarksSelect } from '#modules/listing/server/index.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { trafficDaysSelect } from '#modules/report/server/index.ts';
import { salesAsOf } from '#modules/sales/server/index.ts';
import type { listingTrend, Source, TrendDay } from '../contract/trend.ts';
import { WallRow } from '../contract/wall.ts';
import { freshness, namesOf, wallRow } from './list.ts';
import { type DbRow, OF_LISTING } from './relation.ts';

const DAY_MS = 86_400_000;

async function rowOf(ctx: Ctx, id: string): Promise<DbRow> {
  const { rows } = await sql<DbRow>`
    SELECT m.*, ${OF_LISTING} FROM analysis.listing_metric AS m
     WHERE m.company_id = ${ctx.companyId} AND m.listing_id = ${id}`.execute(ctx.db);
  if (!rows[0]) throw notFound('商品不存在或已删除');
  return rows[0];
}

/** Days of one listing from the faces of those who know them, each day once, oldest first. */
async function daysOf(ctx: Ctx, row: DbRow, from: string, to: string): Promise<z.output<typeof TrendDay>[]> {
  const sku = row.seller_sku ?? '';
  const { account_id: accountId, marketplace_id: site } = row;
  const of = { accountId, from, skus: [sku] };
  const zone = marketplaceOf(site)?.timeZone ?? 'UTC';
  const here = (select: RawBuilder<unknown>) =>
    sql`(SELECT * FROM (${select}) AS all_sites WHERE marketplace_id = ${site})`;
  const { rows } = await sql<z.output<typeof TrendDay>>`
    SELECT g.day::date AS day, CASE WHEN ${row.sales_to}::date >= g.day::date THEN coalesce(s.units, 0) ELSE s.units END AS units,
           CASE WHEN ${row.sales_to}::date >= g.day::date THEN coalesce(s.sales, 0) ELSE s.sales END AS sales,
           v.sessions, a.cost AS "adSpend", a.sales AS "adSales", f.fulfillable, p.price, ${row.currency}::text AS currency
      FROM generate_series(${from}::date, ${to}::date, interval '1 day') AS g (day)
      LEFT JOIN (SELECT local_date, sum(units)::int AS units, sum(product_sales) AS sales FROM sales.sku_day
                  WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${site}
                    AND seller_sku = ${sku} AND local_date >= ${from}::date
                  GROUP BY local_date) AS s ON s.local_date = g.day::date
      LEFT JOIN (SELECT day, sum(sessions)::int AS sessions FROM ${here(trafficDaysSelect(ctx, of))} AS t GROUP BY day) AS v
        ON v.day = g.day::date
      LEFT JOIN ${here(adDaysSelect(ctx, of))} AS a ON a.day = g.day::date
      LEFT JOIN ${here(stockDaysSelect(ctx, of))} AS f ON f.day = g.day::date
      LEFT JOIN (SELECT DISTINCT ON (day) (seen_at AT TIME ZONE ${zone})::date AS day, price
                   FROM (${priceMarksSelect(ctx, { accountId, marketplaceId: site, sellerSku: sku })}) AS marks
                  ORDER BY day, seen_at DESC) AS p ON p.day = g.day::date
     ORDER BY 1`.execute(ctx.db);
  return rows;
}

async function sourcesOf(ctx: Ctx, row: DbRow): Promise<z.output<typeof Source>[]> {
  const made = await freshness(ctx);
  const one = (figure: string, source: string, to: string | null, at: string | null = made) => ({
    figure,
    source,
    to,
    at,
  });
  return [
    one('销量', '订单', row.sales_to, await salesAsOf(ctx, [row.account_id])),
    one('访问次数', '销售与流量报告', row.traffic_to),
    one('广告', '广告报告：商品推广与展示型推广', row.ads_to),
    one('库存', row.fulfilled_by === 'MERCHANT' ? '在线商品' : 'FBA库存', null, row.stock_at),
    one('利润', '结算与交易，近 30 天', row.profit_to),
  ];
}

/** One listing by day, with what its figures come from. @throws 404 for anybody else's */
export async function trend(ctx: Ctx, id: string, days: number): Promise<z.output<typeof listingTrend.reply>> {
  const row = await rowOf(ctx, id);
  const shown = wallRow(row, await namesOf(ctx, [row]));
  const to = row.sales_to ?? ctx.clock.today();
  const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const hidden = new Set(hiddenFields(ctx, WallRow));
  const allowed = Object.fromEntries(
    Object.entries(shown).map(([key, value]) => [key, hidden.has(key) ? null : value]),
  );
  return {
    row: allowed as WallRow,
    days: await daysOf(ctx, row, from, to),
    sources: await sourcesOf(ctx, row),
  };
}
