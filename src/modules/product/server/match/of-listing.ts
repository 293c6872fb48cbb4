import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** A product that a listing stands for, and how many pieces of it are in one. */
export interface ListingPart {
  productId: string;
  qty: number;
}

/**
 * What listings of an account in a marketplace are made of today, by MSKU: what they are matched with, else the product of
 * the same SKU. A listing that stands for nothing is absent.
 */
export async function partsOfListings(
  ctx: Ctx,
  accountId: string,
  marketplaceId: string,
  mskus: readonly string[],
): Promise<Map<string, ListingPart[]>> {
  if (mskus.length === 0) return new Map();
  const { rows } = await sql<ListingPart & { msku: string }>`
    WITH asked AS (SELECT DISTINCT m AS msku FROM unnest(${[...mskus]}::text[]) AS m),
         matched AS (
           SELECT a.msku, n.product_id, n.qty FROM asked AS a
             JOIN product.sku_match AS m ON m.company_id = ${ctx.companyId} AND m.account_id = ${accountId}
              AND m.marketplace_id = ${marketplaceId} AND m.msku = a.msku AND m.period @> ${ctx.clock.today()}::date
             JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id)
    SELECT msku, product_id AS "productId", qty FROM matched
    UNION ALL
    SELECT a.msku, p.id, 1 FROM asked AS a
      JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.sku_key = lower(btrim(a.msku))
       AND NOT p.is_spelling
     WHERE NOT EXISTS (SELECT FROM matched AS m WHERE m.msku = a.msku)
     ORDER BY 1, 2`.execute(ctx.db);
  const found = new Map<string, ListingPart[]>();
  for (const { msku, ...part } of rows) found.set(msku, [...(found.get(msku) ?? []), part]);
  return found;
}
