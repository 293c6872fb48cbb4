import { expect, test } from 'vitest';
import { z } from 'zod';
import { type RelativeDays, relativeDays } from '../../contract/days.ts';
import { Day } from '../../contract/field.ts';
import { filterFields } from '../list/fields.ts';
import { contentOf, relativeFields, shownBy, showsSame } from '../list/views.ts';

const FIELDS = filterFields(
  z.object({
    grain: z.enum(['day', 'week']).meta({ title: '周期' }),
    dates: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' }),
    sites: z.array(z.string()).meta({ title: '站点' }),
  }),
);
const DEFAULTS = { grain: 'day' };

test.each<[RelativeDays, string, string, string]>([
  ['today', '2026-03-01', '2026-03-01', '2026-03-01'],
  ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['last7', '2024-03-01', '2024-02-24', '2024-03-01'],
  ['last30', '2026-11-28', '2026-10-30', '2026-11-28'],
  ['month', '2026-03-31', '2026-03-01', '2026-03-31'],
  ['lastMonth', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['lastMonth', '2026-01-05', '2025-12-01', '2025-12-31'],
])('%s on %s is %s to %s', (key, today, from, to) => {
  expect(relativeDays(key, today)).toEqual({ from, to });
});

test('a view of the last 30 days means the last 30 days whenever it is opened; fixed days stay', () => {
  const shown = { filter: { grain: 'week', dates: { from: '2026-10-30', to: '2026-11-28' } }, sort: undefined };
  const [days] = relativeFields(FIELDS, shown.filter, '2026-11-28');
  expect(days).toMatchObject({ field: { key: 'dates' }, keys: ['last30'] });
  const relative = contentOf(FIELDS, shown, { dates: 'last30' });
  expect(relative).toEqual({ filter: { grain: 'week' }, days: { dates: 'last30' }, sort: null });
  expect(shownBy(relative, FIELDS, '2026-12-24').filter).toEqual({
    grain: 'week',
    dates: { from: '2026-11-25', to: '2026-12-24' },
  });
  const fixed = contentOf(FIELDS, shown, {});
  expect(shownBy(fixed, FIELDS, '2026-12-24').filter).toEqual(shown.filter);
});

test('days with an open end, or others than a preset, stay fixed', () => {
  for (const dates of [{ from: '2026-11-28' }, { from: '2026-11-20', to: '2026-11-27' }])
    expect(relativeFields(FIELDS, { dates }, '2026-11-28')).toEqual([]);
});

test('what a list has no more is left out, and a default that was cleared stays cleared', () => {
  const content = { filter: { gone: 'x', sites: ['a'] }, days: { old: 'today' as const }, sort: null };
  const shown = shownBy(content, FIELDS, '2026-11-28');
  expect(shown.filter).toEqual({ sites: ['a'] });
  expect(showsSame(shown, { filter: { sites: ['a'], grain: 'day' }, sort: undefined }, FIELDS, DEFAULTS)).toBe(false);
  expect(showsSame(shown, { filter: { sites: ['a'] }, sort: undefined }, FIELDS, DEFAULTS)).toBe(true);
  const sorted = { ...shown, sort: { key: 'units', order: 'asc' as const } };
  expect(showsSame(shown, sorted, FIELDS, DEFAULTS)).toBe(false);
});
