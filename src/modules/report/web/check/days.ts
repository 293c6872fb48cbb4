import { metaOf } from '#kit/contract/columns.ts';
import { dayAfter } from '#kit/contract/day.ts';
import { Verdict } from '../../contract/check.ts';

/** What each result of a check is called and means. */
export const VERDICTS = metaOf(Verdict).states ?? {};

/** Days of UTC, both included, that hold a site's day whatever its zone: reports by order date are asked for by them. */
export function around(day: string): { start: string; end: string } {
  return { start: dayAfter(day, -1), end: dayAfter(day, 1) };
}
