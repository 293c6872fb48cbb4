import { sql } from 'kysely';
import type { z } from 'zod';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { platformBill } from '../../contract/bills/bill.ts';
import { type BillOrderFilter, BillOrderRow, type MatchedHow } from '../../contract/bills/lines.ts';
import type { RequestState } from '../../contract/requests.ts';

const DIFFERENCE = sql<string | null>`o.amount - o.order_amount`;

function matching(ctx: Ctx, filter: BillOrderFilter) {
  let query = ctx.db
    .selectFrom('finance.platform_bill_order as o')
    .leftJoin('finance.platform_bill_payment as p', (join) =>
      join.onRef('p.company_id', '=', 'o.company_id').onRef('p.order_line_id', '=', 'o.id').on('p.live', '=', true),
    )
    .where('o.company_id', '=', ctx.companyId);
  if (filter.bill) query = query.where('o.bill_id', '=', filter.bill);
  if (filter.matched?.length) query = query.where('o.matched', 'in', filter.matched);
  // What has no purchase order differs by all of it.
  if (filter.differs !== undefined) {
    query = query.where(sql<boolean>`(o.matched = 'NONE' OR coalesce(${DIFFERENCE} <> 0, false))`, '=', filter.differs);
  }
  if (filter.asked !== undefined) query = query.where('p.request_id', filter.asked ? 'is not' : 'is', null);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('o.order_id', 'like', like), eb('o.name', 'ilike', like), eb('o.subject_number', 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: BillOrderFilter) {
  return matching(ctx, filter)
    .innerJoin('finance.platform_bill as b', (join) =>
      join.onRef('b.company_id', '=', 'o.company_id').onRef('b.id', '=', 'o.bill_id'),
    )
    .leftJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'o.company_id').onRef('s.id', '=', 'o.supplier_id'),
    )
    .leftJoin('finance.payment_request as r', (join) =>
      join.onRef('r.company_id', '=', 'p.company_id').onRef('r.id', '=', 'p.request_id'),
    )
    .select(['o.id', 'o.order_id as orderId', 'o.matched', 'o.subject_id as subjectId', 's.short_name as supplier'])
    .select(['o.subject_number as order', 'o.amount', 'o.order_amount as orderAmount', DIFFERENCE.as('difference')])
    .select(['r.number as request', 'r.state as requestState', 'r.id as requestId', 'o.paid_at as paidAt', 'o.name'])
    .select(['o.paid', 'o.confirmed', 'o.confirmed_at as confirmedAt', 'o.term', 'o.refunded', 'o.refund', 'o.note'])
    .select(['b.number as bill', 'b.id as billId']);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const toRow = (row: DbRow): BillOrderRow => ({
  ...row,
  matched: row.matched as z.output<typeof MatchedHow>,
  order: row.order || null,
  requestState: row.requestState as RequestState | null,
});

function listDef(ctx: Ctx, filter: BillOrderFilter): ListDef<DbRow, BillOrderRow> {
  return {
    row: BillOrderRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: {
      orderId: 'o.order_id',
      amount: 'o.amount',
      orderAmount: 'o.order_amount',
      difference: 'o.amount - o.order_amount',
      paidAt: 'o.paid_at',
      confirmedAt: 'o.confirmed_at',
    },
    order: [
      ['o.bill_id', 'desc'],
      ['o.line_no', 'asc'],
    ],
    key: 'o.id',
    map: toRow,
  };
}

async function totals(ctx: Ctx, filter: BillOrderFilter) {
  return matching(ctx, filter)
    .select([
      sql<string>`coalesce(sum(o.amount), 0)`.as('amount'),
      sql<string>`coalesce(sum(o.order_amount), 0)`.as('orderAmount'),
      sql<string>`coalesce(sum(${DIFFERENCE}), 0)`.as('difference'),
      sql<string>`coalesce(sum(o.paid), 0)`.as('paid'),
      sql<string>`coalesce(sum(o.confirmed), 0)`.as('confirmed'),
      sql<string>`coalesce(sum(o.refund), 0)`.as('refund'),
    ])
    .executeTakeFirstOrThrow();
}

/** One page of orders of bills, as the bill has them, with sums over the whole filter. CNY. */
export function billOrderPage(ctx: Ctx, request: PageRequest<BillOrderFilter>): Promise<PageOf<BillOrderRow>> {
  return page(ctx, request, { ...listDef(ctx, request.filter), totals: () => totals(ctx, request.filter) });
}

/** All orders of a filter as a file. */
export function billOrderFile(open: OpenCtx, body: ExportRequest<BillOrderFilter>): Promise<FileReply> {
  const what = body.filter.differs ? '平台账单差异' : '平台账单明细';
  return download(open, async (ctx) => ({
    name: `${what}-${ctx.clock.today()}`,
    sheet: what,
    format: body.format,
    columns: exportColumns(ctx, BillOrderRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: `导出${what}`, resource: platformBill.name, filter: body.filter },
  }));
}
