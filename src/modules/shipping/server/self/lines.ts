import type { Ctx } from '#kit/server/context.ts';
import { type ListingOf, listingKey, localProducts, partsOfAllListings } from '#modules/product/server/index.ts';
import type { OpenLine } from '../../contract/self/waiting.ts';
import { type Listing, listingsBySku, localWords, sets, stockIn } from '../order/listings.ts';
import { openOf } from './open.ts';
import { addressOf } from './orders.ts';

/** Listings of several sites by `listingKey`. */
export async function listingsOf(ctx: Ctx, refs: readonly ListingOf[]): Promise<Map<string, Listing>> {
  const found = new Map<string, Listing>();
  for (const mine of Map.groupBy(refs, ({ accountId, marketplaceId }) => `${accountId} ${marketplaceId}`).values()) {
    const { accountId = '', marketplaceId = '' } = mine[0] ?? {};
    const mskus = [...new Set(mine.map(({ msku }) => msku))];
    for (const [msku, listing] of await listingsBySku(ctx, accountId, marketplaceId, mskus)) {
      found.set(listingKey({ accountId, marketplaceId, msku }), listing);
    }
  }
  return found;
}

/** Lines of orders with what is open of each, and with what lies in a warehouse. Orders out of reach are left out. */
export async function linesFor(
  ctx: Ctx,
  { orders, warehouseId, docId }: { orders: readonly string[]; warehouseId: string; docId: string | null },
): Promise<OpenLine[]> {
  const known = await addressOf(ctx, orders);
  const site = new Map(known.map((order) => [`${order.sellingPartnerId}~${order.orderId}`, order]));
  const lines = await openOf(ctx, known, docId);
  const refs = lines.map((line): ListingOf => {
    const order = site.get(`${line.sellingPartnerId}~${line.orderId}`);
    return { accountId: order?.account ?? '', marketplaceId: order?.marketplaceId ?? '', msku: line.msku };
  });
  const [parts, listings] = [await partsOfAllListings(ctx, refs), await listingsOf(ctx, refs)];
  const products = [...new Set([...parts.values()].flat().map(({ productId }) => productId))];
  const [locals, stock] = [await localProducts(ctx, products), await stockIn(ctx, warehouseId, products)];
  return lines.map((line, index) => {
    const key = listingKey(refs[index] ?? { accountId: '', marketplaceId: '', msku: '' });
    const [mine, listing] = [parts.get(key), listings.get(key)];
    return {
      orderId: `${line.sellingPartnerId}~${line.orderId}`,
      order: line.orderId,
      orderItemId: line.orderItemId,
      product: { name: listing?.name || line.msku, code: line.asin ?? line.msku, image: listing?.image ?? null },
      msku: line.msku,
      local: localWords(mine, locals),
      open: line.open,
      available: sets(mine, stock),
    };
  });
}
