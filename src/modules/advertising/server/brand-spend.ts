import { sql } from 'kysely';
import { allocate, currencyScale } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';

/** A marketplace of a seller account, and business days [from, to) there. */
export interface SpendOf {
  accountId: string;
  marketplaceId: string;
  from: string;
  to: string;
}

interface Cost {
  currency: string;
  campaign: string;
  cost: string;
}

/** What each campaign of Sponsored Brands cost, above zero. */
async function costs(ctx: Ctx, { accountId, marketplaceId, from, to }: SpendOf): Promise<Cost[]> {
  const { rows } = await sql<Cost>`
    SELECT c.currency, c.campaign_id AS campaign, sum(d.cost) AS cost
      FROM advertising.campaign_day AS d
      JOIN advertising.campaign AS c
        ON c.company_id = d.company_id AND c.profile_id = d.profile_id AND c.ad_product = d.ad_product
       AND c.campaign_id = d.campaign_id
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.marketplace_id = ${marketplaceId}
       AND d.profile_id IN (SELECT profile_id FROM advertising.campaign
                             WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
                               AND marketplace_id = ${marketplaceId} AND ad_product = 'SB')
       AND d.ad_product = 'SB' AND d.day >= ${from}::date AND d.day < ${to}::date
     GROUP BY 1, 2 HAVING sum(d.cost) > 0 ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}

type ByCampaign = Map<string, Map<string, string>>;

function grouped(rows: readonly { campaign: string; asin: string; weight: string }[]): ByCampaign {
  const all: ByCampaign = new Map();
  for (const { campaign, asin, weight } of rows) {
    const own = all.get(campaign) ?? new Map<string, string>();
    all.set(campaign, own.set(asin, weight));
  }
  return all;
}

/** Sales of the products that the campaign's ads show, as they followed its clicks in the period. */
async function sold(ctx: Ctx, of: SpendOf, campaigns: readonly string[]): Promise<ByCampaign> {
  const { rows } = await sql<{ campaign: string; asin: string; weight: string }>`
    SELECT campaign_id AS campaign, asin, sum(sales) AS weight FROM advertising.purchased_day
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND marketplace_id = ${of.marketplaceId}
       AND campaign_id = ANY(${campaigns}::text[]) AND attribution = 'Promoted'
       AND day >= ${of.from}::date AND day < ${of.to}::date
     GROUP BY 1, 2 HAVING sum(sales) > 0 ORDER BY 1, 2`.execute(ctx.db);
  return grouped(rows);
}

/** The products that the campaign's ads show, all alike. */
async function shown(ctx: Ctx, of: SpendOf, campaigns: readonly string[]): Promise<ByCampaign> {
  const { rows } = await sql<{ campaign: string; asin: string; weight: string }>`
    SELECT DISTINCT campaign_id AS campaign, unnest(asins) AS asin, '1' AS weight FROM advertising.product_ad
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND marketplace_id = ${of.marketplaceId}
       AND ad_product = 'SB' AND campaign_id = ANY(${campaigns}::text[])
     ORDER BY 1, 2`.execute(ctx.db);
  return grouped(rows);
}

/** The SKU that an ASIN is sold under; of several the one that is advertised, then the first. */
async function skusOf(ctx: Ctx, of: SpendOf, asins: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ asin: string; sku: string }>`
    SELECT DISTINCT ON (p.asin) p.asin, p.seller_sku AS sku
      FROM listing.product AS p
     WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${of.accountId} AND p.marketplace_id = ${of.marketplaceId}
       AND p.asin = ANY(${asins}::text[])
     ORDER BY p.asin, EXISTS (
         SELECT FROM advertising.product_ad AS a
          WHERE a.company_id = p.company_id AND a.account_id = p.account_id AND a.marketplace_id = p.marketplace_id
            AND a.seller_sku = p.seller_sku) DESC, p.seller_sku`.execute(ctx.db);
  return new Map(rows.map(({ asin, sku }) => [asin, sku]));
}

/**
 * What Sponsored Brands cost by SKU, whose ads are of no SKU: the cost of each campaign in the period is shared over its
 * products by what was sold of them after its clicks in the period, and where nothing was, equally over what its ads show
 * (handbook of advertising, 5.10), to the smallest unit of the currency. What is of no known SKU stays out.
 */
export async function brandSpend(ctx: Ctx, of: SpendOf): Promise<{ currency: string; sku: string; cost: string }[]> {
  const campaigns = await costs(ctx, of);
  if (campaigns.length === 0) return [];
  const ids = campaigns.map(({ campaign }) => campaign);
  const [bySales, alike] = [await sold(ctx, of, ids), await shown(ctx, of, ids)];
  const parts = campaigns.flatMap(({ currency, campaign, cost }) => {
    const weights = bySales.get(campaign) ?? alike.get(campaign) ?? new Map<string, string>();
    const shares = allocate(cost, weights, currencyScale(currency)) ?? new Map<string, string>();
    return [...shares].map(([asin, share]) => ({ currency, asin, share }));
  });
  const skus = await skusOf(ctx, of, [...new Set(parts.map(({ asin }) => asin))]);
  return parts.flatMap(({ currency, asin, share }) => {
    const sku = skus.get(asin);
    return sku === undefined ? [] : [{ currency, sku, cost: share }];
  });
}
