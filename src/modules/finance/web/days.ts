import { dayAfter } from '#kit/contract/day.ts';
import { companyDay } from '#kit/web/day.ts';

/** The company's day `back` days ago. */
export function dayAgo(back: number): string {
  return dayAfter(companyDay(), -back);
}
