import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { depth, seed } from '#test/support/depth.ts';
import { commissionOf, faultOf, stepOf } from '../contract/rule.ts';

const STEPS = [
  { upTo: '0.8', rate: '0.01' },
  { upTo: '1', rate: '0.025' },
  { upTo: null, rate: '0.03' },
];

const cents = (units: number) => new Decimal(units).div(100).toFixed(2);
/** Steps that make sense: ends in hundredths of a part that only rise, rates in ten-thousandths. */
const anySteps = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 4 }),
    fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 5, maxLength: 5 }),
  )
  .map(([ends, rates]) =>
    [...ends.toSorted((a, b) => a - b).map(cents), null].map((upTo, at) => ({
      upTo,
      rate: new Decimal(rates[at] ?? 0).div(10_000).toFixed(),
    })),
  );

describe('the commission of a month', () => {
  it.each([
    ['80.00', '100', '0.80'],
    ['80.01', '100', '2.00'],
    ['100.20', '100', '3.01'],
    ['100', '100', '2.50'],
    ['-50', '100', '0.00'],
    ['1000', null, '10.00'],
    // 0.5 of a cent is a cent.
    ['0.50', '100', '0.01'],
  ])('is of %s against %s: %s', (profit, target, commission) => {
    expect(commissionOf(STEPS, profit, target)).toBe(commission);
  });

  it('is the whole profit times the one step that the reached part lies in, to half a cent', () => {
    fc.assert(
      fc.property(
        anySteps,
        fc.integer({ min: -10_000_000, max: 100_000_000 }).map(cents),
        fc.integer({ min: 1, max: 100_000_000 }).map(cents),
        (steps, profit, target) => {
          expect(faultOf(steps)).toBeUndefined();
          const reached = new Decimal(profit).div(target);
          const inside = steps.filter(
            ({ upTo }, at) =>
              (upTo === null || reached.lte(upTo)) && (at === 0 || reached.gt(steps[at - 1]?.upTo ?? '0')),
          );
          expect(inside).toEqual([stepOf(steps, profit, target)]);
          const commission = new Decimal(commissionOf(steps, profit, target));
          const exact = Decimal.max(profit, 0).times(inside[0]?.rate ?? 0);
          expect(commission.minus(exact).abs().lte('0.005')).toBe(true);
          expect(commission.gte(0) && commission.decimalPlaces() <= 2).toBe(true);
          expect(stepOf(steps, profit, null)).toBe(steps[0]);
        },
      ),
      { numRuns: depth(200, 5000), seed },
    );
  });

  it.each([
    [[{ upTo: '1', rate: '0.01' }], '最后一档不设达成率上限，其余各档必须设'],
    [
      [
        { upTo: null, rate: '0.01' },
        { upTo: null, rate: '0.02' },
      ],
      '最后一档不设达成率上限，其余各档必须设',
    ],
    [
      [
        { upTo: '0', rate: '0.01' },
        { upTo: null, rate: '0.02' },
      ],
      '第1档达成率须大于 0%',
    ],
    [
      [
        { upTo: '1', rate: '0.01' },
        { upTo: '1', rate: '0.02' },
        { upTo: null, rate: '0.03' },
      ],
      '第2档达成率须大于上一档',
    ],
    [[{ upTo: null, rate: '1.01' }], '第1档提成比例须在 0% 至 100% 之间'],
  ])('refuses steps that make no sense: %j', (steps, fault) => {
    expect(faultOf(steps)).toBe(fault);
  });
});
