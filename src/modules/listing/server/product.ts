import { type RawBuilder, sql } from 'kysely';
import type { Product } from '#kit/contract/field.ts';
import type { Ctx } from '#kit/server/context.ts';

/** What names a listing in every fact of the marketplace. */
export interface ListingKey {
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
}

/** Key of a listing in the answer of `productInfo`. */
export function productKey({ accountId, marketplaceId, sellerSku }: ListingKey): string {
  return `${accountId}\t${marketplaceId}\t${sellerSku}`;
}

/** That the view `listing.product`, joined as `p`, is the listing that a row of the table `alias` is about. */
export function ofListing(ctx: Ctx, alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`p.company_id = ${ctx.companyId} AND p.account_id = ${column('account_id')}
    AND p.marketplace_id = ${column('marketplace_id')} AND p.seller_sku = ${column('seller_sku')}`;
}

/**
 * Product cells (name, picture, ASIN) for the rows of a page, in one query; look one up with `productKey`. A key that is
 * not listed is absent: show the SKU alone. A list that searches or sorts by name joins the view `listing.product` on
 * company_id, account_id, marketplace_id and seller_sku instead.
 */
export async function productInfo(ctx: Ctx, keys: readonly ListingKey[]): Promise<Map<string, Product>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<ListingKey & { name: string; image: string | null; asin: string | null }>`
    SELECT p.account_id AS "accountId", p.marketplace_id AS "marketplaceId", p.seller_sku AS "sellerSku", p.name,
           p.image, p.asin
      FROM unnest(${keys.map((key) => key.accountId)}::uuid[], ${keys.map((key) => key.marketplaceId)}::text[],
                  ${keys.map((key) => key.sellerSku)}::text[]) AS k (account_id, marketplace_id, seller_sku)
      JOIN listing.product AS p ON p.company_id = ${ctx.companyId} AND p.account_id = k.account_id
       AND p.marketplace_id = k.marketplace_id AND p.seller_sku = k.seller_sku`.execute(ctx.db);
  return new Map(
    rows.map((row) => [
      productKey(row),
      { name: row.name, code: row.sellerSku, image: row.image, extra: row.asin } satisfies Product,
    ]),
  );
}
