import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { event } from '#kit/server/events.ts';
import { brandSpend } from './brand-spend.ts';

/** Figures of advertised products of these business days (YYYY-MM-DD) were written in the transaction that tells it. */
export const adSpendTouched = event<{ accountId: string; marketplaceId: string; days: readonly string[] }>(
  'advertising.spendTouched',
);

/** Currency to seller SKU to what its ads cost, above zero. */
export type Spend = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * What the ads of each SKU cost on the business days [from, to) of a marketplace, in the currency of the profile: as
 * Amazon restated it last, by the day of the click. Of Sponsored Brands each SKU has its share: see brandSpend().
 */
export async function spendBySku(
  ctx: Ctx,
  { accountId, marketplaceId }: { accountId: string; marketplaceId: string },
  from: string,
  to: string,
): Promise<Spend> {
  const { rows } = await sql<{ currency: string; sku: string; cost: string }>`
    SELECT c.currency, d.seller_sku AS sku, sum(d.cost) AS cost
      FROM advertising.product_day AS d
      JOIN advertising.campaign AS c
        ON c.company_id = d.company_id AND c.profile_id = d.profile_id AND c.ad_product = d.ad_product
       AND c.campaign_id = d.campaign_id
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.marketplace_id = ${marketplaceId}
       AND d.profile_id IN (SELECT profile_id FROM advertising.campaign
                             WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
                               AND marketplace_id = ${marketplaceId})
       AND d.day >= ${from}::date AND d.day < ${to}::date AND d.seller_sku <> ''
     GROUP BY 1, 2 HAVING sum(d.cost) > 0 ORDER BY 1, 2`.execute(ctx.db);
  const spend = new Map<string, Map<string, string>>();
  for (const { currency, sku, cost } of [...rows, ...(await brandSpend(ctx, { accountId, marketplaceId, from, to }))]) {
    const skus = spend.get(currency) ?? new Map<string, string>();
    spend.set(currency, skus.set(sku, new Decimal(skus.get(sku) ?? 0).plus(cost).toFixed()));
  }
  return spend;
}
