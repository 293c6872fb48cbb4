import { expect, test } from 'vitest';
import { forgetRounds, mayLeave } from '../web/login/rounds.ts';

function memory() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test('two ways to the auth server within a minute, then a page instead of a circle', () => {
  const store = memory();
  const start = 1_800_000_000_000;
  expect([0, 1000, 2000, 59_999].map((after) => mayLeave(store, start + after))).toEqual([true, true, false, false]);
  // The first has been forgotten, the second not yet.
  expect([60_000, 60_001].map((after) => mayLeave(store, start + after))).toEqual([true, false]);
  forgetRounds(store);
  expect(mayLeave(store, start + 60_002)).toBe(true);
});

test('what else stands in the store, or a clock that was set back, locks nobody out', () => {
  const store = memory();
  store.setItem('ssoRounds', 'NaN,,Infinity,x,9999999999999');
  expect(mayLeave(store, 1_800_000_000_000)).toBe(true);
});
