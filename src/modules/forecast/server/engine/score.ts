import { errorSums, scaleOf } from './accuracy.ts';
import type { Days } from './series.ts';

/** No single origin may weigh more than this: one stray forecast must not decide between models that are else alike. */
const WORST = 5;

/**
 * Score of a forecast, lower is better: half the RMSSE of its days, half the error of their sum by the same scale × √days
 * (what independent errors of the days would add up to). Undefined where nothing can be measured.
 */
export function scoreOf(actual: Days, forecast: Days, history: Days): number | undefined {
  const scale = scaleOf(history);
  const sums = errorSums(actual, forecast);
  if (!scale || sums.days === 0) return undefined;
  const days = Math.sqrt(sums.squares / sums.days / scale.squared);
  const sum = Math.abs(sums.signed) / Math.sqrt(sums.days * scale.squared);
  return Math.min(WORST, 0.5 * days + 0.5 * sum);
}
