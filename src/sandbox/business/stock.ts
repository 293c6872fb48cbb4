/** The stock ledger of one lane: what each movement does, and the books as of any instant. */

import { underWay } from './inbound.ts';
import { DAY } from './marketplaces.ts';
import type { Lane, LedgerEntry, LedgerKind } from './model.ts';

/** Pieces by bucket. Sellable stock is fulfillable + reserved + transfers + processing. */
export interface Buckets {
  fulfillable: number;
  reserved: number;
  transfers: number;
  processing: number;
  unsellable: number;
  researching: number;
}

/** From which bucket a movement takes and to which it gives; a missing side is the outside world. */
const MOVES: Record<LedgerKind, { from?: keyof Buckets; to?: keyof Buckets }> = {
  opening: { to: 'fulfillable' },
  receipt: { to: 'fulfillable' },
  receiptDamaged: { to: 'unsellable' },
  toTransfer: { from: 'fulfillable', to: 'transfers' },
  fromTransfer: { from: 'transfers', to: 'fulfillable' },
  toProcessing: { from: 'fulfillable', to: 'processing' },
  fromProcessing: { from: 'processing', to: 'fulfillable' },
  reserve: { from: 'fulfillable', to: 'reserved' },
  unreserve: { from: 'reserved', to: 'fulfillable' },
  ship: { from: 'reserved' },
  returnSellable: { to: 'fulfillable' },
  returnUnsellable: { to: 'unsellable' },
  lost: { from: 'fulfillable', to: 'researching' },
  found: { from: 'researching', to: 'fulfillable' },
  writtenOff: { from: 'researching' },
  damaged: { from: 'fulfillable', to: 'unsellable' },
  disposed: { from: 'unsellable' },
  removed: { from: 'unsellable' },
  // Taken off the shelf when the order was placed.
  disposedSellable: { from: 'processing' },
  removedSellable: { from: 'processing' },
};

/** Empty books. */
export function noStock(): Buckets {
  return { fulfillable: 0, reserved: 0, transfers: 0, processing: 0, unsellable: 0, researching: 0 };
}

/** Applies one movement to the books, in place. */
export function apply(books: Buckets, entry: LedgerEntry): void {
  const { from, to } = MOVES[entry.kind];
  if (from) books[from] -= entry.quantity;
  if (to) books[to] += entry.quantity;
}

/** Writes a movement into a lane's ledger. Entries may lie in the future: books are always read "as of". */
export function record(
  lane: Lane,
  at: number,
  kind: LedgerKind,
  quantity: number,
  of?: string | { reference: string; centre: string },
): void {
  const origin = typeof of === 'string' ? { reference: of } : of && { reference: of.reference, centre: of.centre };
  lane.ledger.push({ at, kind, quantity, ...origin });
}

/** The fewest pieces that a bucket holds at any moment from `at` on, as far as the ledger has been written. */
export function leastFrom(lane: Lane, at: number, bucket: keyof Buckets): number {
  const books = noStock();
  let least: number | undefined;
  for (const entry of lane.ledger.toSorted((a, b) => a.at - b.at)) {
    if (entry.at > at) least = Math.min(least ?? books[bucket], books[bucket]);
    apply(books, entry);
  }
  return Math.max(0, Math.min(least ?? books[bucket], books[bucket]));
}

/** A lane's books as of an instant, and when they last moved. */
export interface StockState {
  books: Buckets;
  /** Instant of the last movement of any bucket. */
  lastAt: number;
  /** When the last piece for sale went, or the first came back. */
  flippedAt: number;
  /** When the quantity for sale last changed. */
  fulfillableAt: number;
}

/**
 * Books as of `now`. Movements that touch what is for sale are entered in time order, so its history can be read off
 * while adding up; dispatches are entered ahead of their time, which sums do not mind.
 */
export function stockAt(lane: Lane, now: number): StockState {
  const books = noStock();
  const { openedAt } = lane.product;
  const state = { books, lastAt: openedAt, flippedAt: openedAt, fulfillableAt: openedAt };
  for (const entry of lane.ledger) {
    if (entry.at > now) continue;
    const before = books.fulfillable;
    apply(books, entry);
    state.lastAt = Math.max(state.lastAt, entry.at);
    if (books.fulfillable !== before) state.fulfillableAt = entry.at;
    if (books.fulfillable > 0 !== before > 0) state.flippedAt = entry.at;
  }
  return state;
}

/**
 * Planned receipts of the next ten days by how near they are: under way to the carrier, on the road, at the dock; and what
 * the seller announced, by where it stands.
 */
export function inboundAt(lane: Lane, now: number): { working: number; shipped: number; receiving: number } {
  const inbound = underWay(lane, now);
  for (const plan of lane.plans) {
    if (plan.plannedAt > now || plan.arriveAt <= now) continue;
    const left = plan.arriveAt - now;
    if (left > 7 * DAY) inbound.working += plan.quantity;
    else if (left > 2 * DAY) inbound.shipped += plan.quantity;
    else inbound.receiving += plan.quantity;
  }
  return inbound;
}

/** Sum of the pieces moved by some kinds, as of `now`. */
export function moved(lane: Lane, now: number, ...kinds: LedgerKind[]): number {
  let sum = 0;
  for (const entry of lane.ledger) if (entry.at <= now && kinds.includes(entry.kind)) sum += entry.quantity;
  return sum;
}
