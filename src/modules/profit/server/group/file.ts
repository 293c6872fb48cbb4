import type { Column } from '#kit/contract/columns.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type GroupFilter, GroupRow } from '../../contract/group.ts';
import { COST, type ProfitRow } from '../../contract/report.ts';
import { amountOf, COST_LINES, lineOf, STATEMENT_KEYS } from '../../contract/statement.ts';
import { groupPage } from './list.ts';
import { monthlyOf } from './monthly.ts';

/** More than any company has stores: a file is read at once. */
const ALL = 10_000;

async function* each<T>(rows: Iterable<T>): AsyncGenerator<T> {
  yield* rows;
}

const audited = (filter: GroupFilter) => ({ action: '导出店铺利润', resource: 'profit.group', filter });

async function storesFile(
  ctx: Ctx,
  { filter, sort, order, columns, format }: ExportRequest<GroupFilter>,
): Promise<DownloadSpec> {
  const { records } = await groupPage(ctx, { currentpage: 1, pagesize: ALL, sort, order, filter });
  const shown = exportColumns(ctx, GroupRow, columns);
  return { name: '店铺利润', sheet: '店铺利润', format, columns: shown, rows: each(records), audit: audited(filter) };
}

/** Lines of the statement as rows of a sheet: the amount of each month under its own key. */
function statementRows(ctx: Ctx, found: Awaited<ReturnType<typeof monthlyOf>>): object[] {
  const { months, rows, whole } = found;
  const of = new Map<string, ProfitRow>(rows.map((row) => [row.month ?? '', row]));
  if (whole) of.set('total', whole);
  const cells = (value: (row: ProfitRow) => string | null) =>
    Object.fromEntries(
      [...months, 'total'].map((key) => {
        const row = of.get(key);
        return [key, row ? value(row) : null];
      }),
    );
  const seesCost = can(ctx, COST);
  const lines = STATEMENT_KEYS.filter((key) => seesCost || !COST_LINES.includes(key)).map((key) => ({
    item: lineOf(key).title,
    ...cells((row) => amountOf(row, key)),
  }));
  const percent = ({ margin }: ProfitRow) => (margin == null ? null : new Decimal(margin).times(100).toFixed(2));
  return seesCost ? [...lines, { item: '毛利率（%）', ...cells(percent) }] : lines;
}

async function statementFile(ctx: Ctx, { filter, format }: ExportRequest<GroupFilter>): Promise<DownloadSpec> {
  const found = await monthlyOf(ctx, filter);
  const money = (key: string, title: string): Column => ({
    key,
    title,
    kind: 'money',
    nullable: true,
    currency: found.currency,
    width: 112,
  });
  const months = found.months.map((month) => money(month, month));
  return {
    name: `月度结算-${found.currency}-${found.months[0]}至${found.months.at(-1)}`,
    sheet: `月度结算 ${found.currency}`,
    format,
    columns: [
      { key: 'item', title: '项目', kind: 'text', nullable: false, width: 112 },
      ...months,
      money('total', '合计'),
    ],
    rows: each(statementRows(ctx, found)),
    audit: audited(filter),
  };
}

/** What is seen of 店铺利润 as a file: its stores with their columns, or the statement with a column for each month. */
export function groupFile(ctx: Ctx, body: ExportRequest<GroupFilter>): Promise<DownloadSpec> {
  return body.filter.view === 'monthly' ? statementFile(ctx, body) : storesFile(ctx, body);
}
