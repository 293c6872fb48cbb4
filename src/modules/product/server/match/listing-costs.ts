import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ListingRef } from '../../contract/match.ts';

/** Listings that stand, now or at another time, for a product with one of these SKUs. */
export async function listingsOfSkus(ctx: Ctx, skus: readonly string[]): Promise<ListingRef[]> {
  const { rows } = await sql<ListingRef>`
    SELECT DISTINCT m.account_id AS "accountId", m.marketplace_id AS "marketplaceId", m.msku
      FROM product.local_product AS p
      JOIN product.sku_match_line AS n ON n.company_id = p.company_id AND n.product_id = p.id
      JOIN product.sku_match AS m ON m.company_id = n.company_id AND m.id = n.match_id
     WHERE p.company_id = ${ctx.companyId} AND p.sku = ANY (${[...skus]}::text[])`.execute(ctx.db);
  return rows;
}

/**
 * Works out anew what the listings cost over time: each match from its first day, again on each day on which the cost of
 * one of its products changes, and the day after its last one gives the word back to the SKU's own cost.
 */
export async function refreshListingCosts(ctx: Ctx, listings: readonly ListingRef[]): Promise<void> {
  if (listings.length === 0) return;
  await sql`DROP TABLE IF EXISTS pg_temp.refreshed`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE refreshed ON COMMIT DROP AS
    SELECT DISTINCT * FROM unnest(${listings.map((one) => one.accountId)}::uuid[],
      ${listings.map((one) => one.marketplaceId)}::text[], ${listings.map((one) => one.msku)}::text[])
      AS k(account_id, marketplace_id, msku)`.execute(ctx.db);
  await sql`
    DELETE FROM product.listing_cost AS c USING pg_temp.refreshed AS k
     WHERE c.company_id = ${ctx.companyId} AND c.account_id = k.account_id AND c.marketplace_id = k.marketplace_id
       AND c.msku = k.msku`.execute(ctx.db);
  await sql`
    WITH matched AS (
      SELECT m.* FROM product.sku_match AS m JOIN pg_temp.refreshed AS k USING (account_id, marketplace_id, msku)
       WHERE m.company_id = ${ctx.companyId}
    ), days AS (
      SELECT id, valid_from AS day FROM matched
      UNION
      SELECT m.id, c.valid_from FROM matched AS m
        JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id
        JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id
        JOIN product.sku_cost AS c ON c.company_id = p.company_id AND c.sku = p.sku AND m.period @> c.valid_from
    ), priced AS (
      SELECT d.id, d.day,
             CASE WHEN count(*) = count(c.unit_cost) THEN sum(n.qty * c.unit_cost) END AS unit_cost
        FROM days AS d
        JOIN product.sku_match_line AS n ON n.company_id = ${ctx.companyId} AND n.match_id = d.id
        JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id
        LEFT JOIN LATERAL (SELECT s.unit_cost FROM product.sku_cost AS s
                            WHERE s.company_id = p.company_id AND s.sku = p.sku AND s.valid_from <= d.day
                            ORDER BY s.valid_from DESC LIMIT 1) AS c ON true
       GROUP BY d.id, d.day)
    INSERT INTO product.listing_cost (company_id, account_id, marketplace_id, msku, valid_from, own, unit_cost)
    SELECT m.company_id, m.account_id, m.marketplace_id, m.msku, r.day, true, r.unit_cost
      FROM priced AS r JOIN matched AS m ON m.id = r.id
    UNION ALL
    SELECT m.company_id, m.account_id, m.marketplace_id, m.msku, m.valid_to + 1, false, NULL
      FROM matched AS m
     WHERE m.valid_to IS NOT NULL AND NOT EXISTS (
       SELECT FROM matched AS o WHERE o.account_id = m.account_id AND o.marketplace_id = m.marketplace_id
                                  AND o.msku = m.msku AND o.valid_from = m.valid_to + 1)`.execute(ctx.db);
}

/**
 * Changes of a company's matches happen one after the other: two people who match the same listing at once would both
 * find it free.
 */
export async function lockMatches(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`product.match:${ctx.companyId}`}, 0))`.execute(ctx.db);
}
