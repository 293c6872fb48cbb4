import { at, type Days, known } from './series.ts';

/** Days of a year of whole weeks: the same weekday, and within a day or two the same holiday. */
export const YEAR = 364;
const WEEKS = 52;
/** Below so many weeks of history a year's shape cannot be told from growth. */
const LEAST_WEEKS = 90;

/**
 * Shape of the year of a category: what each of 52 weeks sells as a multiple of the mean week, by (day mod 364) / 7, mean 1.
 * Growth from one year to the next, measured on the weeks seen twice, is taken out first; neighbouring weeks are smoothed
 * ¼ ½ ¼. Undefined below 90 weeks of history or without sales.
 */
export function annualIndex(total: Days): Float64Array | undefined {
  const weeks = Math.floor(total.length / 7);
  if (weeks < LEAST_WEEKS) return undefined;
  const sums = new Float64Array(weeks);
  for (let day = 0; day < weeks * 7; day += 1) {
    const week = Math.floor(day / 7);
    sums[week] = at(sums, week) + at(total, day);
  }
  let before = 0;
  let after = 0;
  for (let week = WEEKS; week < weeks; week += 1) {
    before += at(sums, week - WEEKS);
    after += at(sums, week);
  }
  if (!(before > 0 && after > 0)) return undefined;
  const growth = after / before;
  const means = new Float64Array(WEEKS);
  for (let slot = 0; slot < WEEKS; slot += 1) {
    const seen = sums.filter((_, week) => week % WEEKS === slot);
    means[slot] = known(seen.map((sum, year) => sum / growth ** (year + slot / WEEKS))).mean;
  }
  const smooth = means.map(
    (value, slot) => value / 2 + (at(means, (slot + 51) % WEEKS) + at(means, (slot + 1) % WEEKS)) / 4,
  );
  const { mean } = known(smooth);
  return smooth.map((value) => value / mean);
}

/** Multiple of a day of the shop. */
export function annualAt(index: Float64Array, day: number): number {
  return at(index, Math.floor((day % YEAR) / 7));
}
