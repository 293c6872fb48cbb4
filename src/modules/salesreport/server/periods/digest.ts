import { buffer } from 'node:stream/consumers';
import type { Period } from '#kit/contract/compare.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { exportColumns, exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { streamed } from '#kit/server/list/page.ts';
import type { Attachment } from '#kit/server/messaging/message.ts';
import { EXPORT } from '../../contract/fields.ts';
import { type ReportFilter, ReportRow } from '../../contract/report.ts';
import { figuresOf, listOf, planOf } from './report.ts';
import { heldOf, partialAt, wholeOf } from './sums.ts';

/** A total in a mail; amounts are decimal texts in the report's currency, a change is a ratio. */
export interface DigestFigure {
  title: string;
  kind: 'integer' | 'money';
  now: string | number | null;
  before: string | number | null;
  change: string | null;
}

/** Totals of a report and its rows as a file, as far as the caller may see them. */
export interface Digest {
  period: Period;
  before: Period | null;
  currency: string;
  figures: DigestFigure[];
  /** Left out for whoever may not export. */
  file: Attachment | undefined;
}

/** Whether the caller may see a column of the report. */
const sees = (ctx: Ctx, key: string): boolean => exportColumns(ctx, ReportRow, [key]).length > 0;

/**
 * The report of a filter for its reader, in a transaction of his: pieces, orders and net sales against the period before, as its
 * screen shows them, and all rows as XLSX. @throws B0950 too many periods
 */
export async function digestOf(ctx: Ctx, filter: ReportFilter): Promise<Digest> {
  const planned = await planOf(ctx, filter);
  const { plan, before } = planned;
  const { total } = await wholeOf(ctx, plan);
  const partial = partialAt(plan);
  const of = figuresOf(total, before !== null, partial);
  const figures: DigestFigure[] = [
    { title: '销量', kind: 'integer', now: of.units, before: of.unitsBefore, change: of.unitsChange },
    { title: '订单数', kind: 'integer', now: of.orders, before: of.ordersBefore, change: of.ordersChange },
  ];
  if (sees(ctx, 'netSales')) {
    const held = before !== null && !partial;
    const sold = held ? new Decimal(total.sales_before ?? 0).toFixed() : null;
    const change = held ? heldOf(total.sales_closed, total.sales_before ?? 0) : null;
    figures.push({ title: '净销售额', kind: 'money', now: of.netSales, before: sold, change });
  }
  return {
    period: plan.period,
    before,
    currency: plan.exchange.currency,
    figures,
    file: can(ctx, EXPORT) ? await fileOf(ctx, planned) : undefined,
  };
}

/** All rows in the newest order, in memory: there are 366 at most. */
async function fileOf(ctx: Ctx, planned: Awaited<ReturnType<typeof planOf>>): Promise<Attachment> {
  const { period } = planned.plan;
  const columns = exportColumns(ctx, ReportRow, undefined);
  const rows = streamed(ctx, {}, listOf(ctx, planned));
  return {
    name: `销售报表 ${period.from}至${period.to}.xlsx`,
    mediaType: MEDIA_TYPES.xlsx,
    content: await buffer(exportStream(rows, { format: 'xlsx', sheet: '销售报表', columns })),
  };
}
