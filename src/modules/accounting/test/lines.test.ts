import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { LedgerFact, LedgerSource } from '#kit/server/ledger-source.ts';
import { bookingOf, digestOf, grouped, linesOf, type RuleLine } from '../server/rules/lines.ts';

const SOURCE: LedgerSource = {
  name: 'test',
  title: '测试',
  about: '',
  sort: 1,
  by: 'DOCUMENT',
  parts: {
    OWED: { title: '应收', subject: '1122', monetary: true, exact: true },
    SALES: { title: '收入', subject: '5001' },
    FEE: { title: '费用', subject: '5601' },
  },
  facts: async () => [],
};
const PLACES = [
  ...Object.entries(SOURCE.parts).map(([key, { title, subject }]) => ({ key, title, preset: subject })),
  { key: 'FEE:ads', title: '广告', preset: '560104' },
  { key: 'FEE:other', title: '其他', preset: '' },
];
const RATES = new Map([['USD 2026-01', '7.1234567']]);
const booked = (subjects: Record<string, string> = {}, source = SOURCE) => bookingOf(source, subjects, PLACES, RATES);

/** What was sold and what it cost, in dollars, against what is owed for it. */
const fact = (ref: string, sales: string, fees: readonly [string, string][], day = '2026-01-05'): LedgerFact => ({
  ref,
  day,
  number: ref,
  parts: [
    { part: 'OWED', currency: 'USD', amount: new Decimal(sales).minus(sum(fees.map(([, fee]) => fee))).toFixed() },
    { part: 'SALES', currency: 'USD', amount: new Decimal(sales).negated().toFixed() },
    ...fees.map(([variant, amount]) => ({ part: 'FEE', variant, currency: 'USD', amount })),
  ],
});
const one = (of: LedgerFact) => ({ ref: of.ref, day: of.day, facts: [of] });
const lines = (booking: ReturnType<typeof booked>, of: LedgerFact): RuleLine[] => {
  const made = linesOf(booking, one(of));
  if (typeof made === 'string') throw new Error(made);
  return made;
};
const short = (made: readonly RuleLine[]) => made.map(({ code, debit, credit }) => `${code} ${debit}|${credit}`);

describe('the lines of a rule', () => {
  it('stand where the company says, else where the variant, else where the part does', () => {
    const of = fact('a', '100', [
      ['ads', '10'],
      ['other', '5'],
    ]);
    expect(short(lines(booked(), of))).toEqual(['1122 605.49|', '5001 |712.34', '5601 35.62|', '560104 71.23|']);
    const own = booked({ 'FEE:other': '560206', OWED: '112201' });
    expect(short(lines(own, of))).toEqual(['112201 605.49|', '5001 |712.34', '560104 71.23|', '560206 35.62|']);
    expect(linesOf(bookingOf(SOURCE, {}, [], RATES), one(of))).toBe('OWED 没有科目');
  });

  it('keep original amounts of money and debts alone, and say which rate is missing', () => {
    const [owed, sales] = lines(booked(), fact('a', '100', []));
    expect(owed).toMatchObject({ currency: 'USD', original: '100.0000', debit: '712.35' });
    expect(sales).not.toHaveProperty('original');
    expect(linesOf(booked(), one(fact('a', '100', [], '2026-02-01')))).toBe('缺少 USD 2026-02 汇率');
    const off = { ...fact('a', '100', []), parts: [{ part: 'SALES', currency: 'CNY', amount: '-7' }] };
    expect(linesOf(booked(), one(off))).toBe('借贷不平衡，差额 -7');
    // What rates leave over is the rest of a source that has one.
    expect(short(lines(booked({}, { ...SOURCE, rest: 'FEE' }), off))).toEqual(
      ['5601 7|', '5001 |7.00'].map((text) => text.replace('7|', '7.00|')),
    );
  });

  it('of a day or a month keep turnover on both sides, and another amount is another digest', () => {
    const facts = [fact('a', '100', []), fact('b', '-40', []), fact('c', '10', [], '2026-01-06')];
    const [day, next] = grouped(facts, 'DAY', '2026-01-06');
    expect([day?.ref, next?.ref]).toEqual(['2026-01-05', '2026-01-06']);
    const [month] = grouped(facts, 'MONTH', '2026-03-01');
    expect(month).toMatchObject({ ref: '2026-01', day: '2026-01-31' });
    expect(grouped(facts, 'MONTH', '2026-01-20')[0]?.day).toBe('2026-01-20');
    const made = month && linesOf(booked(), month);
    expect(short(Array.isArray(made) ? made : [])).toEqual([
      '1122 783.58|',
      '1122 |284.94',
      '5001 284.94|',
      '5001 |783.58',
    ]);
    const digest = (of: readonly LedgerFact[]) => digestOf({ ref: 'm', day: '2026-01-31', facts: of });
    expect(digest(facts.toReversed())).toBe(digest(facts));
    expect(digest([...facts.slice(1), fact('a', '100.01', [])])).not.toBe(digest(facts));
  });

  it('are in balance for any money at any rate, and what is owed is the whole at the rate to the cent', () => {
    const cents = fc.integer({ min: -900_000, max: 900_000 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ sales: cents, ads: cents, other: cents }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.constantFrom('DOCUMENT' as const, 'DAY' as const, 'MONTH' as const),
        (all, parts, by) => {
          const rate = new Decimal(parts).div(10_000_000).toFixed();
          const money = (amount: number) => new Decimal(amount).div(100).toFixed();
          const facts = all.map(({ sales, ads, other }, at) =>
            fact(`f${at}`, money(sales), [
              ['ads', money(ads)],
              ['other', money(other)],
            ]),
          );
          const booking = { ...booked(), rates: new Map([['USD 2026-01', rate]]) };
          const made = grouped(facts, by, '2026-03-01').flatMap((group) => {
            const of = linesOf(booking, group);
            expect(typeof of).not.toBe('string');
            const list = typeof of === 'string' ? [] : of;
            const side = (key: 'debit' | 'credit') => sum(list.map((line) => line[key] || '0'));
            expect(side('debit')).toBe(side('credit'));
            const owed = group.facts.flatMap(({ parts: said }) => said.filter(({ part }) => part === 'OWED'));
            for (const sign of [1, -1]) {
              const whole = sum(owed.map(({ amount }) => amount).filter((amount) => new Decimal(amount).s === sign));
              const line = list.find(({ code, debit }) => code === '1122' && (sign === 1) === (debit !== ''));
              const exact = new Decimal(whole).times(rate).abs().toDecimalPlaces(2);
              expect(new Decimal(line?.debit || line?.credit || '0').eq(exact)).toBe(true);
            }
            return list;
          });
          const originals = made.map(({ original = '0', debit }) => (debit === '' ? `-${original}` : original));
          if (by === 'DOCUMENT' && parts > 1_000_000)
            expect(new Decimal(sum(originals.map((text) => text.replace('--', '')))).toFixed(2)).toBe(
              new Decimal(sum(facts.map(({ parts: said }) => said[0]?.amount ?? '0'))).toFixed(2),
            );
        },
      ),
    );
  });
});
