import { Decimal } from 'decimal.js';

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** A decimal text without an exponent. @throws Error for what is no number */
function plain(value: string): string {
  return PLAIN.test(value) ? value : new Decimal(value).toFixed();
}

function decimalsOf(plainText: string): number {
  const point = plainText.indexOf('.');
  return point < 0 ? 0 : plainText.length - point - 1;
}

/** A plain text in units of 10^-places; it has no more decimals than that. */
function unitsOf(plainText: string, places: number): bigint {
  const point = plainText.indexOf('.');
  if (point < 0) return BigInt(plainText + '0'.repeat(places));
  return BigInt(plainText.slice(0, point) + plainText.slice(point + 1) + '0'.repeat(places - decimalsOf(plainText)));
}

/** Units of 10^-places as a decimal text with all its places. */
function textOf(units: bigint, places: number): string {
  if (places === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const sign = units < 0n ? '-' : '';
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

interface Part {
  key: string;
  units: bigint;
  rest: bigint;
}

/** The largest rest first, ties by the smaller key. */
function byRest(a: Part, b: Part): number {
  if (a.rest !== b.rest) return a.rest > b.rest ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

/**
 * Splits `total` over `weights`, none of them negative, without losing a unit: exact shares are cut to `scale`, the left-over
 * units go one by one to the largest fractional parts, ties to the smaller key. The sign is put back at the end; parts always add up.
 * Returns undefined where all weights are zero: the caller must fall back to another key. Reckons with whole numbers: a store's
 * money is shared over a hundred thousand SKUs.
 */
export function allocate(
  total: string,
  weights: ReadonlyMap<string, string>,
  scale: number,
): Map<string, string> | undefined {
  const texts = Array.from(weights, ([key, weight]) => ({ key, weight: plain(weight) }));
  const weightPlaces = texts.reduce((most, { weight }) => Math.max(most, decimalsOf(weight)), 0);
  const bases = texts.map(({ key, weight }) => ({ key, weight: unitsOf(weight, weightPlaces) }));
  const base = bases.reduce((acc, { weight }) => acc + weight, 0n);
  if (base <= 0n) return undefined;
  const totalText = plain(total);
  const places = Math.max(scale, decimalsOf(totalText));
  const signed = unitsOf(totalText, places);
  const amount = signed < 0n ? -signed : signed;
  const finer = 10n ** BigInt(places - scale);
  const divisor = base * finer;
  let left = amount / finer;
  const parts = bases.map(({ key, weight }): Part => {
    const product = amount * weight;
    const units = product / divisor;
    left -= units;
    return { key, units, rest: product - units * divisor };
  });
  if (left > 0n) for (const part of [...parts].sort(byRest).slice(0, Number(left))) part.units += 1n;
  return new Map(parts.map(({ key, units }) => [key, textOf(signed < 0n ? -units : units, scale)]));
}
