import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import {
  buyQty,
  lineAmount,
  orderAmounts,
  quantityWarnings,
  quote,
  tierFor,
  tierProblem,
  tierWarning,
} from '../server/catalogue/tiers.ts';

const TIERS = [
  { minQty: 1, unitPrice: '12.50' },
  { minQty: 200, unitPrice: '11.80' },
  { minQty: 500, unitPrice: '11.20' },
  { minQty: 1000, unitPrice: '10.90' },
];

describe('tiers of a price list', () => {
  it('E8: 480 cost 5,664.00, 500 cost 5,600.00, and from 475 on 500 cost no more', () => {
    expect(quote(TIERS, 480, 'CNY')).toEqual({
      unitPrice: '11.80',
      amount: '5664.00',
      hint: { from: 475, buy: 500, amount: '5600.00' },
    });
    expect(quote(TIERS, 500, 'CNY')?.amount).toBe('5600.00');
    expect(quote(TIERS, 475, 'CNY')?.hint?.buy).toBe(500);
    expect(quote(TIERS, 474, 'CNY')?.hint).toBeNull();
  });

  it('E8: lines of 300 and 220 of a product share the tier of their sum', () => {
    expect(orderAmounts(TIERS, [300, 220], 'CNY')).toEqual(['3360.00', '2464.00']);
  });

  it('E7: a need of 580 at a minimum of 500 and a multiple of 50 buys 600, one of 10 at a multiple of 20 buys 20', () => {
    expect(quantityWarnings(580, 500, 50)).toEqual(['须为50的整数倍，建议600']);
    expect(quantityWarnings(10, 1, 20)).toEqual(['须为20的整数倍，建议20']);
    expect(quantityWarnings(600, 500, 50)).toEqual([]);
    expect([buyQty(580, 500, 50), buyQty(10, 1, 20)]).toEqual([600, 20]);
  });

  it('amounts are rounded half up to the smallest unit of the currency', () => {
    expect(lineAmount(3, '0.335', 'CNY')).toBe('1.01');
    expect(lineAmount(3, '0.5', 'JPY')).toBe('2');
  });

  it('say what is wrong with them', () => {
    expect(tierProblem([...TIERS, { minQty: 500, unitPrice: '1' }])).toBe('阶梯数量重复');
    expect(tierProblem([{ minQty: 1.5, unitPrice: '1' }])).toBe('数量必须为正整数');
    expect(
      tierWarning([
        { minQty: 100, unitPrice: '2' },
        { minQty: 1, unitPrice: '1' },
      ]),
    ).toBe('第2档单价高于上一档，请确认');
    expect(tierWarning(TIERS)).toBeUndefined();
  });

  it('a larger quantity never costs more a piece where prices fall, and a hint never costs more in all', () => {
    const lists = fc
      .uniqueArray(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 })
      .chain((mins) =>
        fc.tuple(
          fc.constant(mins.toSorted((a, b) => a - b)),
          fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: mins.length, maxLength: mins.length }),
        ),
      )
      .map(([mins, cents]) => {
        const falling = cents.toSorted((a, b) => b - a);
        return mins.map((minQty, index) => ({ minQty, unitPrice: ((falling[index] ?? 1) / 100).toFixed(2) }));
      });
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 6000 }), fc.integer({ min: 0, max: 1000 }), (tiers, qty, more) => {
        const [less, most] = [tierFor(tiers, qty + more)?.unitPrice ?? '', tierFor(tiers, qty)?.unitPrice ?? ''];
        expect(new Decimal(less).lte(most), `${less} for more, ${most} for less`).toBe(true);
        const found = quote(tiers, qty, 'CNY');
        if (!found?.hint) return;
        expect(found.hint.buy).toBeGreaterThan(qty);
        expect(new Decimal(found.hint.amount).lte(found.amount)).toBe(true);
      }),
    );
  });
});
