/** Which buckets are meant. */
export interface Scope {
  /** SQL condition on a table alias, where a whole stretch is meant. */
  on?: (alias: string) => string;
  /** Parameters from $2 on. */
  values: readonly unknown[];
  /**
   * Where the buckets are named one by one: a FROM item of them, and the condition that ties a row to one of them, `k`.
   * `slot` is how the row tells its half hour. $2 is the account.
   */
  keys?: { from: string; tie: (alias: string, slot: string) => string };
}

/**
 * FROM item with a scope's rows of a table, under its alias. Named buckets are looked up one by one: OFFSET 0 keeps the
 * planner from turning that round into a walk through the table for each name, which it does while it takes the table of
 * a company that has just come for an empty one.
 */
export function rowsIn(
  { on, keys }: Scope,
  table: string,
  alias: string,
  slot: string,
  columns = `${alias}.*`,
): string {
  const rows = `SELECT ${columns} FROM ${table} AS ${alias} WHERE ${alias}.company_id = $1`;
  if (on) return `(${rows} AND ${on(alias)}) AS ${alias}`;
  if (!keys) throw new Error('a scope without bounds');
  return `${keys.from} AS k CROSS JOIN LATERAL (
      ${rows} AND ${alias}.account_id = $2 AND ${keys.tie(alias, slot)} OFFSET 0) AS ${alias}`;
}
