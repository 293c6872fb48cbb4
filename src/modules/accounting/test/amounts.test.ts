import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initials } from '#kit/contract/initials.ts';
import { balancing, differenceOf } from '../contract/amounts.ts';
import { monthAfter } from '../contract/fields.ts';
import { CHART } from '../server/chart.ts';

const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2));
const line = fc
  .tuple(amount, fc.boolean())
  .map(([text, onDebit]) => ({ debit: onDebit ? text : '', credit: onDebit ? '' : text }));

test('= brings any lines into balance, whichever side it is pressed on', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom('debit' as const, 'credit' as const),
      (lines, side) => {
        expect(differenceOf([...lines, balancing(lines, side)])).toBe('0');
      },
    ),
  );
  expect(balancing([{ debit: '100', credit: '' }], 'credit')).toEqual({ debit: '', credit: '100.00' });
  expect(balancing([{ debit: '100', credit: '' }], 'debit')).toEqual({ debit: '', credit: '100.00' });
});

test('the chart has every code once, parents before their children, and names people find by initials', () => {
  const codes = CHART.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const [at, code] of codes.entries()) {
    if (code.length > 4) expect(codes.slice(0, at)).toContain(code.slice(0, -2));
  }
  const byCode = new Map(CHART.map((seed) => [seed.code, seed]));
  expect(byCode.get('1602')).toMatchObject({ name: '累计折旧', kind: 'ASSET', direction: 'CREDIT' });
  expect(byCode.get('5801')).toMatchObject({ name: '所得税费用', kind: 'PROFIT', direction: 'DEBIT' });
  expect(['应收账款-亚马逊', '银行存款', '主营业务收入', 'FBA配送费'].map(initials)).toEqual([
    'YSZKYMX',
    'YXCK',
    'ZYYWSR',
    'FBAPSF',
  ]);
});

test('months go over the end of a year both ways', () => {
  expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1), monthAfter('2026-05', 0)]).toEqual([
    '2027-01',
    '2025-12',
    '2026-05',
  ]);
});
