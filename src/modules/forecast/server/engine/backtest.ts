import { CANDIDATES, run } from './candidates.ts';
import { scoreOf } from './score.ts';
import { at, type Days } from './series.ts';
import { type Item, type Shop, viewOf } from './shop.ts';

/** Origins that models are tried from, and that the quantiles are drawn from: few would all lie in the same season. */
const ORIGINS = 8;
/** Less history than this is not tried from. */
const LEAST_DAYS = 42;

/**
 * Origins before a cut-off: the last one leaves one horizon to measure, the others lie half a horizon apart (a week at
 * least). The horizon follows its origin without a gap. Fewer than eight, or none, for a young shop.
 */
export function originsBefore(cutoff: number, horizon: number): number[] {
  const step = Math.max(7, Math.floor(horizon / 2));
  const all = Array.from({ length: ORIGINS }, (_, n) => cutoff - horizon - n * step);
  return all.filter((origin) => origin >= LEAST_DAYS);
}

/** How the candidates did on one item from one origin: their sums of the horizon and their scores, NaN without a say. */
export interface Trial {
  sums: Float64Array;
  scores: Float64Array;
  /** What was sold on the known days of the horizon, bulk orders too: stock must reach for them; the sums are of the same days. */
  actual: number;
}

/** Tries all candidates on an item from each origin; `now` are its cleaned days up to the cut-off. */
export function backtest(item: Item, shops: readonly Shop[], now: Days, horizon: number): Trial[] {
  return shops.map((shop) => {
    const view = viewOf(item, shop);
    const actual = now.subarray(shop.origin, shop.origin + horizon);
    const sums = new Float64Array(CANDIDATES.length).fill(Number.NaN);
    const scores = new Float64Array(CANDIDATES.length).fill(Number.NaN);
    CANDIDATES.forEach((candidate, n) => {
      const forecast = run(candidate, view, horizon);
      if (!forecast) return;
      sums[n] = sumOfKnown(forecast, actual);
      scores[n] = scoreOf(actual, forecast, view.days) ?? Number.NaN;
    });
    return { sums, scores, actual: sumOfKnown(item.units.subarray(shop.origin, shop.origin + horizon), actual) };
  });
}

function sumOfKnown(values: Days, known: Days): number {
  return values.reduce((sum, value, day) => (Number.isNaN(at(known, day)) ? sum : sum + value), 0);
}

/** Mean scores of the candidates over the origins where any could be measured, and how many those are. */
export function meanScores(trials: readonly Trial[]): Scores {
  const measured = trials.filter(({ scores }) => scores.some((score) => !Number.isNaN(score)));
  const scores = Float64Array.from(CANDIDATES, (_, n) => {
    return measured.reduce((sum, trial) => sum + at(trial.scores, n), 0) / measured.length;
  });
  return { scores, origins: measured.length };
}

/** Scores of the candidates (NaN: none) and the number of origins that they are means of. */
export interface Scores {
  scores: Float64Array;
  origins: number;
}
