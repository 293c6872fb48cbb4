import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bias, errorSums, mase, naiveScale, pinball, valueAdded, wape } from '../server/engine/accuracy.ts';
import { conformal } from '../server/engine/conformal.ts';
import { merged, spreadTotal } from '../server/engine/override.ts';

const days = (...values: number[]) => Float64Array.from(values);

describe('measures of accuracy', () => {
  it('E13: WAPE, bias, MASE and RMSSE', () => {
    const training = days(8, 10, 9, 11, 12, 7, 6, 9, 11, 8, 12, 13, 8, 5);
    const sums = errorSums(days(12, 8, 0, 10, 15, 9, 6), days(10, 10, 4, 10, 12, 10, 8));
    expect(wape(sums)).toBeCloseTo(0.2333, 4);
    expect(bias(sums)).toBeCloseTo(0.0667, 4);
    expect(naiveScale(training, 7)?.absolute).toBeCloseTo(1, 10);
    expect(mase(sums, training)).toBeCloseTo(2, 10);
    const scale = naiveScale(training, 1);
    expect(scale?.absolute).toBeCloseTo(2.5385, 4);
    expect(sums.absolute / sums.days / (scale?.absolute ?? 0)).toBeCloseTo(0.788, 3);
    expect(Math.sqrt(sums.squares / sums.days / (scale?.squared ?? 0))).toBeCloseTo(0.8046, 4);
  });

  it('nothing sold has no share of errors, and unknown days none at all', () => {
    expect(wape(errorSums(days(0, 0), days(1, 2)))).toBeUndefined();
    expect(errorSums(days(Number.NaN, 4), days(9, 5))).toMatchObject({ days: 1, absolute: 1, actual: 4 });
  });

  it('people add value where what they published is nearer', () => {
    const actual = days(10, 10);
    const value = valueAdded(errorSums(actual, days(6, 10)), errorSums(actual, days(9, 10)));
    expect(value).toBeCloseTo(0.15, 10);
    expect(valueAdded(errorSums(days(0), days(1)), errorSums(days(0), days(0)))).toBeUndefined();
  });

  it('pinball punishes the side that a quantile promises to avoid', () => {
    expect(pinball(10, 8, 0.9)).toBeCloseTo(1.8, 10);
    expect(pinball(8, 10, 0.9)).toBeCloseTo(0.2, 10);
  });

  it('E12: split conformal half-widths', () => {
    const residuals = [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12, 15];
    expect(conformal(residuals, 0.8)).toBe(9);
    expect(conformal(residuals, 0.9)).toBe(12);
    expect(conformal([1, 2, 3], 0.99)).toBe(3);
    expect(conformal([], 0.9)).toBe(0);
  });
});

describe('what people change', () => {
  it('E14: a month is spread over its days by largest remainder', () => {
    expect(spreadTotal(100, Array<number>(30).fill(1))).toEqual([
      ...Array<number>(10).fill(4),
      ...Array<number>(20).fill(3),
    ]);
    expect(spreadTotal(50, [1.2, 1, 0.9, 0.9, 1, 1, 1])).toEqual([9, 7, 7, 6, 7, 7, 7]);
  });

  it('shares add up exactly, whatever the weights', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 1, maxLength: 62 }),
        (total, weights) => {
          const units = spreadTotal(total, weights);
          expect(units.reduce((sum, unit) => sum + unit, 0)).toBe(total);
          expect(Math.min(...units)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
    expect(spreadTotal(2.5, [1, 1]).reduce((sum, unit) => sum + unit, 0)).toBe(2.5);
  });

  it('the last fixed value of a day counts, else the model × all its percentages; 0 sells none', () => {
    const model = days(10, 10, 10, 10, 10, 10);
    const flat = days(1, 1, 1, 1, 1, 1);
    const published = merged(
      model,
      [
        { from: 0, to: 3, mode: 'PCT', value: 1.5 },
        { from: 1, to: 1, mode: 'ABS', value: 7 },
        { from: 1, to: 1, mode: 'ABS', value: 0 },
        { from: 2, to: 9, mode: 'PCT', value: 0.8 },
        { from: 4, to: 5, mode: 'MONTH', value: 5 },
      ],
      flat,
    );
    expect([...published].map((value) => Number(value.toFixed(6)))).toEqual([15, 0, 12, 12, 3, 2]);
    expect([...merged(model, [], flat)]).toEqual([...model]);
  });
});
