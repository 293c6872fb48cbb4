import { refused } from '#kit/server/errors.ts';

/** A reservation of an order of the wave. */
export interface Reserved {
  id: string;
  document: string;
  line: string;
  product: string;
  location: string;
  held: number;
  picked: number;
}

/** What was taken of a product at a place. */
export interface Stop {
  locationId: string;
  productId: string;
  qty: number;
}

/** Pieces that a reservation gets. */
export interface Dealt {
  id: string;
  order: string;
  line: string;
  pieces: number;
}

const keyOf = (location: string, product: string) => `${location} ${product}`;

/**
 * Deals what was taken at each place to the orders that hold it there: the first order all that it lacks, then the next. Counts
 * it into `picked` of the reservations.
 * @param held reservations, those of one order in the order in which they are to be served
 * @param rank place of each order in the queue, by id
 * @throws refused B1315 where more was taken than is still to be picked there
 */
export function deal(held: readonly Reserved[], rank: ReadonlyMap<string, number>, stops: readonly Stop[]): Dealt[] {
  const queue = held.toSorted((a, b) => (rank.get(a.document) ?? 0) - (rank.get(b.document) ?? 0));
  const at = Map.groupBy(queue, (one) => keyOf(one.location, one.product));
  return stops.flatMap(({ locationId, productId, qty }) => {
    const mine = at.get(keyOf(locationId, productId)) ?? [];
    const open = mine.reduce((total, one) => total + one.held - one.picked, 0);
    if (qty > open) {
      throw refused(`配货数量超过该库位待配 ${open}`, 'B1315', {
        location: locationId,
        product: productId,
        most: open,
      });
    }
    let rest = qty;
    return mine.flatMap((one): Dealt[] => {
      const pieces = Math.min(rest, one.held - one.picked);
      if (pieces <= 0) return [];
      one.picked += pieces;
      rest -= pieces;
      return [{ id: one.id, order: one.document, line: one.line, pieces }];
    });
  });
}
