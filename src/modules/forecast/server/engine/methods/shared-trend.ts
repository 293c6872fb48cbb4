import { at, type Days } from '../series.ts';
import type { Week } from '../week.ts';
import { spread, weekLevel } from './level.ts';

/** Speed of the common level, and of an item's share of it. */
const ALPHA = 0.05;
const SHARE_ALPHA = 0.015;
/** The level of the first days is that of this many together. */
const WARM_UP = 14;

/**
 * Level of a category before each day and after the last one (one value more than days), without its weekdays. A season or
 * a growing shop shows in it long before it can be told from chance in any single item. Closed days move nothing.
 */
export function trendOf(total: Days, week: Week, closed: Uint8Array): Float64Array {
  const trend = new Float64Array(total.length + 1).fill(1);
  let units = 0;
  let weight = 0;
  for (let day = 0; day < total.length; day += 1) {
    if (closed[day] !== 1) {
      units = (1 - ALPHA) * units + at(total, day);
      weight = (1 - ALPHA) * weight + at(week, day % 7);
    }
    if (units > 0 && weight > 0) trend[day + 1] = units / weight;
  }
  const warm = Math.min(WARM_UP, total.length);
  return trend.fill(at(trend, warm), 0, warm);
}

/** An item's share of its category's level, smoothed slowly, × that level now, laid over the week. */
export function sharedTrend(days: Days, week: Week, trend: Float64Array, horizon: number): Days {
  const shares = days.map((units, day) => units / at(trend, day));
  const level = weekLevel(shares, week, SHARE_ALPHA) * at(trend, days.length);
  return spread(level, week, days.length, horizon);
}
