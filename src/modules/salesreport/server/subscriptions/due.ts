import { nextFiring } from '#modules/system/server/index.ts';
import type { Timing } from '../../contract/subscriptions.ts';

const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * The first instant after `after` at which a subscription is due in an IANA zone. Where a clock jumps over the hour it is due right
 * after the gap, an hour that a clock shows twice counts once, and a day that a month lacks is the month's last one.
 */
export function nextDue({ every, weekday, monthDay, hour }: Timing, zone: string, after: Date): Date {
  if (every === 'day') return nextFiring(`0 ${hour} * * *`, zone, after);
  if (every === 'week') return nextFiring(`0 ${hour} * * ${weekday % 7}`, zone, after);
  const [year = 0, month = 1] = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
    .format(after)
    .split('-')
    .map(Number);
  const dues = [month, month + 1].map((one) => {
    const inYear = ((one - 1) % 12) + 1;
    const day = Math.min(monthDay, lastOf(one > 12 ? year + 1 : year, inYear));
    return nextFiring(`0 ${hour} ${day} ${inYear} *`, zone, after);
  });
  return new Date(Math.min(...dues.map((due) => due.getTime())));
}
