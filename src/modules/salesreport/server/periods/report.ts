import type { Period } from '#kit/contract/compare.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { salesAsOf } from '#modules/sales/server/index.ts';
import { type ReportFilter, ReportRow } from '../../contract/report.ts';
import type { SalesChart } from '../../contract/summary.ts';
import { beforeOf, heldAgainst } from '../days.ts';
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

/** How a report is read, and the days that its own are held against. */
export interface Planned {
  plan: SumsPlan;
  before: Period | null;
}

/** @throws B0950 too many periods */
export async function planOf(ctx: Ctx, filter: ReportFilter): Promise<Planned> {
  const scope = await scopeOf(ctx, filter);
  const before = beforeOf(scope.period, filter.compare ?? 'previous', scope);
  return { plan: await sumsPlan(ctx, scope, 'all', heldAgainst(scope.period, scope.places, before, scope)), before };
}

/** Figures of a period, or of all of them, as the report shows them. `held`: they are held against others. */
export function figuresOf(row: Sums, held: boolean, partial: boolean) {
  const { returnedUnits: _r, returnRate: _rate, adSpend: _s, acoas: _a, ...sold } = soldOf(row, partial);
  return {
    ...sold,
    unitsBefore: held ? Number(row.units_before ?? 0) : null,
    unitsChange: held ? heldOf(row.units_closed, row.units_before ?? 0) : null,
    ordersBefore: held && sold.orders !== null ? Number(row.orders_before ?? 0) : null,
    ordersChange: held && sold.orders !== null ? heldOf(row.orders_closed, row.orders_before ?? 0) : null,
  };
}

/** The periods of a plan as a list. */
export function listOf(ctx: Ctx, { plan, before }: Planned): ListDef<SumsRow, ReportRow> {
  return {
    row: ReportRow,
    query: relation(ctx, sumsSelect(ctx, plan)),
    sort: {
      units: 'f.units',
      orders: 'f.orders',
      productSales: 'f.product_sales',
      netSales: 'f.product_sales - f.discount',
    },
    order: [['f.place', 'desc']],
    key: 'f.place',
    map: (row) => {
      const { from = '', to = '', title = '', partial = false } = plan.places[row.place] ?? {};
      return {
        id: String(row.place),
        from,
        to,
        period: title,
        fullness: partial ? 'partial' : 'full',
        ...figuresOf(row, before !== null && from < plan.today, partialAt(plan, row.place)),
        currency: plan.exchange.currency,
      };
    },
  };
}

/** One page of periods, the newest first, beside those that they are held against. */
export async function reportPage(ctx: Ctx, request: PageRequest<ReportFilter>): Promise<PageOf<ReportRow>> {
  const planned = await planOf(ctx, request.filter);
  const { plan, before } = planned;
  const { total } = await wholeOf(ctx, plan);
  return page(ctx, request, {
    ...listOf(ctx, planned),
    totals: async () => ({ ...figuresOf(total, before !== null, partialAt(plan)), currency: plan.exchange.currency }),
    asOf: () => salesAsOf(ctx),
  });
}

/** The same as a file. */
export function exportReport(open: OpenCtx, request: ExportRequest<ReportFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const planned = await planOf(ctx, request.filter);
    const { plan } = planned;
    return {
      name: `销售报表 ${plan.period.from}至${plan.period.to}`,
      sheet: '销售报表',
      format: request.format,
      columns: exportColumns(ctx, ReportRow, request.columns),
      rows: streamed(ctx, request, listOf(ctx, planned)),
      audit: { action: '导出销售报表', resource: 'salesreport.report', filter: request.filter },
    };
  });
}

/** All of the filter by period, with its mean. */
export async function reportChart(ctx: Ctx, filter: ReportFilter): Promise<SalesChart> {
  const { plan, before } = await planOf(ctx, filter);
  return chartOf(ctx, plan, before);
}
