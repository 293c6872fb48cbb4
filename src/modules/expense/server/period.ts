import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { expenseDocument } from '../contract/document.ts';
import { type PeriodFilter, PeriodRow } from '../contract/period.ts';
import { departmentNames } from './list.ts';

interface DbRow {
  month: string;
  feeType: string;
  departmentId: string | null;
  documents: number;
  amount: string;
}

/**
 * What no store bears by month, type and department, "yyyy-MM" from and to counted; sums over the index of the months. A document has one entry
 * for each of them, and one more, its mirror, once it was taken back.
 */
function selected(ctx: Ctx, { from, to, feeType, department }: PeriodFilter): Query<DbRow> {
  const sums = sql<DbRow>`(
    SELECT to_char(c.month, 'YYYY-MM') AS month, c.fee_type AS "feeType", c.department_id AS "departmentId",
           sum(CASE WHEN c.mirror THEN -1 ELSE 1 END)::int AS documents, sum(c.amount_cny) AS amount
      FROM expense.period_cost AS c
     WHERE c.company_id = ${ctx.companyId}
           ${from ? sql`AND c.month >= ${`${from}-01`}::date` : sql``} ${to ? sql`AND c.month <= ${`${to}-01`}::date` : sql``}
           ${feeType?.length ? sql`AND c.fee_type = ANY (${feeType}::text[])` : sql``}
           ${department?.length ? sql`AND c.department_id = ANY (${department}::uuid[])` : sql``}
     GROUP BY c.month, c.fee_type, c.department_id HAVING sum(c.amount_cny) <> 0)`;
  return listQuery(ctx.db.selectFrom(sums.as('g')).selectAll('g'));
}

async function listDef(ctx: Ctx, filter: PeriodFilter): Promise<ListDef<DbRow, PeriodRow>> {
  const names = await departmentNames(ctx);
  return {
    row: PeriodRow,
    query: selected(ctx, filter),
    sort: { month: 'g.month', feeType: 'g."feeType"', amount: 'g.amount' },
    order: [
      ['g.month', 'desc'],
      ['g."feeType"', 'asc'],
    ],
    key: `(g.month || g."feeType" || coalesce(g."departmentId"::text, ''))`,
    map: ({ departmentId, ...row }) => ({
      ...row,
      id: `${row.month}-${row.feeType}-${departmentId ?? ''}`,
      department: departmentId === null ? '公司' : (names.get(departmentId) ?? '已删除的部门'),
    }),
  };
}

async function totals(ctx: Ctx, filter: PeriodFilter): Promise<Record<string, string>> {
  const { rows } = await sql<{ amount: string }>`
    SELECT coalesce(sum(amount), 0)::text AS amount FROM (${selected(ctx, filter)}) AS all_of_it`.execute(ctx.db);
  return { ...rows[0] };
}

/** One page of period costs, the newest month first. */
export async function periodPage(ctx: Ctx, request: PageRequest<PeriodFilter>): Promise<PageOf<PeriodRow>> {
  return page(ctx, request, { ...(await listDef(ctx, request.filter)), totals: () => totals(ctx, request.filter) });
}

/** All period costs of a filter as a file. */
export function exportPeriod(open: OpenCtx, body: ExportRequest<PeriodFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `期间费用-${ctx.clock.today()}`,
    sheet: '期间费用',
    format: body.format,
    columns: exportColumns(ctx, PeriodRow, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出期间费用', resource: expenseDocument.name, filter: body.filter },
  }));
}
