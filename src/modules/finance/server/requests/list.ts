import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import type { Method } from '../../contract/accounts.ts';
import {
  paymentRequest,
  type RequestFilter,
  type RequestKind,
  RequestRow,
  type RequestState,
} from '../../contract/requests.ts';
import { SUBJECT } from './subject.ts';

const PAYEE = sql<string>`coalesce(s.short_name, n.name, '')`;

function matching(ctx: Ctx, filter: RequestFilter) {
  let query = ctx.db
    .selectFrom('finance.payment_request as r')
    .leftJoin('supplier.supplier as s', (join) =>
      join
        .onRef('s.company_id', '=', 'r.company_id')
        .onRef('s.id', '=', 'r.party_id')
        .on('r.party_kind', '=', 'SUPPLIER'),
    )
    .leftJoin('finance.partner as n', (join) =>
      join
        .onRef('n.company_id', '=', 'r.company_id')
        .onRef('n.id', '=', 'r.party_id')
        .on('r.party_kind', '=', 'PARTNER'),
    )
    .where('r.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('r.state', '=', filter.state);
  if (filter.kind?.length) query = query.where('r.kind', 'in', filter.kind);
  if (filter.due?.from) query = query.where('r.due_on', '>=', filter.due.from);
  if (filter.due?.to) query = query.where('r.due_on', '<=', filter.due.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('r.number', 'ilike', like), eb(SUBJECT, 'ilike', like), eb(PAYEE, 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: RequestFilter) {
  return matching(ctx, filter)
    .select(['r.id', 'r.number', 'r.kind', 'r.state', 'r.version', 'r.party_kind', 'r.party_id', SUBJECT.as('subject')])
    .select(['r.method', 'r.cash_account_id', 'r.currency', 'r.amount', 'r.paid_amount', 'r.due_on', 'r.remark'])
    .select(['r.created_by_name', 'r.created_at', 'r.approved_by_name', 'r.approved_at', PAYEE.as('payee')]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): RequestRow {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind as RequestKind,
    state: row.state as RequestState,
    version: row.version,
    payee: row.payee,
    subject: row.subject,
    method: row.method as z.output<typeof Method>,
    amount: row.amount,
    paid: row.paid_amount,
    open: ['reversed', 'cancelled'].includes(row.state)
      ? '0'
      : new Decimal(row.amount).minus(row.paid_amount).toFixed(),
    dueOn: row.due_on,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    approvedByName: row.approved_by_name,
    approvedAt: row.approved_at,
    remark: row.remark,
    currency: row.currency,
    partyKind: row.party_kind,
    partyId: row.party_id,
    cashAccountId: row.cash_account_id,
  };
}

function listDef(ctx: Ctx, filter: RequestFilter): ListDef<DbRow, RequestRow> {
  return {
    row: RequestRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { number: 'r.number', amount: 'r.amount', dueOn: 'r.due_on', createdAt: 'r.created_at' },
    order: [['r.id', 'desc']],
    key: 'r.id',
    map: toRow,
  };
}

/** One page of payment requests, the newest first. */
export function requestPage(ctx: Ctx, request: PageRequest<RequestFilter>): Promise<PageOf<RequestRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** One request as its list shows it. */
export async function rowOf(ctx: Ctx, id: string): Promise<RequestRow | undefined> {
  const found = await selected(ctx, {}).where('r.id', '=', id).executeTakeFirst();
  return found && toRow(found);
}

/** How many requests are in each state, whatever state the filter names. */
export async function requestCounts(ctx: Ctx, filter: RequestFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, { ...filter, state: undefined }), 'r.state');
}

/** All requests of a filter as a file. */
export function exportAll(open: OpenCtx, body: ExportRequest<RequestFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `请款单-${ctx.clock.today()}`,
    sheet: '请款单',
    format: body.format,
    columns: exportColumns(ctx, RequestRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出请款单', resource: paymentRequest.name, filter: body.filter },
  }));
}
