import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { momentOf } from '../business/demand.ts';
import { DAY, HOUR, localDate, localMidnight, MARKETPLACES, marketplaceOf, nextDay } from '../business/marketplaces.ts';

const day = (country: string, instant: string): string =>
  localDate(marketplaceOf(country).timeZone, Date.parse(instant));

describe('the marketplace day', () => {
  it('follows the clock changes of Los Angeles', () => {
    expect(day('US', '2026-03-08T07:59:59Z')).toBe('2026-03-07');
    expect(day('US', '2026-03-08T08:00:00Z')).toBe('2026-03-08');
    expect(day('US', '2026-03-09T06:59:59Z')).toBe('2026-03-08');
    expect(day('US', '2026-03-09T07:00:00Z')).toBe('2026-03-09');
    expect(day('US', '2026-11-01T07:00:00Z')).toBe('2026-11-01');
    expect(day('US', '2026-11-02T07:59:59Z')).toBe('2026-11-01');
  });

  it('is another day elsewhere at the same instant', () => {
    expect(day('JP', '2026-03-08T07:59:59Z')).toBe('2026-03-08');
    expect(day('DE', '2026-03-08T07:59:59Z')).toBe('2026-03-08');
  });

  it('has 23 hours in spring and 25 in autumn', () => {
    const length = (country: string, date: string): number => {
      const { timeZone } = marketplaceOf(country);
      return (localMidnight(timeZone, nextDay(date)) - localMidnight(timeZone, date)) / HOUR;
    };
    expect(length('US', '2026-03-08')).toBe(23);
    expect(length('US', '2026-11-01')).toBe(25);
    expect(length('GB', '2026-03-29')).toBe(23);
    expect(length('DE', '2026-10-25')).toBe(25);
    expect(length('JP', '2026-03-08')).toBe(24);
    // A zone so far east that UTC midnight already lies behind the change of clocks.
    expect(localMidnight('Australia/Sydney', '2026-10-04')).toBe(Date.parse('2026-10-03T14:00:00Z'));
  });

  it('contains every moment between its midnight and the next, in every zone', () => {
    const anyDay = fc.integer({ min: 20_000, max: 22_000 }).map((n) => new Date(n * DAY).toISOString().slice(0, 10));
    const anyShare = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...MARKETPLACES), anyDay, anyShare, ({ timeZone }, date, u) => {
        const start = localMidnight(timeZone, date);
        const end = localMidnight(timeZone, nextDay(date));
        const moment = momentOf(start, end, u);
        expect(localDate(timeZone, start)).toBe(date);
        expect(localDate(timeZone, start - 1)).not.toBe(date);
        expect(localDate(timeZone, moment)).toBe(date);
        expect(localDate(timeZone, end)).toBe(nextDay(date));
      }),
    );
  });

  it('refuses a zone that does not exist', () => {
    expect(() => localDate('America/Brasilia', 0)).toThrow(RangeError);
  });
});
