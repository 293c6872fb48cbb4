/** Dealing the goods of a plan among warehouses. */
import type { ItemInput } from './bodies.ts';
import { contentsOf, isTold } from './contents.ts';
import type { Work } from './desk.ts';
import { confirmedGroups } from './packing.ts';
import type { Box, Plan } from './types.ts';

/** What goes to one warehouse. */
export interface Load {
  items: ItemInput[];
  boxes: Box[];
}

/** Alike boxes are dealt one by one, so that a quantity may be split. */
function dealBoxes(boxes: readonly Box[], places: number): Box[][] {
  const dealt = Array.from({ length: places }, (): Box[] => []);
  let turn = 0;
  for (const box of boxes) {
    const counts = Array.from({ length: places }, () => 0);
    for (let piece = 0; piece < box.quantity; piece += 1) {
      counts[turn % places] = (counts[turn % places] ?? 0) + 1;
      turn += 1;
    }
    for (const [place, quantity] of counts.entries()) if (quantity > 0) dealt[place]?.push({ ...box, quantity });
  }
  return dealt;
}

/** Pieces of every item dealt as evenly as they can be, the first places getting what is over. */
function dealItems(items: readonly ItemInput[], places: number): ItemInput[][] {
  return Array.from({ length: places }, (_, place) =>
    items.flatMap((item) => {
      const quantity = Math.floor(item.quantity / places) + (place < item.quantity % places ? 1 : 0);
      return quantity > 0 ? [{ ...item, quantity }] : [];
    }),
  );
}

/** The goods of a plan split among so many warehouses; undefined where there is too little for it. */
export function split(work: Work, plan: Plan, places: number): Load[] | undefined {
  const boxes = confirmedGroups(plan).flatMap((group) => group.boxes);
  const dealt = dealBoxes(boxes, places).map((part, place) =>
    part.map((box, index) => ({ ...box, packageId: work.id('pk', places, place, index) })),
  );
  const loads =
    boxes.length > 0 && isTold(boxes)
      ? dealt.map((part) => ({ boxes: part, items: contentsOf(part) }))
      : dealItems(plan.items, places).map((items, place) => ({ items, boxes: dealt[place] ?? [] }));
  const isEmpty = loads.some((load) => load.items.length === 0 || (boxes.length > 0 && load.boxes.length === 0));
  return isEmpty ? undefined : loads;
}
