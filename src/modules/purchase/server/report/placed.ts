import { type RawBuilder, sql } from 'kysely';

/** Beginning of a day of the company, or of one so many days after it, as an instant. */
const midnight = (day: string, ahead = 0) => sql`((${day}::date + ${ahead}::int)::timestamp AT TIME ZONE kit.zone())`;

/**
 * Conditions on orders `o` that were placed and are not void, on days "yyyy-MM-dd" of the company that are both included. The
 * instants are half-open, so that the index on the instant of placing serves.
 */
export function placedBetween(
  days: { from?: string | undefined; to?: string | undefined } = {},
): RawBuilder<unknown>[] {
  return [
    sql`o.placed_at IS NOT NULL AND o.state IN ('ordered', 'closed')`,
    ...(days.from ? [sql`o.placed_at >= ${midnight(days.from)}`] : []),
    ...(days.to ? [sql`o.placed_at < ${midnight(days.to, 1)}`] : []),
  ];
}
