import { bias, errorSums, mase, pinball, rmsse, wape } from './accuracy.ts';
import { originsBefore } from './backtest.ts';
import { capOf } from './clean.ts';
import { QUANTILES, ResidualPool } from './conformal.ts';
import { type Forecast, forecastShop, quantilesOf, scaleOfSum } from './forecast.ts';
import { lastYear, naive, seasonalNaive } from './methods/naive.ts';
import { simpleSmoothing } from './methods/smoothing.ts';
import { at, type Days, sinceFirstSale } from './series.ts';
import type { Item } from './shop.ts';

/** What ours is measured against. */
const BASELINES = { naive, 'seasonal naive': seasonalNaive, SES: simpleSmoothing, 'last year': lastYear } as const;
export type Rival = 'ours' | keyof typeof BASELINES;
export const RIVALS: readonly Rival[] = ['ours', 'naive', 'seasonal naive', 'SES', 'last year'];

/** Says days after a history; undefined where it is too short. */
type Method = (history: Days, horizon: number) => Days | undefined;

/** Days since its first sale that an item needs before errors are scaled by its past. */
const SCALED_DAYS = 28;

const SUMS = ['absolute', 'signed', 'actual', 'squares', 'days'] as const;

/** Sums of errors over items and origins, of which `measures` makes figures; those of several shops add up. */
export class Errors {
  readonly #days = { absolute: 0, signed: 0, actual: 0, squares: 0, days: 0 };
  readonly #ordinary = { absolute: 0, signed: 0, actual: 0, squares: 0, days: 0 };
  #mase = 0;
  #rmsse = 0;
  #scaled = 0;
  #pinball = 0;
  readonly #covered = new Float64Array(QUANTILES.length);
  #sums = 0;

  /** Items and origins that were added. */
  get count(): number {
    return this.#sums;
  }

  /** Adds one item from one origin. */
  add(actual: Days, history: Days, mean: Days, quantiles: readonly number[]): void {
    const sums = errorSums(actual, mean);
    const cap = capOf(history);
    const ordinary = errorSums(
      actual.map((value) => Math.min(value, cap)),
      mean,
    );
    for (const key of SUMS) {
      this.#days[key] += sums[key];
      this.#ordinary[key] += ordinary[key];
    }
    const past = sinceFirstSale(history);
    const scaled = past.length < SCALED_DAYS ? undefined : mase(sums, past);
    if (scaled !== undefined) {
      this.#mase += scaled;
      this.#rmsse += rmsse(sums, past) ?? 0;
      this.#scaled += 1;
    }
    QUANTILES.forEach((quantile, n) => {
      const bound = quantiles[n] ?? 0;
      this.#pinball += pinball(sums.actual, bound, quantile) / QUANTILES.length;
      if (sums.actual <= bound) this.#covered[n] = at(this.#covered, n) + 1;
    });
    this.#sums += 1;
  }

  /** Adds what another one counted. */
  merge(other: Errors): void {
    for (const key of SUMS) {
      this.#days[key] += other.#days[key];
      this.#ordinary[key] += other.#ordinary[key];
    }
    this.#mase += other.#mase;
    this.#rmsse += other.#rmsse;
    this.#scaled += other.#scaled;
    this.#pinball += other.#pinball;
    this.#sums += other.#sums;
    other.#covered.forEach((count, n) => {
      this.#covered[n] = at(this.#covered, n) + count;
    });
  }

  /**
   * WAPE and bias of all days together, `ordinary` with bulk orders capped as models learn demand; MASE and RMSSE as means over items and origins; pinball loss of the lead-time sums
   * at p50, p80, p90, p95 as a share of what was sold; share of sums at or below each quantile.
   */
  get measures() {
    return {
      wape: wape(this.#days) ?? Number.NaN,
      bias: bias(this.#days) ?? Number.NaN,
      ordinaryWape: wape(this.#ordinary) ?? Number.NaN,
      ordinaryBias: bias(this.#ordinary) ?? Number.NaN,
      mase: this.#mase / this.#scaled,
      rmsse: this.#rmsse / this.#scaled,
      pinball: this.#pinball / this.#days.actual,
      coverage: Array.from(this.#covered, (count) => count / this.#sums),
    };
  }
}

/** Nothing measured yet, for each of them. */
export function noErrors(): Record<Rival, Errors> {
  return Object.fromEntries(RIVALS.map((rival) => [rival, new Errors()])) as Record<Rival, Errors>;
}

/** Those that said something of everything that ours was measured on: last year's sales need a year of history. */
export function comparable(errors: Record<Rival, Errors>): Rival[] {
  return RIVALS.filter((rival) => errors[rival].count === errors.ours.count);
}

type Said = Pick<Forecast, 'mean' | 'quantiles'>;

/** What a baseline says, with quantiles by the same conformal rule from the same origins as ours. */
function baseline(items: readonly Item[], origin: number, horizon: number, method: Method): (Said | undefined)[] {
  const sum = (days: Days) => days.reduce((total, value) => (Number.isNaN(value) ? total : total + value), 0);
  const residuals = new ResidualPool();
  for (const { units } of items)
    for (const before of originsBefore(origin, horizon)) {
      const days = method(units.subarray(0, before), horizon);
      if (!days) continue;
      const said = sum(days);
      residuals.add('smooth', (sum(units.subarray(before, before + horizon)) - said) / scaleOfSum(said));
    }
  return items.map(({ units }) => {
    const mean = method(units.subarray(0, origin), horizon);
    return mean && { mean, quantiles: quantilesOf(sum(mean), residuals.of('smooth')) };
  });
}

/**
 * Errors of ours and of the baselines from `origins` origins that lie `step` days apart, the last one a horizon before the
 * end. Each sees the days before the origin only; measured against what was sold, uncleaned.
 */
export function evaluate(
  items: readonly Item[],
  horizon: number,
  origins: number,
  step: number,
): Record<Rival, Errors> {
  const errors = noErrors();
  const days = items[0]?.units.length ?? 0;
  for (let n = 0; n < origins; n += 1) {
    const origin = days - horizon - n * step;
    const past = items.map((item) => ({ ...item, units: item.units.subarray(0, origin) }));
    const note = (rival: Rival, said: readonly (Said | undefined)[]) => {
      said.forEach((one, index) => {
        const { units } = items[index] as Item;
        const actual = units.subarray(origin, origin + horizon);
        if (one) errors[rival].add(actual, units.subarray(0, origin), one.mean, one.quantiles);
      });
    };
    note('ours', forecastShop(past, { horizon, lead: horizon }));
    for (const [name, method] of Object.entries(BASELINES))
      note(name as Rival, baseline(items, origin, horizon, method));
  }
  return errors;
}
