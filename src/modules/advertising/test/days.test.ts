import fc from 'fast-check';
import { expect, it } from 'vitest';
import { REPORT_DAYS, reportSpan } from '../server/read/days.ts';

const DAY_MS = 86_400_000;
const KEPT = { SP: 95, SB: 60, SD: 65 } as const;
const ZONES = ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo', 'Australia/Sydney'];

const now = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2028-12-31T00:00:00Z'),
  noInvalidDate: true,
});

it('at any hour, in any zone, a report is of days that are over and kept, and of no more than one takes', () => {
  fc.assert(
    fc.property(
      now,
      fc.constantFrom(...ZONES),
      fc.constantFrom('SP', 'SB', 'SD'),
      fc.constantFrom(0, REPORT_DAYS, 2 * REPORT_DAYS),
      (at, zone, product, age) => {
        const span = reportSpan({ to: at.toISOString() }, zone, product, age);
        if (!span) return;
        const [from, to] = [Date.parse(span.from), Date.parse(span.to)];
        // The day in UTC less the days that are kept: what the platform refuses lies before it.
        const utcDay = Math.floor(at.getTime() / DAY_MS) * DAY_MS;
        expect(utcDay - from).toBeLessThanOrEqual(KEPT[product] * DAY_MS);
        expect(to - from).toBeLessThan(REPORT_DAYS * DAY_MS);
        expect(from).toBeLessThanOrEqual(to);
        // Sydney is the furthest ahead of UTC: even there the last day is over.
        expect(to).toBeLessThan(at.getTime() + 11 * 3_600_000);
      },
    ),
  );
});

it('at 02:30 in UTC it is the day before in Los Angeles, and the oldest report of brands is still to be had', () => {
  const window = { to: '2026-11-25T02:30:00Z' };
  expect(reportSpan(window, 'America/Los_Angeles', 'SB', REPORT_DAYS)).toEqual({
    from: '2026-09-27',
    to: '2026-10-23',
  });
});
