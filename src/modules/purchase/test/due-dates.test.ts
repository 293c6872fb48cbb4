import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { dueDay, dueParts } from '../server/due-dates.ts';

const anchors = { placed: '2026-11-02', came: '2026-12-10' };

it('a stage is due from its anchor on: the order, the goods, or the end of their month', () => {
  const on = (anchor: string, days: number) => dueDay({ anchor, days }, anchors);
  expect(on('order', 0)).toBe('2026-11-02');
  expect(on('before_shipment', 5)).toBe('2026-12-10');
  expect(on('receipt', 30)).toBe('2027-01-09');
  expect(on('invoice', 7)).toBe('2026-12-17');
  expect(on('monthly', 30)).toBe('2027-01-30');
  expect(dueDay({ anchor: 'monthly', days: 0 }, { placed: null, came: '2028-02-01' })).toBe('2028-02-29');
});

it('a debt is parted by the shares of the terms, and what is due on one day is one part', () => {
  const terms = [
    { share: '0.3', anchor: 'order', days: 0 },
    { share: '0.5', anchor: 'receipt', days: 30 },
    { share: '0.2', anchor: 'invoice', days: 30 },
  ];
  expect(dueParts(terms, anchors, '100.01', 'CNY')).toEqual([
    { amount: '30', dueOn: '2026-11-02' },
    { amount: '70.01', dueOn: '2027-01-09' },
  ]);
  expect(dueParts([], anchors, '88', 'CNY')).toEqual([{ amount: '88', dueOn: '2026-12-10' }]);
});

it('the parts are all of the debt, to the smallest unit of any currency', () => {
  const stage = fc.record({
    share: fc.constantFrom('0.1', '0.25', '0.3333', '0.5', '1'),
    anchor: fc.constantFrom('order', 'before_shipment', 'receipt', 'invoice', 'monthly'),
    days: fc.integer({ min: 0, max: 365 }),
  });
  fc.assert(
    fc.property(fc.array(stage, { maxLength: 6 }), fc.integer({ min: 1, max: 10_000_000 }), (terms, cents) => {
      for (const [currency, amount] of [
        ['CNY', (cents / 100).toFixed(2)],
        ['JPY', String(cents)],
      ] as const) {
        const parts = dueParts(terms, anchors, amount, currency);
        expect(new Decimal(sum(parts.map((part) => part.amount))).eq(amount)).toBe(true);
      }
    }),
  );
});
