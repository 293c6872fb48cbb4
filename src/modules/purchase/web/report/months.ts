import { lastDayOf } from '#kit/contract/day.ts';

/** First and last day of a month "yyyy-MM", as "yyyy-MM-dd". */
export function daysOfMonth(month: string): [string, string] {
  return [`${month}-01`, lastDayOf(month)];
}
