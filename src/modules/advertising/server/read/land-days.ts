import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { copyFields, copyText } from '#kit/server/db/copy.ts';
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

/** What a report says about one day. */
interface Slice {
  day: string;
  rows: number;
  /** The same for the same rows in any order. */
  hash: string;
  cost: string;
}

const STAGE = 'pg_temp.stage_ad_day';

/** A row that says that nothing happened. */
const isSilent = ({ impressions, clicks }: ReportLine) => impressions === '0' && clicks === '0';

/** Columns of a grain's table that come from its reports. */
function columnsIn({ dimensions, metrics }: Grain) {
  return sql.raw(['day', ...dimensions.map(([, column]) => column), ...metrics.map(({ to }) => to)].join(', '));
}

/**
 * Copies a report's rows into a table of the transaction's own, as they come: rows of a table with row-level security cannot
 * be copied into it, and memory does not grow with the report. Returns how many rows the report has.
 */
async function stage(ctx: Ctx, { grain, lines }: ReadReport): Promise<number> {
  await sql`DROP TABLE IF EXISTS ${sql.raw(STAGE)}`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_ad_day ON COMMIT DROP AS
    SELECT ${columnsIn(grain)} FROM ${sql.table(grain.table)} WITH NO DATA`.execute(ctx.db);
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const some of lines()) {
      count += some.length;
      const told = some.filter((line) => !isSilent(line));
      yield told.map((line) => `${copyFields([line.date, ...valuesOf(grain, line)])}\n`).join('');
    }
  }
  await copyText(ctx, STAGE, texts());
  return count;
}

/** The staged report cut into the days it was asked for. A day without a row is news too: it may have had some before. */
async function slices(ctx: Ctx, { span, grain }: ReadReport): Promise<Slice[]> {
  const cost = sql.raw(grain.metrics.some(({ to }) => to === 'cost') ? 'coalesce(sum(s.cost), 0)' : '0');
  const { rows } = await sql<Slice>`
    SELECT d.day::date::text AS day, count(s.day)::int AS rows, ${cost}::text AS cost,
           concat_ws(':', count(s.day), sum(hashtextextended(s::text, 0)::numeric), sum(hashtextextended(s::text, 1)::numeric)) AS hash
      FROM generate_series(${span.from}::date, ${span.to}::date, interval '1 day') AS d(day)
      LEFT JOIN ${sql.raw(STAGE)} AS s ON s.day = d.day::date
     GROUP BY 1 ORDER BY 1`.execute(ctx.db);
  return rows;
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
  return all.filter(({ day, hash, rows: count }) => {
    const before = known.get(day);
    if (!before) return count > 0;
    return !before.newer && before.content_hash !== hash;
  });
}

async function noteSlices(ctx: Ctx, key: ProfileKey, report: ReadReport, all: readonly Slice[]): Promise<void> {
  await sql`
    INSERT INTO advertising.slice AS s (company_id, account_id, profile_id, grain, day, rows, cost, content_hash, as_of)
    SELECT ${ctx.companyId}, ${key.accountId}, ${key.profileId}, ${report.grain.code}, r.day, r.rows, r.cost, r.hash,
           ${report.asOf}
      FROM jsonb_to_recordset(${JSON.stringify(all)}::jsonb) AS r(day date, rows int, cost numeric, hash text)
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
  const rowsIn = await stage(ctx, report);
  const all = await slices(ctx, report);
  const changed = await news(ctx, key, report, all);
  const table = sql.table(grain.table);
  const days = changed.map(({ day }) => day);
  const { numAffectedRows } = await sql`
    DELETE FROM ${table} WHERE company_id = ${ctx.companyId} AND profile_id = ${key.profileId} AND ad_product = ${grain.product}
       AND day = ANY(${days}::date[])`.execute(ctx.db);
  await sql`
    INSERT INTO ${table} (company_id, account_id, marketplace_id, profile_id, ad_product, ${columnsIn(grain)})
    SELECT ${ctx.companyId}, ${key.accountId}, ${key.marketplaceId}, ${key.profileId}, ${grain.product}, ${columnsIn(grain)}
      FROM ${sql.raw(STAGE)} WHERE day = ANY(${days}::date[])`.execute(ctx.db);
  await noteSlices(ctx, key, report, all);
  if (grain.spend && days.length > 0) {
    const { accountId, marketplaceId } = key;
    await emit(ctx, adSpendTouched, { accountId, marketplaceId, days });
  }
  await ctx.db
    .updateTable('advertising.report_request')
    .set({ state: 'loaded', rows: rowsIn, ended_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', report.requestId)
    .execute();
  const written = changed.reduce((total, { rows }) => total + rows, 0);
  const updated = Math.min(Number(numAffectedRows ?? 0), written);
  return { rowsIn, inserted: written - updated, updated, unchanged: Math.max(0, rowsIn - written) };
}
