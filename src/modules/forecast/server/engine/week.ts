import { at, type Days, known } from './series.ts';

/**
 * Shape of the week: what a weekday sells as a multiple of the mean day, by phase (the weekday of day n of a history is
 * phase n mod 7). 0 is a weekday on which nothing is ever sold.
 */
export type Week = Float64Array;

/** Weeks of an item's own sales that count as much as the shape of its category. */
const SHRINK_WEEKS = 20;

/** Sales and known days by phase of some items, from which their common shape is made. */
export interface WeekSums {
  units: Float64Array;
  days: Float64Array;
}

/** Sums of one history by phase. */
export function weekSums(history: Days): WeekSums {
  const units = new Float64Array(7);
  const days = new Float64Array(7);
  let phase = 0;
  for (let day = 0; day < history.length; day += 1) {
    const value = at(history, day);
    if (!Number.isNaN(value)) {
      units[phase] = at(units, phase) + value;
      days[phase] = at(days, phase) + 1;
    }
    phase = phase === 6 ? 0 : phase + 1;
  }
  return { units, days };
}

/** Shape of the week of many items together: each weighs by what it sells. Flat where nothing is known. */
export function commonWeek(sums: readonly WeekSums[]): Week {
  const units = new Float64Array(7);
  const days = new Float64Array(7);
  for (const sum of sums)
    for (let phase = 0; phase < 7; phase += 1) {
      units[phase] = at(units, phase) + at(sum.units, phase);
      days[phase] = at(days, phase) + at(sum.days, phase);
    }
  const means = units.map((value, phase) => (at(days, phase) === 0 ? Number.NaN : value / at(days, phase)));
  return normal(means.map((value) => (Number.isNaN(value) ? known(means).mean : value)));
}

/** Shape of an item: its own, drawn towards the common one as long as its own demands are few. */
export function ownWeek(own: WeekSums, common: Week, demands: number): Week {
  const shape = commonWeek([own]);
  // An item that sells now and then says less of weekdays in a week than one that sells every day.
  const weeks = demands / 7;
  const trust = weeks / (weeks + SHRINK_WEEKS);
  return normal(common.map((value, phase) => trust * at(shape, phase) + (1 - trust) * value));
}

/** The same shape with a mean of 1 (flat if it has none). */
function normal(shape: Float64Array): Week {
  const { mean } = known(shape);
  return mean > 0 ? shape.map((value) => value / mean) : shape.fill(1);
}
