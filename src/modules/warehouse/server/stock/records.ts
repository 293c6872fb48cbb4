import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type exportRecords, type RecordFilter, RecordRow } from '../../contract/inventory.ts';
import type { StockStatus } from '../../contract/stock.ts';
import { productHas, skuIs } from './filter.ts';
import { postingWords } from './sources.ts';

interface DbRow {
  seq: number;
  posted_at: string;
  business_date: string;
  source_type: string;
  source_id: string;
  source_event: string;
  source_number: string;
  operator_name: string;
  note: string;
  sku: string;
  name: string;
  image: string | null;
  product_id: string;
  warehouse_id: string;
  warehouse: string;
  location: string;
  lot_no: string;
  status: string;
  qty: number;
  balance_after: number;
  unit_cost: string | null;
  amount: string | null;
}

/** Entries `e` of our own places with their product `p`, under everything in the filter but days and number. */
function scope(ctx: Ctx, filter: RecordFilter) {
  let query = ctx.db
    .selectFrom('warehouse.stock_entry as e')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'e.company_id').onRef('p.id', '=', 'e.product_id'),
    )
    .where('e.company_id', '=', ctx.companyId)
    .where('e.status', '<>', 'OUTSIDE');
  if (filter.status) query = query.where('e.status', '=', filter.status);
  if (filter.warehouses?.length) query = query.where('e.warehouse_id', 'in', filter.warehouses);
  if (filter.sku) query = query.where(skuIs(ctx, 'e.product_id', filter.sku));
  if (filter.keyword) query = query.where(productHas(filter.keyword));
  return query;
}

function rowsOf(ctx: Ctx, filter: RecordFilter, sources: readonly string[] = []) {
  const { from, to } = filter.period ?? {};
  let query = scope(ctx, filter)
    .innerJoin('warehouse.stock_posting as o', (join) =>
      join.onRef('o.company_id', '=', 'e.company_id').onRef('o.id', '=', 'e.posting_id'),
    )
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'e.company_id').onRef('w.id', '=', 'e.warehouse_id'),
    )
    .innerJoin('warehouse.location as l', (join) =>
      join.onRef('l.company_id', '=', 'e.company_id').onRef('l.id', '=', 'e.location_id'),
    )
    .innerJoin('warehouse.lot as t', (join) =>
      join.onRef('t.company_id', '=', 'e.company_id').onRef('t.id', '=', 'e.lot_id'),
    )
    .select(['e.seq', 'e.posted_at', 'e.business_date', 'e.product_id', 'e.warehouse_id', 'e.status', 'e.qty'])
    .select(['e.balance_after', 'e.unit_cost', 'e.amount', 'p.sku', 'p.name', 'p.image', 'w.name as warehouse'])
    .select(['l.code as location', 't.lot_no', 'o.source_type', 'o.source_id', 'o.source_event', 'o.source_number'])
    .select(['o.operator_name', 'o.note']);
  // Entries are kept by month of posting, and no business day lies after it: older months need not be looked at.
  if (from)
    query = query
      .where('e.business_date', '>=', from)
      .where(sql<boolean>`e.posted_at >= ${from}::date - interval '1 day'`);
  if (to) query = query.where('e.business_date', '<=', to);
  if (filter.number) query = query.where('o.source_number', 'ilike', containing(filter.number));
  if (sources.length > 0) query = query.where('o.source_type', 'in', sources);
  return query;
}

function rowOf(ctx: Ctx, row: DbRow): RecordRow {
  const { action, path } = postingWords(ctx, row);
  return {
    id: String(row.seq),
    at: row.posted_at,
    businessDate: row.business_date,
    number: row.source_number,
    action,
    product: { name: row.name || row.sku, code: row.sku, image: row.image },
    warehouse: row.warehouse,
    location: row.location,
    lot: row.lot_no || null,
    status: row.status as StockStatus,
    before: row.balance_after - row.qty,
    qty: row.qty,
    after: row.balance_after,
    unitCost: row.unit_cost,
    amount: row.amount,
    operator: row.operator_name,
    note: row.note,
    path,
    productId: row.product_id,
    warehouseId: row.warehouse_id,
  };
}

