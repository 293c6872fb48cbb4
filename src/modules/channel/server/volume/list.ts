import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { type VolumeFilter, VolumeRow, WINDOW_KEYS } from '../../contract/volume.ts';
import { narrowed, plainUnits } from '../filter.ts';
import { coursesOf, PLACES } from './course.ts';
import { stocksOf } from './stock.ts';

type Units = Record<(typeof WINDOW_KEYS)[number], string>;
interface DbRow extends Units {
  id: string;
  daily: string;
  change: string | null;
  n: number;
  all: string[];
}
interface Around {
  sku: string | null;
  name: string | null;
  image: string | null;
}

/** One row per product that sold, with the number and the sums of all beside each, from one reading of the windows. */
function listed(ctx: Ctx, filter: VolumeFilter): Query<DbRow> {
  const column = (key: string) => (filter.bundles === 'sold' ? key : key.replace('u', 'x'));
  const sums = sql.raw(WINDOW_KEYS.map((key) => `sum(k.${column(key)}) AS ${key}`).join(', '));
  const all = sql.raw(`ARRAY[${WINDOW_KEYS.map((key) => `sum(r.${key})::text`).join(', ')}]`);
  const rows = sql<DbRow>`(
    WITH line AS MATERIALIZED (
      SELECT r.*, round(r.u30 / 30, 2) AS daily, round(r.u30 / nullif(r.u60 - r.u30, 0) - 1, 4) AS change
        FROM (SELECT k.product_id AS id, ${sums} FROM channel.pace AS k
               WHERE k.company_id = ${ctx.companyId} ${narrowed(ctx, filter, PLACES)}
               GROUP BY k.product_id) AS r
       WHERE r.u90 <> 0)
    SELECT line.*, w.n, w.all FROM line CROSS JOIN (SELECT count(*)::int AS n, ${all} AS all FROM line AS r) AS w)`;
  return listQuery<DbRow>(ctx.db.selectFrom(rows.as('r')).selectAll('r'));
}

function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow & Around> {
  return listQuery(
    cutAs(ctx, rows, 'r')
      .leftJoin('product.local_product as p', (join) =>
        join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', sql.ref('r.id')),
      )
      .selectAll('r')
      .select(['p.sku', 'p.name', 'p.image']),
  );
}

function rowOf(row: DbRow & Partial<Around>): VolumeRow {
  const units = Object.fromEntries(WINDOW_KEYS.map((key) => [key, plainUnits(row[key])])) as Units;
  return {
    id: row.id,
    product: { name: row.name || (row.sku ?? ''), code: row.sku ?? '', image: row.image ?? null },
    ...units,
    trend: '',
    daily: row.daily,
    change: row.change,
    mix: '',
    localStock: null,
    amazonStock: null,
    coverDays: null,
  };
}

function listDef(ctx: Ctx, filter: VolumeFilter) {
  return {
    row: VolumeRow,
    query: listed(ctx, filter),
    around: (rows: Query<DbRow>) => around(ctx, rows),
    sort: { ...Object.fromEntries(WINDOW_KEYS.map((key) => [key, `r.${key}`])), daily: 'r.daily', change: 'r.change' },
    order: [['r.u30', 'desc']] as const,
    key: 'r.id',
    map: rowOf,
  };
}

/** Rows with how their days went and what there is of them: one question each for all of them. */
async function withCourse(ctx: Ctx, rows: readonly VolumeRow[], filter: VolumeFilter): Promise<VolumeRow[]> {
  const ids = rows.map(({ id }) => id);
  const courses = await coursesOf(ctx, ids, filter);
  const stocks = await stocksOf(ctx, ids, filter.bundles ?? 'apart');
  return rows.map((row) => {
    const { local = 0, amazon = 0 } = stocks.get(row.id) ?? {};
    const pace = new Decimal(row.u30);
    const cover = pace.gt(0) ? new Decimal(local + amazon).times(30).div(pace).toFixed(1) : null;
    const { trend = '', mix = '' } = courses.get(row.id) ?? {};
    return { ...row, trend, mix, localStock: local, amazonStock: amazon, coverDays: cover };
  });
}

/** One page of products by what they sold lately, with the sums of the whole filter. */
export async function volumePage(ctx: Ctx, request: PageRequest<VolumeFilter>): Promise<PageOf<VolumeRow>> {
  const found = await page<DbRow, VolumeRow>(ctx, request, {
    ...listDef(ctx, request.filter),
    count: async (rows) => rows[0]?.n ?? 0,
    totals: async ([first]) =>
      Object.fromEntries(WINDOW_KEYS.map((key, index) => [key, plainUnits(first?.all[index] ?? '0')])),
  });
  return { ...found, records: await withCourse(ctx, found.records, request.filter) };
}

const BATCH = 1_000;

async function* complete(ctx: Ctx, rows: AsyncIterable<VolumeRow>, filter: VolumeFilter): AsyncGenerator<VolumeRow> {
  let some: VolumeRow[] = [];
  for await (const row of rows) {
    some.push(row);
    if (some.length < BATCH) continue;
    yield* await withCourse(ctx, some, filter);
    some = [];
  }
  yield* await withCourse(ctx, some, filter);
}

/** The same as a file. */
export function exportVolumes(open: OpenCtx, request: ExportRequest<VolumeFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `ERP销量-${ctx.clock.today()}`,
    sheet: 'ERP销量',
    format: request.format,
    columns: exportColumns(ctx, VolumeRow, request.columns),
    rows: complete(ctx, streamed<DbRow, VolumeRow>(ctx, request, listDef(ctx, request.filter)), request.filter),
    audit: { action: '导出ERP销量', resource: 'channel.volume', filter: request.filter },
  }));
}
