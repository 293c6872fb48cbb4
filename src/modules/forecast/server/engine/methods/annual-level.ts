import { annualAt } from '../annual.ts';
import { at, type Days } from '../series.ts';
import type { Week } from '../week.ts';
import { spread, weekLevel } from './level.ts';

/** Below this multiple a week of the year is too quiet to conclude from it to others. */
const LEAST = 0.05;

/** Level of a history freed of the year's shape, laid over the week and the year again. */
export function annualLevel(days: Days, week: Week, index: Float64Array, alpha: number, horizon: number): Days {
  const flat = days.map((value, day) => {
    const multiple = annualAt(index, day);
    return multiple < LEAST ? Number.NaN : value / multiple;
  });
  const plain = spread(weekLevel(flat, week, alpha), week, days.length, horizon);
  return plain.map((_, ahead) => at(plain, ahead) * annualAt(index, days.length + ahead));
}
