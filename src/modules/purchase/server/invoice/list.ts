import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { localProducts } from '#modules/product/server/index.ts';
import {
  type InvoiceFilter,
  type InvoiceKind,
  type InvoiceLineRow,
  InvoiceRow,
  type InvoiceState,
} from '../../contract/invoice.ts';
import { loaded } from '../order/load.ts';
import { comparedLines } from './match.ts';

function matching(ctx: Ctx, filter: InvoiceFilter) {
  let query = ctx.db
    .selectFrom('purchase.invoice as i')
    .innerJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'i.company_id').onRef('o.id', '=', 'i.order_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'i.company_id').onRef('s.id', '=', 'i.supplier_id'),
    )
    .where('i.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('i.state', '=', filter.state);
  if (filter.supplier?.length) query = query.where('i.supplier_id', 'in', filter.supplier);
  if (filter.issued?.from) query = query.where('i.issued_on', '>=', filter.issued.from);
  if (filter.issued?.to) query = query.where('i.issued_on', '<=', filter.issued.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('i.number', 'ilike', like), eb('o.number', 'ilike', like)]));
  }
  return query;
}

function selected(ctx: Ctx, filter: InvoiceFilter) {
  return matching(ctx, filter).select([
    'i.id',
    'i.number',
    'i.state',
    'i.finding',
    'i.order_id as orderId',
    'o.number as order',
    's.short_name as supplier',
    'i.kind',
    'i.issued_on as issuedOn',
    'i.amount',
    'i.tax_amount as tax',
    'i.currency',
    'i.reason',
    'i.remark',
    'i.created_by_name as createdByName',
    'i.created_at as createdAt',
    'i.decided_by_name as decidedByName',
    'i.decided_at as decidedAt',
    'i.version',
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const toRow = (row: DbRow): InvoiceRow => ({
  ...row,
  state: row.state as InvoiceState,
  kind: row.kind as InvoiceKind,
});

const listDef = (ctx: Ctx, filter: InvoiceFilter): ListDef<DbRow, InvoiceRow> => ({
  row: InvoiceRow,
  query: listQuery(selected(ctx, filter)),
  sort: { number: 'i.number', issuedOn: 'i.issued_on', amount: 'i.amount', createdAt: 'i.created_at' },
  order: [['i.id', 'desc']],
  key: 'i.id',
  map: toRow,
});

/** One page of invoices, the newest first. */
export function invoicePage(ctx: Ctx, request: PageRequest<InvoiceFilter>): Promise<PageOf<InvoiceRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** How many invoices are in each state under the other filters; "all" is their sum. */
export function invoiceCounts(ctx: Ctx, { state: _, ...others }: InvoiceFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'i.state');
}

/** All invoices of the filter as a file. */
export function exportInvoiceFile(open: OpenCtx, body: ExportRequest<InvoiceFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购发票-${ctx.clock.today()}`,
      sheet: '发票',
      format: body.format,
      columns: exportColumns(ctx, InvoiceRow, body.columns),
      rows: streamed(ctx, body, listDef(ctx, body.filter)),
      audit: { action: '导出采购发票', resource: 'purchase.invoice', filter: body.filter },
    }),
  );
}

/** Invoices of an order with their lines beside what was agreed and accepted. @throws notFound for an order out of reach */
export async function invoicesOf(ctx: Ctx, orderId: string): Promise<(InvoiceRow & { lines: InvoiceLineRow[] })[]> {
  const order = await loaded(ctx, orderId);
  const rows = await selected(ctx, {}).where('i.order_id', '=', order.id).orderBy('i.id').execute();
  const lines = await comparedLines(ctx, order.id);
  const products = await localProducts(
    ctx,
    lines.map((line) => line.product),
  );
  return rows.map((row) => ({
    ...toRow(row),
    lines: lines
      .filter((line) => line.invoiceId === row.id)
      .map(({ invoiceId: _i, product, lineNo: _n, ...line }) => ({
        ...line,
        currency: row.currency,
        product: products.get(product)?.cell ?? null,
      })),
  }));
}
