import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Column } from '../../contract/columns.ts';
import { changeColumn, fitWidths, mergeColumns, moveColumn, savedColumns } from '../grid/layout.ts';

const column = (key: string, more: Partial<Column> = {}): Column => ({
  key,
  title: key,
  kind: 'text',
  nullable: false,
  ...more,
});
const keys = (layout: readonly { key: string }[]) => layout.map((place) => place.key).join('');

test('a saved version on a catalogue that has moved on', () => {
  // catalogue a,b,c,d(new); saved order c, a(hidden), x(removed) -> c shown, a hidden, b shown, d shown
  const catalogue = ['a', 'b', 'c', 'd'].map((key) => column(key));
  const saved = [
    { ffield: 'c', findex: 0, isShow: true },
    { ffield: 'a', findex: 1, isShow: false },
    { ffield: 'x', findex: 2, isShow: true },
  ];
  const layout = mergeColumns(catalogue, saved);
  expect(layout.map(({ key, shown }) => [key, shown])).toEqual([
    ['c', true],
    ['a', false],
    ['b', true],
    ['d', true],
  ]);
});

test('saved positions count, not the order in which they came', () => {
  const saved = [
    { ffield: 'b', findex: 2, isShow: true },
    { ffield: 'a', findex: 1, isShow: true },
  ];
  expect(keys(mergeColumns([column('b'), column('a')], saved))).toBe('ab');
});

test('a new optional column waits until it is asked for; a pinned one comes pinned', () => {
  const layout = mergeColumns([column('a', { optional: true }), column('b', { pinned: 'left' })], []);
  expect(layout).toEqual([
    { key: 'a', shown: false, pinned: null },
    { key: 'b', shown: true, pinned: 'left' },
  ]);
});

test('a column that the user unpinned stays unpinned, whatever the catalogue says', () => {
  const saved = [{ ffield: 'a', findex: 0, isShow: true, pinned: null }];
  expect(mergeColumns([column('a', { pinned: 'left' })], saved)[0]?.pinned).toBeNull();
});

test('widths stay between 40 and 800', () => {
  const saved = [
    { ffield: 'a', findex: 0, isShow: true, width: 3 },
    { ffield: 'b', findex: 1, isShow: true, width: 5000 },
  ];
  const layout = mergeColumns([column('a'), column('b')], saved);
  expect(layout.map((place) => place.width)).toEqual([40, 800]);
  expect(changeColumn(layout, 'a', { width: 12.6 })[0]?.width).toBe(40);
});

test('saving and loading changes nothing', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.boolean()), (all, coins) => {
      const catalogue = all.map((key) => column(key));
      let layout = mergeColumns(catalogue, undefined);
      for (const key of all) {
        if (coins.next().value) layout = changeColumn(layout, key, { shown: false, width: 120 });
        if (coins.next().value) layout = moveColumn(layout, key, all[0]);
        if (coins.next().value) layout = changeColumn(layout, key, { pinned: 'right' });
      }
      expect(mergeColumns(catalogue, savedColumns(layout))).toEqual(layout);
      expect([...layout.map((place) => place.key)].sort()).toEqual([...all].sort());
    }),
  );
});

test('moving a column puts it before another, or at the end', () => {
  const layout = mergeColumns(
    ['a', 'b', 'c'].map((key) => column(key)),
    undefined,
  );
  expect(keys(moveColumn(layout, 'c', 'a'))).toBe('cab');
  expect(keys(moveColumn(layout, 'a', undefined))).toBe('bca');
  expect(keys(moveColumn(layout, 'b', 'b'))).toBe('abc');
});

test('free columns share what is left over to the pixel; fixed ones keep their width', () => {
  const columns = [
    { key: 'a', width: 100, fixed: true },
    { key: 'b', width: 100, fixed: false },
    { key: 'c', width: 50, fixed: false },
  ];
  const widths = fitWidths(columns, 400);
  expect(widths.get('a')).toBe(100);
  expect([...widths.values()].reduce((sum, width) => sum + width, 0)).toBe(400);
  expect((widths.get('b') ?? 0) > (widths.get('c') ?? 0)).toBe(true);
  expect([...fitWidths(columns, 200).values()]).toEqual([100, 100, 50]);
});

test('filling holds for any columns and any width', () => {
  const one = fc.record({ key: fc.uuid(), width: fc.integer({ min: 40, max: 800 }), fixed: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(one, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 0, max: 4000 }),
      (columns, available) => {
        const widths = fitWidths(columns, available);
        const own = columns.reduce((sum, each) => sum + each.width, 0);
        const total = columns.reduce((sum, each) => sum + (widths.get(each.key) ?? 0), 0);
        const grows = own < available && columns.some((each) => !each.fixed);
        expect(total).toBe(grows ? available : own);
        for (const each of columns) expect(widths.get(each.key)).toBeGreaterThanOrEqual(each.width);
      },
    ),
  );
});
