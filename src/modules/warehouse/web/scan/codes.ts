import type { PackLine, ScanPack } from '../../contract/scan.ts';

type Place = ScanPack['locations'][number];
type Goods = ScanPack['products'][number];

/** What a code means without asking the server. */
export type Meaning = { means: 'location'; place: Place } | { means: 'product'; goods: Goods };

/** Reads a code with what the phone holds: labels `LOC.<id>`, codes of places, then codes of products. */
export function meaningOf(pack: Pick<ScanPack, 'locations' | 'products'>, code: string): Meaning | undefined {
  const text = code.trim().toLowerCase();
  const key = text.replace(/^loc\./, '');
  const place = pack.locations.find((one) => one.id === key || one.code.toLowerCase() === key);
  if (place) return { means: 'location', place };
  if (text.startsWith('loc.')) return undefined;
  const goods = pack.products.find((one) => one.codes.some((known) => known.toLowerCase() === text));
  return goods && { means: 'product', goods };
}

/** A line as it stands on the phone: with what was scanned and not yet said to the server. */
export interface Line extends PackLine {
  /** Scanned since the last send. */
  now: number;
}

/** Pieces of a line that are still missing; a count has no end. */
export function openOf(line: Line): number {
  return line.want === null ? Number.POSITIVE_INFINITY : Math.max(0, line.want - line.done - line.now);
}

/**
 * The line that a scanned product belongs to: the one in hand first, then one at the place where the person stands, then
 * any that still misses pieces. Undefined where the product is in no line, or all of it is there.
 */
export function lineOf(
  lines: readonly Line[],
  productId: string,
  current: string | undefined,
  locationId: string | undefined,
): Line | undefined {
  const mine = lines.filter((line) => line.productId === productId && openOf(line) > 0);
  return (
    mine.find((line) => line.lineId === current) ??
    mine.find((line) => line.locationId !== null && line.locationId === locationId) ??
    mine[0]
  );
}
