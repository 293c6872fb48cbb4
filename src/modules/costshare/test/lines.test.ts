import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { depth, seed } from '#test/support/depth.ts';
import { daysOf, partsOf } from '../server/lines.ts';

const sumOf = (values: readonly string[]) => Decimal.sum(0, ...values).toFixed();

describe('the days of a cost', () => {
  it('spreads 100.00 over three days to the last cent, the rest to the first', () => {
    const parts = partsOf(
      [{ rowNo: 1, amount: '100' }],
      { from: '2026-02-27', to: '2026-03-01' },
      { currency: 'CNY', rate: '1' },
    );
    expect(parts.map(({ day, amount, amountCny }) => [day, amount, amountCny])).toEqual([
      ['2026-02-27', '33.34', '33.34'],
      ['2026-02-28', '33.33', '33.33'],
      ['2026-03-01', '33.33', '33.33'],
    ]);
  });

  it('adds up by row in its currency and in all in CNY, whatever the rows, days and rate', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('CNY', 'USD', 'JPY'),
        fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 2_000_000 }),
        (currency, cents, more, rateUnits) => {
          const scale = currencyScale(currency);
          const rows = cents.map((units, index) => ({
            rowNo: index + 1,
            amount: new Decimal(units).div(new Decimal(10).pow(scale)).toFixed(),
          }));
          const rate = currency === 'CNY' ? '1' : new Decimal(rateUnits).div(100_000).toFixed();
          const to = new Date(Date.parse('2026-01-15') + more * 86_400_000).toISOString().slice(0, 10);
          const parts = partsOf(rows, { from: '2026-01-15', to }, { currency, rate });
          for (const { rowNo, amount } of rows) {
            expect(sumOf(parts.filter((part) => part.rowNo === rowNo).map((part) => part.amount))).toBe(amount);
          }
          const total = new Decimal(sumOf(rows.map(({ amount }) => amount))).times(rate);
          expect(new Decimal(sumOf(parts.map((part) => part.amountCny))).toFixed(2)).toBe(round(total, 2));
          const days = new Set(daysOf('2026-01-15', to));
          expect(parts.every(({ day }) => days.has(day))).toBe(true);
        },
      ),
      { numRuns: depth(100, 2000), seed },
    );
  });
});
