import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { copyRows } from '#kit/server/db/copy.ts';
import { emit } from '#kit/server/events.ts';
import type { LandCounts } from '#modules/marketplace/server/index.ts';
import { adSpendTouched } from '../spend.ts';
import { columnsOf, type Grain, type Metric } from './grains.ts';
import type { ReadReport, ReportLine } from './report.ts';

/** Whose figures these are. */
export interface ProfileKey {
  accountId: string;
  marketplaceId: string;
  profileId: string;
}

interface Slice {
  day: string;
  lines: readonly ReportLine[];
  hash: string;
  cost: string;
}

function daysOf({ span }: ReadReport): string[] {
  const days: string[] = [];
  for (let at = Date.parse(span.from); at <= Date.parse(span.to); at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

/** The report cut into its days. A day without a row is news too: it may have had some before. */
function slices(report: ReadReport): Slice[] {
  const byDay = Map.groupBy(report.lines, (line) => line.date ?? '');
  return daysOf(report).map((day) => {
    const lines = (byDay.get(day) ?? []).filter((line) => line.impressions !== '0' || line.clicks !== '0');
    const texts = lines.map((line) => JSON.stringify(valuesOf(report.grain, line))).sort();
    const cost = lines.reduce((total, line) => total.plus(line.cost ?? 0), new Decimal(0)).toFixed();
    return { day, lines, hash: createHash('sha256').update(texts.join('\n')).digest('hex'), cost };
  });
}

function figureOf(line: ReportLine, { from, minus }: Metric): string {
  const whole = line[from] ?? '0';
  return minus === undefined ? whole : new Decimal(whole).minus(line[minus] ?? 0).toFixed();
}

function dimensionOf(line: ReportLine, columns: string): string {
  return (
    columnsOf(columns)
      .map((one) => line[one])
      .find((value) => value) ?? ''
  );
}

function valuesOf({ dimensions, metrics }: Grain, line: ReportLine): string[] {
  return [
    ...dimensions.map(([column]) => dimensionOf(line, column)),
    ...metrics.map((metric) => figureOf(line, metric)),
  ];
}

/**
 * Of these days those to be written, with their places locked: not those that a report asked for later has written, nor
 * those whose content is the same.
 */
async function news(ctx: Ctx, key: ProfileKey, report: ReadReport, all: readonly Slice[]): Promise<Slice[]> {
  const days = all.map(({ day }) => day);
  const { rows } = await sql<{ day: string; content_hash: string; newer: boolean }>`
    SELECT day, content_hash, as_of > ${report.asOf}::timestamptz AS newer FROM advertising.slice
     WHERE company_id = ${ctx.companyId} AND profile_id = ${key.profileId} AND grain = ${report.grain.code}
       AND day = ANY(${days}::date[]) ORDER BY day FOR UPDATE`.execute(ctx.db);
  const known = new Map(rows.map((row) => [row.day, row]));
  return all.filter(({ day, hash, lines }) => {
    const before = known.get(day);
    if (!before) return lines.length > 0;
    return !before.newer && before.content_hash !== hash;
  });
}

async function noteSlices(ctx: Ctx, key: ProfileKey, report: ReadReport, all: readonly Slice[]): Promise<void> {
  const rows = all.map(({ day, lines, cost, hash }) => ({ day, rows: lines.length, cost, hash }));
  await sql`
    INSERT INTO advertising.slice AS s (company_id, account_id, profile_id, grain, day, rows, cost, content_hash, as_of)
    SELECT ${ctx.companyId}, ${key.accountId}, ${key.profileId}, ${report.grain.code}, r.day, r.rows, r.cost, r.hash,
           ${report.asOf}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(day date, rows int, cost numeric, hash text)
    ON CONFLICT (company_id, profile_id, grain, day) DO UPDATE
       SET rows = excluded.rows, cost = excluded.cost, content_hash = excluded.content_hash, as_of = excluded.as_of,
           version = s.version + (s.content_hash <> excluded.content_hash)::int
     WHERE s.as_of <= excluded.as_of`.execute(ctx.db);
}

/**
 * Replaces the days of a report in the caller's transaction, by COPY. Days that say the same as before are left alone, so
 * the same report read twice writes nothing; of two reports about a day the one that was asked for later stands.
 */
export async function landReport(ctx: Ctx, key: ProfileKey, report: ReadReport): Promise<LandCounts> {
  const { grain } = report;
  const all = slices(report);
  const changed = await news(ctx, key, report, all);
  const table = sql.table(grain.table);
  const days = changed.map(({ day }) => day);
  const { numAffectedRows } = await sql`
    DELETE FROM ${table} WHERE company_id = ${ctx.companyId} AND profile_id = ${key.profileId} AND ad_product = ${grain.product}
       AND day = ANY(${days}::date[])`.execute(ctx.db);
  const names = [...grain.dimensions.map(([, column]) => column), ...grain.metrics.map(({ to }) => to)];
  const columns = sql.raw(['day', ...names].join(', '));
  const rows = changed.flatMap(({ day, lines }) => lines.map((line) => [day, ...valuesOf(grain, line)]));
  // Rows of a table with row-level security cannot be copied into it: they go through a stage.
  await sql`DROP TABLE IF EXISTS pg_temp.stage_ad_day`.execute(ctx.db);
  await sql`CREATE TEMP TABLE stage_ad_day ON COMMIT DROP AS SELECT ${columns} FROM ${table} WITH NO DATA`.execute(
    ctx.db,
  );
  await copyRows(ctx, 'pg_temp.stage_ad_day', rows);
  await sql`
    INSERT INTO ${table} (company_id, account_id, marketplace_id, profile_id, ad_product, ${columns})
    SELECT ${ctx.companyId}, ${key.accountId}, ${key.marketplaceId}, ${key.profileId}, ${grain.product}, ${columns}
      FROM pg_temp.stage_ad_day`.execute(ctx.db);
  await noteSlices(ctx, key, report, all);
  if (grain.spend && days.length > 0) {
    const { accountId, marketplaceId } = key;
    await emit(ctx, adSpendTouched, { accountId, marketplaceId, days });
  }
  await ctx.db
    .updateTable('advertising.report_request')
    .set({ state: 'loaded', rows: report.lines.length, ended_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', report.requestId)
    .execute();
  const updated = Math.min(Number(numAffectedRows ?? 0), rows.length);
  const rowsIn = report.lines.length;
  return { rowsIn, inserted: rows.length - updated, updated, unchanged: Math.max(0, rowsIn - rows.length) };
}