function listDef(ctx: Ctx, filter: RecordFilter, sources?: readonly string[]): ListDef<DbRow, RecordRow> {
  return {
    row: RecordRow,
    query: listQuery<DbRow>(rowsOf(ctx, filter, sources)),
    sort: { at: 'e.seq', businessDate: 'e.business_date', qty: 'e.qty', product: 'p.sku' },
    order: [],
    key: 'e.seq',
    map: (row) => rowOf(ctx, row),
  };
}

/** One page of the ledger, newest first; only what some kinds of source posted, where they are named. */
export function recordPage(
  ctx: Ctx,
  request: PageRequest<RecordFilter>,
  sources?: readonly string[],
): Promise<PageOf<RecordRow>> {
  const newest = request.sort ? request : { ...request, sort: 'at', order: 'desc' as const };
  return page(ctx, newest, listDef(ctx, request.filter, sources));
}

/** The newest entries of a filter. */
export async function newestRecords(ctx: Ctx, filter: RecordFilter, limit: number): Promise<RecordRow[]> {
  const rows = await rowsOf(ctx, filter).orderBy('e.seq', 'desc').limit(limit).execute();
  return rows.map((row) => rowOf(ctx, row as unknown as DbRow));
}

interface Sums {
  opening: number;
  in: number;
  out: number;
  later: number;
}

/** Opening, movements and closing; the last is counted from the other end, so that the difference proves something. */
export async function summary(ctx: Ctx, filter: RecordFilter) {
  const { from = '0001-01-01', to = '9999-12-31' } = filter.period ?? {};
  const sums = (await scope(ctx, filter)
    .select([
      sql<number>`coalesce(sum(e.qty) FILTER (WHERE e.business_date < ${from}), 0)`.as('opening'),
      sql<number>`coalesce(sum(e.qty) FILTER (WHERE e.business_date BETWEEN ${from} AND ${to} AND e.qty > 0), 0)`.as(
        'in',
      ),
      sql<number>`coalesce(-sum(e.qty) FILTER (WHERE e.business_date BETWEEN ${from} AND ${to} AND e.qty < 0), 0)`.as(
        'out',
      ),
      sql<number>`coalesce(sum(e.qty) FILTER (WHERE e.business_date > ${to}), 0)`.as('later'),
    ])
    .executeTakeFirstOrThrow()) as Sums;
  let balance = ctx.db
    .selectFrom('warehouse.stock_balance as e')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'e.company_id').onRef('p.id', '=', 'e.product_id'),
    )
    .select(sql<number>`coalesce(sum(e.qty), 0)`.as('qty'))
    .where('e.company_id', '=', ctx.companyId)
    .where('e.status', '<>', 'OUTSIDE');
  if (filter.status) balance = balance.where('e.status', '=', filter.status);
  if (filter.warehouses?.length) balance = balance.where('e.warehouse_id', 'in', filter.warehouses);
  if (filter.sku) balance = balance.where(skuIs(ctx, 'e.product_id', filter.sku));
  if (filter.keyword) balance = balance.where(productHas(filter.keyword));
  const { qty } = await balance.executeTakeFirstOrThrow();
  const closing = qty - sums.later;
  return {
    opening: sums.opening,
    in: sums.in,
    out: sums.out,
    closing,
    difference: sums.opening + sums.in - sums.out - closing,
  };
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportRecords.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '出入库明细',
    sheet: '出入库明细',
    format: request.format,
    columns: exportColumns(ctx, RecordRow, request.columns),
    rows: streamed(ctx, request, listDef(ctx, request.filter)) as AsyncIterable<object>,
    audit: { action: '导出出入库明细', resource: 'warehouse.stock', filter: request.filter },
  }));
}
