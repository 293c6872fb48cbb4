import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import { type ReturnFilter, ReturnRow, type ReturnState, type ReturnWay } from '../../contract/return.ts';
import { withFirstProduct } from '../first-product.ts';

function matching(ctx: Ctx, filter: ReturnFilter) {
  let query = ctx.db
    .selectFrom('purchase.return_order as r')
    .innerJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'r.company_id').onRef('o.id', '=', 'r.order_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'r.company_id').onRef('s.id', '=', 'r.supplier_id'),
    )
    .where('r.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('r.state', '=', filter.state);
  if (filter.supplier?.length) query = query.where('r.supplier_id', 'in', filter.supplier);
  const day = sql<string>`kit.day(r.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
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
  credit: string | null;
  cost: string | null;
}

const SUMS = sql<Sums>`(SELECT jsonb_build_object('skus', count(DISTINCT l.product_id),
    'first', (array_agg(l.product_id ORDER BY l.line_no))[1], 'qty', coalesce(sum(l.qty), 0),
    'credit', sum(l.credit)::text, 'cost', sum(l.cost)::text)
   FROM purchase.return_line AS l WHERE l.company_id = r.company_id AND l.return_id = r.id)`;

function selected(ctx: Ctx, filter: ReturnFilter) {
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
    'r.way',
    'r.reason',
    'r.shipped_at',
    'r.created_by_name',
    'r.created_at',
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
    state: row.state as ReturnState,
    order: row.order,
    orderId: row.order_id,
    supplier: row.supplier,
    warehouse: places.get(row.warehouse_id)?.name ?? '',
    ...sums,
    currency: row.currency,
    trackingNo: row.tracking_no,
    way: row.way as ReturnWay,
    reason: row.reason,
    shippedAt: row.shipped_at,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    version: row.version,
  };
}
type ListRow = ReturnType<typeof toRow>;

async function listDef(ctx: Ctx, filter: ReturnFilter): Promise<ListDef<DbRow, ListRow>> {
  const places = await warehouses(ctx);
  return {
    row: ReturnRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'r.number', createdAt: 'r.created_at' },
    order: [['r.id', 'desc']],
    key: 'r.id',
    map: (row) => toRow(row, places),
  };
}

/** One page of returns, the newest first. */
export async function returnPage(ctx: Ctx, request: PageRequest<ReturnFilter>): Promise<PageOf<ReturnRow>> {
  const found = await page(ctx, request, await listDef(ctx, request.filter));
  return { ...found, records: await withFirstProduct(ctx, found.records) };
}

/** How many returns are in each state under the other filters; "all" is their sum. */
export async function returnCounts(ctx: Ctx, { state: _, ...others }: ReturnFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'r.state');
}

/** All returns of the filter as a file. */
export function exportReturns(open: OpenCtx, body: ExportRequest<ReturnFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购退货-${ctx.clock.today()}`,
      sheet: '退货',
      format: body.format,
      columns: exportColumns(ctx, ReturnRow, body.columns).filter((column) => column.key !== 'product'),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购退货', resource: 'purchase.return', filter: body.filter },
    }),
  );
}
