import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type exportShelf, type ShelfFilter, ShelfRow } from '../../contract/shelf.ts';
import { productHas } from '../stock/filter.ts';

interface DbRow {
  product_id: string;
  warehouse_id: string;
  location_id: string;
  lot_id: string;
  sku: string;
  name: string;
  image: string | null;
  warehouse: string;
  location: string;
  type: string;
  frozen: boolean;
  lot_no: string;
  expires_at: string | null;
  free: number;
  qty: number;
  last_seq: number;
  moved_at: string | null;
}

/** Pieces that are there, by product, location `l` and lot. */
function rowsOf(ctx: Ctx, filter: ShelfFilter) {
  let stock = ctx.db
    .selectFrom('warehouse.stock_balance as b')
    .select(['b.product_id', 'b.warehouse_id', 'b.location_id', 'b.lot_id'])
    .select(sql<number>`sum(b.qty)`.as('qty'))
    .select(sql<number>`coalesce(sum(b.qty) FILTER (WHERE b.status NOT IN ('RESERVED', 'PROCESSING')), 0)`.as('free'))
    .select(sql<number>`max(b.last_seq)`.as('last_seq'))
    .where('b.company_id', '=', ctx.companyId)
    .where('b.status', 'not in', ['OUTSIDE', 'EXPECTED', 'IN_TRANSIT'])
    .where('b.qty', '>', 0)
    .groupBy(['b.product_id', 'b.warehouse_id', 'b.location_id', 'b.lot_id']);
  if (filter.warehouses?.length) stock = stock.where('b.warehouse_id', 'in', filter.warehouses);
  if (filter.state === 'STAGED') stock = stock.whereRef('b.location_id', '=', 'b.warehouse_id');
  if (filter.state === 'SHELVED') stock = stock.whereRef('b.location_id', '<>', 'b.warehouse_id');
  let query = ctx.db
    .selectFrom(stock.as('s'))
    .innerJoin('product.local_product as p', (join) =>
      join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', 's.product_id'),
    )
    .innerJoin('warehouse.location as l', (join) =>
      join.on('l.company_id', '=', ctx.companyId).onRef('l.id', '=', 's.location_id'),
    )
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.on('w.company_id', '=', ctx.companyId).onRef('w.id', '=', 's.warehouse_id'),
    );
  if (filter.keyword) query = query.where(productHas(filter.keyword));
  if (filter.location) query = query.where('l.code', 'ilike', containing(filter.location));
  return query;
}

const MOVED = `(SELECT e.posted_at FROM warehouse.stock_entry AS e
  WHERE e.company_id = kit.company() AND e.product_id = s.product_id AND e.warehouse_id = s.warehouse_id AND e.seq = s.last_seq)`;

function listDef(ctx: Ctx, filter: ShelfFilter): ListDef<DbRow, ShelfRow> {
  const query = rowsOf(ctx, filter)
    .innerJoin('warehouse.lot as t', (join) =>
      join.on('t.company_id', '=', ctx.companyId).onRef('t.id', '=', 's.lot_id'),
    )
    .selectAll('s')
    .select(['p.sku', 'p.name', 'p.image', 'w.name as warehouse', 'l.code as location', 'l.type', 'l.frozen'])
    .select(['l.path', 'l.pick_sequence', 't.lot_no', 't.expires_at']);
  return {
    row: ShelfRow,
    query: listQuery(query),
    // The time of the last movement is looked up for the rows of the page only.
    around: (rows) =>
      listQuery(cutAs(ctx, rows, 's').selectAll('s').select(sql.raw<string | null>(MOVED).as('moved_at'))),
    sort: { product: 'sku', location: 'path', warehouse: 'warehouse', qty: 's.qty', free: 's.free' },
    order: [
      ['warehouse', 'asc'],
      ['pick_sequence', 'asc'],
      ['path', 'asc'],
      ['sku', 'asc'],
    ],
    key: 's.lot_id',
    map: (row) => ({
      id: `${row.product_id}.${row.location_id}.${row.lot_id}`,
      product: { name: row.name || row.sku, code: row.sku, image: row.image },
      warehouse: row.warehouse,
      location: row.location,
      locationType: row.type as ShelfRow['locationType'],
      state: row.type === 'STAGING' ? 'STAGED' : 'SHELVED',
      lot: row.lot_no || null,
      expiresAt: row.expires_at,
      free: row.free,
      held: row.qty - row.free,
      qty: row.qty,
      movedAt: row.moved_at,
      frozen: row.frozen,
      productId: row.product_id,
      warehouseId: row.warehouse_id,
      locationId: row.location_id,
      lotId: row.lot_id,
    }),
  };
}

/** One page of what lies where, in the order in which a picker walks. */
export function shelfPage(ctx: Ctx, request: PageRequest<ShelfFilter>): Promise<PageOf<ShelfRow>> {
  const sums = async () =>
    rowsOf(ctx, request.filter)
      .select(sql<number>`coalesce(sum(s.qty), 0)::bigint`.as('qty'))
      .select(sql<number>`coalesce(sum(s.free), 0)::bigint`.as('free'))
      .executeTakeFirstOrThrow();
  return page(ctx, request, { ...listDef(ctx, request.filter), totals: sums });
}

/** Rows that wait for a place and rows that have one, under the other filters. */
export async function shelfCounts(ctx: Ctx, filter: ShelfFilter): Promise<Record<string, number>> {
  const { all, staged } = await rowsOf(ctx, { ...filter, state: undefined })
    .select(sql<number>`count(*)`.as('all'))
    .select(sql<number>`count(*) FILTER (WHERE s.location_id = s.warehouse_id)`.as('staged'))
    .executeTakeFirstOrThrow();
  return { all, STAGED: staged, SHELVED: all - staged };
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportShelf.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '库位库存',
    sheet: '库位库存',
    format: request.format,
    columns: exportColumns(ctx, ShelfRow, request.columns),
    rows: streamed(ctx, request, listDef(ctx, request.filter)) as AsyncIterable<object>,
    audit: { action: '导出库位库存', resource: 'warehouse.stock', filter: request.filter },
  }));
}
