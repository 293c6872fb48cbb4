/** Shipments that the seller announced through the marketplace: where they stand, and what was booked in of them. */
import { parseAmount } from './amounts.ts';
import type { Delivery, Lane, Shop } from './model.ts';
import type { InboundAnnounced, InboundPhase, InboundReceived } from './types.ts';

/** Which figure of the stock a phase counts in; a phase that is not named here counts in none. */
const FIGURES: Readonly<Record<string, 'working' | 'shipped' | 'receiving'>> = {
  WORKING: 'working',
  READY_TO_SHIP: 'working',
  SHIPPED: 'shipped',
  IN_TRANSIT: 'shipped',
  DELIVERED: 'receiving',
  CHECKED_IN: 'receiving',
  RECEIVING: 'receiving',
};

/** The phase that holds at an instant. */
export function phaseAt(phases: readonly InboundPhase[], now: number): InboundPhase | undefined {
  return phases.findLast(({ at }) => at <= now);
}

/** Pieces of one product that are announced and not yet booked in, by where they stand. */
export function underWay(lane: Lane, now: number): { working: number; shipped: number; receiving: number } {
  const pieces = { working: 0, shipped: 0, receiving: 0 };
  for (const delivery of lane.announced) {
    const figure = FIGURES[phaseAt(delivery.phases, now)?.status ?? ''];
    const quantity = delivery.lines.reduce((sum, line) => sum + (line.lane === lane ? line.quantity : 0), 0);
    const { sellable, damaged } = receivedOf(delivery, lane, now);
    if (figure) pieces[figure] += Math.max(0, quantity - sellable - damaged);
  }
  return pieces;
}

/** When an announced shipment of this product last went on, or undefined. */
export function lastMoveOf(lane: Lane, now: number): number {
  return lane.announced.reduce((last, { phases }) => Math.max(last, phaseAt(phases, now)?.at ?? 0), 0);
}

function receivedOf(delivery: Delivery, lane: Lane, now: number): { sellable: number; damaged: number } {
  const pieces = { sellable: 0, damaged: 0 };
  for (const one of delivery.received) {
    if (one.lane !== lane || one.at > now) continue;
    pieces.sellable += one.sellable;
    pieces.damaged += one.damaged;
  }
  return pieces;
}

/** Pieces of one product that were booked in of all announced shipments. */
export function bookedIn(lane: Lane, now: number): { sellable: number; damaged: number } {
  const pieces = { sellable: 0, damaged: 0 };
  for (const delivery of lane.announced) {
    const { sellable, damaged } = receivedOf(delivery, lane, now);
    pieces.sellable += sellable;
    pieces.damaged += damaged;
  }
  return pieces;
}

/** What was booked in of a shipment by product, in the order of its lines and what came without one. */
export function receivedBy(delivery: Delivery, now: number): InboundReceived[] {
  const lanes = new Set([...delivery.lines, ...delivery.received].map(({ lane }) => lane));
  return [...lanes].map((lane) => {
    const { sellable, damaged } = receivedOf(delivery, lane, now);
    const line = delivery.lines.find((one) => one.lane === lane);
    return { sku: lane.product.sku, received: sellable + damaged, damaged, reimbursed: line?.reimbursed ?? 0 };
  });
}

/** What is yet to come of the rounds that are told: of each product the pieces beyond those that were booked in. */
function toCome(
  shop: Shop,
  said: InboundAnnounced,
  delivery: Delivery,
): { at: number; lane: Lane; sellable: number; damaged: number }[] {
  const before = new Map(shop.lanes.map((lane) => [lane, receivedOf(delivery, lane, Number.POSITIVE_INFINITY)]));
  return said.receipts
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, sku, sellable, damaged }) => {
      const lane = shop.lanes.find(({ product }) => product.sku === sku);
      const known = lane && before.get(lane);
      if (!lane || !known) return [];
      const past = { sellable: Math.min(sellable, known.sellable), damaged: Math.min(damaged, known.damaged) };
      known.sellable -= past.sellable;
      known.damaged -= past.damaged;
      const left = { sellable: sellable - past.sellable, damaged: damaged - past.damaged };
      return left.sellable + left.damaged > 0 ? [{ at, lane, ...left }] : [];
    });
}

/**
 * Takes down a shipment, or what became of one known by its number: what is yet to come is put into the shop's calendar
 * anew. What was booked in stays. The shop must be walked up to `at`; nothing happens earlier than that.
 */
export function announce(shop: Shop, said: InboundAnnounced, at: number): void {
  const known = shop.announced.get(said.reference);
  const { reference, centre, phases } = said;
  const delivery = known ?? {
    reference,
    centre,
    phases,
    version: 0,
    lines: [],
    received: [],
    taken: new Set<string>(),
  };
  delivery.version += 1;
  delivery.phases = phases;
  delivery.lines = said.lines.flatMap(({ sku, quantity }) => {
    const lane = shop.lanes.find(({ product }) => product.sku === sku);
    const reimbursed = delivery.lines.find((line) => line.lane === lane)?.reimbursed ?? 0;
    return lane ? [{ lane, quantity, reimbursed }] : [];
  });
  shop.announced.set(said.reference, delivery);
  const rounds = toCome(shop, said, delivery);
  for (const lane of new Set([...delivery.lines, ...rounds].map((one) => one.lane))) {
    if (!lane.announced.includes(delivery)) lane.announced.push(delivery);
  }
  const { version } = delivery;
  for (const { at: due, ...round } of rounds) {
    shop.heap.push(Math.max(due, at), { kind: 'bookIn', delivery, version, ...round });
  }
  // Money is never posted into a business day that was closed: settlements read it in order.
  const due = (when: number): number => Math.max(when, shop.simulatedUntil);
  if (said.paidAt !== undefined) shop.heap.push(due(said.paidAt), { kind: 'payMissing', delivery, version });
  for (const { at: when, description, amount } of said.fees) {
    const minor = parseAmount(amount, shop.market.currency);
    shop.heap.push(due(when), { kind: 'takeFee', delivery, version, description, amount: minor });
  }
}
