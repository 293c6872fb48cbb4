/** Pieces of one kind that are to be packed; whole mm³ and grams. */
export interface Pile {
  id: string;
  pieces: number;
  volume: number;
  weight: number;
}

/** The carton that all of it goes into; whole mm³ and grams. */
export interface Carton {
  volume: number;
  tare: number;
  /** Of the full carton. */
  maxWeight: number;
}

export interface Filled {
  /** Pieces by pile, none with 0. */
  pieces: Map<string, number>;
  volume: number;
  /** With the carton itself. */
  weight: number;
}

/** Cartons are filled to so much of their volume: pieces are no water. */
const FILL_PER_CENT = 90;

const room = (carton: Carton) => Math.floor((carton.volume * FILL_PER_CENT) / 100);

/** How many pieces of a pile still go into a box. */
function fits(carton: Carton, box: Filled, pile: Pile): number {
  const byVolume = Math.floor((room(carton) - box.volume) / pile.volume);
  const byWeight = Math.floor((carton.maxWeight - box.weight) / pile.weight);
  return Math.max(0, Math.min(byVolume, byWeight));
}

function put(box: Filled, pile: Pile, count: number): void {
  const now = (box.pieces.get(pile.id) ?? 0) + count;
  if (now === 0) box.pieces.delete(pile.id);
  else box.pieces.set(pile.id, now);
  box.volume += count * pile.volume;
  box.weight += count * pile.weight;
}

const empty = (carton: Carton): Filled => ({ pieces: new Map(), volume: 0, weight: carton.tare });

/** Whether one piece goes into an empty carton at all. */
export const fitsAlone = (carton: Carton, pile: Pile): boolean => fits(carton, empty(carton), pile) > 0;

/**
 * Moves a few pieces from the heaviest box to the lightest while that brings their weights closer together: with each move
 * the sum of squared weights falls, so it comes to an end.
 */
function even(carton: Carton, boxes: readonly Filled[], piles: ReadonlyMap<string, Pile>): void {
  for (let round = 0; round < Math.min(boxes.length * 20, 20_000); round += 1) {
    const heavy = boxes.reduce((best, box) => (box.weight > best.weight ? box : best));
    const light = boxes.reduce((best, box) => (box.weight < best.weight ? box : best));
    const gap = heavy.weight - light.weight;
    let best: { pile: Pile; count: number } | undefined;
    for (const [id, there] of heavy.pieces) {
      const pile = piles.get(id);
      if (!pile) continue;
      const count = Math.min(there, fits(carton, light, pile), Math.floor(gap / (2 * pile.weight)));
      if (count > 0 && count * pile.weight > (best ? best.count * best.pile.weight : 0)) best = { pile, count };
    }
    if (!best) return;
    put(heavy, best.pile, -best.count);
    put(light, best.pile, best.count);
  }
}

/**
 * First-fit decreasing over cartons of one kind (handbook 08 §5.11): the largest pieces first, each into the first box with
 * room for it, never beyond 90 % of the volume nor the weight; then weights are evened out over the same number of boxes.
 * Piles whose piece goes into no carton are to be left out before: `fitsAlone`.
 * @param most boxes at most; undefined is answered where they are not enough
 */
export function fillCartons(carton: Carton, piles: readonly Pile[], most: number): Filled[] | undefined {
  const boxes: Filled[] = [];
  for (const pile of piles.toSorted((a, b) => b.volume - a.volume || b.weight - a.weight)) {
    let rest = pile.pieces;
    for (const box of boxes) {
      if (rest === 0) break;
      const count = Math.min(rest, fits(carton, box, pile));
      if (count > 0) put(box, pile, count);
      rest -= count;
    }
    while (rest > 0) {
      if (boxes.length >= most) return undefined;
      const box = empty(carton);
      const count = Math.min(rest, fits(carton, box, pile));
      if (count === 0) throw new Error(`a piece of ${pile.id} is larger than its carton`);
      put(box, pile, count);
      boxes.push(box);
      rest -= count;
    }
  }
  if (boxes.length > 1) even(carton, boxes, new Map(piles.map((pile) => [pile.id, pile])));
  return boxes;
}
