import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';

interface Count {
  value: string;
  n: number;
}

/**
 * How many rows of a query have each value of a column, for the tabs over a list; `all` is their sum. A value that no
 * row has is left out.
 */
export async function countsBy<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  column: ReferenceExpression<DB, TB> & string,
): Promise<Record<string, number>> {
  const grouped = query
    .clearSelect()
    .select([sql.ref(column).as('value'), sql`count(*)::int`.as('n')])
    .groupBy(column);
  const rows = await (grouped as unknown as SelectQueryBuilder<DB, TB, Count>).execute();
  const counts = Object.fromEntries(rows.map((row) => [row.value, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}
