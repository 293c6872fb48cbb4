import { expect, test } from 'vitest';
import { ShiftedClock } from '../clock.ts';

/** A clock that stands at an instant, but for the moment that the test takes. */
const at = (instant: string) => new ShiftedClock(Date.parse(instant) - Date.now());

test('a clock abroad tells the same time with the days of its zone', () => {
  const clock = at('2026-11-18T02:00:00Z');
  const abroad = clock.in('America/Los_Angeles');
  expect([clock.today(), abroad.today()]).toEqual(['2026-11-18', '2026-11-17']);
  expect(clock.dayOf(new Date('2026-11-17T16:00:00Z'))).toBe('2026-11-18');
  clock.advance(6 * 3_600_000);
  expect([clock.today(), abroad.today(), abroad.shiftMs]).toEqual(['2026-11-18', '2026-11-18', clock.shiftMs]);
  expect(clock.in(clock.zone)).toBe(clock);
});

test('the day after a day of 25 hours, or of 23, is the next one', () => {
  // Half past midnight: 24 hours later is half past eleven in the evening of the same day.
  const autumn = at('2026-11-01T07:30:00Z').in('America/Los_Angeles');
  expect([autumn.today(), autumn.dayAhead(1)]).toEqual(['2026-11-01', '2026-11-02']);
  // Half past eleven in the evening: 24 hours later is half past midnight, the day after the next.
  const spring = at('2026-03-08T07:30:00Z').in('America/Los_Angeles');
  expect([spring.today(), spring.dayAhead(1), spring.dayAhead(-7)]).toEqual(['2026-03-07', '2026-03-08', '2026-02-28']);
});
