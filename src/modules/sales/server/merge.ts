import type { Ctx } from '#kit/server/context.ts';
import { MEASURE_NAMES } from './measures.ts';
import type { Rollup } from './tables.ts';

/** Which buckets are meant: an SQL condition on a table alias, and its parameters from $2 on. */
export interface Scope {
  on: (alias: string) => string;
  values: readonly unknown[];
}

/** Rows of one store day that a merge found to be wrong, missing or too many. */
export interface Changed {
  accountId: string;
  marketplaceId: string;
  localDate: string;
  rows: number;
  /** Whether marks of that day are still to be folded: then the difference is only lateness. */
  marked: boolean;
}

function same(a: string, b: string, columns: readonly string[]): string {
  return columns.map((column) => `${a}.${column} = ${b}.${column}`).join(' AND ');
}

function list(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}

/** Rows of the table and rows made from the orders, compared both ways: `fresh` and the two kinds of difference. */
function difference(table: Rollup, scope: Scope): string {
  const measures = list('f', MEASURE_NAMES);
  return `
    WITH fresh AS MATERIALIZED (${table.fresh(scope.on)}),
    surplus AS (
      SELECT ${list('t', table.key)} FROM sales.${table.name} AS t
       WHERE t.company_id = $1 AND ${scope.on('t')} AND NOT EXISTS (SELECT FROM fresh AS f WHERE ${same('f', 't', table.key)})
    ),
    wrong AS (
      SELECT ${list('f', table.key)}, ${measures} FROM fresh AS f
        LEFT JOIN sales.${table.name} AS e ON e.company_id = $1 AND ${same('e', 'f', table.key)}
       WHERE e.company_id IS NULL OR (${list('e', MEASURE_NAMES)}) IS DISTINCT FROM (${measures})
    )`;
}

const ROWS = `(SELECT account_id, marketplace_id, local_date FROM surplus_rows
            UNION ALL SELECT account_id, marketplace_id, local_date FROM wrong_rows)`;

const BY_DAY = `
    SELECT d.account_id AS "accountId", d.marketplace_id AS "marketplaceId", d.local_date AS "localDate",
           count(*)::int AS rows, bool_or(m.account_id IS NOT NULL) AS marked
      FROM ${ROWS} AS d
      LEFT JOIN (SELECT DISTINCT account_id, marketplace_id, local_date FROM sales.dirty WHERE company_id = $1) AS m
        USING (account_id, marketplace_id, local_date)
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

/**
 * Makes the buckets of a scope again from the orders, in one statement: rows that are no longer made are deleted, rows
 * that differ are written, all others are left untouched.
 */
function merging(table: Rollup, scope: Scope): string {
  const columns = [...table.key, ...MEASURE_NAMES].join(', ');
  return `${difference(table, scope)},
    surplus_rows AS (
      DELETE FROM sales.${table.name} AS t USING surplus AS s
       WHERE t.company_id = $1 AND ${same('t', 's', table.key)}
      RETURNING t.account_id, t.marketplace_id, t.local_date
    ),
    wrong_rows AS (
      INSERT INTO sales.${table.name} AS t (company_id, ${columns}) SELECT $1, ${columns} FROM wrong
      ON CONFLICT (company_id, ${table.key.join(', ')})
        DO UPDATE SET ${MEASURE_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
      RETURNING t.account_id, t.marketplace_id, t.local_date
    )`;
}

/** Merges a scope and returns how many rows it wrote or deleted. */
export async function merge(ctx: Ctx, table: Rollup, scope: Scope): Promise<number> {
  const text = `${merging(table, scope)} SELECT count(*) AS n FROM ${ROWS} AS d`;
  const { rows } = await ctx.client.query<{ n: number }>(text, [ctx.companyId, ...scope.values]);
  return rows[0]?.n ?? 0;
}

/** Merges a scope and says what differed, by store day. */
export async function heal(ctx: Ctx, table: Rollup, scope: Scope): Promise<Changed[]> {
  const values = [ctx.companyId, ...scope.values];
  return (await ctx.client.query<Changed>(`${merging(table, scope)}${BY_DAY}`, values)).rows;
}

/** What healing would put right; writes nothing. */
export async function compare(ctx: Ctx, table: Rollup, scope: Scope): Promise<Changed[]> {
  const { rows } = await ctx.client.query<Changed>(
    `${difference(table, scope)},
    surplus_rows AS (SELECT account_id, marketplace_id, local_date FROM surplus),
    wrong_rows AS (SELECT account_id, marketplace_id, local_date FROM wrong)${BY_DAY}`,
    [ctx.companyId, ...scope.values],
  );
  return rows;
}
