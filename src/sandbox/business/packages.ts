/** Packages that a seller confirms of the orders that he sends himself. */
import type { ConfirmedPackage, Order, OrderLine } from './model.ts';
import { record } from './stock.ts';
import type { PackageSaid, SimPackage } from './types.ts';

/** What the seller had confirmed of an order by `now`. */
export function confirmedBy(order: Order, now: number): ConfirmedPackage[] {
  return (order.confirmed ?? []).filter(({ at }) => at <= now);
}

/** Pieces of a line that lie in packages. */
export function sentOf({ itemId }: OrderLine, packages: readonly ConfirmedPackage[]): number {
  return packages
    .flatMap(({ items }) => items)
    .reduce((sum, item) => sum + (item.itemId === itemId ? item.quantity : 0), 0);
}

/** Packages as the marketplace shows them: those confirmed by `now`, and one with all else once the order is shipped. */
export function packagesOf(
  order: Order,
  now: number,
  shipped: boolean,
  own: { carrier: string; trackingNumber: string },
): SimPackage[] {
  const service = order.expedited ? 'Expedited' : 'Standard';
  const confirmed = confirmedBy(order, now);
  const shown = confirmed.map(
    (one): SimPackage => ({
      reference: one.reference,
      createdAt: one.at,
      shippedAt: one.sentAt,
      carrier: one.carrier,
      service: one.service ?? service,
      trackingNumber: one.tracking,
      items: one.items.map(({ itemId, quantity }) => ({ orderItemId: itemId, quantity })),
    }),
  );
  if (!shipped) return shown;
  const items = order.lines
    .map((line) => ({ orderItemId: line.itemId, quantity: line.quantity - sentOf(line, confirmed) }))
    .filter(({ quantity }) => quantity > 0);
  if (items.length === 0) return shown;
  const reference = String(Math.max(0, ...confirmed.map((one) => Number(one.reference))) + 1);
  return [...shown, { reference, createdAt: order.shippedAt, shippedAt: order.shippedAt, service, ...own, items }];
}

/** A cancellation that was still to come does not come any more; false where what it gave back is sold again. */
function keep(order: Order): boolean {
  const { cancelledAt, shop } = order;
  if (cancelledAt === undefined) return true;
  if (cancelledAt < shop.simulatedUntil) {
    // The day is walked to its end: what the buyer was to give back is on the shelf already.
    if (order.lines.some(({ lane, quantity }) => lane.fulfillable < quantity)) return false;
    for (const { lane, quantity } of order.lines) {
      const back = lane.ledger.findIndex(
        (entry) => entry.kind === 'unreserve' && entry.at === cancelledAt && entry.quantity === quantity,
      );
      if (back >= 0) lane.ledger.splice(back, 1);
      lane.fulfillable -= quantity;
    }
  }
  order.cancelledAt = undefined;
  for (const line of order.lines) record(line.lane, order.shippedAt, 'ship', line.quantity, line.itemId);
  return true;
}

/** Everything is sent: the order is shipped now, and all that follows comes by so much earlier. */
function ship(order: Order, at: number): void {
  const earlier = order.shippedAt - at;
  for (const { lane, itemId } of order.lines) {
    for (const entry of lane.ledger) if (entry.kind === 'ship' && entry.reference === itemId) entry.at = at;
  }
  order.shippedAt = at;
  order.deliveredAt -= earlier;
  order.releasedAt -= earlier;
}

/**
 * Enters a package that the seller confirms at `at`; the wire has checked what he says. Of an order that is shipped already
 * only what stands in its packages changes. False for an order that is gone or whose pieces are.
 */
export function confirm(order: Order, said: PackageSaid, at: number): boolean {
  if (order.fulfilment !== 'MFN' || (order.cancelledAt !== undefined && order.cancelledAt <= at)) return false;
  if (!keep(order)) return false;
  const former = order.confirmed?.find(({ reference }) => reference === said.reference);
  const one: ConfirmedPackage = {
    reference: said.reference,
    at: former?.at ?? at,
    changedAt: at,
    sentAt: said.shippedAt,
    carrier: said.carrier,
    service: said.service,
    tracking: said.trackingNumber,
    items: said.items.map(({ orderItemId, quantity }) => ({ itemId: orderItemId, quantity })),
  };
  order.confirmed = [...(order.confirmed ?? []).filter((each) => each !== former), one];
  const isWhole = order.lines.every((line) => sentOf(line, order.confirmed ?? []) >= line.quantity);
  if (isWhole && order.shippedAt > at) ship(order, at);
  return true;
}
