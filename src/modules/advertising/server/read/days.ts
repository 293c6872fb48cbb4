import { businessDay } from '#modules/marketplace/server/index.ts';

const DAY_MS = 86_400_000;
/** A report covers at most so many days. */
export const REPORT_DAYS = 31;

export interface Span {
  /** Business days of the profile's zone, both included. */
  from: string;
  to: string;
}

function shift(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The days that one reading asks for: as many as one report holds, up to the last one that is over at the end of the
 * window and `age` days before that. So each reading is one report, which also brings what was restated meanwhile:
 * clicks settle within three days, orders are added for weeks.
 */
export function reportSpan(window: { to: string }, timeZone: string, age = 0): Span {
  const to = shift(businessDay(window.to, timeZone), -1 - age);
  return { from: shift(to, 1 - REPORT_DAYS), to };
}
