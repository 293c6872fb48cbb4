import { backtest, meanScores, originsBefore, type Scores, type Trial } from './backtest.ts';
import { CANDIDATES, run } from './candidates.ts';
import { blended, type Choice, choose, kept, type Model } from './choose.ts';
import type { DemandClass } from './classes.ts';
import { ResidualPool } from './conformal.ts';
import { lookAlike, referenceCurve } from './look-alike.ts';
import { weightedAverage } from './methods/weighted-average.ts';
import { ScorePool } from './pool.ts';
import { at, type Days, known, median, sinceFirstSale } from './series.ts';
import { type Item, type Shop, shopAt, type View, viewOf } from './shop.ts';
import { withEvents } from './uplift.ts';

export interface Forecast {
  class: DemandClass;
  model: Model;
  /** Units by day after the cut-off, four decimals, never below 0. */
  mean: Days;
  /** p50, p80, p90, p95 of the sum of the days that models were tried on (the lead time). */
  quantiles: number[];
  /** Scaled distances that they were made with: `quantilesOf` gives those of another sum of days, e.g. of a month. */
  distances: readonly number[];
}

export interface Options {
  /** Days that are forecast. */
  horizon: number;
  /** Days that models are tried on and quantiles are of: the lead time of the items. */
  lead: number;
}

/** What is known of an item before it is chosen for. */
export interface Tried {
  class: DemandClass;
  scores: Scores;
  trials: Trial[];
}

/** First pass over an item: how all candidates did from the origins. */
export function tryItem(item: Item, shop: Shop, before: readonly Shop[], lead: number): Tried {
  const view = viewOf(item, shop);
  const trials = backtest(item, before, view.days, lead);
  return { class: view.class, scores: meanScores(trials), trials };
}

/** Units of a sum of days that its error is a share of. */
export function scaleOfSum(forecast: number): number {
  return Math.sqrt(Math.max(0, forecast) + 1);
}

/** Scaled residuals of what was chosen, one from each origin. */
export function residualsOf({ trials }: Tried, { members }: Choice): number[] {
  return trials.flatMap(({ sums, actual }) => {
    const said = members.map((member) => at(sums, CANDIDATES.indexOf(member)));
    // What somebody keeps may have had nothing to say yet.
    if (said.every(Number.isNaN)) return [];
    const forecast = together(said);
    return [(actual - forecast) / scaleOfSum(forecast)];
  });
}

/** Median of what the members say, of those that say anything. */
function together(values: readonly number[]): number {
  return median(values.filter((value) => !Number.isNaN(value)));
}

/** Days after a view by what was chosen, with the promotions that are planned. */
export function daysOf(item: Item, view: View, { members }: Choice, horizon: number): Days {
  const said = members.map((member) => run(member, view, horizon)).filter((days) => days !== undefined);
  // A model that somebody keeps may have too little to go by: the rule model always has something to say.
  if (said.length === 0) said.push(run('weightedAverage', view, horizon) ?? new Float64Array(horizon));
  let days: Days = new Float64Array(horizon).map((_, day) => together(said.map((one) => at(one, day))));
  if (isLike(item, view)) days = lookAlike(sinceFirstSale(item.units), referenceCurve(item.references ?? []), horizon);
  if (view.class === 'ending') days = notAbove(days, weightedAverage(view.days));
  return withEvents(days, view.days.length, item, view.uplifts).map((value) => round4(Math.max(0, value)));
}

/** Whether an item is too new for a model and somebody said what it is like. */
function isLike(item: Item, view: View): boolean {
  return view.class === 'new' && (item.references?.length ?? 0) > 0;
}

/** What is sold off does not grow by itself. */
function notAbove(days: Days, level: number): Days {
  const { mean } = known(days);
  return mean > level ? days.map((value) => (value * level) / mean) : days;
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Quantiles of a sum from the scaled distances of its class; never below 0, never one below a lower one. */
export function quantilesOf(sum: number, distances: readonly number[]): number[] {
  return distances.map((distance) => round4(Math.max(0, sum + distance * scaleOfSum(sum))));
}

/**
 * Forecasts all items of a shop after their last day. Pure: two passes over the items, since which model an item gets and
 * how wide its quantiles are is drawn from all items of its class.
 */
export function forecastShop(items: readonly Item[], { horizon, lead }: Options): Forecast[] {
  const cutoff = items[0]?.units.length ?? 0;
  const shop = shopAt(items, cutoff);
  const before = originsBefore(cutoff, lead).map((origin) => shopAt(items, origin));
  const tried = items.map((item) => tryItem(item, shop, before, lead));
  const scores = new ScorePool();
  for (const one of tried) scores.add(one.class, one.scores);
  const choices = tried.map((one, n) => {
    const { present, locked } = items[n] ?? {};
    const blend = blended(one.scores, scores.of(one.class));
    return locked ? kept(blend, locked) : choose(blend, present);
  });
  const residuals = new ResidualPool();
  tried.forEach((one, n) => {
    for (const residual of residualsOf(one, choices[n] as Choice)) residuals.add(one.class, residual);
  });
  return items.map((item, n) => {
    const choice = choices[n] as Choice;
    const view = viewOf(item, shop);
    const mean = daysOf(item, view, choice, horizon);
    const sum = mean.subarray(0, lead).reduce((total, value) => total + value, 0);
    const model = isLike(item, view) ? 'reference' : choice.model;
    const distances = residuals.of(view.class);
    return { class: view.class, model, mean, quantiles: quantilesOf(sum, distances), distances };
  });
}
