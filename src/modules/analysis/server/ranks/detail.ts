import { sql } from 'kysely';
import type { z } from 'zod';
import { dayAfter, dayIn } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { booksSince, rankDaysSelect, seenDaysSelect } from '#modules/listing/server/index.ts';
import { featuredDaysSelect } from '#modules/report/server/index.ts';
import type { RankDay, rankDetail } from '../../contract/ranks.ts';
import { namesOf } from '../list.ts';
import { zoneOf } from '../trend.ts';
import { type RankedRow, rankedRows, rankRow } from './list.ts';
import { lostSpells } from './lost.ts';

/** Offers are kept for so many days. */
const LOST_DAYS = 90;

async function daysOf(ctx: Ctx, row: RankedRow, from: string, to: string): Promise<RankDay[]> {
  const { account_id: accountId, marketplace_id: marketplaceId, asin } = row;
  const product = { accountId, marketplaceId, asin };
  const { rows } = await sql<RankDay>`
    SELECT g.day::date AS day, r.group_rank AS "groupRank", r.class_rank AS "classRank",
           CASE WHEN ${row.sales_to}::date >= g.day::date THEN coalesce(s.units, 0) ELSE s.units END AS units,
           round(b.owned / nullif(b.owned + b.lost, 0)::numeric, 4) AS share,
           round((b.owned + b.lost) / nullif(b.owned + b.lost + b.unseen, 0)::numeric, 4) AS coverage,
           round(f.official, 4) AS official
      FROM generate_series(${from}::date, ${to}::date, interval '1 day') AS g (day)
      LEFT JOIN (${rankDaysSelect(ctx, product)}) AS r ON r.day = g.day::date
      LEFT JOIN (${seenDaysSelect(ctx, product)}) AS b ON b.day = g.day::date
      LEFT JOIN (SELECT local_date, sum(units)::int AS units FROM sales.sku_day
                  WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
                    AND seller_sku = ${row.seller_sku} AND local_date >= ${from}::date
                  GROUP BY local_date) AS s ON s.local_date = g.day::date
      LEFT JOIN (SELECT day, sum(featured * page_views)
                          / nullif(sum(page_views) FILTER (WHERE featured IS NOT NULL), 0) / 100 AS official
                   FROM (${featuredDaysSelect(ctx, { from, to })}) AS d
                  WHERE account_id = ${accountId} AND marketplace_id = ${marketplaceId} AND seller_sku = ${row.seller_sku}
                  GROUP BY day) AS f ON f.day = g.day::date
     ORDER BY 1`.execute(ctx.db);
  return rows;
}

/** A listing's ranks, sales and Buy Box by day, and the times in which the Buy Box was lost. @throws 404 for anybody else's */
export async function detailOf(ctx: Ctx, id: string, days: number): Promise<z.output<typeof rankDetail.reply>> {
  const one = sql`SELECT ${id}::uuid AS listing_id`;
  const { rows } = await sql<RankedRow>`SELECT * FROM ${rankedRows(ctx, {}, one)} AS m`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound('商品不存在或已删除');
  const to = dayIn(zoneOf(row), ctx.clock.ms());
  const product = { accountId: row.account_id, marketplaceId: row.marketplace_id, asin: row.asin ?? '' };
  return {
    row: rankRow(row, await namesOf(ctx, [row])),
    sellerSku: row.seller_sku ?? '',
    days: await daysOf(ctx, row, dayAfter(to, 1 - days), to),
    lost: lostSpells(await booksSince(ctx, product, LOST_DAYS)),
  };
}
