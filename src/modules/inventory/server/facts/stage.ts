import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { copyField, copyFields, copyText } from '#kit/server/db/copy.ts';
import { indexTemporary } from '#kit/server/db/statistics.ts';
import type { RowRefused } from '#modules/marketplace/server/index.ts';
import type { FactDef, ReportRow } from './def.ts';

/** Where rows of a file belong. */
export interface Place {
  stock: string;
  zone: string;
  /** Business day of reports about the present. */
  today: string;
  /** Marketplace of a row by the country that it names. */
  siteOf: (country: string) => string;
}

/** The business day of a row; null where it names none. */
export function dayOf<Row extends ReportRow>(def: FactDef<Row>, row: Row, place: Place): string | null {
  return def.day === 'present' ? place.today : def.day(row, place.zone);
}

/** Why a row cannot be taken over; undefined for a good one. */
export function problemOf<Row extends ReportRow>(def: FactDef<Row>, row: Row, day: string | null): string | undefined {
  return row.problem ?? (day === null ? '缺少日期' : def.problem?.(row));
}

function lineOf<Row extends ReportRow>(def: FactDef<Row>, row: Row, day: string, place: Place): string {
  let key = `${place.stock}\t${day}`;
  let values = '';
  let text = '';
  for (const column of def.columns) {
    const field = copyField(column.of(row));
    text += `\t${field}`;
    if (column.key) key += `\t${field}`;
    else values += `\t${field}`;
  }
  const site = place.siteOf(def.country?.(row) ?? '');
  const head = copyFields([hash('md5', key), hash('md5', values), def.isNamed(row), day, site]);
  return `${head}${text}\n`;
}

/** What was copied. */
export interface StagedRows {
  /** Rows of the file, good and bad. */
  rows: number;
  /** Business days that the good ones are of. */
  days: ReadonlySet<string>;
}

/** Copies the rows of a file into `stage_fact`; good ones only. Memory use does not depend on the number of rows. */
export async function stageRows<Row extends ReportRow>(
  ctx: Ctx,
  def: FactDef<Row>,
  batches: AsyncIterable<Row[]>,
  place: Place,
  refused: RowRefused[],
): Promise<StagedRows> {
  const columns = def.columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  await sql`DROP TABLE IF EXISTS pg_temp.stage_fact, pg_temp.fact_row, pg_temp.fact_take`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_fact (key_hash uuid, row_hash uuid, is_named boolean, day date, marketplace_id text,
      ${sql.raw(columns)}) ON COMMIT DROP`.execute(ctx.db);
  let rows = 0;
  const days = new Set<string>();
  async function* lines() {
    for await (const batch of batches) {
      let out = '';
      for (const row of batch) {
        rows += 1;
        const day = dayOf(def, row, place);
        const reason = problemOf(def, row, day);
        if (reason !== undefined || day === null) {
          refused.push({ lineNo: row.lineNo, reason: reason ?? '' });
          continue;
        }
        days.add(day);
        out += lineOf(def, row, day, place);
      }
      if (out !== '') yield out;
    }
  }
  await copyText(ctx, 'pg_temp.stage_fact', lines());
  return { rows, days };
}

/**
 * Gives each staged row its id: the hash of its key, and of its number among different rows with that key. Named rows
 * that repeat another one in every column count once. Which of several rows gets which number depends on their content
 * only, so a shuffled file gives the same ids.
 */
export async function nameRows<Row extends ReportRow>(ctx: Ctx, def: FactDef<Row>): Promise<void> {
  const names = sql.raw(def.columns.map(({ name }) => name).join(', '));
  const byKey = def.mode === 'rows' ? sql.raw(`${def.newer} DESC, row_hash`) : sql.raw('row_hash');
  // The day is part of the key, so that it parts nothing: with it in front the rows come out in the order of the table's own
  // key, and neither the index below nor the merge has to look for its rows all over the place.
  await sql`
    CREATE TEMP TABLE fact_row ON COMMIT DROP AS
    SELECT CASE WHEN n = 1 THEN key_hash ELSE md5(key_hash::text || n)::uuid END AS row_id, day, marketplace_id, ${names}
      FROM (SELECT *, is_named AND row_hash IS NOT DISTINCT FROM lag(row_hash) OVER same AS twin,
                   CASE WHEN is_named THEN dense_rank() OVER same ELSE row_number() OVER same END AS n
              FROM pg_temp.stage_fact WINDOW same AS (PARTITION BY day, key_hash ORDER BY ${byKey})) AS counted
     WHERE NOT twin ${def.mode === 'rows' ? sql.raw('AND n = 1') : sql.raw('')}`.execute(ctx.db);
  await sql`DROP TABLE pg_temp.stage_fact`.execute(ctx.db);
  await indexTemporary(ctx, 'fact_row', 'day, row_id');
}
