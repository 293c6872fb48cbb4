import { expect, it } from 'vitest';
import { daysOf, spelledIn } from '../server/check/metrics.ts';

const LA = 'America/Los_Angeles';

it('spells an instant on the clock of the site, with the offset that it has on that day', () => {
  expect(spelledIn(LA, Date.parse('2026-07-16T07:00:00Z'))).toBe('2026-07-16T00:00:00-07:00');
  expect(spelledIn(LA, Date.parse('2026-11-16T08:00:00Z'))).toBe('2026-11-16T00:00:00-08:00');
  expect(spelledIn('Asia/Kolkata', Date.parse('2026-07-15T18:30:00Z'))).toBe('2026-07-16T00:00:00+05:30');
  expect(spelledIn('Europe/London', Date.parse('2026-01-16T00:00:00Z'))).toBe('2026-01-16T00:00:00Z');
});

it('reads the day of a piece in the zone of the site, whether amounts are numbers or texts', () => {
  const metric = (interval: string, amount: string | number) => ({
    interval,
    unitCount: 3,
    orderItemCount: 2,
    orderCount: 1,
    totalSales: { amount, currencyCode: 'USD' },
  });
  const days = daysOf(
    [
      metric('2026-10-31T00:00-07:00--2026-11-01T00:00-07:00', 22.95),
      // 25 hours: the clocks go back.
      metric('2026-11-01T00:00-07:00--2026-11-02T00:00-08:00', '0.30'),
    ],
    LA,
  );
  expect(days).toEqual([
    {
      day: '2026-10-31',
      orders: 1,
      items: 2,
      units: 3,
      sales: '22.95',
      currency: 'USD',
      readTo: '2026-11-01T07:00:00.000Z',
    },
    {
      day: '2026-11-01',
      orders: 1,
      items: 2,
      units: 3,
      sales: '0.3',
      currency: 'USD',
      readTo: '2026-11-02T08:00:00.000Z',
    },
  ]);
});
