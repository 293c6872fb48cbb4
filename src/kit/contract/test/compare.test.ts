import { expect, it } from 'vitest';
import { changeOf, comparedPeriod } from '../compare.ts';

const before = (from: string, to: string) => comparedPeriod({ from, to }, 'previous');
const yearBefore = (from: string, to: string) => comparedPeriod({ from, to }, 'year');

it('days are held against as many days before, and whole months against whole months', () => {
  expect(before('2026-06-10', '2026-06-16')).toEqual({ from: '2026-06-03', to: '2026-06-09' });
  expect(before('2026-01-01', '2026-01-07')).toEqual({ from: '2025-12-25', to: '2025-12-31' });
  expect(before('2026-03-01', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(before('2026-02-01', '2026-02-28')).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  expect(before('2026-01-01', '2026-03-31')).toEqual({ from: '2025-10-01', to: '2025-12-31' });
});

it('a year ago are the same dates; what February lacks is its last day', () => {
  expect(yearBefore('2026-06-10', '2026-06-16')).toEqual({ from: '2025-06-10', to: '2025-06-16' });
  expect(yearBefore('2028-02-25', '2028-02-29')).toEqual({ from: '2027-02-25', to: '2027-02-28' });
  expect(yearBefore('2028-02-01', '2028-02-29')).toEqual({ from: '2027-02-01', to: '2027-02-28' });
  expect(yearBefore('2027-02-01', '2027-02-28')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
});

it('a change is told against a base only', () => {
  expect(changeOf(110, '100')).toBe('0.1');
  expect(changeOf('75.5', '151')).toBe('-0.5');
  expect(changeOf(5, 0)).toBeNull();
  expect(changeOf(0, 4)).toBe('-1');
});
