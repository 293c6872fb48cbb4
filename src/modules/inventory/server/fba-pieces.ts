import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type ListingOf, listingKey } from '#modules/product/server/index.ts';

/** Pieces of listings that lie at Amazon, of all conditions, by listingKey(); found by the key of the stock. */
export async function fbaPieces(ctx: Ctx, listings: readonly ListingOf[]): Promise<Map<string, number>> {
  if (listings.length === 0) return new Map();
  const { rows } = await sql<ListingOf & { pieces: number }>`
    SELECT f.account_id AS "accountId", f.marketplace_id AS "marketplaceId", f.seller_sku AS msku, sum(f.on_hand)::int AS pieces
      FROM unnest(${listings.map((one) => one.accountId)}::uuid[], ${listings.map((one) => one.marketplaceId)}::text[],
                  ${listings.map((one) => one.msku)}::text[]) AS k(account_id, marketplace_id, msku)
      JOIN inventory.fba_stock AS f ON f.company_id = ${ctx.companyId} AND f.account_id = k.account_id
       AND f.marketplace_id = k.marketplace_id AND f.seller_sku = k.msku
     GROUP BY 1, 2, 3`.execute(ctx.db);
  return new Map(rows.map((row) => [listingKey(row), row.pieces]));
}
