import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthOf } from '#kit/contract/compare.ts';
import { dayAfter } from '#kit/contract/day.ts';
import { BESIDE_NONE, beforeOf, eachHeldAgainst, heldAgainst, placesOf, spansOf } from '../server/days.ts';

const GRAINS = ['day', 'week', 'month'] as const;
const TODAY = '2026-11-17';
const KNOWN = { since: '2020-01-01', today: TODAY };
const period = fc.tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 300 })).map(([ago, more]) => {
  const from = dayAfter(TODAY, -ago);
  return { from, to: dayAfter(from, more) };
});

test('periods cover the days asked for, each once and in order', () => {
  fc.assert(
    fc.property(period, fc.constantFrom(...GRAINS), (days, grain) => {
      const places = placesOf(days, grain, TODAY);
      expect([places[0]?.from, places.at(-1)?.to]).toEqual([days.from, days.to]);
      for (const [index, place] of places.entries()) {
        expect(place.from <= place.to).toBe(true);
        if (index > 0) expect(place.from).toBe(dayAfter(places[index - 1]?.to ?? '', 1));
      }
    }),
  );
});

test('every day of both sides stands in the map once, and open days are held against nothing', () => {
  fc.assert(
    fc.property(period, fc.constantFrom(...GRAINS), fc.constantFrom('previous', 'year'), (days, grain, how) => {
      const places = placesOf(days, grain, TODAY);
      const before = beforeOf(days, how, KNOWN);
      const map = heldAgainst(days, places, before, { today: TODAY, grain });
      const of = (side: string) => map.days.filter((_, index) => map.sides[index] === side);
      expect(of('now').length + of('open').length).toBe(lengthOf(days));
      expect(of('open').every((day) => day >= TODAY)).toBe(true);
      expect(of('before').length).toBe(before ? lengthOf(before) : 0);
      expect(map.places.every((place) => place >= BESIDE_NONE && place < places.length)).toBe(true);
    }),
  );
});

test('weeks begin on Monday; a part of one, and one that is not over, is not full', () => {
  const places = placesOf({ from: '2026-11-04', to: '2026-11-22' }, 'week', TODAY);
  expect(places.map(({ from, to, partial }) => [from, to, partial])).toEqual([
    ['2026-11-04', '2026-11-08', true],
    ['2026-11-09', '2026-11-15', false],
    ['2026-11-16', '2026-11-22', true],
  ]);
});

test('E5: a part of a period is held against as much of the one before, never against all of it', () => {
  const places = placesOf({ from: '2026-11-01', to: '2026-11-30' }, 'month', TODAY);
  const map = eachHeldAgainst(places, 'month', KNOWN);
  const spans = (side: string) => spansOf({ days: map.days.filter((_, index) => map.sides[index] === side) });
  expect(spans('now')).toEqual([{ from: '2026-11-01', to: '2026-11-16' }]);
  expect(spans('before')).toEqual([{ from: '2026-10-01', to: '2026-10-16' }]);
  expect(spans('year')).toEqual([{ from: '2025-11-01', to: '2025-11-16' }]);
  expect(beforeOf({ from: '2026-11-10', to: '2026-11-17' }, 'previous', KNOWN)).toEqual({
    from: '2026-11-03',
    to: '2026-11-09',
  });
});

test('whole months stand beside whole months, and last year’s week begins on the same weekday', () => {
  const months = { from: '2026-01-01', to: '2026-03-31' };
  const places = placesOf(months, 'month', TODAY);
  const before = beforeOf(months, 'previous', KNOWN);
  expect(before).toEqual({ from: '2025-10-01', to: '2025-12-31' });
  const map = heldAgainst(months, places, before, { today: TODAY, grain: 'month' });
  const at = (day: string) => map.places[map.days.indexOf(day)];
  expect([at('2025-10-31'), at('2025-11-01'), at('2025-12-31')]).toEqual([0, 1, 2]);
  const week = placesOf({ from: '2026-11-09', to: '2026-11-15' }, 'week', TODAY);
  const year = eachHeldAgainst(week, 'week', KNOWN);
  expect(year.days[year.sides.indexOf('year')]).toBe('2025-11-10');
});

test('days before anything is known are unknown, not zero: nothing is held against them', () => {
  const known = { since: '2026-11-02', today: TODAY };
  const period = { from: '2026-11-09', to: '2026-11-15' };
  expect(beforeOf(period, 'previous', known)).toEqual({ from: '2026-11-02', to: '2026-11-08' });
  expect(beforeOf(period, 'previous', { ...known, since: '2026-11-03' })).toBeNull();
  expect(beforeOf(period, 'year', known)).toBeNull();
  expect(new Set(eachHeldAgainst(placesOf(period, 'week', TODAY), 'week', known).sides)).toEqual(
    new Set(['now', 'before']),
  );
});
