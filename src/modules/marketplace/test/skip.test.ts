import { expect, it } from 'vitest';
import { reachOf } from '../server/sync/skip.ts';

const at = (hour: number) => Date.UTC(2026, 6, 16, hour);
const period = (from: number, to: number) => ({
  from: new Date(at(from)).toISOString(),
  to: new Date(at(to)).toISOString(),
});

it('reaches over periods that touch or overlap, in whatever order they were read, and never over a gap', () => {
  expect(reachOf(at(3), [period(6, 12), period(0, 6)])).toBe(at(12));
  expect(reachOf(at(3), [period(5, 12), period(0, 6), period(2, 4)])).toBe(at(12));
  expect(reachOf(at(3), [period(0, 6), period(7, 12)])).toBe(at(6));
  expect(reachOf(at(3), [period(4, 12)])).toBe(at(3));
  expect(reachOf(at(3), [period(0, 2)])).toBe(at(3));
  expect(reachOf(at(3), [])).toBe(at(3));
});
