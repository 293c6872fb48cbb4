/**
 * Units sold per day, oldest first, in one array. NaN is a day whose demand nobody knows (out of stock, shop closed): it
 * is left out of every mean, and never read as 0.
 */
export type Days = Float64Array;

/** Value of a day that is known to be inside the array. */
export function at(values: Days, index: number): number {
  return values[index] as number;
}

/** Known days: how many, and their mean (0 where none is known). */
export function known(values: Days): { count: number; mean: number } {
  let count = 0;
  let sum = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  return { count, mean: count === 0 ? 0 : sum / count };
}

/** Demands in what is known: known days, days with a demand, and the units of all of them. */
export function demandsOf(values: Days): { days: number; demands: number; units: number } {
  let days = 0;
  let demands = 0;
  let units = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    days += 1;
    if (value === 0) continue;
    demands += 1;
    units += value;
  }
  return { days, demands, units };
}

/** The last known value, 0 where there is none. */
export function lastKnown(values: Days): number {
  for (let day = values.length - 1; day >= 0; day -= 1) if (!Number.isNaN(at(values, day))) return at(values, day);
  return 0;
}

/** Median of numbers (mean of the middle two), 0 of none. Does not change what it is given. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? at(sorted, half) : (at(sorted, half - 1) + at(sorted, half)) / 2;
}

/** From the first day with a sale: days before a product was on sale say nothing of its demand. */
export function sinceFirstSale(values: Days): Days {
  let day = 0;
  while (day < values.length && !(at(values, day) > 0)) day += 1;
  return values.subarray(day);
}
