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

/** How often our offer of a SKU was featured on a business day. */
interface FeaturedDay {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  day: string;
  page_views: number;
  /** Percentage of the page views; NULL where the report does not say. */
  featured: string | null;
}

/** SELECT of what the report says of Buy Boxes of the whole company from a day to another, both included, to join by SKU. */
export function featuredDaysSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  { from, to }: { from: string; to: string },
): RawBuilder<FeaturedDay> {
  return sql<FeaturedDay>`
    SELECT account_id, marketplace_id, seller_sku, day, page_views, featured FROM report.traffic
     WHERE company_id = ${companyId} AND level = 'sku' AND day >= ${from}::date AND day <= ${to}::date`;
}
