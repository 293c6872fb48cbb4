import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { literal } from '#kit/server/list/words.ts';
import { type ListingPart, localProducts, packedSizes, partsOfListings } from '#modules/product/server/index.ts';
import { availableOf, maySee } from '#modules/warehouse/server/index.ts';
import type { ShipListing } from '../../contract/order-calls.ts';

export interface Listing {
  msku: string;
  fnsku: string | null;
  asin: string | null;
  name: string;
  image: string | null;
}

/** Listings of an account in a marketplace by MSKU. */
export async function listingsBySku(
  ctx: Ctx,
  account: string,
  marketplaceId: string,
  mskus: readonly string[],
): Promise<Map<string, Listing>> {
  if (mskus.length === 0) return new Map();
  const { rows } = await sql<Listing>`
    SELECT seller_sku AS msku, fnsku, asin, name, image FROM listing.product
     WHERE company_id = ${ctx.companyId} AND account_id = ${account} AND marketplace_id = ${marketplaceId}
       AND seller_sku = ANY (${[...mskus]}::text[])`.execute(ctx.db);
  return new Map(rows.map((row) => [row.msku, row]));
}

const MOST = 30;

/** Listings by the beginning of a SKU or ASIN, or words of the title; those that Amazon ships first. */
async function search(ctx: Ctx, account: string, marketplaceId: string, text: string): Promise<Listing[]> {
  const plain = literal(text);
  const { rows } = await sql<Listing>`
    SELECT seller_sku AS msku, fnsku, asin, name, image FROM listing.product
     WHERE company_id = ${ctx.companyId} AND account_id = ${account} AND marketplace_id = ${marketplaceId}
       AND (${plain} = '' OR seller_sku ILIKE ${`${plain}%`} OR asin ILIKE ${`${plain}%`} OR name ILIKE ${`%${plain}%`})
     ORDER BY fulfilled_by = 'AMAZON' DESC, seller_sku LIMIT ${MOST}`.execute(ctx.db);
  return rows;
}

/** How many of a listing can be put together of what is available; 0 for one that is matched with nothing. */
export function sets(parts: readonly ListingPart[] | undefined, available: ReadonlyMap<string, number>): number {
  if (!parts || parts.length === 0) return 0;
  return Math.min(...parts.map(({ productId, qty }) => Math.floor(Math.max(0, available.get(productId) ?? 0) / qty)));
}

/** Local SKUs with their pieces in one, as people read them: "A-1" or "A-1×2 + B-1". */
export function localWords(
  parts: readonly ListingPart[] | undefined,
  skus: ReadonlyMap<string, { sku: string }>,
): string {
  return (parts ?? [])
    .map(({ productId, qty }) => `${skus.get(productId)?.sku ?? '—'}${qty > 1 ? `×${qty}` : ''}`)
    .join(' + ');
}

/** Available pieces of products in a warehouse that the caller may see. */
export async function stockIn(ctx: Ctx, warehouse: string, products: readonly string[]): Promise<Map<string, number>> {
  if (!maySee(ctx, warehouse)) return new Map();
  const stock = await availableOf(ctx, warehouse, products);
  return new Map([...stock].map(([id, { available }]) => [id, available]));
}

interface Asked {
  authid: string;
  marketplaceId: string;
  warehouseId: string;
  text: string;
  mskus?: readonly string[] | undefined;
}

/** kg and cm³ of one piece of a listing; null where a part of it was not measured. */
export function sizeOf(parts: readonly ListingPart[], sizes: Awaited<ReturnType<typeof packedSizes>>) {
  const sum = (key: 'weight' | 'volume', digits: number) => {
    let total = new Decimal(0);
    for (const { productId, qty } of parts) {
      const one = sizes.get(productId)?.[key];
      if (one === null || one === undefined) return null;
      total = total.plus(new Decimal(one).times(qty));
    }
    return parts.length > 0 ? total.toFixed(digits) : null;
  };
  return { weight: sum('weight', 3), volume: sum('volume', 1) };
}

/** Listings to choose from, or those that are named, with what lies of them in the warehouse. */
export async function findListings(ctx: Ctx, asked: Asked): Promise<ShipListing[]> {
  const { authid, marketplaceId, warehouseId, text, mskus } = asked;
  const found = mskus
    ? [...(await listingsBySku(ctx, authid, marketplaceId, mskus)).values()]
    : await search(ctx, authid, marketplaceId, text);
  const parts = await partsOfListings(
    ctx,
    authid,
    marketplaceId,
    found.map(({ msku }) => msku),
  );
  const products = [...new Set([...parts.values()].flat().map(({ productId }) => productId))];
  const [known, sizes, stock] = [
    await localProducts(ctx, products),
    await packedSizes(ctx, products),
    await stockIn(ctx, warehouseId, products),
  ];
  return found.map(({ msku, fnsku, asin, name, image }) => {
    const mine = parts.get(msku);
    return {
      msku,
      fnsku,
      asin,
      product: { name, code: msku, image },
      local: localWords(mine, known),
      available: sets(mine, stock),
      ...sizeOf(mine ?? [], sizes),
    };
  });
}
