import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Decimal, sum } from '../../contract/decimal.ts';
import { Money, Text } from '../../contract/field.ts';
import { dueText, whenText } from '../cells/time.ts';
import { axisFormat, exactFormat } from '../charts/format.ts';
import { rankedParts } from '../charts/Ring.tsx';
import { brokenTotals, placeSteps, type WaterfallStep } from '../charts/waterfall-steps.ts';
import { countDaysIn } from '../day.ts';
import { stepsOf } from '../document/steps.ts';
import { errorsOf } from '../form/use-form.ts';
import { errorCount, warningCount } from '../import/types.ts';
import { totalText } from '../list/Pager.tsx';
import { differenceOf } from '../proof/Proof.tsx';

test('how lists say an instant', () => {
  const now = new Date(2026, 6, 18, 14, 30);
  const ago = (minutes: number) => whenText(new Date(now.getTime() - minutes * 60_000).toISOString(), now.getTime());
  expect(ago(0)).toBe('刚刚');
  expect(ago(3)).toBe('3 分钟前');
  expect(ago(228)).toBe('今天 10:42');
  expect(ago(24 * 60)).toBe('昨天 14:30');
  expect(ago(5 * 24 * 60)).toBe('07-13 14:30');
  expect(ago(400 * 24 * 60)).toBe('2025-06-13 14:30');
});

test("how far a due day is, by the company's days", () => {
  countDaysIn('Asia/Shanghai');
  // Still the 17th at Greenwich.
  const now = Date.UTC(2026, 6, 17, 16, 1);
  expect(dueText('2026-07-18', now)).toEqual({ text: '今天', tone: 'today' });
  expect(dueText('2026-08-12', now)).toEqual({ text: '25 天后', tone: 'normal' });
  expect(dueText('2026-07-15', now)).toEqual({ text: '逾期 3 天', tone: 'late' });
});

test('a figure proves its lines to the last digit', () => {
  expect(differenceOf('0.3', ['0.1', '0.2'])).toBe('0');
  expect(differenceOf('8089.69', ['42739.27', '-34649.57'])).toBe('-0.01');
});

test('an axis has one unit', () => {
  expect(axisFormat({ kind: 'integer' }, 99_999)(50_000)).toBe('50,000');
  expect(axisFormat({ kind: 'integer' }, 316_000)(50_000)).toBe('5万');
  expect(axisFormat({ kind: 'money', currency: 'CNY' }, 3e8)(1.5e8)).toBe('¥1.5亿');
  expect(axisFormat({ kind: 'money', currency: 'USD' }, 900)(-300)).toBe('−$300');
  expect(axisFormat({ kind: 'percent' }, 0.4)(0.25)).toBe('25%');
});

test('what a chart says in words is exact', () => {
  expect(exactFormat({ kind: 'money', currency: 'USD' }, '90071992547409.93')).toBe('$90,071,992,547,409.93');
  expect(exactFormat({ kind: 'integer' }, null)).toBe('—');
});

test('a waterfall ends where its changes lead', () => {
  const steps: WaterfallStep[] = [
    { name: '销售额', amount: '3000', kind: 'total' },
    { name: '费用', amount: '-4200', kind: 'change' },
    { name: '补贴', amount: '200', kind: 'change' },
    { name: '毛利', amount: '-1000', kind: 'result' },
  ];
  expect(brokenTotals(steps)).toEqual([]);
  expect(placeSteps(steps).map(({ low, high }) => [low, high])).toEqual([
    [0, 3000],
    [-1200, 3000],
    [-1200, -1000],
    [-1000, 0],
  ]);
  expect(brokenTotals([...steps.slice(0, 3), { name: '毛利', amount: '-1000.01', kind: 'result' }])).toEqual(['毛利']);
});

test('a ring shows at most six parts and loses nothing', () => {
  const part = fc.record({
    name: fc.uuid(),
    value: fc.integer({ min: 0, max: 1e9 }).map((cents) => new Decimal(cents).div(100).toFixed(2)),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 15 }), (parts) => {
      const ranked = rankedParts(parts);
      expect(ranked.length).toBeLessThanOrEqual(6);
      expect(new Decimal(sum(ranked.map(({ value }) => value))).equals(sum(parts.map(({ value }) => value)))).toBe(
        true,
      );
    }),
  );
});

test('steps of a document: the straight way, or the side way that it took', () => {
  const states = {
    draft: { title: '草稿', tone: 'off' as const },
    review: { title: '待审核', tone: 'waiting' as const },
    done: { title: '已完成', tone: 'done' as const },
    void: { title: '已作废', tone: 'off' as const },
  };
  const way = ['draft', 'review', 'done'];
  const shape = (state: string, notes = {}) =>
    stepsOf({ states }, way, state, notes).map((step) => `${step.key} ${step.state}`);
  expect(shape('review')).toEqual(['draft done', 'review now', 'done todo']);
  expect(shape('done')).toEqual(['draft done', 'review done', 'done done']);
  expect(shape('void', { draft: '陈思远' })).toEqual(['draft done', 'void now']);
});

test('a form says what is missing by its name', () => {
  const Schema = z.object({ name: Text(10, '名称'), cost: Money.meta({ title: '成本' }) });
  expect(errorsOf(Schema, { name: '杯子', cost: '1.5' })).toEqual({});
  expect(errorsOf(Schema, { name: '杯子杯子杯子杯子杯子杯子' })).toEqual({
    name: '名称不能超过10个字符',
    cost: '成本不能为空',
  });
  expect(errorsOf(Schema, { name: '杯子', cost: 'abc' })).toEqual({ cost: '请输入正确的金额' });
});

test('an import is stopped by errors, and only held up by warnings', () => {
  const warning = { line: 7, level: 'warning' as const, message: '单价上涨' };
  const error = { line: 3, level: 'error' as const, message: '产品不存在' };
  expect(errorCount({ fileName: 'a', total: 10, ok: 9, problems: [warning] })).toBe(0);
  expect(warningCount({ fileName: 'a', total: 10, ok: 9, problems: [warning, { ...warning, column: '数量' }] })).toBe(
    1,
  );
  expect(errorCount({ fileName: 'a', total: 10, ok: 8, problems: [warning, error] })).toBe(1);
  // A check that lists only its first problems still counts the others.
  expect(errorCount({ fileName: 'a', total: 1000, ok: 0, problems: [error] })).toBe(1000);
});

test('a count that the server cut off says so', () => {
  expect(totalText(1284)).toBe('1,284');
  expect(totalText(10_000)).toBe('10,000');
  expect(totalText(10_001)).toBe('10,000+');
  expect(totalText(15_076)).toBe('15,076');
});
