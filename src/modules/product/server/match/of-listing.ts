import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** A product that a listing stands for, and how many pieces of it are in one. */
export interface ListingPart {
  productId: string;
  qty: number;
}

/** A listing of an account in a marketplace. */
export interface ListingOf {
  accountId: string;
  marketplaceId: string;
  msku: string;
}

/** Key of a listing in the answers about many. */
export const listingKey = ({ accountId, marketplaceId, msku }: ListingOf): string =>
  `${accountId} ${marketplaceId} ${msku}`;

/**
 * What listings are made of today, by listingKey(): what they are matched with, else the product of the same SKU. A listing
 * that stands for nothing is absent.
 */
export async function partsOfAllListings(
  ctx: Ctx,
  listings: readonly ListingOf[],
): Promise<Map<string, ListingPart[]>> {
  if (listings.length === 0) return new Map();
  const { rows } = await sql<ListingPart & ListingOf>`
    WITH asked AS (
           SELECT DISTINCT * FROM unnest(${listings.map((one) => one.accountId)}::uuid[],
             ${listings.map((one) => one.marketplaceId)}::text[], ${listings.map((one) => one.msku)}::text[])
             AS a (account, site, msku)),
         matched AS (
           SELECT a.account, a.site, a.msku, n.product_id, n.qty FROM asked AS a
             JOIN product.sku_match AS m ON m.company_id = ${ctx.companyId} AND m.account_id = a.account
              AND m.marketplace_id = a.site AND m.msku = a.msku AND m.period @> ${ctx.clock.today()}::date
             JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id)
    SELECT account AS "accountId", site AS "marketplaceId", msku, product_id AS "productId", qty FROM matched
    UNION ALL
    SELECT a.account, a.site, a.msku, p.id, 1 FROM asked AS a
      JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.sku_key = lower(btrim(a.msku))
       AND NOT p.is_spelling
     WHERE NOT EXISTS (SELECT FROM matched AS m WHERE (m.account, m.site, m.msku) = (a.account, a.site, a.msku))
     ORDER BY 3, 4`.execute(ctx.db);
  const found = new Map<string, ListingPart[]>();
  for (const { productId, qty, ...listing } of rows) {
    const key = listingKey(listing);
    found.set(key, [...(found.get(key) ?? []), { productId, qty }]);
  }
  return found;
}

/** The same for listings of one account in one marketplace, by MSKU. */
export async function partsOfListings(
  ctx: Ctx,
  accountId: string,
  marketplaceId: string,
  mskus: readonly string[],
): Promise<Map<string, ListingPart[]>> {
  const listings = mskus.map((msku) => ({ accountId, marketplaceId, msku }));
  const found = await partsOfAllListings(ctx, listings);
  return new Map(
    listings.flatMap((listing) => {
      const parts = found.get(listingKey(listing));
      return parts ? [[listing.msku, parts] as const] : [];
    }),
  );
}

/** Pieces of a listing in one carton of its product. */
interface CartonRow {
  account_id: string;
  marketplace_id: string;
  msku: string;
  units: number | null;
}

/**
 * A SELECT over the company's listings that are matched today, of (account_id uuid, marketplace_id text, msku text, units
 * int): how many of a listing fill a carton of the one product that it is made of; NULL where that is not known or does not
 * come out even.
 */
export function matchedCartonsSelect(ctx: Ctx): RawBuilder<CartonRow> {
  return sql<CartonRow>`
    SELECT m.account_id, m.marketplace_id, m.msku,
           CASE WHEN count(*) = 1 AND bool_and(d.units_per_carton % n.qty = 0) THEN min(d.units_per_carton / n.qty) END
             AS units
      FROM product.sku_match AS m
      JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id
      LEFT JOIN product.dimension AS d ON d.company_id = n.company_id AND d.product_id = n.product_id AND d.role = 'carton'
     WHERE m.company_id = ${ctx.companyId} AND m.period @> ${ctx.clock.today()}::date
     GROUP BY m.account_id, m.marketplace_id, m.msku`;
}

/** A SELECT of (sku_key text, units int): pieces in a carton of each product of which that is known, by its SKU in lower case. */
export function cartonUnitsSelect(ctx: Ctx): RawBuilder<{ sku_key: string; units: number }> {
  return sql`
    SELECT p.sku_key, d.units_per_carton AS units
      FROM product.dimension AS d
      JOIN product.local_product AS p ON p.company_id = d.company_id AND p.id = d.product_id AND NOT p.is_spelling
     WHERE d.company_id = ${ctx.companyId} AND d.role = 'carton' AND d.units_per_carton IS NOT NULL`;
}
