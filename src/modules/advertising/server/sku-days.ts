import { type RawBuilder, sql } from 'kysely';
import type { Period } from '#kit/contract/compare.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { SkuDays } from '#modules/inventory/server/index.ts';

/** What the ads of a SKU did on a business day, in the currency of the profile. */
interface AdDay {
  marketplace_id: string;
  seller_sku: string;
  day: string;
  impressions: number;
  clicks: number;
  cost: string;
  orders: number;
  sales: string;
}

const followed = (column: string) =>
  sql.raw(`sum(CASE WHEN d.ad_product = 'SP' THEN d.${column}_7d
                    ELSE d.${column}_14d + CASE c.cost_type WHEN 'VCPM' THEN d.view_${column} ELSE 0 END END)`);

/**
 * SELECT of ads by advertised SKU and business day, as the list of product ads reckons them: orders of Sponsored Products
 * within seven days of the click, of display within fourteen. Sponsored Brands advertise no SKU and are not in it.
 */
export function adDaysSelect(ctx: Pick<Ctx, 'companyId'>, { accountId, from, skus }: SkuDays): RawBuilder<AdDay> {
  return sql<AdDay>`
    SELECT d.marketplace_id, d.seller_sku, d.day, sum(d.impressions)::int AS impressions, sum(d.clicks)::int AS clicks,
           sum(d.cost) AS cost, ${followed('orders')}::int AS orders, ${followed('sales')} AS sales
      FROM advertising.product_day AS d
      JOIN advertising.campaign AS c
        ON c.company_id = d.company_id AND c.profile_id = d.profile_id AND c.ad_product = d.ad_product
       AND c.campaign_id = d.campaign_id
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.day >= ${from}::date
       AND d.seller_sku <> '' ${skus ? sql`AND d.seller_sku = ANY (${skus}::text[])` : sql``}
     GROUP BY 1, 2, 3`;
}

/** What the campaigns of a site did on a business day, in the currency of their profiles. */
interface SiteAdDay {
  account_id: string;
  marketplace_id: string;
  day: string;
  currency: string;
  clicks: number;
  cost: string;
  units: number;
  sales: string;
}

/**
 * SELECT of ads by site and business day, [from, to] as YYYY-MM-DD, of all kinds of campaigns: as the list of campaigns
 * reckons them.
 */
export function siteAdDaysSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { from, to }: { from: string; to: string },
): RawBuilder<SiteAdDay> {
  return sql<SiteAdDay>`
    SELECT d.account_id, d.marketplace_id, d.day, c.currency, sum(d.clicks)::int AS clicks, sum(d.cost) AS cost,
           ${followed('units')}::int AS units, ${followed('sales')} AS sales
      FROM advertising.campaign_day AS d
      JOIN advertising.campaign AS c
        ON c.company_id = d.company_id AND c.profile_id = d.profile_id AND c.ad_product = d.ad_product
       AND c.campaign_id = d.campaign_id
     WHERE d.company_id = ${ctx.companyId} AND d.day BETWEEN ${from}::date AND ${to}::date
       AND d.profile_id IN (SELECT profile_id FROM advertising.campaign WHERE company_id = ${ctx.companyId})
     GROUP BY 1, 2, 3, 4`;
}

/** SELECT of the newest business day with figures of each marketplace, since a day. */
export function adsToSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, from }: Pick<SkuDays, 'accountId' | 'from'>,
): RawBuilder<{ marketplace_id: string; day: string }> {
  return sql`
    SELECT marketplace_id, max(day) AS day FROM advertising.campaign_day
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND day >= ${from}::date
     GROUP BY marketplace_id`;
}

/** What ads cost on a business day, in the currency of the profile. */
interface AdCost {
  account_id: string;
  marketplace_id: string;
  /** '' for Sponsored Brands, which advertise no SKU. */
  seller_sku: string;
  asin: string;
  day: string;
  currency: string;
  cost: string;
}

/** SELECT of all that ads of every account cost within some business days: by advertised SKU, of Sponsored Brands by campaign. */
export function adCostsSelect({ companyId }: Pick<Ctx, 'companyId'>, { from, to }: Period): RawBuilder<AdCost> {
  const campaign = sql`
      JOIN advertising.campaign AS c
        ON c.company_id = d.company_id AND c.profile_id = d.profile_id AND c.ad_product = d.ad_product
       AND c.campaign_id = d.campaign_id
     WHERE d.company_id = ${companyId} AND d.day BETWEEN ${from}::date AND ${to}::date`;
  return sql<AdCost>`
    SELECT d.account_id, d.marketplace_id, d.seller_sku, d.asin, d.day, c.currency, d.cost
      FROM advertising.product_day AS d ${campaign} AND d.ad_product <> 'SB'
    UNION ALL
    SELECT d.account_id, d.marketplace_id, '', '', d.day, c.currency, d.cost
      FROM advertising.campaign_day AS d ${campaign} AND d.ad_product = 'SB'`;
}
