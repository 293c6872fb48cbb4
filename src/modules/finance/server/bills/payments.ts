import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { platformBill } from '../../contract/bills/bill.ts';
import { type BillPaymentFilter, BillPaymentRow } from '../../contract/bills/lines.ts';
import type { RequestState } from '../../contract/requests.ts';

function matching(ctx: Ctx, filter: BillPaymentFilter) {
  let query = ctx.db
    .selectFrom('finance.platform_bill_payment as p')
    .innerJoin('finance.platform_bill_order as o', (join) =>
      join.onRef('o.company_id', '=', 'p.company_id').onRef('o.id', '=', 'p.order_line_id'),
    )
    .innerJoin('finance.payment_request as r', (join) =>
      join.onRef('r.company_id', '=', 'p.company_id').onRef('r.id', '=', 'p.request_id'),
    )
    .where('p.company_id', '=', ctx.companyId);
  if (filter.bill) query = query.where('p.bill_id', '=', filter.bill);
  if (filter.state?.length) query = query.where('r.state', 'in', filter.state);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('r.number', 'ilike', like), eb('r.subject_number', 'ilike', like), eb('o.order_id', 'like', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: BillPaymentFilter) {
  return matching(ctx, filter)
    .leftJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'r.company_id').onRef('s.id', '=', 'r.party_id'),
    )
    .select(sql<string>`p.order_line_id || ':' || p.request_id`.as('id'))
    .select(['r.id as requestId', 'r.number as request', 'r.state', 'r.subject_number as order'])
    .select(['r.subject_id as subjectId', 'o.order_id as orderId', 'p.amount', 'p.live as counts'])
    .select(['r.created_by_name as requestedBy', 'r.created_at as requestedAt'])
    .select(sql<string>`coalesce(s.short_name, '')`.as('supplier'));
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function listDef(ctx: Ctx, filter: BillPaymentFilter): ListDef<DbRow, BillPaymentRow> {
  return {
    row: BillPaymentRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { amount: 'p.amount', requestedAt: 'r.created_at' },
    order: [
      ['p.request_id', 'desc'],
      ['o.line_no', 'asc'],
    ],
    key: 'p.order_line_id',
    map: (row) => ({ ...row, state: row.state as RequestState }),
  };
}

/** One page of what was asked to be paid for bills; the sum is of what counts. CNY. */
export function billPaymentPage(ctx: Ctx, request: PageRequest<BillPaymentFilter>): Promise<PageOf<BillPaymentRow>> {
  const totals = () =>
    matching(ctx, request.filter)
      .select(sql<string>`coalesce(sum(p.amount) FILTER (WHERE p.live), 0)`.as('amount'))
      .executeTakeFirstOrThrow();
  return page(ctx, request, { ...listDef(ctx, request.filter), totals });
}

/** All payments of a filter as a file. */
export function billPaymentFile(open: OpenCtx, body: ExportRequest<BillPaymentFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `平台账单付款明细-${ctx.clock.today()}`,
    sheet: '付款明细',
    format: body.format,
    columns: exportColumns(ctx, BillPaymentRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出平台账单付款明细', resource: platformBill.name, filter: body.filter },
  }));
}
