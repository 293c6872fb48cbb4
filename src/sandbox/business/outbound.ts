/** Pieces that a seller has Amazon send to somebody who bought elsewhere (Multi-Channel Fulfillment). */
import type { Lane, Outbound, Shop } from './model.ts';
import { leastFrom, record } from './stock.ts';
import type { OutboundSaid } from './types.ts';

const laneOf = (shop: Shop, sku: string): Lane | undefined =>
  shop.lanes.find(({ product }) => product.sku === sku && product.fulfilment === 'AFN');

/**
 * Pieces that can be promised at `at`: the day is walked to its end already, so no more than what is for sale at every
 * moment from there on.
 */
export function freeAt(shop: Shop, sku: string, at: number): number {
  const lane = laneOf(shop, sku);
  return lane ? leastFrom(lane, at, 'fulfillable') : 0;
}

function send(order: Outbound, shipAt: number): void {
  order.shipAt = shipAt;
  for (const { lane, quantity, itemId } of order.lines) record(lane, shipAt, 'ship', quantity, itemId);
}

/** Sets pieces aside at `at`; they leave at `shipAt`, or once `letGo` says when. What is told twice happens once. */
export function setAside(shop: Shop, said: OutboundSaid, at: number): void {
  if (shop.outbound.has(said.reference)) return;
  const order: Outbound = { at, shipAt: undefined, cancelledAt: undefined, lines: [] };
  for (const { sku, quantity, itemId } of said.lines) {
    const lane = laneOf(shop, sku);
    if (!lane || quantity === 0) continue;
    lane.fulfillable -= quantity;
    record(lane, at, 'reserve', quantity, itemId);
    order.lines.push({ lane, quantity, itemId });
  }
  shop.outbound.set(said.reference, order);
  if (said.shipAt !== undefined) send(order, said.shipAt);
}

/** Movements that were to come do not come any more. */
function stay({ lines }: Outbound): void {
  for (const { lane, itemId } of lines) {
    const leaving = lane.ledger.findIndex((entry) => entry.kind === 'ship' && entry.reference === itemId);
    if (leaving >= 0) lane.ledger.splice(leaving, 1);
  }
}

const isHere = (order: Outbound, at: number): boolean =>
  order.cancelledAt === undefined && (order.shipAt === undefined || order.shipAt > at);

/** Pieces that are still here at `at` leave at `shipAt`, whether they were held or were to leave at another time. */
export function letGo(shop: Shop, reference: string, shipAt: number, at: number): void {
  const order = shop.outbound.get(reference);
  if (!order || !isHere(order, at)) return;
  stay(order);
  send(order, shipAt);
}

/** Pieces that have not left go back on the shelf at `at`. */
export function putBack(shop: Shop, reference: string, at: number): void {
  const order = shop.outbound.get(reference);
  if (!order || !isHere(order, at)) return;
  stay(order);
  order.cancelledAt = at;
  for (const { lane, quantity, itemId } of order.lines) {
    lane.fulfillable += quantity;
    record(lane, at, 'unreserve', quantity, itemId);
  }
}
