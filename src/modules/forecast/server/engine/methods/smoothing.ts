import { at, type Days } from '../series.ts';

const ALPHAS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** Simple exponential smoothing: the level after the last day, and the squared errors one day ahead on the way there. */
function smooth(history: Days, alpha: number): { level: number; squares: number } {
  let level = Number.NaN;
  let squares = 0;
  for (let day = 0; day < history.length; day += 1) {
    const value = at(history, day);
    if (Number.isNaN(value)) continue;
    if (Number.isNaN(level)) {
      level = value;
      continue;
    }
    const error = value - level;
    squares += error * error;
    level += alpha * error;
  }
  return { level: Number.isNaN(level) ? 0 : level, squares };
}

/** Simple exponential smoothing, α of least squared error one day ahead; the same value for every day of the horizon. */
export function simpleSmoothing(history: Days, horizon: number): Days {
  let best = smooth(history, ALPHAS[0] as number);
  for (const alpha of ALPHAS.slice(1)) {
    const other = smooth(history, alpha);
    if (other.squares < best.squares) best = other;
  }
  return new Float64Array(horizon).fill(best.level);
}
