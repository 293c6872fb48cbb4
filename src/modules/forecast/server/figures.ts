import { quantilesOf } from './engine/forecast.ts';
import { type Window, weightedAverage } from './engine/methods/weighted-average.ts';
import { merged, type Override } from './engine/override.ts';
import { at, type Days } from './engine/series.ts';
import type { History } from './history.ts';
import { dayPlus, daysBetween } from './stocks.ts';

/** Stored figures are whole ten-thousandths of a unit. */
const E4 = 10_000;
/** Days that are forecast: three whole months after the present one, whenever it began, and two more months. */
export const HORIZON = 183;
/** Days that models are tried on and quantiles are of. */
export const LEAD = 30;

/** Units as they are stored: whole ten-thousandths. */
export const packed = (value: number): number => Math.round(value * E4);

/** Units a day as they are stored. */
export const packedDays = (days: Days): number[] => Array.from(days, packed);

/** A stored list of whole numbers as PostgreSQL writes it. */
export const arrayText = (values: readonly number[]): string => `{${values.join(',')}}`;

/** Units a day out of what is stored. */
export const unpackedDays = (days: readonly number[]): Days => Float64Array.from(days, (value) => value / E4);

/** A change as it is stored: days are YYYY-MM-DD, both included. */
export interface StoredOverride {
  id: string;
  from: string;
  to: string;
  mode: Override['mode'];
  value: string;
}

/**
 * What is published: the model with the changes that stand. Of a sum over days that began before the cut-off, what was sold
 * since is taken off. Null where nothing is changed.
 * @param soldFrom units sold from a day (YYYY-MM-DD) to the cut-off
 */
export function publishedOf(
  mean: Days,
  cutoff: string,
  overrides: readonly StoredOverride[],
  soldFrom: (day: string) => number,
): Days | null {
  const due = overrides.filter(({ to }) => to > cutoff);
  if (due.length === 0) return null;
  const changes = due.map(({ from, to, mode, value }): Override => {
    const sold = mode === 'MONTH' && from <= cutoff ? soldFrom(from) : 0;
    return {
      from: daysBetween(cutoff, from) - 1,
      to: daysBetween(cutoff, to) - 1,
      mode,
      value: Math.max(0, Number(value) - sold),
    };
  });
  // The model knows the shape of the week; a product that it expects nothing of sells evenly.
  return merged(mean, changes, mean);
}

const sumOf = (days: Days, from: number, to: number): number => {
  let sum = 0;
  for (let day = Math.max(0, from); day < Math.min(days.length, to); day += 1) sum += at(days, day);
  return sum;
};

/** First day of the month that lies so many months after that of a day. */
export function monthAfter(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** Units of a whole month that lies after the cut-off, `n` months after that of its next day. */
export function monthOf(days: Days, cutoff: string, n: number): number {
  const next = dayPlus(cutoff, 1);
  return sumOf(days, daysBetween(next, monthAfter(next, n)), daysBetween(next, monthAfter(next, n + 1)));
}

/** What a list shows of an item's next days, in ten-thousandths. */
export function outlook(published: Days, distances: readonly number[], cutoff: string) {
  const next = sumOf(published, 0, LEAD);
  const [, p80 = 0, p90 = 0, p95 = 0] = quantilesOf(next, distances);
  return {
    next30: packed(next),
    p80: packed(p80),
    p90: packed(p90),
    p95: packed(p95),
    month1: packed(monthOf(published, cutoff, 1)),
    month2: packed(monthOf(published, cutoff, 2)),
    month3: packed(monthOf(published, cutoff, 3)),
  };
}

/** Mean of the days with stock among the last ones. */
function dailyOf({ units, out }: History, days: number): number {
  let sum = 0;
  let count = 0;
  for (let day = Math.max(0, units.length - days); day < units.length; day += 1) {
    if (out[day]) continue;
    sum += at(units, day);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

/** What a list shows of an item's last days, averages and sums in ten-thousandths. */
export function lookBack(history: History, windows: readonly Window[]) {
  const { units, demand, out } = history;
  const last = out.subarray(Math.max(0, out.length - 30));
  return {
    daily7: packed(dailyOf(history, 7)),
    daily15: packed(dailyOf(history, 15)),
    daily30: packed(dailyOf(history, 30)),
    pace: packed(weightedAverage(demand, windows)),
    outDays: last.reduce((sum, value) => sum + value, 0),
    isOut: out.at(-1) === 1,
    sold30: packed(sumOf(units, units.length - 30, units.length)),
  };
}
