import { annualLevel } from './methods/annual-level.ts';
import { croston, crostonRate, sbaRate } from './methods/croston.ts';
import { holtWinters } from './methods/holt-winters.ts';
import { spread, weekLevel } from './methods/level.ts';
import { naive, seasonalNaive } from './methods/naive.ts';
import { sharedTrend } from './methods/shared-trend.ts';
import { simpleSmoothing } from './methods/smoothing.ts';
import { tsb } from './methods/tsb.ts';
import { weightedAverage } from './methods/weighted-average.ts';
import type { Days } from './series.ts';
import type { View } from './shop.ts';

/** What a method says of the days after a view; undefined where it has too little to go by. */
type Method = (view: View, horizon: number) => Days | undefined;

/** A level that is the same every day, laid over the week. */
function level(of: (view: View) => number): Method {
  return (view, horizon) => spread(of(view), view.week, view.days.length, horizon);
}

function fading(days: Days, beta: number): number {
  const { chance, size } = tsb(days, 0.1, beta);
  return chance * size;
}

const METHODS = {
  naive: ({ days }, horizon) => naive(days, horizon),
  seasonalNaive: ({ days }, horizon) => seasonalNaive(days, horizon),
  weightedAverage: level(({ days }) => weightedAverage(days)),
  ses: ({ days }, horizon) => simpleSmoothing(days, horizon),
  week1: level(({ days, week }) => weekLevel(days, week, 0.01)),
  week3: level(({ days, week }) => weekLevel(days, week, 0.03)),
  week6: level(({ days, week }) => weekLevel(days, week, 0.06)),
  week12: level(({ days, week }) => weekLevel(days, week, 0.12)),
  week24: level(({ days, week }) => weekLevel(days, week, 0.24)),
  holtWinters: ({ days }, horizon) => holtWinters(days, horizon),
  annual: ({ days, week, annual }, horizon) => annual && annualLevel(days, week, annual, 0.03, horizon),
  sharedTrend: ({ days, week, trend }, horizon) => sharedTrend(days, week, trend, horizon),
  croston: level(({ days }) => crostonRate(croston(days, 0.1))),
  sba: level(({ days }) => sbaRate(croston(days, 0.1), 0.1)),
  tsb: level(({ days }) => fading(days, 0.03)),
  tsbQuick: level(({ days }) => fading(days, 0.1)),
} satisfies Record<string, Method>;

export type Candidate = keyof typeof METHODS;

/** The methods that are tried for every item, the simplest first. */
export const CANDIDATES = Object.keys(METHODS) as Candidate[];

/** What one of them says. */
export function run(candidate: Candidate, view: View, horizon: number): Days | undefined {
  return METHODS[candidate](view, horizon);
}
