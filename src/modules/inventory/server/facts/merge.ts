import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { analyseIfGrown } from '#kit/server/db/statistics.ts';
import { type AskedPeriod, businessDay, forgetTaken } from '#modules/marketplace/server/index.ts';
import type { FactDef, ReportRow } from './def.ts';

/** What is written, and on whose word. */
export interface Target {
  accountId: string;
  /** Name of all files about the same rows. */
  place: string;
  stock: string;
  zone: string;
  documentId: string;
  reportType: string;
  asked: AskedPeriod | undefined;
  /** Business days that the rows of the file are of. */
  days: ReadonlySet<string>;
}

const DAY_MS = 86_400_000;
const plusDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/**
 * Business days of which the asked period holds every minute, or all that there are of them yet. A period that somebody
 * typed in is of UTC days, so its first and last day are cut.
 */
export function wholeDays(asked: AskedPeriod, zone: string): string[] {
  const last = businessDay(Date.parse(asked.to) - 1, zone);
  let day = businessDay(asked.from, zone);
  const days: string[] = [];
  for (; day <= last; day = plusDay(day)) days.push(day);
  return asked.wholeDays ? days : days.slice(1, -1);
}

/**
 * SQL of when the report knew what it says of a day: when it was asked for; of a last day that its period cuts off, when
 * that period was fixed.
 */
function knownAt({ asked, zone }: Target, day: RawBuilder<unknown>): RawBuilder<string | null> {
  if (!asked) return sql`NULL::timestamptz`;
  const { to, at, plannedAt = at } = asked;
  const last = businessDay(Date.parse(to) - 1, zone);
  const isCut = businessDay(to, zone) === last;
  return isCut
    ? sql`CASE WHEN ${day} = ${last}::date THEN least(${at}::timestamptz, ${plannedAt}::timestamptz) ELSE ${at}::timestamptz END`
    : sql`${at}::timestamptz`;
}

/** Days that this file may write: whole ones that no later report told, others that the marketplace never told. */
async function takeDays(ctx: Ctx, mode: FactDef<ReportRow>['mode'], target: Target): Promise<void> {
  const { asked, zone } = target;
  const listed = mode === 'period' && asked ? wholeDays(asked, zone) : [];
  const isWhole = mode === 'file' && asked ? sql`true` : sql`r.day = ANY (${listed}::date[])`;
  const days = [...target.days];
  await sql`
    CREATE TEMP TABLE fact_take ON COMMIT DROP AS
    SELECT r.day, r.whole
      FROM (SELECT r.day, ${isWhole} AS whole FROM unnest(${days}::date[]) AS r (day)
            UNION SELECT l.day, true FROM unnest(${listed}::date[]) AS l (day)) AS r
      LEFT JOIN inventory.fact_day AS k
        ON k.company_id = ${ctx.companyId} AND k.account_id = ${target.accountId} AND k.stock = ${target.stock}
       AND k.report_type = ${target.reportType} AND k.day = r.day
     WHERE k.day IS NULL OR r.whole AND k.asked_at <= ${knownAt(target, sql`r.day`)}`.execute(ctx.db);
  await sql`ANALYZE pg_temp.fact_take`.execute(ctx.db);
}

