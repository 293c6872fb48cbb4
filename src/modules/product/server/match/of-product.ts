import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';

/** Listings that stand for a product today, matched or called like it. */
export async function listingsOfProduct(ctx: Ctx, id: string, sku: string) {
  const stores = await storeNames(ctx);
  const { rows } = await sql<{
    accountId: string;
    marketplaceId: string;
    msku: string;
    asin: string | null;
    name: string;
    qty: number;
  }>`
    SELECT l.account_id AS "accountId", l.marketplace_id AS "marketplaceId", l.seller_sku AS msku, l.asin, l.name, f.qty FROM (
      SELECT m.account_id, m.marketplace_id, m.msku, n.qty FROM product.sku_match_line AS n
        JOIN product.sku_match AS m ON m.company_id = n.company_id AND m.id = n.match_id
       WHERE n.company_id = ${ctx.companyId} AND n.product_id = ${id} AND m.period @> ${ctx.clock.today()}::date
      UNION ALL
      SELECT l.account_id, l.marketplace_id, l.seller_sku, 1 FROM listing.product AS l
       WHERE l.company_id = ${ctx.companyId} AND l.product_key = lower(btrim(${sku}))
         AND NOT EXISTS (SELECT FROM product.sku_match AS m WHERE m.company_id = l.company_id AND m.account_id = l.account_id
               AND m.marketplace_id = l.marketplace_id AND m.msku = l.seller_sku AND m.period @> ${ctx.clock.today()}::date)) AS f
      JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.account_id = f.account_id
       AND l.marketplace_id = f.marketplace_id AND l.seller_sku = f.msku
     ORDER BY 1, 2, 3 LIMIT 500`.execute(ctx.db);
  return rows.map((row) => ({
    ...row,
    store: stores.get(row.accountId) ?? '—',
    country: countryOf(row.marketplaceId),
  }));
}

/** A listing that one unit of is, among others, so many pieces of a product today. */
interface ListingOfProduct {
  productId: string;
  accountId: string;
  marketplaceId: string;
  msku: string;
  qty: number;
}

/** Listings that stand for any of these products today, matched or called like them; both ways by index. */
export async function listingsOfProducts(ctx: Ctx, ids: readonly string[]): Promise<ListingOfProduct[]> {
  if (ids.length === 0) return [];
  const today = sql`${ctx.clock.today()}::date`;
  const { rows } = await sql<ListingOfProduct>`
    SELECT n.product_id AS "productId", m.account_id AS "accountId", m.marketplace_id AS "marketplaceId", m.msku, n.qty
      FROM product.sku_match_line AS n
      JOIN product.sku_match AS m ON m.company_id = n.company_id AND m.id = n.match_id
     WHERE n.company_id = ${ctx.companyId} AND n.product_id = ANY (${[...ids]}::uuid[]) AND m.period @> ${today}
    UNION ALL
    SELECT p.id, l.account_id, l.marketplace_id, l.seller_sku, 1
      FROM product.local_product AS p
      JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.product_key = p.sku_key
     WHERE p.company_id = ${ctx.companyId} AND p.id = ANY (${[...ids]}::uuid[]) AND NOT p.is_spelling
       AND NOT EXISTS (SELECT FROM product.sku_match AS m WHERE m.company_id = l.company_id AND m.account_id = l.account_id
             AND m.marketplace_id = l.marketplace_id AND m.msku = l.seller_sku AND m.period @> ${today})`.execute(
    ctx.db,
  );
  return rows;
}
