import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { KEYS, MEASURES } from './measures.ts';

const COLUMNS = Object.values(MEASURES);
const list = (parts: readonly string[]) => sql.raw(parts.join(', '));
const keys = list(KEYS);
const names = list(COLUMNS.map(({ column }) => column));
/** Keys told apart by bytes, the SKU first: the sort is most of the work. */
const bytes = list(KEYS.map((key) => `f.${key} COLLATE "C" AS ${key}`));
const figures = list(COLUMNS.map(({ column, of }) => `coalesce(${of}, 0) AS ${column}`));
const comeTo = list(
  COLUMNS.map(({ column, kind }) => `(sum(${column}) OVER w)${kind === 'integer' ? '::int' : ''} AS ${column}`),
);
const packed = list(COLUMNS.map(({ column }) => `array_agg(${column} ORDER BY day_no)`));
const last = list(COLUMNS.map(({ column }) => `${column}[cardinality(days)]`));
const sums = list(COLUMNS.map(({ of }) => `coalesce(sum(${of}), 0)`));

interface Month {
  account_id: string;
  marketplace_id: string;
  /** Its first day. */
  month: string;
}

/** Packs the days of a site's month and adds them up by month and by day, in the caller's transaction. */
async function rebuild(ctx: Ctx, { account_id: account, marketplace_id: site, month }: Month): Promise<void> {
  const place = sql`${ctx.companyId}::uuid, ${account}::uuid, ${site}::text`;
  const here = sql`company_id = ${ctx.companyId} AND account_id = ${account} AND marketplace_id = ${site}`;
  const until = `${dayAfter(month, 31).slice(0, 7)}-01`;
  const days = sql`day >= ${month}::date AND day < ${until}::date`;
  for (const table of ['traffic_run', 'traffic_month']) {
    await sql`DELETE FROM ${sql.table(`report.${table}`)} WHERE ${here} AND month = ${month}::date`.execute(ctx.db);
  }
  await sql`DELETE FROM report.traffic_day WHERE ${here} AND ${days}`.execute(ctx.db);
  await sql`
    INSERT INTO report.traffic_run (company_id, account_id, marketplace_id, month, ${keys}, days, ${names})
    SELECT ${place}, ${month}::date, ${keys}, array_agg(day_no ORDER BY day_no), ${packed}
      FROM (SELECT ${keys}, day_no, ${comeTo}
              FROM (SELECT ${bytes}, extract(day FROM f.day)::smallint AS day_no, ${figures}
                      FROM report.traffic AS f WHERE ${here} AND ${days}) AS d
            WINDOW w AS (PARTITION BY ${keys} ORDER BY day_no)) AS r
     GROUP BY ${keys}`.execute(ctx.db);
  await sql`
    INSERT INTO report.traffic_month (company_id, account_id, marketplace_id, month, ${keys}, ${names})
    SELECT company_id, account_id, marketplace_id, month, ${keys}, ${last} FROM report.traffic_run
     WHERE ${here} AND month = ${month}::date`.execute(ctx.db);
  await sql`
    INSERT INTO report.traffic_day (company_id, account_id, marketplace_id, day, level, currency, ${names})
    SELECT ${place}, f.day, f.level, f.currency, ${sums} FROM report.traffic AS f WHERE ${here} AND ${days}
     GROUP BY f.day, f.level, f.currency`.execute(ctx.db);
}

/** So many months of sites are made anew in one transaction. */
const AT_ONCE = 6;

/**
 * Takes marks that are there by now and makes their months anew. A change that is not committed yet has marks of its own, which
 * wait for the next time. Returns how many months of sites were made.
 */
export async function refreshTraffic(ctx: Ctx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`traffic:${ctx.companyId}`}, 0))`.execute(ctx.db);
  const { rows } = await sql<Month>`
    WITH due AS (
      SELECT DISTINCT account_id, marketplace_id, month FROM report.traffic_dirty
       WHERE company_id = ${ctx.companyId} ORDER BY 1, 2, 3 LIMIT ${AT_ONCE}),
    taken AS (
      DELETE FROM report.traffic_dirty AS m USING due AS d
       WHERE m.company_id = ${ctx.companyId} AND m.account_id = d.account_id AND m.marketplace_id = d.marketplace_id
         AND m.month = d.month RETURNING m.account_id, m.marketplace_id, m.month)
    SELECT DISTINCT account_id, marketplace_id, month FROM taken`.execute(ctx.db);
  if (rows.length > 0) await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  for (const row of rows) await rebuild(ctx, row);
  return rows.length;
}
