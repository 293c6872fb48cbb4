import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf } from '../server/measure.ts';
import { closable, daysOf, quarterAfter, quarterOf } from '../server/quarter.ts';

const anyQuarter = fc
  .tuple(fc.integer({ min: 1990, max: 2090 }), fc.integer({ min: 1, max: 4 }))
  .map(([year, quarter]) => `${year}Q${quarter}`);

describe('quarters', () => {
  it('have their days, and each day its quarter', () => {
    expect(daysOf('2026Q1')).toEqual({ from: '2026-01-01', to: '2026-03-31' });
    expect(['2026-09-30', '2026-10-01', '2026-12-31'].map(quarterOf)).toEqual(['2026Q3', '2026Q4', '2026Q4']);
    fc.assert(
      fc.property(anyQuarter, (quarter) => {
        const { from, to } = daysOf(quarter);
        return quarterOf(from) === quarter && quarterOf(to) === quarter;
      }),
    );
  });

  it('follow each other over the ends of years, in the order of their texts', () => {
    expect([quarterAfter('2026Q4'), quarterAfter('2026Q1', -1), quarterAfter('2026Q3', -3)]).toEqual([
      '2027Q1',
      '2025Q4',
      '2025Q4',
    ]);
    fc.assert(
      fc.property(anyQuarter, fc.integer({ min: 1, max: 40 }), (quarter, by) => {
        const later = quarterAfter(quarter, by);
        return later > quarter && quarterAfter(later, -by) === quarter;
      }),
    );
  });

  it('may be closed once the days of grace are over', () => {
    expect(closable('2026-12-31', 0)).toBe('2026Q3');
    expect(closable('2027-01-01', 0)).toBe('2026Q4');
    expect(closable('2027-01-05', 5)).toBe('2026Q3');
    expect(closable('2027-01-06', 5)).toBe('2026Q4');
    expect(closable('2027-01-31', 31)).toBe('2026Q3');
    expect(closable('2027-02-01', 31)).toBe('2026Q4');
  });
});

it('facts are asked for a hundred suppliers at a time', () => {
  const ids = Array.from({ length: 250 }, (_, index) => `s${index}`);
  expect(chunksOf(ids).map((chunk) => chunk.length)).toEqual([100, 100, 50]);
  expect(chunksOf(ids).flat()).toEqual(ids);
  expect(chunksOf([])).toEqual([]);
});
