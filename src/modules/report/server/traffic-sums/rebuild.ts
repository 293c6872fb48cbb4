import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type DirtyMonths, dirtyRelation } from './dirty.ts';
import { KEYS, MEASURES } from './measures.ts';

const COLUMNS = Object.values(MEASURES);
const keys = KEYS.join(', ');
const names = COLUMNS.map(({ column }) => column).join(', ');
const exact = (kind: string) => (kind === 'integer' ? '::int' : '');
const byDay = COLUMNS.map(({ column, of }) => `coalesce(sum(${of}), 0) AS ${column}`).join(', ');
const comeTo = COLUMNS.map(({ column, kind }) => `(sum(${column}) OVER w)${exact(kind)} AS ${column}`).join(', ');
const packed = COLUMNS.map(({ column }) => `array_agg(${column} ORDER BY day_no)`).join(', ');
const last = COLUMNS.map(({ column }) => `${column}[cardinality(days)]`).join(', ');
const ofSite = sql.raw('account_id, marketplace_id');

/** Sums of months go with whatever they say, and come again from the days. */
async function clear(ctx: Ctx, months: DirtyMonths): Promise<void> {
  for (const table of ['traffic_run', 'traffic_month']) {
    await sql`DELETE FROM ${sql.table(`report.${table}`)} AS k USING ${dirtyRelation(months)}
               WHERE k.company_id = ${ctx.companyId} AND k.month = x.month AND k.account_id = x.account_id
                 AND k.marketplace_id = x.marketplace_id`.execute(ctx.db);
  }
  await sql`DELETE FROM report.traffic_day AS k USING ${dirtyRelation(months)}
             WHERE k.company_id = ${ctx.companyId} AND k.day >= x.month AND k.day < x.month + interval '1 month'
               AND k.account_id = x.account_id AND k.marketplace_id = x.marketplace_id`.execute(ctx.db);
}

/** Packs the days of months, adds them up by month and by day, in the caller's transaction. */
async function rebuild(ctx: Ctx, months: DirtyMonths): Promise<void> {
  const of = sql`k.company_id = ${ctx.companyId} AND k.account_id = x.account_id AND k.marketplace_id = x.marketplace_id`;
  await clear(ctx, months);
  await sql`
    INSERT INTO report.traffic_run (company_id, ${ofSite}, month, ${sql.raw(keys)}, days, ${sql.raw(names)})
    SELECT ${ctx.companyId}::uuid, ${ofSite}, month, ${sql.raw(keys)}, array_agg(day_no ORDER BY day_no), ${sql.raw(packed)}
      FROM (SELECT ${ofSite}, month, ${sql.raw(keys)}, day_no, ${sql.raw(comeTo)}
              FROM (SELECT f.account_id, f.marketplace_id, x.month, ${sql.raw(KEYS.map((key) => `f.${key}`).join(', '))},
                           extract(day FROM f.day)::smallint AS day_no, ${sql.raw(byDay)}
                      FROM ${dirtyRelation(months)}
                      JOIN report.traffic AS f ON f.company_id = ${ctx.companyId} AND f.account_id = x.account_id
                       AND f.marketplace_id = x.marketplace_id AND f.day >= x.month AND f.day < x.month + interval '1 month'
                     GROUP BY f.account_id, f.marketplace_id, x.month, ${sql.raw(KEYS.map((key) => `f.${key}`).join(', '))}, day_no) AS d
            WINDOW w AS (PARTITION BY ${ofSite}, month, ${sql.raw(keys)} ORDER BY day_no)) AS r
     GROUP BY ${ofSite}, month, ${sql.raw(keys)}`.execute(ctx.db);
  await sql`
    INSERT INTO report.traffic_month (company_id, ${ofSite}, month, ${sql.raw(keys)}, ${sql.raw(names)})
    SELECT k.company_id, k.account_id, k.marketplace_id, k.month, ${sql.raw(keys)}, ${sql.raw(last)}
      FROM ${dirtyRelation(months)} JOIN report.traffic_run AS k ON ${of} AND k.month = x.month`.execute(ctx.db);
  await sql`
    INSERT INTO report.traffic_day (company_id, ${ofSite}, day, level, currency, ${sql.raw(names)})
    SELECT f.company_id, f.account_id, f.marketplace_id, f.day, f.level, f.currency, ${sql.raw(byDay)}
      FROM ${dirtyRelation(months)}
      JOIN report.traffic AS f ON f.company_id = ${ctx.companyId} AND f.account_id = x.account_id
       AND f.marketplace_id = x.marketplace_id AND f.day >= x.month AND f.day < x.month + interval '1 month'
     GROUP BY f.company_id, f.account_id, f.marketplace_id, f.day, f.level, f.currency`.execute(ctx.db);
}

/** So many months of sites are made anew in one transaction. */
const AT_ONCE = 12;

/**
 * Takes marks that are there by now and makes their months anew. A change that is not committed yet has marks of its own, which
 * wait for the next time. Returns how many months of sites were made.
 */
export async function refreshTraffic(ctx: Ctx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`traffic:${ctx.companyId}`}, 0))`.execute(ctx.db);
  const { rows } = await sql<{ account_id: string; marketplace_id: string; month: string }>`
    WITH due AS (
      SELECT DISTINCT account_id, marketplace_id, month FROM report.traffic_dirty
       WHERE company_id = ${ctx.companyId} ORDER BY 1, 2, 3 LIMIT ${AT_ONCE}),
    taken AS (
      DELETE FROM report.traffic_dirty AS m USING due AS d
       WHERE m.company_id = ${ctx.companyId} AND m.account_id = d.account_id AND m.marketplace_id = d.marketplace_id
         AND m.month = d.month RETURNING m.account_id, m.marketplace_id, m.month)
    SELECT DISTINCT account_id, marketplace_id, month FROM taken`.execute(ctx.db);
  if (rows.length === 0) return 0;
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  await rebuild(ctx, {
    accounts: rows.map((row) => row.account_id),
    sites: rows.map((row) => row.marketplace_id),
    months: rows.map((row) => row.month),
  });
  return rows.length;
}
