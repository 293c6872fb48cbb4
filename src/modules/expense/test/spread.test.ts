import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import { depth, seed } from '#test/support/depth.ts';
import { crossed, evenParts, monthsFrom, parted } from '../contract/spread.ts';
import { byType, spread } from '../server/spread.ts';

const same = (one: string, other: string) => expect(new Decimal(one).toFixed()).toBe(new Decimal(other).toFixed());
const cents = (units: number, currency = 'CNY') =>
  new Decimal(units).div(new Decimal(10).pow(currencyScale(currency))).toFixed();

describe('months', () => {
  it('are those from the day on, over the end of years', () => {
    expect(monthsFrom('2026-11-30', 4)).toEqual(['2026-11', '2026-12', '2027-01', '2027-02']);
    expect(monthsFrom('2026-03-01', 60).at(-1)).toBe('2031-02');
  });

  it('bear even parts, the first the cents that are left over', () => {
    expect(evenParts('100', 3, 'CNY')).toEqual(['33.34', '33.33', '33.33']);
    expect(evenParts('0.05', 3, 'CNY')).toEqual(['0.02', '0.02', '0.01']);
    expect(evenParts('100', 3, 'JPY')).toEqual(['34', '33', '33']);
  });

  it('add up to the amount, fall nowhere below a later one and differ by a unit at most', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('CNY', 'USD', 'JPY'),
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.integer({ min: 1, max: 60 }),
        (currency, units, months) => {
          const amount = cents(units, currency);
          const parts = evenParts(amount, months, currency).map((part) => new Decimal(part));
          expect(parts).toHaveLength(months);
          same(Decimal.sum(0, ...parts).toFixed(), amount);
          for (const [at, part] of parts.entries()) expect(part.lte(parts[at - 1] ?? part)).toBe(true);
          const spanned = Decimal.max(...parts).minus(Decimal.min(...parts));
          expect(spanned.lte(cents(1, currency))).toBe(true);
        },
      ),
      { numRuns: depth(200, 5000), seed },
    );
  });
});

it('fills a table by both of its sums: 33.34, 33.33, 33.33 of two halves', () => {
  expect(crossed(['33.34', '33.33', '33.33'], ['50', '50'], 'CNY')).toEqual([
    ['16.67', '16.67'],
    ['16.67', '16.66'],
    ['16.66', '16.67'],
  ]);
});

it('gives every month, bearer and type what it has of the whole, to the cent, and nothing below 0', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 36 }),
      fc.array(fc.tuple(fc.constantFrom('软件', '摄影', '样品'), fc.integer({ min: 1, max: 900_000 })), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 2_000_000 }),
      (months, typed, weights, rateUnits) => {
        const lines = typed.map(([feeType, units]) => ({ feeType, amount: cents(units) }));
        const amount = sum(lines.map((line) => line.amount));
        const shares = parted(amount, weights.map(String), 'CNY');
        const amountCny = round(new Decimal(amount).times(rateUnits).div(100_000), 2);
        const cells = spread({ spentOn: '2026-11-30', months, amountCny, lines, shares });
        expect(cells.every((cell) => new Decimal(cell.amount).gt(0))).toBe(true);
        const of = (key: (cell: (typeof cells)[number]) => boolean) =>
          sum(cells.filter(key).map((cell) => cell.amount));
        same(
          of(() => true),
          amountCny,
        );
        for (const [at, part] of evenParts(amountCny, months, 'CNY').entries())
          same(
            of(({ month }) => month === monthsFrom('2026-11-30', months)[at]),
            part,
          );
        for (const [at, part] of parted(amountCny, shares, 'CNY').entries())
          same(
            of(({ share }) => share === at),
            part,
          );
        const types = byType(lines);
        const ofTypes = parted(
          amountCny,
          types.map((type) => type.amount),
          'CNY',
        );
        for (const [at, { feeType }] of types.entries())
          same(
            of((cell) => cell.feeType === feeType),
            ofTypes[at] ?? '0',
          );
      },
    ),
    { numRuns: depth(50, 1000), seed },
  );
});
