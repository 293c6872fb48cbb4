import type { Held, ReserveLine } from '#modules/warehouse/server/index.ts';

/** What of a document tells which pieces it wants. */
export interface Wanting {
  warehouse: string;
  lines: readonly { id: string; qty: number; msku: string }[];
  parts: readonly { id: string; line: string; product: string; qtyPer: number }[];
}

/** Pieces of each part that the lines of a document want. */
export function linesToHold({ warehouse, lines, parts }: Wanting): ReserveLine[] {
  const quantity = new Map(lines.map((line) => [line.id, line.qty]));
  return parts.map(({ id, line, product, qtyPer }) => ({
    line: id,
    product,
    warehouse,
    qty: (quantity.get(line) ?? 0) * qtyPer,
  }));
}

/** Pieces of a part as its reservations have them, nearest first, noted in them as picked. @throws what `refuse` makes of more than is open */
export function takeHeld(
  mine: readonly Held[],
  qty: number,
  refuse: (open: number) => Error,
): { id: string; pieces: number }[] {
  const open = mine.reduce((total, one) => total + one.held - one.picked, 0);
  if (qty > open) throw refuse(open);
  let rest = qty;
  return mine.flatMap((one) => {
    const now = Math.min(rest, one.held - one.picked);
    if (now <= 0) return [];
    one.picked += now;
    rest -= now;
    return [{ id: one.id, pieces: now }];
  });
}
