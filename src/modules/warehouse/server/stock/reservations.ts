import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type ReservationFilter, ReservationRow } from '../../contract/inventory.ts';
import { release } from '../ledger/reserve.ts';
import { productHas, skuIs } from './filter.ts';
import { postingWords } from './sources.ts';

interface DbRow {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  product_id: string;
  document_type: string;
  document_id: string;
  document_number: string;
  warehouse: string;
  location: string;
  lot_no: string;
  state: string;
  held: number;
  qty: number;
  picked_qty: number;
  shipped_qty: number;
  released_qty: number;
  expires_at: string | null;
  created_at: string;
}

function filtered(ctx: Ctx, filter: ReservationFilter) {
  let query = ctx.db
    .selectFrom('warehouse.reservation as r')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'r.company_id').onRef('p.id', '=', 'r.product_id'),
    )
    .where('r.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('r.state', '=', filter.state);
  if (filter.warehouses?.length) query = query.where('r.warehouse_id', 'in', filter.warehouses);
  if (filter.sku) query = query.where(skuIs(ctx, 'r.product_id', filter.sku));
  if (filter.keyword) query = query.where(productHas(filter.keyword));
  if (filter.number) query = query.where('r.document_number', 'ilike', containing(filter.number));
  return query;
}

/** One page of reservations, newest first: who holds what is 待出库. */
export function reservationPage(ctx: Ctx, request: PageRequest<ReservationFilter>): Promise<PageOf<ReservationRow>> {
  const query = filtered(ctx, request.filter)
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'r.company_id').onRef('w.id', '=', 'r.warehouse_id'),
    )
    .innerJoin('warehouse.location as l', (join) =>
      join.onRef('l.company_id', '=', 'r.company_id').onRef('l.id', '=', 'r.location_id'),
    )
    .innerJoin('warehouse.lot as t', (join) =>
      join.onRef('t.company_id', '=', 'r.company_id').onRef('t.id', '=', 'r.lot_id'),
    )
    .select([
      'r.id',
      'r.product_id',
      'r.document_type',
      'r.document_id',
      'r.document_number',
      'r.state',
      'r.held',
      'r.qty',
    ])
    .select(['r.picked_qty', 'r.shipped_qty', 'r.released_qty', 'r.expires_at', 'r.created_at', 'p.sku', 'p.name'])
    .select(['p.image', 'w.name as warehouse', 'l.code as location', 't.lot_no']);
  return page<DbRow, ReservationRow>(ctx, request, {
    row: ReservationRow,
    query: listQuery<DbRow>(query),
    sort: { createdAt: 'r.created_at', held: 'r.held', product: 'p.sku', expiresAt: 'r.expires_at' },
    order: [['r.created_at', 'desc']],
    key: 'r.id',
    totals: async () =>
      filtered(ctx, request.filter).select(sql<number>`coalesce(sum(r.held), 0)`.as('held')).executeTakeFirstOrThrow(),
    map: (row) => ({
      id: row.id,
      product: { name: row.name || row.sku, code: row.sku, image: row.image },
      productId: row.product_id,
      number: row.document_number,
      warehouse: row.warehouse,
      location: row.location,
      lot: row.lot_no || null,
      state: row.state as ReservationRow['state'],
      held: row.held,
      qty: row.qty,
      picked: row.picked_qty,
      shipped: row.shipped_qty,
      released: row.released_qty,
      expiresAt: row.expires_at,
      createdAt: row.created_at,
      path: postingWords(ctx, { source_type: row.document_type, source_id: row.document_id, source_event: '' }).path,
    }),
  });
}

/** Reservations by state under the other filters. */
export async function reservationCounts(ctx: Ctx, filter: ReservationFilter): Promise<Record<string, number>> {
  const rows = await filtered(ctx, { ...filter, state: undefined })
    .select(['r.state', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('r.state')
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.n]));
  return { all: rows.reduce((sum, row) => sum + row.n, 0), ...counts };
}

/** Gives one reservation back by hand, with a reason. The document notices when it ships. @throws refused when nothing is held */
export async function releaseOne(ctx: Ctx, id: string, reason: string): Promise<{ released: number }> {
  const row = await ctx.db
    .selectFrom('warehouse.reservation')
    .select(['document_type', 'document_id', 'document_number', 'held'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('预留不存在或已删除');
  if (row.held === 0) throw refused('该预留已没有占用的库存', 'B0840');
  const source = {
    type: row.document_type,
    id: row.document_id,
    event: `release-${randomUUID()}`,
    number: row.document_number,
  };
  await release(ctx, source, [id]);
  const after = { number: row.document_number, released: row.held, reason };
  await audit(ctx, { action: '释放预留', resource: 'warehouse.reservation', resourceId: id, after });
  return { released: row.held };
}
