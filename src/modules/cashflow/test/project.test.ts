import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { CashExpectation } from '#kit/server/cash.ts';
import { flowOf, lowestOf, placed, projected, worthOf } from '../server/project.ts';
import { daysOf, weeksOf } from '../web/weeks.ts';

const TODAY = '2026-11-25';
const RATES = new Map([
  ['CNY', '1'],
  ['USD', '7.0835'],
  ['JPY', '0.046513'],
]);
const KIND = { kind: 'payable', sort: 1 };

const told = (more: Partial<CashExpectation> = {}): CashExpectation & { day: string } => ({
  key: 'k',
  direction: 'OUT',
  amount: '100',
  currency: 'CNY',
  certainty: 'certain',
  title: '到货',
  number: '',
  party: '',
  basis: '',
  to: { path: '/', title: '', query: {} },
  ...more,
  day: more.day ?? TODAY,
});

const expectation = fc
  .record({
    direction: fc.constantFrom('IN' as const, 'OUT' as const),
    day: fc.integer({ min: -20, max: 29 }).map((ahead) => dayAfter(TODAY, ahead)),
    cents: fc.integer({ min: 1, max: 10_000_000 }),
    currency: fc.constantFrom('CNY', 'USD', 'JPY', 'BRL'),
  })
  .map(({ cents, ...one }) =>
    placed(told({ ...one, amount: new Decimal(cents).div(100).toFixed() }), KIND, TODAY, RATES),
  );

it('has every total as the sum of its items to the cent, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(expectation, { maxLength: 60 }), fc.integer({ min: -1e6, max: 1e6 }), (items, opening) => {
      const days = projected(String(opening), items, { today: TODAY, until: dayAfter(TODAY, 29), floor: '0' });
      const all = sum(items.flatMap(({ worth }) => (worth === null ? [] : [worth])));
      expect(days).toHaveLength(30);
      const last = new Decimal(opening).plus(all).toFixed();
      expect(days.at(-1)?.balance).toBe(last);
      expect(new Decimal(last).decimalPlaces()).toBeLessThanOrEqual(2);
      const { inflow, outflow } = flowOf(items);
      expect(new Decimal(inflow).minus(outflow).toFixed()).toBe(all);
      for (const steps of [daysOf(days), weeksOf(days)]) {
        expect(sum(steps.map((step) => step.inflow))).toBe(inflow);
        expect(sum(steps.map((step) => step.outflow))).toBe(outflow);
        expect(steps.at(-1)?.balance).toBe(last);
      }
      expect(days.reduce((n, day) => n + day.items, 0)).toBe(items.length);
      const lowest = lowestOf(days);
      expect(days.every(({ balance }) => new Decimal(balance).gte(lowest.balance))).toBe(true);
      expect(days.find(({ balance }) => balance === lowest.balance)?.day).toBe(lowest.day);
    }),
  );
});

it('puts what is overdue on today and marks it, and leaves the day that it was due', () => {
  const late = placed(told({ day: '2026-11-24' }), KIND, TODAY, RATES);
  expect(late).toMatchObject({ day: TODAY, dueOn: '2026-11-24', state: 'overdue', signed: '-100', worth: '-100.00' });
  const due = placed(told({ certainty: 'estimated' }), KIND, TODAY, RATES);
  expect(due).toMatchObject({ day: TODAY, state: 'estimated' });
  const [day] = projected('150', [late, due], { today: TODAY, until: TODAY, floor: '0' });
  expect(day).toEqual({ day: TODAY, inflow: '0', outflow: '200', balance: '-50', items: 2, overdue: 1, below: true });
});

it('rounds each item once, half up to the cent, and never takes a missing rate for something', () => {
  expect(worthOf('0.50', 'USD', RATES)).toBe('3.54');
  expect(worthOf('-0.50', 'USD', RATES)).toBe('-3.54');
  expect(worthOf('1000', 'JPY', RATES)).toBe('46.51');
  expect(worthOf('5', 'BRL', RATES)).toBeNull();
  const unrated = placed(told({ currency: 'BRL' }), KIND, TODAY, RATES);
  const [day] = projected('10', [unrated], { today: TODAY, until: TODAY, floor: '10' });
  expect(day).toMatchObject({ outflow: '0', balance: '10', items: 1, below: false });
});
