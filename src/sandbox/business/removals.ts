/** Pieces that a seller has Amazon send back to him, destroy or sell off. */
import { chargeRemoval } from './charges.ts';
import type { Lane, Shop } from './model.ts';
import { leastFrom, record } from './stock.ts';
import type { RemovalSaid } from './types.ts';

const laneOf = (shop: Shop, sku: string): Lane | undefined =>
  shop.lanes.find(({ product }) => product.sku === sku && product.fulfilment === 'AFN');

/** Pieces of a SKU that can be removed at `at`; undefined where none ever lay there. */
export function removableAt(shop: Shop, sku: string, at: number): { sellable: number; unsellable: number } | undefined {
  const lane = laneOf(shop, sku);
  return lane && { sellable: leastFrom(lane, at, 'fulfillable'), unsellable: leastFrom(lane, at, 'unsellable') };
}

/** Pieces of the nth of several parts, as even as can be, the first with the rest. */
function partOf(quantity: number, parts: number, nth: number): number {
  return Math.floor(quantity / parts) + (nth < quantity % parts ? 1 : 0);
}

/**
 * Takes pieces off the shelf at `at`; they leave, or are destroyed, in as many parts as times are said, and the fee is taken of
 * each part then. What is told twice happens once.
 */
export function remove(shop: Shop, { orderId, type, lines, doneAt }: RemovalSaid, at: number): void {
  if (shop.removals.has(orderId)) return;
  shop.removals.set(orderId, { type, at, doneAt });
  const sentBack = type !== 'Disposal';
  for (const { sku, sellable, unsellable } of lines) {
    const lane = laneOf(shop, sku);
    if (!lane) continue;
    lane.fulfillable -= sellable;
    lane.unsellable -= unsellable;
    if (sellable > 0) record(lane, at, 'toProcessing', sellable, orderId);
    for (const [nth, time] of doneAt.entries()) {
      const [good, bad] = [sellable, unsellable].map((all) => partOf(all, doneAt.length, nth));
      if (good) record(lane, time, sentBack ? 'removedSellable' : 'disposedSellable', good, orderId);
      if (bad) record(lane, time, sentBack ? 'removed' : 'disposed', bad, orderId);
      const quantity = (good ?? 0) + (bad ?? 0);
      if (quantity > 0) chargeRemoval(shop, lane, time, { quantity, sentBack });
    }
  }
}
