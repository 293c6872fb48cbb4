import dayjs, { type Dayjs } from 'dayjs';
import { companyDay } from '../day.ts';

const DAY = 'YYYY-MM-DD';

/** "07-18" within this year, "2025-07-18" otherwise. */
function dayText(day: Dayjs, now: Dayjs): string {
  return day.format(day.isSame(now, 'year') ? 'MM-DD' : DAY);
}

/**
 * How lists say an instant, in the zone of the browser: 刚刚, 3 分钟前, 今天 10:42, 昨天 17:20, 07-16 16:44, and with
 * the year where it is another one.
 */
export function whenText(instant: string, at: string | number = Date.now()): string {
  const time = dayjs(instant);
  const now = dayjs(at);
  const minutes = now.diff(time, 'minute');
  if (minutes >= 0 && minutes < 1) return '刚刚';
  if (minutes > 0 && minutes < 60) return `${minutes} 分钟前`;
  if (time.isSame(now, 'day')) return `今天 ${time.format('HH:mm')}`;
  if (time.isSame(now.subtract(1, 'day'), 'day')) return `昨天 ${time.format('HH:mm')}`;
  return `${dayText(time, now)} ${time.format('HH:mm')}`;
}

/** "2026-07-18 10:42:05 UTC+08:00": what the mouse over a time shows. */
export function stampText(instant: string): string {
  return dayjs(instant).format('YYYY-MM-DD HH:mm:ss [UTC]Z');
}

/** "10:42", with the day before it where it is not today. */
export function clockText(instant: string, at: string | number = Date.now()): string {
  const time = dayjs(instant);
  const now = dayjs(at);
  return time.isSame(now, 'day') ? time.format('HH:mm') : `${dayText(time, now)} ${time.format('HH:mm')}`;
}

export interface Due {
  text: string;
  tone: 'late' | 'today' | 'normal';
}

/** A calendar day against the company's today, wherever the browser stands: 「25 天后」, 「今天」, 「逾期 3 天」. */
export function dueText(day: string, at: number = Date.now()): Due {
  const days = dayjs(day).diff(dayjs(companyDay(at)), 'day');
  if (days === 0) return { text: '今天', tone: 'today' };
  if (days > 0) return { text: `${days} 天后`, tone: 'normal' };
  return { text: `逾期 ${-days} 天`, tone: 'late' };
}

/** "07-18" within this year, else with the year. */
export function dateText(day: string, at: string | number = Date.now()): string {
  return dayText(dayjs(day), dayjs(at));
}
