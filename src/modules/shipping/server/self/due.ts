import { type RawBuilder, sql } from 'kysely';
import type { Urgency } from '../../contract/self/fields.ts';

/** Hours before the deadline within which an order must be sent at once, and within the day. */
const HOURS = 4;
const DAY = 24;

/**
 * How urgent it is to send what is due at `due` (a column), by the marketplace's clock; 'none' without a deadline or where
 * `over` holds.
 */
export function urgencyOf(due: RawBuilder<unknown>, now: Date, over: RawBuilder<unknown>): RawBuilder<Urgency> {
  const at = now.toISOString();
  return sql<Urgency>`CASE WHEN ${over} OR ${due} IS NULL THEN 'none'
    WHEN ${due} < ${at}::timestamptz THEN 'late'
    WHEN ${due} < ${at}::timestamptz + make_interval(hours => ${HOURS}::int) THEN 'hours'
    WHEN ${due} < ${at}::timestamptz + make_interval(hours => ${DAY}::int) THEN 'day' ELSE 'later' END`;
}
