import { businessDay } from '#modules/marketplace/server/index.ts';
import type { AdProduct } from './facts.ts';

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

/** How many days back Amazon keeps reports of a product; counted in UTC, whose day is the later one in America. */
const KEPT_DAYS = { SP: 95, SB: 60, SD: 65 } as const;

/**
 * The days that one reading asks for: as many as one report holds, up to the last one that is over at the end of the
 * window and `age` days before that, as far as they are kept. So each reading is one report, which also brings what was
 * restated meanwhile: clicks settle within three days, orders are added for weeks. Undefined where nothing is kept.
 */
export function reportSpan(window: { to: string }, timeZone: string, product: AdProduct, age = 0): Span | undefined {
  const last = shift(businessDay(window.to, timeZone), -1);
  const to = shift(last, -age);
  const oldest = shift(businessDay(window.to, 'UTC'), 1 - KEPT_DAYS[product]);
  if (to < oldest) return undefined;
  const from = shift(to, 1 - REPORT_DAYS);
  return { from: [from, oldest].sort().at(-1) ?? from, to };
}
