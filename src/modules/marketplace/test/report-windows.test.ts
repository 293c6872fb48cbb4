import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupsOf, stockOf } from '../server/reports/stocks.ts';
import { dayWindows } from '../server/reports/window.ts';

const US = 'ATVPDKIKX0DER';
const DE = 'A1PA6795UKMFR9';
const FR = 'A13V1IB3VIYZZH';
const UK = 'A1F83G8C2ARO7P';
const LA = 'America/Los_Angeles';
const now = new Date('2026-07-16T20:00:00Z');
const texts = (windows: readonly [Date, Date][]) =>
  windows.map(([from, to]) => `${from.toISOString()} ${to.toISOString()}`);

describe('windows of business days', () => {
  it('tile the history from midnight to midnight of the stock, newest first, and end now less the safety lag', () => {
    expect(texts(dayWindows({ windowDays: 60, historyDays: 120 }, true, LA, now))).toEqual([
      '2026-05-18T07:00:00.000Z 2026-07-16T19:55:00.000Z',
      '2026-03-19T07:00:00.000Z 2026-05-18T07:00:00.000Z',
    ]);
    expect(texts(dayWindows({ windowDays: 60, historyDays: 120, overlapDays: 7 }, false, LA, now))).toEqual([
      '2026-07-10T07:00:00.000Z 2026-07-16T19:55:00.000Z',
    ]);
  });

  it('are calendar months that are over, where a report is about one month', () => {
    const months = { windowDays: 31, historyDays: 60, overlapDays: 40, byMonth: true };
    expect(texts(dayWindows(months, true, LA, now))).toEqual([
      '2026-06-01T07:00:00.000Z 2026-07-01T07:00:00.000Z',
      '2026-05-01T07:00:00.000Z 2026-06-01T07:00:00.000Z',
    ]);
    expect(texts(dayWindows(months, false, LA, now))).toEqual(['2026-06-01T07:00:00.000Z 2026-07-01T07:00:00.000Z']);
  });

  it('never leave a hole nor overlap, over changes of the clock too', () => {
    const days = fc.integer({ min: 1, max: 70 });
    const zone = fc.constantFrom(LA, 'Europe/Berlin', 'Asia/Tokyo', 'UTC');
    const at = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, days, zone, at, (windowDays, historyDays, timeZone, when) => {
        const windows = dayWindows({ windowDays, historyDays }, true, timeZone, when);
        for (const [index, [from, to]] of windows.entries()) {
          expect(from.getTime()).toBeLessThan(to.getTime());
          if (index > 0) expect(to).toEqual(windows[index - 1]?.[0]);
        }
        expect(windows[0]?.[1].getTime()).toBe(when.getTime() - 300_000);
        const oldest = windows.at(-1)?.[0].getTime() ?? 0;
        expect(Math.round((when.getTime() - oldest) / 86_400_000)).toBeGreaterThanOrEqual(historyDays - 1);
        expect(Math.round((when.getTime() - oldest) / 86_400_000)).toBeLessThanOrEqual(historyDays);
      }),
      { numRuns: 200 },
    );
  });
});

it('one report per stock: the European Union shares one, everybody else has their own', () => {
  expect([US, DE, FR, UK, 'NEW'].map(stockOf)).toEqual(['US', 'EU', 'EU', 'UK', 'NEW']);
  expect(groupsOf({ per: 'stock' }, [UK, DE, FR])).toEqual([[UK], [DE, FR]]);
  expect(groupsOf({}, [UK, DE])).toEqual([[UK, DE]]);
  expect(groupsOf({ per: 'stock' }, [])).toEqual([]);
});
