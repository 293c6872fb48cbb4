import { describe, expect, it } from 'vitest';
import { likeness, lookAlike } from '../server/engine/look-alike.ts';
import { croston, crostonRate, sbaRate } from '../server/engine/methods/croston.ts';
import { holtWinters, holtWintersNext, holtWintersStep } from '../server/engine/methods/holt-winters.ts';
import { lastYear, naive, seasonalNaive } from '../server/engine/methods/naive.ts';
import { simpleSmoothing } from '../server/engine/methods/smoothing.ts';
import { tsb } from '../server/engine/methods/tsb.ts';
import { weightedAverage } from '../server/engine/methods/weighted-average.ts';

const days = (...values: number[]) => Float64Array.from(values);
/** `known` days of the same sales that add up to `units`, and so many without stock before them. */
const window = (units: number, known: number, missing = 0) => [
  ...Array<number>(missing).fill(Number.NaN),
  ...Array<number>(known).fill(units / known),
];

describe('the handbook’s worked examples', () => {
  it('E9: the weighted average keeps its decimals and leaves out days without stock', () => {
    const regular = days(...window(90, 15), ...window(25, 8), ...window(35, 7));
    expect(weightedAverage(regular)).toBeCloseTo(4.7, 10);
    const slow = days(...window(11, 15), ...window(5, 8), ...window(5, 7));
    expect(weightedAverage(slow).toFixed(2)).toBe('0.70');
    const short = days(...window(70, 14, 1), ...window(35, 7, 1), ...window(20, 4, 3));
    expect(weightedAverage(short)).toBeCloseTo(5, 10);
    expect(weightedAverage(short.map((value) => (Number.isNaN(value) ? 0 : value))).toFixed(2)).toBe('3.36');
  });

  it('E10: TSB, Croston, SBA and Holt-Winters step by step', () => {
    const history = days(0, 0, 3, 0, 0, 0, 2, 0, 0, 0);
    const faded = tsb(history, 0.2, 0.1, { chance: 0.3, size: 2 });
    expect(faded.chance).toBeCloseTo(0.225333, 6);
    expect(faded.size).toBeCloseTo(2.16, 10);
    expect(faded.chance * faded.size).toBeCloseTo(0.48672, 5);
    const regular = croston(history, 0.2, { size: 2, interval: 3 });
    expect(regular.size).toBeCloseTo(2.16, 10);
    expect(regular.interval).toBeCloseTo(3.2, 10);
    expect(crostonRate(regular)).toBeCloseTo(0.675, 10);
    expect(sbaRate(regular, 0.2)).toBeCloseTo(0.6075, 10);

    const state = { level: 20, trend: 0.5, season: days(4, 2, -1, -2, -3, -1, 1), phase: 0 };
    holtWintersStep(state, 26, { alpha: 0.3, beta: 0.1, gamma: 0.2, phi: 1 });
    expect(state.level).toBeCloseTo(20.95, 10);
    expect(state.trend).toBeCloseTo(0.545, 10);
    expect(state.season[0]).toBeCloseTo(4.21, 10);
    expect(holtWintersNext(state, 1)).toBeCloseTo(23.495, 10);
  });

  it('E11: a new product follows its reference', () => {
    const own = days(...window(98, 14));
    const reference = days(...window(120, 14), ...window(160, 14));
    expect(likeness(own, reference)).toBeCloseTo(0.842857, 6);
    const sum = lookAlike(own, reference, 14).reduce((total, value) => total + value, 0);
    expect(sum).toBeCloseTo(134.86, 2);
  });
});

describe('what methods do at their edges', () => {
  it('a window of fewer than three known days gives its weight away', () => {
    // 7 days: two known; 15 days: ten known of 4 each; 30 days: all of 4 each but the two of 40.
    const history = days(...window(60, 15), ...window(32, 8), ...window(80, 2, 5));
    const fifteen = (32 + 80) / 10;
    const thirty = (60 + 32 + 80) / 25;
    expect(weightedAverage(history)).toBeCloseTo((0.3 * fifteen + 0.2 * thirty) / 0.5, 10);
    expect(weightedAverage(days(4, 6))).toBe(5);
    expect(weightedAverage(days(Number.NaN))).toBe(0);
  });

  it('the naive ones skip what nobody knows', () => {
    expect([...naive(days(5, 7, Number.NaN), 2)]).toEqual([7, 7]);
    const history = days(1, 2, 3, 4, 5, 6, 7, 11, Number.NaN, 13, 14, 15, 16, 17);
    expect([...seasonalNaive(history, 9)]).toEqual([11, 2, 13, 14, 15, 16, 17, 11, 2]);
  });

  it('last year is the same weekday 364 days before', () => {
    const history = Float64Array.from({ length: 400 }, (_, day) => (day === 37 ? Number.NaN : day));
    expect([...(lastYear(history, 3) ?? [])]).toEqual([36, 394, 38]);
    expect(lastYear(history.subarray(0, 363), 3)).toBeUndefined();
  });

  it('a closed weekday stays closed in Holt-Winters', () => {
    const history = Float64Array.from({ length: 140 }, (_, day) => (day % 7 === 5 ? 0 : 20 + (day % 3)));
    const forecast = holtWinters(history, 14);
    expect(forecast[5]).toBeLessThan(0.5);
    expect(forecast[12]).toBeLessThan(0.5);
    for (const day of [0, 1, 2, 3, 4, 6]) expect(forecast[day]).toBeGreaterThan(19);
  });

  it('smoothing follows a step quickly and noise slowly', () => {
    const step = Float64Array.from({ length: 60 }, (_, day) => (day < 40 ? 2 : 20));
    expect(simpleSmoothing(step, 1)[0]).toBeGreaterThan(19.5);
    const noise = Float64Array.from({ length: 60 }, (_, day) => (day % 2 === 0 ? 0 : 10));
    expect(simpleSmoothing(noise, 1)[0]).toBeGreaterThan(3);
    expect(simpleSmoothing(noise, 1)[0]).toBeLessThan(7);
  });
});
