import type { Ctx } from '#kit/server/context.ts';
import { MEASURE_NAMES } from './measures.ts';
import { rowsIn, type Scope } from './scope.ts';
import type { Rollup } from './tables.ts';

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

/** Rows of the table in a scope, with their place in it. */
function stored(table: Rollup, scope: Scope): string {
  const columns = `t.ctid AS place, ${list('t', [...table.key, ...MEASURE_NAMES])}`;
  return `SELECT t.* FROM ${rowsIn(scope, `sales.${table.name}`, 't', 't.slot_start', columns)}`;
}

/**
 * What the table says and the orders do not (`gone`), and the other way round. A full join is one pass over both sides
 * whatever the planner thinks of their sizes.
 */
function difference(table: Rollup, scope: Scope): string {
  const key = table.key.map((column) => `coalesce(f.${column}, s.${column}) AS ${column}`).join(', ');
  return `
    WITH fresh AS MATERIALIZED (${table.fresh(scope)}),
    stored AS MATERIALIZED (${stored(table, scope)}),
    difference AS MATERIALIZED (
      SELECT s.place, f.account_id IS NULL AS gone, ${key}, ${list('f', MEASURE_NAMES)}
        FROM fresh AS f FULL JOIN stored AS s ON ${same('f', 's', table.key)}
       WHERE f.account_id IS NULL OR s.account_id IS NULL
          OR (${list('s', MEASURE_NAMES)}) IS DISTINCT FROM (${list('f', MEASURE_NAMES)})
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
      DELETE FROM sales.${table.name} AS t
       WHERE t.company_id = $1 AND t.ctid = ANY (ARRAY(SELECT place FROM difference WHERE gone))
      RETURNING t.account_id, t.marketplace_id, t.local_date
    ),
    wrong_rows AS (
      INSERT INTO sales.${table.name} AS t (company_id, ${columns}) SELECT $1, ${columns} FROM difference WHERE NOT gone
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
    surplus_rows AS (SELECT account_id, marketplace_id, local_date FROM difference WHERE gone),
    wrong_rows AS (SELECT account_id, marketplace_id, local_date FROM difference WHERE NOT gone)${BY_DAY}`,
    [ctx.companyId, ...scope.values],
  );
  return rows;
}
