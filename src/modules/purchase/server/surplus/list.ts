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
import { type SurplusFilter, SurplusRow, type SurplusState } from '../../contract/surplus.ts';

function matching(ctx: Ctx, filter: SurplusFilter) {
  let query = ctx.db
    .selectFrom('purchase.surplus as u')
    .innerJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'u.company_id').onRef('o.id', '=', 'u.order_id'),
    )
    .innerJoin('purchase.order_line as l', (join) =>
      join.onRef('l.company_id', '=', 'u.company_id').onRef('l.id', '=', 'u.order_line_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'u.company_id').onRef('s.id', '=', 'u.supplier_id'),
    )
    .leftJoin('purchase.receipt as r', (join) =>
      join.onRef('r.company_id', '=', 'u.company_id').onRef('r.id', '=', 'u.receipt_id'),
    )
    .where('u.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('u.state', '=', filter.state);
  if (filter.supplier?.length) query = query.where('u.supplier_id', 'in', filter.supplier);
  if (filter.warehouse?.length) query = query.where('u.warehouse_id', 'in', filter.warehouse);
  const day = sql<string>`kit.day(u.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('u.number', 'ilike', like), eb('o.number', 'ilike', like)]));
  }
  return query;
}

function selected(ctx: Ctx, filter: SurplusFilter) {
  return matching(ctx, filter).select([
    'u.id',
    'u.number',
    'u.state',
    'u.product_id as productId',
    'u.order_id as orderId',
    'o.number as order',
    'o.currency',
    's.short_name as supplier',
    'u.warehouse_id as place',
    'u.qty',
    'l.qty as orderedQty',
    'l.limit_qty as limitQty',
    'l.unit_price as unitPrice',
    sql<string>`u.qty * l.unit_price`.as('worth'),
    'r.number as receipt',
    'u.reason',
    'u.tracking_no as trackingNo',
    'u.created_by_name as createdByName',
    'u.created_at as createdAt',
    'u.decided_by_name as decidedByName',
    'u.decided_at as decidedAt',
    'u.version',
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow({ place, ...row }: DbRow, places: ReadonlyMap<string, Pick<Warehouse, 'name'>>) {
  return { ...row, product: null, state: row.state as SurplusState, warehouse: places.get(place)?.name ?? '' };
}
type ListRow = ReturnType<typeof toRow>;

async function listDef(ctx: Ctx, filter: SurplusFilter): Promise<ListDef<DbRow, ListRow>> {
  const places = await warehouses(ctx);
  return {
    row: SurplusRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'u.number', createdAt: 'u.created_at' },
    order: [['u.id', 'desc']],
    key: 'u.id',
    map: (row) => toRow(row, places),
  };
}

/** One page of what came beyond the limits, the newest first. */
export async function surplusPage(ctx: Ctx, request: PageRequest<SurplusFilter>): Promise<PageOf<SurplusRow>> {
  const found = await page(ctx, request, await listDef(ctx, request.filter));
  const products = await localProducts(
    ctx,
    found.records.map((row) => row.productId),
  );
  const records = found.records.map(({ productId, ...row }) => ({
    ...row,
    product: products.get(productId)?.cell ?? null,
  }));
  return { ...found, records };
}

/** How many documents are in each state under the other filters; "all" is their sum. */
export async function surplusCounts(ctx: Ctx, { state: _, ...others }: SurplusFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'u.state');
}

/** All documents of the filter as a file. */
export function exportSurplusFile(open: OpenCtx, body: ExportRequest<SurplusFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购超收-${ctx.clock.today()}`,
      sheet: '超收',
      format: body.format,
      columns: exportColumns(ctx, SurplusRow, body.columns).filter((column) => column.key !== 'product'),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购超收', resource: 'purchase.surplus', filter: body.filter },
    }),
  );
}
