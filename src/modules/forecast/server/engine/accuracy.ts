import { at, type Days } from './series.ts';

/** Sums from which the measures of accuracy are made; those of several items add up. */
export interface ErrorSums {
  /** Σ|actual − forecast|, Σ(forecast − actual), Σ actual over the known days. */
  absolute: number;
  signed: number;
  actual: number;
  squares: number;
  days: number;
}

/** Errors of a forecast over the days whose sales are known. Both are as long as the shorter one. */
export function errorSums(actual: Days, forecast: Days): ErrorSums {
  const sums: ErrorSums = { absolute: 0, signed: 0, actual: 0, squares: 0, days: 0 };
  for (let day = 0; day < Math.min(actual.length, forecast.length); day += 1) {
    const value = at(actual, day);
    if (Number.isNaN(value)) continue;
    const error = at(forecast, day) - value;
    sums.absolute += Math.abs(error);
    sums.signed += error;
    sums.actual += value;
    sums.squares += error * error;
    sums.days += 1;
  }
  return sums;
}

/** Σ|a−f| / Σa; undefined where nothing was sold. */
export function wape(sums: ErrorSums): number | undefined {
  return sums.actual > 0 ? sums.absolute / sums.actual : undefined;
}

/** Σ(f−a) / Σa: above 0 too much was forecast; undefined where nothing was sold. */
export function bias(sums: ErrorSums): number | undefined {
  return sums.actual > 0 ? sums.signed / sums.actual : undefined;
}

/** Mean absolute and mean squared error of the seasonal naive forecast inside a history (season of `m` days). */
export function naiveScale(history: Days, m: number): { absolute: number; squared: number } | undefined {
  let absolute = 0;
  let squared = 0;
  let count = 0;
  for (let day = m; day < history.length; day += 1) {
    const error = at(history, day) - at(history, day - m);
    if (Number.isNaN(error)) continue;
    absolute += Math.abs(error);
    squared += error * error;
    count += 1;
  }
  return absolute === 0 ? undefined : { absolute: absolute / count, squared: squared / count };
}

/** Scale of MASE and RMSSE: season of seven days, of one where that says nothing; undefined for a history without change. */
export function scaleOf(history: Days): { absolute: number; squared: number } | undefined {
  return naiveScale(history, 7) ?? naiveScale(history, 1);
}

/** Mean absolute error / that of the seasonal naive forecast in the history (Hyndman and Koehler 2006). */
export function mase(sums: ErrorSums, history: Days): number | undefined {
  const scale = scaleOf(history);
  return scale && sums.days > 0 ? sums.absolute / sums.days / scale.absolute : undefined;
}

/** Root of the mean squared error / that of the seasonal naive forecast in the history (M5). */
export function rmsse(sums: ErrorSums, history: Days): number | undefined {
  const scale = scaleOf(history);
  return scale && sums.days > 0 ? Math.sqrt(sums.squares / sums.days / scale.squared) : undefined;
}

/** Loss of a quantile: q·(a−f) below, (1−q)·(f−a) above. Its sum is least when f is the q-quantile. */
export function pinball(actual: number, forecast: number, q: number): number {
  return actual >= forecast ? q * (actual - forecast) : (1 - q) * (forecast - actual);
}

/** Forecast value added by people: WAPE of the model − WAPE of what they published; above 0 they made it better. */
export function valueAdded(model: ErrorSums, published: ErrorSums): number | undefined {
  const before = wape(model);
  const after = wape(published);
  return before === undefined || after === undefined ? undefined : before - after;
}
