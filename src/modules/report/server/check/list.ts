import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { freshnessOf, storeNames } from '#modules/marketplace/server/index.ts';
import { type CheckFilter, CheckRow } from '../../contract/check.ts';
import { ORDER_METRICS } from './metrics.ts';
import { checkRows, type DbRow } from './rows.ts';

type WithReport = DbRow & { report_units: number | null; report_sales: string | null };
type Query = ListDef<WithReport, CheckRow>['query'];

/** A stored row as the list shows it. */
export function rowOf(row: WithReport, stores: ReadonlyMap<string, string>): CheckRow {
  return {
    id: row.id,
    day: row.day,
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    verdict: row.verdict,
    ownOrders: row.own_orders,
    orders: row.orders,
    orderGap: row.order_gap,
    ownUnits: row.own_units,
    units: row.units,
    unitGap: row.unit_gap,
    ownSales: row.own_sales,
    sales: row.sales,
    salesGap: row.sales_gap,
    reportUnits: row.report_units,
    reportSales: row.report_sales,
    readTo: row.read_to,
    currency: row.currency,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
  };
}

/** The third opinion of each day of a page: the site's line of Amazon's report of sales and traffic. */
const withReport = (ctx: Ctx, rows: Query): Query =>
  relation(
    ctx,
    sql<WithReport>`
      SELECT f.*, t.units AS report_units, t.sales AS report_sales FROM (${rows}) AS f
        LEFT JOIN report.traffic AS t ON t.company_id = ${ctx.companyId} AND t.account_id = f.account_id
         AND t.marketplace_id = f.marketplace_id AND t.day = f.day AND t.level = 'site'`,
  );

async function defOf(ctx: Ctx, filter: CheckFilter): Promise<ListDef<WithReport, CheckRow>> {
  const stores = await storeNames(ctx);
  const rows = await checkRows(ctx, filter);
  return {
    row: CheckRow,
    query: relation(ctx, sql<WithReport>`SELECT * FROM ${rows} AS c`),
    around: (cut) => withReport(ctx, cut),
    sort: {
      day: 'f.day',
      orders: 'f.orders',
      units: 'f.units',
      sales: 'f.sales',
      orderGap: 'abs(f.order_gap)',
      unitGap: 'abs(f.unit_gap)',
      salesGap: 'abs(f.sales_gap)',
    },
    order: [['f.day', 'desc']],
    key: 'f.id',
    map: (row) => rowOf(row, stores),
  };
}

/** One page of days, newest first. */
export async function checkPage(ctx: Ctx, request: PageRequest<CheckFilter>): Promise<PageOf<CheckRow>> {
  const def = await defOf(ctx, request.filter);
  return page(ctx, request, { ...def, asOf: () => freshnessOf(ctx, [ORDER_METRICS]) });
}

/** One day of a site; undefined where Amazon has counted nothing of it yet, and for anybody else's. */
export async function checkRow(
  ctx: Ctx,
  { accountId, marketplaceId, day }: { accountId: string; marketplaceId: string; day: string },
): Promise<WithReport | undefined> {
  const def = await defOf(ctx, { dates: { from: day, to: day }, sites: [`${marketplaceId}-${accountId}`] });
  return withReport(ctx, def.query).executeTakeFirst();
}

/** How many days came to which verdict under the other filters; "all" is their sum. */
export async function checkCounts(ctx: Ctx, { verdict: _, ...others }: CheckFilter): Promise<Record<string, number>> {
  const rows = await checkRows(ctx, others);
  const counted = await sql<{ verdict: string; n: number }>`
    SELECT verdict, count(*)::int AS n FROM ${rows} AS c GROUP BY verdict`.execute(ctx.db);
  const counts = Object.fromEntries(counted.rows.map((row) => [row.verdict, row.n]));
  return { ...counts, all: counted.rows.reduce((sum, row) => sum + row.n, 0) };
}

/** All days of a filter as a file. */
export function checkFile(open: OpenCtx, body: ExportRequest<CheckFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '销售核对',
    sheet: '销售核对',
    format: body.format,
    columns: exportColumns(ctx, CheckRow, body.columns),
    rows: streamed<WithReport, CheckRow>(ctx, body, await defOf(ctx, body.filter)) as AsyncIterable<object>,
    audit: { action: '导出销售核对', resource: 'report.salesCheck', filter: body.filter },
  }));
}
