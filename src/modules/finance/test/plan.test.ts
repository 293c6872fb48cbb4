import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAfter, mondayOf } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { DueDay } from '../contract/due.ts';
import { planOf, spanOf, worthWithin } from '../web/plan.ts';

/** A Wednesday. */
const TODAY = '2026-11-25';
const due = (day: string | null, open: string, more: Partial<DueDay> = {}): DueDay => ({
  day,
  currency: 'CNY',
  open,
  count: 1,
  asked: '0',
  worth: open,
  ...more,
});

describe('the payment plan', () => {
  it('has what is overdue first, this week from today on, then weeks from Monday to Sunday', () => {
    expect(mondayOf('2026-11-29')).toBe('2026-11-23');
    expect(spanOf('2026-11-24', TODAY)).toEqual({ title: '已逾期', to: '2026-11-24' });
    expect(spanOf(TODAY, TODAY)).toEqual({ title: '本周（至 11-29）', from: TODAY, to: '2026-11-29' });
    expect(spanOf('2026-11-29', TODAY)).toEqual({ title: '本周（至 11-29）', from: TODAY, to: '2026-11-29' });
    expect(spanOf('2026-11-30', TODAY)).toEqual({ title: '2026-11-30 至 12-06', from: '2026-11-30', to: '2026-12-06' });
    expect(spanOf('2027-02-14', TODAY).title).toBe('2027-02-08 至 02-14');
    expect(spanOf('2027-02-15', TODAY)).toEqual({ title: '2027-02-15 起', from: '2027-02-15' });
    expect(spanOf(null, TODAY)).toEqual({ title: '未定到期日' });
  });

  it('adds up by week and currency, and says what is left to ask for', () => {
    const plan = planOf(
      [
        due('2026-11-20', '100.10'),
        due('2026-11-25', '20', { asked: '5' }),
        due('2026-11-27', '30', { asked: '30' }),
        due('2026-11-27', '40', { currency: 'USD', worth: null }),
        due(null, '7'),
      ],
      TODAY,
    );
    expect(plan.map((row) => [row.week, row.currency, row.count, row.open, row.asked, row.left, row.worth])).toEqual([
      ['已逾期', 'CNY', 1, '100.1', '0', '100.1', '100.1'],
      ['本周（至 11-29）', 'CNY', 2, '50', '35', '15', '50'],
      ['本周（至 11-29）', 'USD', 1, '40', '0', '40', null],
      ['未定到期日', 'CNY', 1, '7', '0', '7', '7'],
    ]);
  });

  it('leaves no debt out and counts none twice, whatever the days', () => {
    const day = fc.option(fc.integer({ min: -400, max: 400 }).map((days) => dayAfter(TODAY, days)));
    const debt = fc.record({ day, cents: fc.integer({ min: 1, max: 1e9 }), currency: fc.constantFrom('CNY', 'USD') });
    fc.assert(
      fc.property(fc.array(debt, { maxLength: 40 }), (debts) => {
        const days = debts.map((one) =>
          due(one.day, new Decimal(one.cents).div(100).toFixed(2), { currency: one.currency }),
        );
        const plan = planOf(days, TODAY);
        for (const currency of ['CNY', 'USD']) {
          const total = (rows: readonly { currency: string; open: string }[]) =>
            rows.reduce((sum, row) => (row.currency === currency ? sum.plus(row.open) : sum), new Decimal(0)).toFixed();
          expect(total(plan)).toBe(total(days));
        }
        expect(plan.reduce((sum, { count }) => sum + count, 0)).toBe(debts.length);
        for (const { day } of days) {
          const { from, to } = spanOf(day, TODAY);
          if (day !== null)
            expect([from === undefined || from <= day, to === undefined || day <= to]).toEqual([true, true]);
        }
      }),
    );
  });

  it('worth within some days leaves out what has no known rate', () => {
    const days = [due('2026-11-25', '1', { worth: null }), due('2026-11-26', '2'), due(null, '9')];
    expect(worthWithin(days, (day) => day >= TODAY)).toBe('2');
  });
});
