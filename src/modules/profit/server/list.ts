import { type RawBuilder, sql } from 'kysely';
import { columnsOf } from '#kit/contract/columns.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { hiddenFields, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { freshnessOf } from '#modules/marketplace/server/index.ts';
import { FIGURE_KEYS } from '../contract/figures.ts';
import {
  ALL_NAMES,
  DIMENSIONS,
  type Dimension,
  NAMES,
  type ProfitFilter,
  ProfitRow,
  type ProfitScope,
} from '../contract/report.ts';
import { amountsOf, profitRows } from './rows.ts';
import { type Scope, scopeOf } from './scope.ts';
import {
  type Conversion,
  conversionOf,
  type ReportRow,
  reportSql,
  reportWithTotalSql,
  type WithTotal,
  wholeOf,
} from './source.ts';

/** What rows are sorted by, as SQL of the relation `r` of the report. */
export const SORT: Record<string, string> = {
  sku: 'r.sku',
  day: 'r.day',
  month: 'r.month',
  units: 'r.units',
  orders: 'r.orders',
  refundUnits: 'r.refund_units',
  refundRate: 'r.refund_rate',
  netSales: 'r.net_sales',
  platformNet: 'r.platform_net',
  cogs: 'r.cogs',
  fees: 'r.fees',
  costMissing: 'r.cost_missing',
  profit: 'r.profit',
  margin: 'r.margin',
  roi: 'r.roi',
  settledShare: 'r.settled_share',
  ...Object.fromEntries(FIGURE_KEYS.map((key) => [key, `r."${key}"`])),
};

/** A report as a list reads it, under the name `r`. */
export function relation<Row = ReportRow>(ctx: Ctx, report: RawBuilder<unknown>): Query<Row> {
  const table = sql<Row>`${report}`.as<'r'>(sql.ref('r'));
  return listQuery(ctx.db.selectFrom(table).selectAll());
}

function listDef(ctx: Ctx, scope: Scope, conversion: Conversion, dimension: Dimension) {
  return {
    row: ProfitRow,
    query: relation(ctx, reportSql(ctx, scope, conversion, dimension)),
    sort: SORT,
    order: [[dimension === 'day' || dimension === 'month' ? `r.${dimension}` : 'r.sales', 'desc']] as const,
    key: 'r.row_key',
  };
}

/** Takes the fields out that the caller may not see. */
export function visible<T extends object>(ctx: Ctx, rows: readonly T[]): T[] {
  const hidden = hiddenFields(ctx, ProfitRow);
  if (hidden.length === 0) return [...rows];
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !hidden.includes(key))) as T);
}

/** One row of everything in the scope, in one currency; undefined where there is nothing. */
export async function sumOf(ctx: Ctx, scope: Scope, conversion: Conversion): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`SELECT * FROM ${reportSql(ctx, scope, conversion, undefined)} AS r`.execute(
    ctx.db,
  );
  const [row] = rows;
  return row?.currency == null || row.units === null ? undefined : row;
}

/** The totals row of a row of everything. */
export function totalsRow(row: ReportRow | undefined): Record<string, string | number | null> {
  if (!row) return {};
  return {
    currency: row.currency,
    units: row.units,
    orders: row.orders,
    refundUnits: row.refund_units,
    ...amountsOf(row),
    costMissing: row.cost_missing,
  };
}

/** The totals row: the whole filter in one currency, converted to CNY where the rows have several. */
async function totalsOf(ctx: Ctx, scope: Scope): Promise<Record<string, string | number | null>> {
  return totalsRow(await sumOf(ctx, scope, await conversionOf(ctx, scope, true)));
}

/** A page whose rows and number come from one reading, and so do its totals where all rows have one currency. */
function pageInOne(
  ctx: Ctx,
  request: PageRequest<ProfitScope>,
  scope: Scope,
  conversion: Conversion,
): Promise<PageOf<ReportRow>> {
  const dimension = request.filter.dimension ?? 'sku';
  return page<ReportRow & WithTotal, ReportRow>(ctx, request, {
    ...listDef(ctx, scope, conversion, dimension),
    query: relation<ReportRow & WithTotal>(ctx, reportWithTotalSql(ctx, scope, conversion, dimension)),
    // A page past the end has no row that could tell.
    count: async ([first]) => first?.row_count ?? (await countOf(ctx, scope, conversion, dimension)),
    totals: async ([first]) => {
      const whole = first && wholeOf(first);
      return whole ? totalsRow(whole) : totalsOf(ctx, scope);
    },
    asOf: () => freshness(ctx),
  });
}

async function countOf(ctx: Ctx, scope: Scope, conversion: Conversion, dimension: Dimension): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM ${reportSql(ctx, scope, conversion, dimension)} AS r`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** When the slowest of the two streams of money was last read. */
export function freshness(ctx: Ctx): Promise<string | null> {
  return freshnessOf(ctx, ['settlements', 'finances']);
}

/** One page of the report along a dimension, best sellers first. */
export async function profitPage(ctx: Ctx, request: PageRequest<ProfitScope>): Promise<PageOf<ProfitRow>> {
  const { dimension = 'sku' } = request.filter;
  const scope = await scopeOf(ctx, request.filter);
  const conversion = await conversionOf(ctx, scope, false);
  const found = await pageInOne(ctx, request, scope, conversion);
  return { ...found, records: visible(ctx, await profitRows(ctx, found.records, dimension)) };
}

const BATCH = 500;

/** Rows mapped some hundred at a time: their names are looked up together. */
export async function* inBatches<T, R>(rows: Iterable<T>, map: (batch: T[]) => Promise<R[]>): AsyncGenerator<R> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield* await map(batch);
    batch = [];
  }
  yield* await map(batch);
}

/** The whole report as a file, with the columns as the user sees them. */
export async function profitFile(ctx: Ctx, body: ExportRequest<ProfitFilter>): Promise<DownloadSpec> {
  const scope = await scopeOf(ctx, body.filter);
  const dimension = body.filter.dimension ?? 'sku';
  const conversion = await conversionOf(ctx, scope, false);
  const columns = exportColumns(ctx, ProfitRow, body.columns ?? columnsOf(ProfitRow).map((column) => column.key));
  const shown = columns
    .filter(({ key }) => !ALL_NAMES.includes(key) || NAMES[dimension].includes(key))
    .map((column) => (column.key === 'name' ? { ...column, title: DIMENSIONS[dimension] } : column));
  // The cursor holds the connection, so names are looked up once all rows are read: SKUs of a company fit in memory.
  const rows: ReportRow[] = [];
  for await (const row of streamed<ReportRow>(ctx, body, listDef(ctx, scope, conversion, dimension))) rows.push(row);
  return {
    name: `利润报表-${DIMENSIONS[dimension]}-${scope.from}至${scope.to}`,
    sheet: '利润报表',
    format: body.format,
    columns: shown,
    rows: inBatches(rows, async (batch) => visible(ctx, await profitRows(ctx, batch, dimension))),
    audit: { action: '导出利润报表', resource: 'profit.report', filter: body.filter },
  };
}
