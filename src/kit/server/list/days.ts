import { type RawBuilder, sql } from 'kysely';

/**
 * Instants that lie on some days of the company (`kit.zone()`), both included; everything where none is named. The days are
 * turned into instants, not the other way round, so that an index of the column serves.
 * @param column of a timestamptz, e.g. "o.ordered_at"
 * @param days YYYY-MM-DD
 */
export function onDays(
  column: string,
  days: { from?: string | undefined; to?: string | undefined } | undefined,
): RawBuilder<boolean> {
  const at = sql.ref(column);
  const all = [
    ...(days?.from ? [sql`${at} >= (${days.from}::date)::timestamp AT TIME ZONE kit.zone()`] : []),
    ...(days?.to ? [sql`${at} < (${days.to}::date + 1)::timestamp AT TIME ZONE kit.zone()`] : []),
  ];
  return all.length > 0 ? sql<boolean>`(${sql.join(all, sql` AND `)})` : sql<boolean>`true`;
}
