import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import { type ProcessFilter, type ProcessKind, ProcessRow, type ProcessState } from '../../contract/process.ts';

function matching(ctx: Ctx, filter: ProcessFilter) {
  let query = ctx.db
    .selectFrom('purchase.process_order as o')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'o.company_id').onRef('p.id', '=', 'o.product_id'),
    )
    .leftJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'o.company_id').onRef('s.id', '=', 'o.supplier_id'),
    )
    .where('o.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('o.state', '=', filter.state);
  if (filter.kind) query = query.where('o.kind', '=', filter.kind);
  if (filter.supplier?.length) query = query.where('o.supplier_id', 'in', filter.supplier);
  if (filter.warehouse?.length) query = query.where('o.warehouse_id', 'in', filter.warehouse);
  const day = sql<string>`kit.day(o.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('o.number', 'ilike', like), eb('p.sku', 'ilike', like)]));
  }
  return query;
}

function selected(ctx: Ctx, filter: ProcessFilter) {
  return matching(ctx, filter).select([
    'o.id',
    'o.number',
    'o.state',
    'o.kind',
    'o.product_id as productId',
    'p.sku',
    'p.name',
    'p.image',
    'o.supplier_id as supplierId',
    's.short_name as supplier',
    'o.warehouse_id as warehouseId',
    'o.qty',
    'o.done',
    'o.scrapped',
    sql<string>`o.fee_price::text`.as('feePrice'),
    'o.fee',
    'o.cost',
    'o.planned_on as plannedOn',
    'o.remark',
    'o.created_by_name as createdByName',
    'o.created_at as createdAt',
    'o.version',
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, places: ReadonlyMap<string, Pick<Warehouse, 'name'>>): ProcessRow {
  const { sku, name, image, ...rest } = row;
  return {
    ...rest,
    product: { name: name || sku, code: sku, image },
    state: row.state as ProcessState,
    kind: row.kind as ProcessKind,
    warehouse: places.get(row.warehouseId)?.name ?? '',
    doneShare: new Decimal(row.done).div(row.qty).toDecimalPlaces(4).toFixed(),
  };
}

async function listDef(ctx: Ctx, filter: ProcessFilter): Promise<ListDef<DbRow, ProcessRow>> {
  const places = await warehouses(ctx);
  return {
    row: ProcessRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'o.number', createdAt: 'o.created_at', qty: 'o.qty', plannedOn: 'o.planned_on' },
    order: [['o.id', 'desc']],
    key: 'o.id',
    map: (row) => toRow(row, places),
  };
}

/** One page of process orders, the newest first. Amounts in CNY. */
export async function processPage(ctx: Ctx, request: PageRequest<ProcessFilter>): Promise<PageOf<ProcessRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** One order as lists show it; undefined out of reach. */
export async function processRow(ctx: Ctx, id: string): Promise<ProcessRow | undefined> {
  const row = await selected(ctx, {}).where('o.id', '=', id).executeTakeFirst();
  return row && toRow(row, await warehouses(ctx));
}

/** How many orders are in each state under the other filters; "all" is their sum. */
export async function processCounts(ctx: Ctx, { state: _, ...others }: ProcessFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'o.state');
}

/** All process orders of the filter as a file. */
export function exportProcesses(open: OpenCtx, body: ExportRequest<ProcessFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购加工单-${ctx.clock.today()}`,
      sheet: '加工单',
      format: body.format,
      columns: exportColumns(ctx, ProcessRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购加工单', resource: 'purchase.process', filter: body.filter },
    }),
  );
}
