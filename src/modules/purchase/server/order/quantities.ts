import type { OrderLine } from './load.ts';

/** What an event adds to the pieces of a line. */
export type Change = Partial<
  Pick<
    OrderLine,
    | 'received'
    | 'inspecting'
    | 'rejected'
    | 'returned'
    | 'replaced'
    | 'exchanging'
    | 'cancelled'
    | 'limit'
    | 'over'
    | 'free'
  >
>;

/** Pieces that are still waited for: ordered, not given up and not here, or sent back to be replaced. */
export function openOf(line: Pick<OrderLine, 'qty' | 'cancelled' | 'received' | 'replaced'>): number {
  return Math.max(0, line.qty - line.cancelled - line.received + line.replaced);
}

/** How many pieces may still come: the limit holds over all receipts together. */
export function mostOf(line: Pick<OrderLine, 'limit' | 'received' | 'replaced' | 'cancelled'>): number {
  return Math.max(0, line.limit - line.cancelled - line.received + line.replaced);
}

/** Pieces that can go back or be exchanged: here, neither waiting for their inspection nor out to be exchanged. */
export function returnableOf(line: Pick<OrderLine, 'received' | 'inspecting' | 'returned' | 'exchanging'>): number {
  return line.received - line.inspecting - line.returned - line.exchanging;
}

/**
 * Pieces beyond the limit that were taken over on purpose. Only what there really is beyond it: what goes back or is taken
 * back leaves no room behind that more could come into.
 */
function overOf(line: OrderLine): number {
  return Math.min(line.over, Math.max(0, line.received - line.replaced + line.cancelled - line.limit));
}

/** The line after an event. */
export function changed(line: OrderLine, change: Change): OrderLine {
  const next = { ...line };
  for (const [key, by] of Object.entries(change) as [keyof Change, number][]) next[key] += by;
  return { ...next, over: overOf(next), open: openOf(next) };
}
