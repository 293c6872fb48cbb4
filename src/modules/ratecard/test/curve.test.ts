import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { piecesToCover, profitCurve } from '../contract/curve.ts';
import { type Assumptions, type Model, modelOf, profitAt } from '../contract/profit.ts';

const inch = (side: string) => new Decimal(side).times('2.54').toFixed();
/** The box of examples E8 and E9. */
const box: Assumptions = {
  country: 'US',
  countryName: '美国',
  day: '2026-06-01',
  measures: { sides: [inch('12'), inch('9'), inch('3')], weight: new Decimal('1.4').times('0.45359237').toFixed() },
  category: 'home',
  establishment: 'elsewhere',
  vat: '0',
  ads: '0.10',
  returns: '0.02',
  other: '0',
  fixed: '4.32',
  cost: '0',
  firstLeg: '0',
  duty: '0',
  months: '0',
};
function model(more: Partial<Assumptions> = {}): Model {
  const made = modelOf({ ...box, ...more });
  if ('problem' in made) throw new Error(made.problem);
  return made;
}

describe('the curve of profit over price', () => {
  it('breaks even at 14.56 (E9) and has both sides of the cliffs of the fee at 10 and 50', () => {
    const { points, breakEven } = profitCurve(model(), '60');
    expect(breakEven).toBe('14.56');
    const at = new Map(points.map(({ price, profit }) => [price, profit]));
    for (const [below, above] of [
      ['9.99', '10.00'],
      ['50.00', '50.01'],
    ] as const) {
      const fall = new Decimal(at.get(above) ?? 'NaN').minus(at.get(below) ?? 'NaN');
      expect(fall.toNumber()).toBeLessThan(-0.2);
    }
    expect(points[0]).toEqual({ price: '0.00', profit: profitAt(model(), '0').profit });
    expect(Number(points.at(-1)?.price)).toBeGreaterThanOrEqual(96);
  });

  it('is straight between two points within what rounding moves', () => {
    const of = model({ country: 'UK', vat: '0.20', category: 'electronicsAccessories' });
    const { points } = profitCurve(of, '150');
    expect(points.length).toBeGreaterThan(60);
    for (const [at, { price, profit }] of points.entries()) {
      const next = points[at + 1];
      if (!next) continue;
      const middle = new Decimal(price).plus(next.price).div(2).toFixed(2);
      const straight = new Decimal(profit).plus(
        new Decimal(next.profit)
          .minus(profit)
          .times(new Decimal(middle).minus(price))
          .div(new Decimal(next.price).minus(price)),
      );
      const apart = straight.minus(profitAt(of, middle).profit).abs();
      if (apart.gt('0.06')) expect({ price, middle, apart: apart.toFixed() }).toBeUndefined();
    }
  });

  it('goes by whole yen in Japan, and has no break-even price where shares take it all', () => {
    const { points } = profitCurve(model({ country: 'JP', countryName: '日本', fixed: '500' }), '2980');
    expect(points.every(({ price, profit }) => /^\d+$/.test(price) && /^-?\d+$/.test(profit))).toBe(true);
    expect(profitCurve(model({ ads: '0.9' }), '20').breakEven).toBeNull();
  });

  it.each([
    ['7000', '2', '7', 500],
    ['7001', '2', '7', 501],
    ['', '2', '7', 0],
    ['7000', '0', '7', null],
    ['7000', '-1', '7', null],
    ['7000', '2', '', null],
  ])('fixed costs of %s CNY at %s a piece and a rate of %s need %s pieces', (fixed, profit, rate, pieces) => {
    expect(piecesToCover(fixed, profit, rate)).toBe(pieces);
  });
});
