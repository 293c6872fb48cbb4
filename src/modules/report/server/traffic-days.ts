import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { SkuDays } from '#modules/inventory/server/index.ts';

/** Visits of a SKU on a business day. `featured` is the percentage of the page views that showed our offer first. */
interface TrafficDay {
  marketplace_id: string;
  seller_sku: string;
  day: string;
  sessions: number;
  page_views: number;
  units: number;
  featured: string | null;
}

/** SELECT of visits by SKU and business day, from the level of SKUs alone; a day that is not told has no row. */
export function trafficDaysSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, from, skus }: SkuDays,
): RawBuilder<TrafficDay> {
  return sql<TrafficDay>`
    SELECT marketplace_id, seller_sku, day, sessions, page_views, units, featured FROM report.traffic
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND level = 'sku' AND day >= ${from}::date
       ${skus ? sql`AND seller_sku = ANY (${skus}::text[])` : sql``}`;
}

/** SELECT of the newest business day that the report has told of each marketplace, since a day. */
export function trafficToSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, from }: Pick<SkuDays, 'accountId' | 'from'>,
): RawBuilder<{ marketplace_id: string; day: string }> {
  return sql`
    SELECT marketplace_id, max(day) AS day FROM report.traffic
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND day >= ${from}::date
     GROUP BY marketplace_id`;
}
