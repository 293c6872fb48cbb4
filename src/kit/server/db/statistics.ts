import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

const WORTH_IT = 1000;
/** Of a table that nobody has ever looked at: the planner takes it for empty. */
const WORTH_A_FIRST_LOOK = 100;
const GROWN_BY = 0.2;

/**
 * Tells the planner about a bulk load before the next statement of the same transaction has to work with it: without,
 * a fresh table looks empty and a join of thousands with thousands becomes a nested loop. Does nothing for small loads
 * or where another transaction is at it. `table` is written by the program.
 */
export async function analyseIfGrown(ctx: Pick<Ctx, 'db'>, table: string, newRows: number): Promise<void> {
  if (newRows < WORTH_A_FIRST_LOOK) return;
  const { rows } = await sql<{ worth: boolean }>`
    SELECT (reltuples < 0 OR ${newRows >= WORTH_IT} AND ${newRows} > reltuples * ${GROWN_BY})
           AND pg_try_advisory_xact_lock(hashtextextended(${`analyse ${table}`}, 0)) AS worth
      FROM pg_class WHERE oid = ${table}::regclass`.execute(ctx.db);
  if (rows[0]?.worth) await sql`ANALYZE ${sql.raw(table)}`.execute(ctx.db);
}

/**
 * Tells the planner how large a temporary table of this transaction is and how its key is spread. Only what is named is
 * looked at: of a table of fifty columns the other columns would take longer than the statement that the look is for. All
 * names are written by the program.
 */
export async function analyseTemporary(ctx: Pick<Ctx, 'db'>, table: string, columns: string): Promise<void> {
  await sql.raw(`ANALYZE pg_temp.${table} (${columns})`).execute(ctx.db);
}

/**
 * Makes a temporary table of this transaction quick to look up in by some columns, and these known to the planner: while a
 * stored table still looks empty to it, it walks through the temporary one for each row of that. Both names are written by
 * the program.
 */
export async function indexTemporary(ctx: Pick<Ctx, 'db'>, table: string, key: string): Promise<void> {
  await sql.raw(`CREATE INDEX ON pg_temp.${table} (${key})`).execute(ctx.db);
  await analyseTemporary(ctx, table, key);
}
