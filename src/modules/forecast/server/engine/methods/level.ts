import { at, type Days } from '../series.ts';
import type { Week } from '../week.ts';

/**
 * Units of a mean day by exponential smoothing with a known shape of the week: Σ(1−α)^age·units / Σ(1−α)^age·shape. A quiet
 * weekday weighs as little as it sells, and a closed one not at all, where dividing each day by its shape would blow up
 * its noise.
 */
export function weekLevel(history: Days, week: Week, alpha: number): number {
  const keep = 1 - alpha;
  let units = 0;
  let weight = 0;
  let phase = 0;
  for (let day = 0; day < history.length; day += 1) {
    const value = at(history, day);
    if (!Number.isNaN(value)) {
      units = keep * units + value;
      weight = keep * weight + at(week, phase);
    }
    phase = phase === 6 ? 0 : phase + 1;
  }
  return weight > 0 ? units / weight : 0;
}

/** A mean day laid over the weekdays after a history of `length` days. */
export function spread(level: number, week: Week, length: number, horizon: number): Days {
  const result = new Float64Array(horizon);
  for (let ahead = 0; ahead < horizon; ahead += 1) result[ahead] = level * at(week, (length + ahead) % 7);
  return result;
}
