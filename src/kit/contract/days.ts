import type { Period } from './compare.ts';
import { dayAfter } from './day.ts';

/** Ranges of days that are counted back from the day on which they are read, by key. */
export const RELATIVE_DAYS = {
  today: '今天',
  yesterday: '昨天',
  last7: '近 7 天',
  last30: '近 30 天',
  month: '本月',
  lastMonth: '上月',
} as const;
export type RelativeDays = keyof typeof RELATIVE_DAYS;
export const RELATIVE_KEYS = Object.keys(RELATIVE_DAYS) as RelativeDays[];

const firstOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** The days "yyyy-MM-dd", both included, that a key means on a day. */
export function relativeDays(key: RelativeDays, today: string): Period {
  switch (key) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: dayAfter(today, -1), to: dayAfter(today, -1) };
    case 'last7':
      return { from: dayAfter(today, -6), to: today };
    case 'last30':
      return { from: dayAfter(today, -29), to: today };
    case 'month':
      return { from: firstOf(today), to: today };
    default: {
      const to = dayAfter(firstOf(today), -1);
      return { from: firstOf(to), to };
    }
  }
}