/** Rows of whole days that the file no longer has are gone. */
async function deleteVanished(ctx: Ctx, table: RawBuilder<unknown>, target: Target): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM ${table} AS f USING pg_temp.fact_take AS t
     WHERE f.company_id = ${ctx.companyId} AND f.account_id = ${target.accountId} AND f.stock = ${target.stock}
       AND f.day = t.day AND t.whole
       AND NOT EXISTS (SELECT FROM pg_temp.fact_row AS r WHERE r.day = f.day AND r.row_id = f.row_id)`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Rewrites the rows that differ, then adds those that are missing. Two statements instead of one INSERT … ON CONFLICT, which
 * looks up and marks each row of a million before it writes it: loads of the same rows wait for each other, so that a row that
 * is missing stays so. In the order of the key: a random order would touch a page of every index per row.
 */
async function writeChanged<Row extends ReportRow>(
  ctx: Ctx,
  def: FactDef<Row>,
  table: RawBuilder<unknown>,
  target: Target,
): Promise<{ inserted: number; updated: number }> {
  const names = ['marketplace_id', ...def.columns.map(({ name }) => name)];
  const listed = (prefix: string) => sql.raw(names.map((name) => prefix + name).join(', '));
  const values = ['marketplace_id', ...def.columns.filter(({ key }) => !key).map(({ name }) => name)];
  const of = (prefix: string) => sql.raw(values.map((name) => prefix + name).join(', '));
  const assigned = sql.raw(values.map((name) => `${name} = r.${name}`).join(', '));
  const rows = sql`pg_temp.fact_row AS r ${def.mode === 'rows' ? sql.raw('') : sql`JOIN pg_temp.fact_take AS t USING (day)`}`;
  const same = sql`k.company_id = ${ctx.companyId} AND k.account_id = ${target.accountId} AND k.day = r.day AND k.row_id = r.row_id`;
  const newer = def.newer === undefined ? sql.raw('') : sql.raw(`AND k.${def.newer} <= r.${def.newer}`);
  const updated = await sql`
    UPDATE ${table} AS k SET ${assigned}, document_id = ${target.documentId}::uuid FROM ${rows}
     WHERE ${same} AND (${of('k.')}) IS DISTINCT FROM (${of('r.')}) ${newer}`.execute(ctx.db);
  const inserted = await sql`
    INSERT INTO ${table} (company_id, account_id, stock, document_id, day, row_id, ${listed('')})
    SELECT ${ctx.companyId}::uuid, ${target.accountId}::uuid, ${target.stock}::text, ${target.documentId}::uuid,
           r.day, r.row_id, ${listed('r.')}
      FROM ${rows} WHERE NOT EXISTS (SELECT FROM ${table} AS k WHERE ${same})
     ORDER BY r.day, r.row_id`.execute(ctx.db);
  return { inserted: Number(inserted.numAffectedRows ?? 0), updated: Number(updated.numAffectedRows ?? 0) };
}

/** Days that were told by a report that was asked for then, or later. */
async function noteDays(ctx: Ctx, target: Target, days: RawBuilder<unknown>): Promise<void> {
  if (!target.asked) return;
  await sql`
    INSERT INTO inventory.fact_day AS k (company_id, account_id, report_type, stock, day, asked_at)
    SELECT ${ctx.companyId}, ${target.accountId}, ${target.reportType}, ${target.stock}, t.day,
           ${knownAt(target, sql`t.day`)}
      FROM (SELECT day FROM ${days}) AS t
    ON CONFLICT (company_id, account_id, report_type, stock, day) DO UPDATE SET asked_at = excluded.asked_at
     WHERE k.asked_at < excluded.asked_at`.execute(ctx.db);
}

/** Loads of the same place wait for each other until the transaction ends. */
export async function holdPlace(ctx: Ctx, place: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${ctx.companyId}:${place}`}, 0))`.execute(ctx.db);
}

/** What is left to do for a file all of whose days say what it says: they are as new as its own word. */
export async function noteRepeated(ctx: Ctx, target: Target, days: readonly string[]): Promise<void> {
  await noteDays(ctx, target, sql`unnest(${days}::date[]) AS d (day)`);
}

/**
 * What is taken now replaces what others said of those days. Returns whether the days asked for are all of them taken, and
 * hold all of the file's rows.
 */
async function replaceTaken(ctx: Ctx, target: Target, listed: readonly string[]): Promise<boolean> {
  const days = [...target.days, ...listed];
  const { rows } = await sql<{ first: string | null; last: string | null; sealed: boolean }>`
    SELECT min(day)::text AS first, max(day)::text AS last,
           coalesce(array_agg(day) FILTER (WHERE whole), '{}') @> ${days}::date[] AS sealed
      FROM pg_temp.fact_take`.execute(ctx.db);
  const { first, last, sealed } = rows[0] ?? { first: null, last: null, sealed: false };
  if (first !== null && last !== null) await forgetTaken(ctx, target.place, { first, last });
  return sealed;
}

/**
 * Brings a fact table up to what `fact_row` says, in the caller's transaction: what vanished goes, what is new comes,
 * what differs is rewritten, and nothing else is touched. Loads of the same place wait for each other. `sealed` says whether
 * the file is all that was told of its days.
 */
export async function mergeRows<Row extends ReportRow>(
  ctx: Ctx,
  def: FactDef<Row>,
  target: Target,
): Promise<{ inserted: number; updated: number; deleted: number; sealed: boolean }> {
  const table = sql.raw(def.table);
  await holdPlace(ctx, target.place);
  if (def.mode === 'rows') {
    const written = await writeChanged(ctx, def, table, target);
    await analyseIfGrown(ctx, def.table, written.inserted);
    return { ...written, deleted: 0, sealed: false };
  }
  await takeDays(ctx, def.mode, target);
  const sealed = await replaceTaken(ctx, target, target.asked ? wholeDays(target.asked, target.zone) : []);
  const deleted = await deleteVanished(ctx, table, target);
  const written = await writeChanged(ctx, def, table, target);
  await noteDays(ctx, target, sql`pg_temp.fact_take WHERE whole`);
  await analyseIfGrown(ctx, def.table, written.inserted);
  return { ...written, deleted, sealed };
}
