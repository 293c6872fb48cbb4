import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import { type ReceiptFilter, type ReceiptLineRow, ReceiptRow, type ReceiptState } from '../../contract/receipt.ts';
import { withFirstProduct } from '../first-product.ts';

function matching(ctx: Ctx, filter: ReceiptFilter) {
  let query = ctx.db
    .selectFrom('purchase.receipt as r')
    .innerJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'r.company_id').onRef('o.id', '=', 'r.order_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'r.company_id').onRef('s.id', '=', 'r.supplier_id'),
    )
    .where('r.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('r.state', '=', filter.state);
  if (filter.supplier?.length) query = query.where('r.supplier_id', 'in', filter.supplier);
  if (filter.warehouse?.length) query = query.where('r.warehouse_id', 'in', filter.warehouse);
  if (filter.received?.from) query = query.where('r.received_on', '>=', filter.received.from);
  if (filter.received?.to) query = query.where('r.received_on', '<=', filter.received.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('r.number', 'ilike', like), eb('o.number', 'ilike', like), eb('r.tracking_no', 'ilike', like)]),
    );
  }
  return query;
}

interface Sums {
  skus: number;
  first: string | null;
  qty: number;
  inspecting: number;
  passed: number;
  special: number;
  rejected: number;
  amount: string | null;
}

const SUMS = sql<Sums>`(SELECT jsonb_build_object('skus', count(DISTINCT l.product_id),
    'first', (array_agg(l.product_id ORDER BY l.line_no))[1], 'qty', coalesce(sum(l.qty), 0),
    'inspecting', coalesce(sum(l.inspecting), 0), 'passed', coalesce(sum(l.passed), 0),
    'special', coalesce(sum(l.special), 0), 'rejected', coalesce(sum(l.rejected), 0), 'amount', sum(l.amount)::text)
   FROM purchase.receipt_line AS l WHERE l.company_id = r.company_id AND l.receipt_id = r.id)`;

function selected(ctx: Ctx, filter: ReceiptFilter) {
  return matching(ctx, filter).select([
    'r.id',
    'r.number',
    'r.state',
    'r.order_id',
    'o.number as order',
    'o.currency',
    's.short_name as supplier',
    'r.warehouse_id',
    'r.tracking_no',
    'r.received_on',
    'r.created_by_name',
    'r.created_at',
    'r.remark',
    'r.version',
    SUMS.as('sums'),
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, places: ReadonlyMap<string, Pick<Warehouse, 'name'>>) {
  const { skus: _, first, ...sums } = row.sums;
  return {
    id: row.id,
    number: row.number,
    product: null,
    productId: first,
    more: row.sums.skus - 1,
    state: row.state as ReceiptState,
    order: row.order,
    orderId: row.order_id,
    supplier: row.supplier,
    warehouse: places.get(row.warehouse_id)?.name ?? '',
    ...sums,
    currency: row.currency,
    trackingNo: row.tracking_no,
    receivedOn: row.received_on,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    remark: row.remark,
    version: row.version,
  };
}
type ListRow = ReturnType<typeof toRow>;

async function listDef(ctx: Ctx, filter: ReceiptFilter): Promise<ListDef<DbRow, ListRow>> {
  const places = await warehouses(ctx);
  return {
    row: ReceiptRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'r.number', receivedOn: 'r.received_on', createdAt: 'r.created_at' },
    order: [['r.id', 'desc']],
    key: 'r.id',
    map: (row) => toRow(row, places),
  };
}

/** One page of receipts, the newest first. */
export async function receiptPage(ctx: Ctx, request: PageRequest<ReceiptFilter>): Promise<PageOf<ReceiptRow>> {
  const found = await page(ctx, request, await listDef(ctx, request.filter));
  return { ...found, records: await withFirstProduct(ctx, found.records) };
}

/** How many receipts are in each state under the other filters; "all" is their sum. */
export async function receiptCounts(ctx: Ctx, { state: _, ...others }: ReceiptFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'r.state');
}

/** All receipts of the filter as a file. */
export function exportReceipts(open: OpenCtx, body: ExportRequest<ReceiptFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购到货-${ctx.clock.today()}`,
      sheet: '到货',
      format: body.format,
      columns: exportColumns(ctx, ReceiptRow, body.columns).filter((column) => column.key !== 'product'),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购到货', resource: 'purchase.receipt', filter: body.filter },
    }),
  );
}

/** The lines of a receipt. */
export async function receiptLines(ctx: Ctx, id: string): Promise<ReceiptLineRow[]> {
  const { rows } = await sql<Omit<ReceiptLineRow, 'product'> & { productId: string }>`
    SELECT l.id, l.product_id AS "productId", l.qty, l.inspecting, l.passed, l.special, l.rejected, l.free, l.amount, l.cost, o.currency
      FROM purchase.receipt_line AS l
      JOIN purchase.receipt AS r ON r.company_id = l.company_id AND r.id = l.receipt_id
      JOIN purchase.purchase_order AS o ON o.company_id = r.company_id AND o.id = r.order_id
     WHERE l.company_id = ${ctx.companyId} AND l.receipt_id = ${id} ORDER BY l.line_no`.execute(ctx.db);
  const products = await localProducts(
    ctx,
    rows.map((row) => row.productId),
  );
  return rows.map(({ productId, ...row }) => ({
    ...row,
    product: products.get(productId)?.cell ?? { name: '—', code: '—' },
  }));
}
