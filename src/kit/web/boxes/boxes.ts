import type { Box } from '../../contract/box.ts';

interface Packed {
  id: string;
  qty: number;
}

const EMPTY: Box = { length: null, width: null, height: null, weight: null, items: [] };

/** Pieces of each line that are in no box yet, by line id. */
export function unpacked(lines: readonly Packed[], boxes: readonly Box[]): Map<string, number> {
  const open = new Map(lines.map((line) => [line.id, line.qty]));
  for (const { items } of boxes) for (const { lineId, qty } of items) open.set(lineId, (open.get(lineId) ?? 0) - qty);
  return open;
}

/** A box with all that is left. */
export function restBox(lines: readonly Packed[], boxes: readonly Box[]): Box {
  const items = [...unpacked(lines, boxes)].flatMap(([lineId, qty]) => (qty > 0 ? [{ lineId, qty }] : []));
  return { ...EMPTY, items };
}

/** Boxes for what is left, one product in each, `each` pieces in a full one; sizes and weight as in the last box. */
export function fillBoxes(lines: readonly Packed[], boxes: readonly Box[], each: number): Box[] {
  const last = boxes.at(-1);
  const size = last ? { length: last.length, width: last.width, height: last.height, weight: null } : {};
  return [...unpacked(lines, boxes)].flatMap(([lineId, qty]) =>
    Array.from({ length: Math.ceil(Math.max(0, qty) / each) }, (_, index) => ({
      ...EMPTY,
      ...size,
      items: [{ lineId, qty: Math.min(each, qty - index * each) }],
    })),
  );
}

/** A box with another number of pieces of a line; none takes the line out. */
export function withPieces(box: Box, lineId: string, qty: number): Box {
  const others = box.items.filter((item) => item.lineId !== lineId);
  return { ...box, items: qty > 0 ? [...others, { lineId, qty }] : others };
}
