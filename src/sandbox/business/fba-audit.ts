/** The warehouses' own proof: nothing appears or vanishes, day by day and warehouse by warehouse. */
import { daysOf, movementsOf } from './fba-ledger.ts';
import type { FbaDay } from './fba-types.ts';
import type { Lane, Shop } from './model.ts';
import { stockAt } from './stock.ts';

/** Signed movements of a day. */
export function movedOn(day: FbaDay): number {
  const { receipts, shipments, customerReturns, vendorReturns, transfers, found, lost, damaged, disposed } = day;
  return receipts + shipments + customerReturns + vendorReturns + transfers + found + lost + damaged + disposed;
}

/** start + movements = end, end = start of the next day, and the last end is what the stock books say. */
function auditDays(lane: Lane, days: FbaDay[], now: number): string[] {
  const messages: string[] = [];
  const open = new Map<string, number>();
  for (const one of days) {
    const name = `${lane.key} ${one.disposition} ${one.day}`;
    const start = open.get(one.disposition) ?? 0;
    if (one.start !== start) messages.push(`${name}: starts with ${one.start} after ${start}`);
    if (one.start + movedOn(one) !== one.end)
      messages.push(`${name}: ${one.start} + ${movedOn(one)} is not ${one.end}`);
    open.set(one.disposition, one.end);
  }
  const { books } = stockAt(lane, now);
  const sellable = open.get('SELLABLE') ?? 0;
  const transit = days.findLast((one) => one.disposition === 'SELLABLE')?.inTransit ?? 0;
  if (sellable !== books.fulfillable + books.reserved + books.processing) {
    messages.push(`${lane.key}: warehouses hold ${sellable} sellable, the stock books differ`);
  }
  if (transit !== books.transfers) messages.push(`${lane.key}: ${transit} under way, stock books ${books.transfers}`);
  const unsellable = [...open].reduce((sum, [name, pieces]) => sum + (name === 'SELLABLE' ? 0 : pieces), 0);
  if (unsellable !== books.unsellable) {
    messages.push(`${lane.key}: warehouses hold ${unsellable} unsellable, stock books ${books.unsellable}`);
  }
  return messages;
}

/** No warehouse ever gives what it does not have. */
function auditCentres(shop: Shop, lane: Lane, now: number): string[] {
  const held = new Map<string, number>();
  for (const move of movementsOf(shop, lane, now)) {
    const key = `${move.centre} ${move.disposition}`;
    const pieces = (held.get(key) ?? 0) + move.quantity;
    if (pieces < 0) return [`${lane.key}: ${key} is ${pieces} at ${new Date(move.at).toISOString()}`];
    held.set(key, pieces);
  }
  return [];
}

/** Messages about the warehouse ledger of a shop; empty when all is well. The shop must be walked up to `now`. */
export function auditFba(shop: Shop, now: number): string[] {
  const lanes = shop.lanes.filter(({ product }) => product.fulfilment === 'AFN');
  return lanes.flatMap((lane) => [...auditDays(lane, daysOf(shop, lane, now), now), ...auditCentres(shop, lane, now)]);
}
