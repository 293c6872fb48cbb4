import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupsOf, stockOf } from '../server/reports/stocks.ts';
import { askedTimes, dayWindows } from '../server/reports/window.ts';

const US = 'ATVPDKIKX0DER';
const DE = 'A1PA6795UKMFR9';
const FR = 'A13V1IB3VIYZZH';
const UK = 'A1F83G8C2ARO7P';
const LA = 'America/Los_Angeles';
const now = new Date('2026-07-16T20:00:00Z');
const YESTERDAY = new Date('2026-07-15T20:00:00Z');
const texts = (windows: readonly [Date, Date][]) =>
  windows.map(([from, to]) => `${from.toISOString()} ${to.toISOString()}`);

describe('windows of business days', () => {
  it('tile the history from midnight to midnight of the stock, newest first, and end now less the safety lag', () => {
    expect(texts(dayWindows({ windowDays: 60, historyDays: 120 }, null, LA, now))).toEqual([
      '2026-05-18T07:00:00.000Z 2026-07-16T19:55:00.000Z',
      '2026-03-19T07:00:00.000Z 2026-05-18T07:00:00.000Z',
    ]);
    expect(texts(dayWindows({ windowDays: 60, historyDays: 120, overlapDays: 7 }, YESTERDAY, LA, now))).toEqual([
      '2026-07-10T07:00:00.000Z 2026-07-16T19:55:00.000Z',
    ]);
  });

  it('go on where the last reading ended, after days on which nobody worked, but not beyond the history', () => {
    const plan = { windowDays: 60, historyDays: 120, overlapDays: 7 };
    const since = (readAt: string) => texts(dayWindows(plan, new Date(readAt), LA, now));
    // Read twice on one day: still the days that may change.
    expect(since('2026-07-16T10:00:00Z')).toEqual(['2026-07-10T07:00:00.000Z 2026-07-16T19:55:00.000Z']);
    // Ten days later: the days that might still change when it was read last, and all since.
    expect(since('2026-07-06T20:00:00Z')).toEqual(['2026-07-01T07:00:00.000Z 2026-07-16T19:55:00.000Z']);
    expect(since('2025-07-06T20:00:00Z')).toEqual(texts(dayWindows(plan, null, LA, now)));
    const traffic = { windowDays: 1, historyDays: 14, overlapDays: 1, wholeDays: true };
    const days = dayWindows(traffic, new Date('2026-07-13T20:00:00Z'), LA, now);
    // The twelfth was over when it was read.
    expect(texts(days).map((text) => text.slice(0, 10))).toEqual(['2026-07-15', '2026-07-14', '2026-07-13']);
  });

  it('are calendar months that are over, where a report is about one month', () => {
    const months = { windowDays: 31, historyDays: 60, overlapDays: 40, byMonth: true };
    expect(texts(dayWindows(months, null, LA, now))).toEqual([
      '2026-06-01T07:00:00.000Z 2026-07-01T07:00:00.000Z',
      '2026-05-01T07:00:00.000Z 2026-06-01T07:00:00.000Z',
    ]);
    expect(texts(dayWindows(months, YESTERDAY, LA, now))).toEqual([
      '2026-06-01T07:00:00.000Z 2026-07-01T07:00:00.000Z',
    ]);
  });

  it('leave out the day that is not over, where Amazon reports whole days', () => {
    const plan = { windowDays: 1, historyDays: 2, wholeDays: true };
    expect(texts(dayWindows(plan, null, LA, now))).toEqual([
      '2026-07-15T07:00:00.000Z 2026-07-16T07:00:00.000Z',
      '2026-07-14T07:00:00.000Z 2026-07-15T07:00:00.000Z',
    ]);
  });

  it('are asked for by first and last day of the stock, both included, where Amazon reads dates alone', () => {
    const [day] = dayWindows({ windowDays: 1, historyDays: 1, wholeDays: true }, null, LA, now);
    const [week] = dayWindows({ windowDays: 7, historyDays: 7, byWeek: true }, null, LA, now);
    const asked = (type: string, window = day ?? [now, now]) => askedTimes(type, [US], window);
    expect(asked('GET_SALES_AND_TRAFFIC_REPORT')).toEqual({
      dataStartTime: '2026-07-15T00:00:00Z',
      dataEndTime: '2026-07-15T00:00:00Z',
    });
    // From Sunday to Saturday.
    expect(asked('GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT', week)).toEqual({
      dataStartTime: '2026-07-05T00:00:00Z',
      dataEndTime: '2026-07-11T00:00:00Z',
    });
    // Of the present, but Amazon wants three days.
    expect(asked('GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA', [now, now])).toEqual({
      dataStartTime: '2026-07-13T19:00:00.000Z',
      dataEndTime: '2026-07-16T20:00:00.000Z',
    });
    expect(asked('GET_LEDGER_DETAIL_VIEW_DATA')).toEqual({
      dataStartTime: '2026-07-15T07:00:00.000Z',
      dataEndTime: '2026-07-16T07:00:00.000Z',
    });
  });

  it('never leave a hole nor overlap, over changes of the clock too', () => {
    const days = fc.integer({ min: 1, max: 70 });
    const zone = fc.constantFrom(LA, 'Europe/Berlin', 'Asia/Tokyo', 'UTC');
    const at = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, days, zone, at, (windowDays, historyDays, timeZone, when) => {
        const windows = dayWindows({ windowDays, historyDays }, null, timeZone, when);
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
