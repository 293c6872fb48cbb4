import { companyDay } from '#kit/contract/day.ts';

const DAY_MS = 86_400_000;

/** Day of the company, Beijing, `back` days ago. */
export function dayAgo(back: number): string {
  return companyDay(Date.now() - back * DAY_MS);
}
