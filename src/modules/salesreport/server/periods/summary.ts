import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { salesAsOf } from '#modules/sales/server/index.ts';
import { type SalesChart, type SummaryFilter, SummaryRow } from '../../contract/summary.ts';
import { eachHeldAgainst } from '../days.ts';
import { labels, type NameCells, withNames } from '../details/labels.ts';
import { scopeOf } from '../scope.ts';
import { chartOf } from './chart.ts';
import {
  heldOf,
  partialAt,
  type Sums,
  type SumsPlan,
  type SumsRow,
  soldOf,
  sumsPlan,
  sumsSelect,
  wholeOf,
} from './sums.ts';

/** @throws B0950 too many periods */
async function planOf(ctx: Ctx, filter: SummaryFilter): Promise<SumsPlan> {
  const scope = await scopeOf(ctx, { ...filter, grain: filter.grain ?? 'week' });
  return sumsPlan(ctx, scope, filter.group ?? 'all', eachHeldAgainst(scope.places, scope.grain, scope));
}

const changes = (row: Sums) => ({
  unitsPrevious: heldOf(row.units_closed, row.units_before),
  unitsYear: heldOf(row.units_closed, row.units_year),
  salesPrevious: heldOf(row.sales_closed, row.sales_before),
  salesYear: heldOf(row.sales_closed, row.sales_year),
});

const SORT = {
  orders: 'f.orders',
  units: 'f.units',
  productSales: 'f.product_sales',
  netSales: 'f.product_sales - f.discount',
  returnedUnits: 'f.returned',
  adSpend: 'f.ad_spend',
};

type DbRow = SumsRow & NameCells;

async function listOf(ctx: Ctx, plan: SumsPlan): Promise<ListDef<DbRow, SummaryRow>> {
  const label = await labels(ctx, plan.by);
  return {
    row: SummaryRow,
    query: relation(ctx, sql<DbRow>`${sumsSelect(ctx, plan)}`),
    around: (rows) => listQuery<DbRow>(relation(ctx, withNames<DbRow>(ctx, plan.by, sql`${rows}`))),
    sort: SORT,
    order: [
      ['f.place', 'desc'],
      ['f.units', 'desc', 'last'],
    ],
    key: 'f.place, f.key',
    map: (row) => {
      const { from = '', to = '', title = '', partial = false } = plan.places[row.place] ?? {};
      const { product } = label(row);
      const name = plan.by === 'parent' && product.code ? `${product.code} ${product.name}` : product.name;
      return {
        id: `${row.place}~${row.key}`,
        key: row.key,
        from,
        to,
        period: title,
        fullness: partial ? 'partial' : 'full',
        name,
        ...soldOf(row, partialAt(plan, row.place)),
        ...changes(row),
        currency: plan.exchange.currency,
      };
    },
  };
}

/** One page of periods, the newest first, each with its groups; totals are those of the filter. */
export async function summaryPage(ctx: Ctx, request: PageRequest<SummaryFilter>): Promise<PageOf<SummaryRow>> {
  const plan = await planOf(ctx, request.filter);
  const { total } = await wholeOf(ctx, plan);
  return page(ctx, request, {
    ...(await listOf(ctx, plan)),
    totals: async () => ({ ...soldOf(total, partialAt(plan)), currency: plan.exchange.currency }),
    asOf: () => salesAsOf(ctx),
  });
}

/** The same as a file. */
export function exportSummary(open: OpenCtx, request: ExportRequest<SummaryFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const plan = await planOf(ctx, request.filter);
    return {
      name: `销售${plan.grain === 'week' ? '周' : '月'}汇总 ${plan.period.from}至${plan.period.to}`,
      sheet: '周月汇总',
      format: request.format,
      columns: exportColumns(ctx, SummaryRow, request.columns),
      rows: streamed(ctx, request, await listOf(ctx, plan)),
      audit: { action: '导出周/月汇总', resource: 'salesreport.summary', filter: request.filter },
    };
  });
}

/** All groups together by period. */
export async function summaryChart(ctx: Ctx, filter: SummaryFilter): Promise<SalesChart> {
  return chartOf(ctx, await planOf(ctx, filter), null);
}
