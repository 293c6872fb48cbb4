import { allocate, currencyScale, Decimal } from '#kit/contract/decimal.ts';

/** The months "yyyy-MM" that bear an expense of a day "yyyy-MM-dd", that of the day first. */
export function monthsFrom(day: string, months: number): string[] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return Array.from({ length: months }, (_, at) => {
    const index = year * 12 + month - 1 + at;
    return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
  });
}

/** Keys that sort as they were counted: ties of an allocation go to the first. */
const keyOf = (at: number) => String(at).padStart(4, '0');

/**
 * Shares an amount by weights, to the last unit of its currency; what is left over goes to the largest rests, ties to the first.
 * @returns a part for each weight; all 0 where every weight is
 */
export function parted(amount: string, weights: readonly string[], currency: string): string[] {
  const shares = allocate(amount, new Map(weights.map((weight, at) => [keyOf(at), weight])), currencyScale(currency));
  return weights.map((_, at) => shares?.get(keyOf(at)) ?? '0');
}

/** Even parts of an amount, the first ones take the cents that are left over: 100 over 3 is 33.34, 33.33, 33.33. */
export const evenParts = (amount: string, count: number, currency: string): string[] =>
  parted(amount, new Array<string>(count).fill('1'), currency);

/**
 * Fills a table of which the sums of its rows and of its columns are given, and come to the same: each cell in proportion to
 * both, none negative, and both sums to the last unit. Row by row: what is left of the columns says how the next is shared.
 */
export function crossed(rows: readonly string[], columns: readonly string[], currency: string): string[][] {
  let left = [...columns];
  return rows.map((row) => {
    const parts = parted(row, left, currency);
    left = left.map((column, at) => new Decimal(column).minus(parts[at] ?? '0').toFixed());
    return parts;
  });
}
