import { errorSums, pinball } from '../engine/accuracy.ts';
import { QUANTILES } from '../engine/conformal.ts';
import { quantilesOf } from '../engine/forecast.ts';
import { lastYear, naive, seasonalNaive } from '../engine/methods/naive.ts';
import { type Days, known } from '../engine/series.ts';

/** Days after an origin that a forecast is held against. */
export const MEASURED_DAYS = 28;

/** What a forecast said at an origin. */
export interface Said {
  mean: Days;
  /** With what people changed; the model's own where they changed nothing. */
  published: Days;
  distances: readonly number[];
}

const sumOver = (days: Days, actual: Days): number =>
  actual.reduce((sum, value, day) => (Number.isNaN(value) ? sum : sum + (days[day] ?? 0)), 0);

/**
 * Sums of the errors of a forecast over the days after its origin whose demand is known, beside those of what it is held
 * against, which see the days before the origin only. @param demand days up to the origin and those after it
 */
export function errorsOf(demand: Days, origin: number, said: Said) {
  const before = demand.subarray(0, origin);
  const actual = demand.subarray(origin, origin + MEASURED_DAYS);
  const model = errorSums(actual, said.mean);
  const published = errorSums(actual, said.published);
  const year = lastYear(before, MEASURED_DAYS);
  const quantiles = quantilesOf(sumOver(said.published, actual), said.distances);
  const loss = QUANTILES.reduce((sum, q, n) => sum + pinball(model.actual, quantiles[n] ?? 0, q), 0) / QUANTILES.length;
  return {
    days: known(actual).count,
    actual: model.actual,
    absModel: model.absolute,
    signModel: model.signed,
    absPublished: published.absolute,
    signPublished: published.signed,
    absNaive: errorSums(actual, naive(before, MEASURED_DAYS)).absolute,
    absSeasonal: errorSums(actual, seasonalNaive(before, MEASURED_DAYS)).absolute,
    absLastYear: year ? errorSums(actual, year).absolute : null,
    actualLastYear: year ? model.actual : null,
    pinball: loss,
    covered80: model.actual <= (quantiles[1] ?? 0),
    covered90: model.actual <= (quantiles[2] ?? 0),
  };
}
