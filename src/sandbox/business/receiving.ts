/** Goods at the dock of a warehouse: deliveries of the seller's own making, and shipments that he announced. */
import { chargeInbound, chargeMissing } from './charges.ts';
import { DAY, HOUR } from './marketplaces.ts';
import type { Delivery, Happening, Lane, Shop } from './model.ts';
import { record } from './stock.ts';

/** Books sellable pieces in: part of them is first moved to other warehouses or still being booked in. */
export function receive(shop: Shop, lane: Lane, at: number, quantity: number, delivery?: Delivery): void {
  record(lane, at, 'receipt', quantity, delivery);
  lane.fulfillable += quantity;
  if (lane.product.fulfilment === 'MFN') return;
  const transfers = Math.floor(quantity * 0.2);
  const processing = Math.floor(quantity * 0.1);
  lane.fulfillable -= transfers + processing;
  lane.moving += transfers + processing;
  if (transfers > 0) {
    record(lane, at, 'toTransfer', transfers);
    shop.heap.push(at + 3 * DAY, { kind: 'move', lane, entry: 'fromTransfer', quantity: transfers });
  }
  if (processing > 0) {
    record(lane, at, 'toProcessing', processing);
    shop.heap.push(at + 14 * HOUR, { kind: 'move', lane, entry: 'fromProcessing', quantity: processing });
  }
}

/** One round of an announced shipment, unless it was announced otherwise since. */
export function bookIn(shop: Shop, at: number, what: Extract<Happening, { kind: 'bookIn' }>): void {
  const { delivery, lane, sellable, damaged } = what;
  if (what.version !== delivery.version) return;
  if (sellable > 0) receive(shop, lane, at, sellable, delivery);
  if (damaged > 0) {
    record(lane, at, 'receiptDamaged', damaged, delivery);
    lane.unsellable += damaged;
  }
  delivery.received.push({ at, lane, sellable, damaged });
}

/** Pays what is missing of an announced shipment, each piece once. */
export function payMissing(shop: Shop, at: number, what: Extract<Happening, { kind: 'payMissing' }>): void {
  const { delivery } = what;
  if (what.version !== delivery.version) return;
  for (const line of delivery.lines) {
    const arrived = delivery.received.reduce(
      (sum, one) => sum + (one.lane === line.lane ? one.sellable + one.damaged : 0),
      0,
    );
    const missing = line.quantity - arrived - line.reimbursed;
    if (missing <= 0) continue;
    line.reimbursed += missing;
    chargeMissing(shop, line.lane, at, missing, delivery.reference);
  }
}

/** Takes a fee of an announced shipment, unless it was announced otherwise since or the fee was taken before. */
export function takeFee(shop: Shop, at: number, what: Extract<Happening, { kind: 'takeFee' }>): void {
  const { delivery, description } = what;
  if (what.version !== delivery.version || delivery.taken.has(description)) return;
  delivery.taken.add(description);
  chargeInbound(shop, at, { description, amount: what.amount, reference: delivery.reference });
}
