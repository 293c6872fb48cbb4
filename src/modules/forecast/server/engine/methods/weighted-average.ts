import { at, type Days } from '../series.ts';

/** A window of the weighted average: how many days back, and its weight. */
export interface Window {
  days: number;
  weight: number;
}

export const WINDOWS: readonly Window[] = [
  { days: 7, weight: 0.5 },
  { days: 15, weight: 0.3 },
  { days: 30, weight: 0.2 },
];

/** A window with fewer known days than this gives its weight to the others. */
const LEAST_KNOWN = 3;

/**
 * Weighted average of daily sales over windows that end with the last day: the mean of the known days of each window, by
 * the windows' weights. A window with fewer than three known days loses its weight to the others pro rata; where all do,
 * the mean of what is known counts. A product younger than a window is averaged over its age (NaN before its first day).
 */
export function weightedAverage(history: Days, windows: readonly Window[] = WINDOWS): number {
  let sum = 0;
  let weights = 0;
  let units = 0;
  let count = 0;
  let day = history.length - 1;
  let back = 0;
  for (const window of windows) {
    for (; back < window.days && day >= 0; back += 1, day -= 1) {
      const value = at(history, day);
      if (Number.isNaN(value)) continue;
      units += value;
      count += 1;
    }
    if (count < LEAST_KNOWN) continue;
    sum += (window.weight * units) / count;
    weights += window.weight;
  }
  if (weights > 0) return sum / weights;
  return count === 0 ? 0 : units / count;
}
