import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { hiddenFields } from '#kit/server/list/page.ts';
import { adDaysSelect } from '#modules/advertising/server/index.ts';
import { stockDaysSelect } from '#modules/inventory/server/index.ts';
import { bookDaysSelect, priceMarksSelect, type RankDay, rankDaysSelect } from '#modules/listing/server/index.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { trafficDaysSelect } from '#modules/report/server/index.ts';
import { salesAsOf } from '#modules/sales/server/index.ts';
import type { listingTrend, Source, TrendDay } from '../contract/trend.ts';
import { WallRow } from '../contract/wall.ts';
import { freshness, namesOf, wallRow } from './list.ts';
import { type DbRow, OF_LISTING } from './relation.ts';

const DAY_MS = 86_400_000;

/** Time zone of a row's site. */
export const zoneOf = (row: DbRow): string => marketplaceOf(row.marketplace_id)?.timeZone ?? 'UTC';

/** A listing of the wall. @throws 404 for anybody else's */
export async function rowOf(ctx: Ctx, id: string): Promise<DbRow> {
  const { rows } = await sql<DbRow>`
    SELECT m.*, ${sql.join(OF_LISTING)} FROM analysis.listing_metric AS m
     WHERE m.company_id = ${ctx.companyId} AND m.listing_id = ${id}`.execute(ctx.db);
  if (!rows[0]) throw notFound('商品不存在或已删除');
  return rows[0];
}

/** Days of one listing from the faces of those who know them, each day once, oldest first. */
async function daysOf(ctx: Ctx, row: DbRow, from: string, to: string): Promise<z.output<typeof TrendDay>[]> {
  const sku = row.seller_sku ?? '';
  const { account_id: accountId, marketplace_id: site } = row;
  const of = { accountId, from, skus: [sku] };
  const zone = zoneOf(row);
  const product = { accountId, marketplaceId: site, asin: row.asin };
  const here = (select: RawBuilder<unknown>) =>
    sql`(SELECT * FROM (${select}) AS all_sites WHERE marketplace_id = ${site})`;
  const { rows } = await sql<z.output<typeof TrendDay>>`
    SELECT g.day::date AS day, CASE WHEN ${row.sales_to}::date >= g.day::date THEN coalesce(s.units, 0) ELSE s.units END AS units,
           CASE WHEN ${row.sales_to}::date >= g.day::date THEN coalesce(s.sales, 0) ELSE s.sales END AS sales,
           v.sessions, a.cost AS "adSpend", a.sales AS "adSales", f.fulfillable, p.price, v.featured AS "featuredShare",
           o.own_price AS "ownPrice", o.featured_price AS "featuredPrice", o.lowest_price AS "lowestPrice", r.group_rank AS "groupRank",
           r.class_rank AS "classRank", ${row.currency}::text AS currency
      FROM generate_series(${from}::date, ${to}::date, interval '1 day') AS g (day)
      LEFT JOIN (SELECT local_date, sum(units)::int AS units, sum(product_sales) AS sales FROM sales.sku_day
                  WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${site}
                    AND seller_sku = ${sku} AND local_date >= ${from}::date
                  GROUP BY local_date) AS s ON s.local_date = g.day::date
      LEFT JOIN (SELECT day, sum(sessions)::int AS sessions,
                        sum(featured * page_views) / nullif(sum(page_views) FILTER (WHERE featured IS NOT NULL), 0) / 100 AS featured
                   FROM ${here(trafficDaysSelect(ctx, of))} AS t GROUP BY day) AS v
        ON v.day = g.day::date
      LEFT JOIN ${here(adDaysSelect(ctx, of))} AS a ON a.day = g.day::date
      LEFT JOIN ${here(stockDaysSelect(ctx, of))} AS f ON f.day = g.day::date
      LEFT JOIN (SELECT DISTINCT ON (day) (seen_at AT TIME ZONE ${zone})::date AS day, price
                   FROM (${priceMarksSelect(ctx, { accountId, marketplaceId: site, sellerSku: sku })}) AS marks
                  ORDER BY day, seen_at DESC) AS p ON p.day = g.day::date
      -- Offers stand until they change; a rank is that of its day alone.
      LEFT JOIN LATERAL (SELECT * FROM (${bookDaysSelect(ctx, { ...product, zone })}) AS book
                          WHERE book.day <= g.day::date ORDER BY book.day DESC LIMIT 1) AS o ON true
      LEFT JOIN (${rankDaysSelect(ctx, product)}) AS r ON r.day = g.day::date
     ORDER BY 1`.execute(ctx.db);
  return rows;
}

async function lastRank(ctx: Ctx, row: DbRow): Promise<RankDay | undefined> {
  const of = { accountId: row.account_id, marketplaceId: row.marketplace_id, asin: row.asin };
  const { rows } = await sql<RankDay>`
    SELECT * FROM (${rankDaysSelect(ctx, of)}) AS r WHERE group_rank IS NOT NULL OR class_rank IS NOT NULL
     ORDER BY day DESC LIMIT 1`.execute(ctx.db);
  return rows[0];
}

async function sourcesOf(ctx: Ctx, row: DbRow, rank: RankDay | undefined): Promise<z.output<typeof Source>[]> {
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
    one('排名', '商品目录接口，每日两次', rank?.day ?? null, rank?.as_of ?? null),
  ];
}

/**
 * One listing by day, so many whole days and the one that is not over where it was read, with what its figures come from. @throws
 * 404 for anybody else's
 */
export async function trend(ctx: Ctx, id: string, days: number): Promise<z.output<typeof listingTrend.reply>> {
  const row = await rowOf(ctx, id);
  const shown = wallRow(row, await namesOf(ctx, [row]));
  const rank = await lastRank(ctx, row);
  const whole = row.sales_to ?? ctx.clock.today();
  const from = new Date(Date.parse(whole) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  // Ranks are read during the day whose sales are not told yet.
  const to = rank && rank.day > whole ? rank.day : whole;
  const hidden = new Set(hiddenFields(ctx, WallRow));
  const allowed = Object.fromEntries(
    Object.entries(shown).map(([key, value]) => [key, hidden.has(key) ? null : value]),
  );
  return {
    row: allowed as WallRow,
    days: await daysOf(ctx, row, from, to),
    sources: await sourcesOf(ctx, row, rank),
    groupTitle: rank?.group_title ?? null,
    classTitle: rank?.class_title ?? null,
  };
}
