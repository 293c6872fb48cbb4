import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { departmentsOf } from '#modules/identity/server/index.ts';
import {
  type ExpenseFilter,
  type ExpenseKind,
  ExpenseRow,
  type ExpenseState,
  expenseDocument,
  type Scope,
} from '../contract/document.ts';

function matching(ctx: Ctx, filter: ExpenseFilter) {
  let query = ctx.db.selectFrom('expense.document as d').where('d.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('d.state', '=', filter.state);
  if (filter.kind?.length) query = query.where('d.kind', 'in', filter.kind);
  if (filter.scope?.length) query = query.where('d.scope', 'in', filter.scope);
  if (filter.department?.length) query = query.where('d.department_id', 'in', filter.department);
  if (filter.date?.from) query = query.where('d.spent_on', '>=', filter.date.from);
  if (filter.date?.to) query = query.where('d.spent_on', '<=', filter.date.to);
  if (filter.feeType?.length) {
    query = query.where(
      sql<boolean>`EXISTS (SELECT FROM expense.line AS l WHERE l.company_id = d.company_id AND l.document_id = d.id
                              AND l.fee_type = ANY (${filter.feeType}::text[]))`,
    );
  }
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('d.number', 'ilike', like), eb('d.payee', 'ilike', like), eb('d.remark', 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: ExpenseFilter) {
  return matching(ctx, filter)
    .select(['d.id', 'd.number', 'd.state', 'd.version', 'd.kind', 'd.scope', 'd.department_id', 'd.party_kind'])
    .select(['d.party_id', 'd.payee', 'd.spent_on', 'd.currency', 'd.amount', 'd.amount_cny', 'd.months', 'd.remark'])
    .select(['d.request_id', 'd.request_number', 'd.created_by_name', 'd.created_at', 'd.approved_by_name'])
    .select([
      'd.approved_at',
      sql<string>`(SELECT string_agg(DISTINCT l.fee_type, '、') FROM expense.line AS l
                    WHERE l.company_id = d.company_id AND l.document_id = d.id)`.as('fee_types'),
    ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, departments: ReadonlyMap<string, string>): ExpenseRow {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind as ExpenseKind,
    state: row.state as ExpenseState,
    version: row.version,
    feeTypes: row.fee_types ?? '',
    department: departments.get(row.department_id ?? '') ?? '',
    departmentId: row.department_id,
    spentOn: row.spent_on,
    payee: row.payee,
    partyKind: row.party_kind,
    partyId: row.party_id,
    amount: row.amount,
    amountCny: row.amount_cny,
    currency: row.currency,
    scope: row.scope as Scope,
    months: row.months,
    request: row.request_number,
    requestId: row.request_id,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    approvedByName: row.approved_by_name,
    approvedAt: row.approved_at,
    remark: row.remark,
  };
}

/** Names of the company's departments by id. */
export const departmentNames = async (ctx: Ctx): Promise<Map<string, string>> =>
  new Map((await departmentsOf(ctx)).map(({ id, name }) => [id, name]));

async function listDef(ctx: Ctx, filter: ExpenseFilter): Promise<ListDef<DbRow, ExpenseRow>> {
  const departments = await departmentNames(ctx);
  return {
    row: ExpenseRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: {
      number: 'd.number',
      spentOn: 'd.spent_on',
      amount: 'd.amount',
      amountCny: 'd.amount_cny',
      months: 'd.months',
      createdAt: 'd.created_at',
    },
    order: [['d.id', 'desc']],
    key: 'd.id',
    map: (row) => toRow(row, departments),
  };
}

/** One page of expenses, the newest first. */
export async function expensePage(ctx: Ctx, request: PageRequest<ExpenseFilter>): Promise<PageOf<ExpenseRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** One expense as its list shows it. */
export async function rowOf(ctx: Ctx, id: string): Promise<ExpenseRow | undefined> {
  const found = await selected(ctx, {}).where('d.id', '=', id).executeTakeFirst();
  return found && toRow(found, await departmentNames(ctx));
}

/** How many expenses are in each state, whatever state the filter names. */
export function expenseCounts(ctx: Ctx, filter: ExpenseFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, { ...filter, state: undefined }), 'd.state');
}

/** All expenses of a filter as a file. */
export function exportAll(open: OpenCtx, body: ExportRequest<ExpenseFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `费用单-${ctx.clock.today()}`,
    sheet: '费用单',
    format: body.format,
    columns: exportColumns(ctx, ExpenseRow, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出费用单', resource: expenseDocument.name, filter: body.filter },
  }));
}
