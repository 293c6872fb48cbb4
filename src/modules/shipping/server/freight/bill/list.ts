import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type FreightBillFilter, FreightBillRow, type FreightBillState } from '../../../contract/freight/bill.ts';
import type { FreightBase } from '../../../contract/freight/fields.ts';

function matching(ctx: Ctx, filter: FreightBillFilter) {
  let query = ctx.db
    .selectFrom('shipping.freight_bill as b')
    .innerJoin('shipping.carrier as k', (join) =>
      join.onRef('k.company_id', '=', 'b.company_id').onRef('k.id', '=', 'b.carrier_id'),
    )
    .where('b.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('b.state', '=', filter.state);
  if (filter.carrier?.length) query = query.where('b.carrier_id', 'in', filter.carrier);
  if (filter.day?.from) query = query.where('b.day', '>=', filter.day.from);
  if (filter.day?.to) query = query.where('b.day', '<=', filter.day.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(b.number ILIKE ${like} OR b.bill_no ILIKE ${like} OR EXISTS (
        SELECT FROM shipping.freight_charge AS c
          JOIN shipping.ship_order AS o ON o.company_id = c.company_id AND o.id = c.order_id
         WHERE c.company_id = b.company_id AND c.bill_id = b.id
           AND (o.number ILIKE ${like} OR c.reference ILIKE ${like} OR c.shipment_no ILIKE ${like})))`,
    );
  }
  return query;
}

const ORDERS = sql<number>`(SELECT count(DISTINCT c.order_id)::int FROM shipping.freight_charge AS c
   WHERE c.company_id = b.company_id AND c.bill_id = b.id)`;

function selected(ctx: Ctx, filter: FreightBillFilter) {
  return matching(ctx, filter).select([
    'b.id',
    'b.number',
    'b.state',
    'k.name as carrier',
    'b.bill_no as billNo',
    'b.day',
    ORDERS.as('orders'),
    sql<string>`b.amount::text`.as('amount'),
    'b.currency',
    sql<string | null>`b.amount_cny::text`.as('amountCny'),
    'b.base',
    'b.due_on as dueOn',
    'b.remark',
    'b.created_by_name as createdByName',
    'b.created_at as createdAt',
    'b.confirmed_by_name as confirmedByName',
    'b.confirmed_at as confirmedAt',
    'b.version',
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const toRow = (row: DbRow): FreightBillRow => ({
  ...row,
  state: row.state as FreightBillState,
  base: row.base as FreightBase,
});

const listDef = (ctx: Ctx, filter: FreightBillFilter): ListDef<DbRow, FreightBillRow> => ({
  row: FreightBillRow,
  query: listQuery(selected(ctx, filter)),
  sort: { number: 'b.number', day: 'b.day', amountCny: 'b.amount_cny', createdAt: 'b.created_at' },
  order: [['b.id', 'desc']],
  key: 'b.id',
  map: toRow,
});

/** One page of freight bills, the newest first. */
export function billPage(ctx: Ctx, request: PageRequest<FreightBillFilter>): Promise<PageOf<FreightBillRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** One bill as its list shows it. */
export async function billRow(ctx: Ctx, id: string): Promise<FreightBillRow | undefined> {
  const row = await selected(ctx, {}).where('b.id', '=', id).executeTakeFirst();
  return row && toRow(row);
}

/** How many bills are in each state under the other filters; "all" is their sum. */
export function billCounts(ctx: Ctx, { state: _, ...others }: FreightBillFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'b.state');
}

/** All bills of the filter as a file. */
export function exportBills(open: OpenCtx, body: ExportRequest<FreightBillFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `物流账单-${ctx.clock.today()}`,
      sheet: '物流账单',
      format: body.format,
      columns: exportColumns(ctx, FreightBillRow, body.columns),
      rows: streamed(ctx, body, listDef(ctx, body.filter)),
      audit: { action: '导出物流账单', resource: 'shipping.freight', filter: body.filter },
    }),
  );
}
