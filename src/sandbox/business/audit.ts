/** The business checks its own books: stock is conserved and never negative, settlements add up, the chain is gapless. */
import { parseMinor } from './amounts.ts';
import { auditFba } from './fba-audit.ts';
import { bookedIn } from './inbound.ts';
import type { Lane, Order, Shop } from './model.ts';
import { apply, moved, noStock } from './stock.ts';
import type { SimSettlement } from './types.ts';

/** Messages about one shop as of `now`; empty when all is well. The shop must be walked up to `now`. */
export function auditShop(shop: Shop, settlements: SimSettlement[], now: number): string[] {
  return [
    ...shop.lanes.flatMap((lane) => auditLane(lane, now)),
    ...auditShipments(shop, now),
    ...auditFba(shop, now),
    ...auditNumbers(shop.orders),
    ...auditSettlements(settlements, shop.startAt),
  ];
}

/**
 * Replays a ledger in time order. Sellable: opening + receipts + sellable returns + found = shipments + lost + damaged
 * + disposed + removed + end; unsellable: returns + damaged here or on the way = disposed + removed + end; research: lost = found + written off + end.
 */
export function auditLane(lane: Lane, now: number): string[] {
  const messages: string[] = [];
  const books = noStock();
  for (const entry of lane.ledger.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)) {
    apply(books, entry);
    const negative = Object.entries(books).find(([, pieces]) => pieces < 0);
    if (negative) messages.push(`${lane.key}: ${negative[0]} is ${negative[1]} at ${new Date(entry.at).toISOString()}`);
  }
  const sum = (...kinds: Parameters<typeof moved>[2][]): number => moved(lane, now, ...kinds);
  const sellable = books.fulfillable + books.reserved + books.transfers + books.processing;
  const gone = sum('ship', 'lost', 'damaged', 'disposedSellable', 'removedSellable');
  const expected = sum('opening', 'receipt', 'returnSellable', 'found') - gone;
  if (sellable !== expected) messages.push(`${lane.key}: sellable stock ${sellable}, by its movements ${expected}`);
  const unsellable = sum('returnUnsellable', 'damaged', 'receiptDamaged') - sum('disposed', 'removed');
  if (books.unsellable !== unsellable) {
    messages.push(`${lane.key}: unsellable stock ${books.unsellable}, by its movements ${unsellable}`);
  }
  const researching = sum('lost') - sum('found', 'writtenOff');
  if (books.researching !== researching) {
    messages.push(`${lane.key}: in research ${books.researching}, by its movements ${researching}`);
  }
  const announced = bookedIn(lane, now);
  const planned = lane.plans.reduce((pieces, plan) => pieces + (plan.arriveAt <= now ? plan.received : 0), 0);
  const arrived = planned + announced.sellable;
  if (arrived !== sum('receipt')) messages.push(`${lane.key}: received ${sum('receipt')}, deliveries ${arrived}`);
  if (announced.damaged !== sum('receiptDamaged')) {
    messages.push(`${lane.key}: received damaged ${sum('receiptDamaged')}, deliveries ${announced.damaged}`);
  }
  return messages;
}

/** Pieces that left by the orders' own word, those from elsewhere too, against pieces that left the ledger; the same for what is reserved. */
function auditShipments(shop: Shop, now: number): string[] {
  const shipped = new Map<Lane, number>();
  const waiting = new Map<Lane, number>();
  for (const order of shop.orders) {
    if (order.purchasedAt > now || (order.cancelledAt !== undefined && order.cancelledAt <= now)) continue;
    const side = order.cancelledAt === undefined && order.shippedAt <= now ? shipped : waiting;
    for (const line of order.lines) side.set(line.lane, (side.get(line.lane) ?? 0) + line.quantity);
  }
  for (const { at, shipAt, cancelledAt, lines } of shop.outbound.values()) {
    if (at > now || (cancelledAt !== undefined && cancelledAt <= now)) continue;
    const side = shipAt !== undefined && shipAt <= now ? shipped : waiting;
    for (const { lane, quantity } of lines) side.set(lane, (side.get(lane) ?? 0) + quantity);
  }
  return shop.lanes.flatMap((lane) => {
    const messages: string[] = [];
    const left = moved(lane, now, 'ship');
    const reserved = moved(lane, now, 'reserve') - moved(lane, now, 'unreserve') - left;
    if (left !== (shipped.get(lane) ?? 0)) {
      messages.push(`${lane.key}: ledger shipped ${left}, orders ${shipped.get(lane) ?? 0}`);
    }
    if (reserved !== (waiting.get(lane) ?? 0)) {
      messages.push(`${lane.key}: ledger reserved ${reserved}, orders ${waiting.get(lane) ?? 0}`);
    }
    return messages;
  });
}

function auditNumbers(orders: Order[]): string[] {
  const seen = new Set<string>();
  const messages: string[] = [];
  for (const order of orders) {
    for (const id of [order.id, ...order.lines.map((line) => line.itemId)]) {
      if (seen.has(id)) messages.push(`number ${id} was given twice`);
      seen.add(id);
    }
  }
  return messages;
}

/** Header = sum of lines, start = end of the one before, opening reserve = minus its closing reserve, debts carried. */
export function auditSettlements(newestFirst: SimSettlement[], startAt: number): string[] {
  const messages: string[] = [];
  let previousEnd = startAt;
  let heldBack = 0;
  let debt = 0;
  for (const one of newestFirst.toReversed()) {
    const { lines, settlementId } = one;
    const amountOf = (name: string): number =>
      lines.reduce((sum, line) => sum + (line.amountDescription === name ? parseMinor(line.amount) : 0), 0);
    const sum = lines.reduce((minor, line) => minor + parseMinor(line.amount), 0);
    if (sum !== parseMinor(one.total)) messages.push(`settlement ${settlementId}: total ${one.total}, lines ${sum}`);
    if (one.startAt !== previousEnd) messages.push(`settlement ${settlementId}: does not begin where the last ended`);
    const returned = amountOf('Previous Reserve Amount Balance');
    if (returned !== heldBack) messages.push(`settlement ${settlementId}: reserve ${returned}, held back ${heldBack}`);
    if (amountOf('Payable to Amazon') !== debt || amountOf('Successful charge') !== -debt) {
      messages.push(`settlement ${settlementId}: the debt of ${debt} was not carried over and charged`);
    }
    const outside = lines.find(({ postedAt }) => postedAt < one.startAt || postedAt >= one.endAt);
    if (outside) messages.push(`settlement ${settlementId}: a line was posted outside its period`);
    previousEnd = one.endAt;
    debt = Math.min(0, sum);
    heldBack = -amountOf('Current Reserve Amount');
  }
  return messages;
}
