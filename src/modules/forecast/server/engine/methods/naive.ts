import { YEAR } from '../annual.ts';
import { at, type Days, lastKnown } from '../series.ts';

/** Tomorrow and every day after it sell what the last known day sold. */
export function naive(history: Days, horizon: number): Days {
  return new Float64Array(horizon).fill(lastKnown(history));
}

/** Each day sells what the last known day of the same weekday sold (m = 7); 0 where a weekday was never known. */
export function seasonalNaive(history: Days, horizon: number): Days {
  const result = new Float64Array(horizon);
  for (let ahead = 0; ahead < horizon; ahead += 1) {
    if (ahead >= 7) {
      result[ahead] = at(result, ahead - 7);
      continue;
    }
    for (let day = history.length + ahead - 7; day >= 0; day -= 7) {
      if (Number.isNaN(at(history, day))) continue;
      result[ahead] = at(history, day);
      break;
    }
  }
  return result;
}

/**
 * Each day sells what the same weekday sold a year (364 days) before; undefined with less history than that. Days unknown
 * then sell what the same weekday sold last.
 */
export function lastYear(history: Days, horizon: number): Days | undefined {
  if (history.length < YEAR || horizon > YEAR) return undefined;
  const weekday = seasonalNaive(history, horizon);
  return weekday.map((value, ahead) => {
    const then = at(history, history.length - YEAR + ahead);
    return Number.isNaN(then) ? value : then;
  });
}
