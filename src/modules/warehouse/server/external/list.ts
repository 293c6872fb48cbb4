import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type ExternalFilter, ExternalRow } from '../../contract/external.ts';

interface DbRow {
  product_id: string | null;
  warehouse_id: string;
  sku: string;
  own_sku: string | null;
  name: string | null;
  image: string | null;
  warehouse: string;
  available: number;
  reserved: number;
  in_transit: number;
  their_available: number;
  their_locked: number;
  their_transit: number;
  difference: number;
  match: ExternalRow['match'];
  fetched_at: string | null;
}

/**
 * Our books and their list side by side, as rows `s`: every product that either knows, in every third-party warehouse
 * whose list was read at least once. Several SKUs of theirs may be one product of ours.
 */
function rowsOf(ctx: Ctx, filter: ExternalFilter) {
  const table = sql<DbRow>`(
    SELECT r.*, r.their_available + r.their_locked - r.available - r.reserved AS difference,
           CASE WHEN r.product_id IS NULL THEN 'UNKNOWN'
                WHEN r.their_available + r.their_locked > r.available + r.reserved THEN 'MORE'
                WHEN r.their_available + r.their_locked < r.available + r.reserved THEN 'LESS' ELSE 'SAME' END AS match
      FROM (
        SELECT coalesce(o.product_id, t.product_id) AS product_id, coalesce(o.warehouse_id, t.warehouse_id) AS warehouse_id,
               coalesce(t.sku, '') AS sku, coalesce(o.available, 0) AS available, coalesce(o.reserved, 0) AS reserved,
               coalesce(o.in_transit, 0) AS in_transit, coalesce(t.available, 0) AS their_available,
               coalesce(t.locked, 0) AS their_locked, coalesce(t.in_transit, 0) AS their_transit, t.fetched_at
          FROM (SELECT b.warehouse_id, b.product_id, coalesce(sum(b.qty) FILTER (WHERE b.status = 'AVAILABLE'), 0)::int AS available,
                       coalesce(sum(b.qty) FILTER (WHERE b.status = 'RESERVED'), 0)::int AS reserved,
                       coalesce(sum(b.qty) FILTER (WHERE b.status = 'IN_TRANSIT'), 0)::int AS in_transit
                  FROM warehouse.stock_balance AS b
                 WHERE b.company_id = ${ctx.companyId} AND b.qty > 0 AND b.warehouse_id IN (
                   SELECT x.warehouse_id FROM warehouse.external_stock AS x WHERE x.company_id = ${ctx.companyId})
                 GROUP BY 1, 2) AS o
          FULL JOIN (SELECT x.warehouse_id, x.product_id, string_agg(x.sku, '、' ORDER BY x.sku) AS sku, sum(x.available)::int AS available,
                       sum(x.locked)::int AS locked, sum(x.in_transit)::int AS in_transit, max(x.fetched_at) AS fetched_at
                  FROM warehouse.external_stock AS x WHERE x.company_id = ${ctx.companyId}
                 GROUP BY x.warehouse_id, x.product_id, CASE WHEN x.product_id IS NULL THEN x.sku END) AS t
            ON (t.warehouse_id, t.product_id) = (o.warehouse_id, o.product_id)) AS r)`;
  let query = ctx.db
    .selectFrom(table.as('s'))
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.on('w.company_id', '=', ctx.companyId).onRef('w.id', '=', 's.warehouse_id'),
    )
    .leftJoin('product.local_product as p', (join) =>
      join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', 's.product_id'),
    );
  if (filter.match) query = query.where('s.match', '=', filter.match);
  if (filter.warehouses?.length) query = query.where('s.warehouse_id', 'in', filter.warehouses);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(sql<boolean>`(p.sku ILIKE ${like} OR p.name ILIKE ${like} OR s.sku ILIKE ${like})`);
  }
  return query;
}

/** One page of the comparison, the greatest differences first. */
export function externalPage(ctx: Ctx, request: PageRequest<ExternalFilter>): Promise<PageOf<ExternalRow>> {
  const query = rowsOf(ctx, request.filter)
    .selectAll('s')
    .select(['p.sku as own_sku', 'p.name', 'p.image', 'w.name as warehouse']);
  return page<DbRow, ExternalRow>(ctx, request, {
    row: ExternalRow,
    query: listQuery<DbRow>(query),
    sort: { product: 'own_sku', difference: 's.difference', sku: 's.sku', warehouse: 'warehouse' },
    order: [
      ['abs(s.difference)', 'desc'],
      ['s.sku', 'asc'],
      ['own_sku', 'asc'],
    ],
    key: 's.warehouse_id',
    map: (row) => ({
      id: `${row.warehouse_id}.${row.product_id ?? row.sku}`,
      product: { name: row.name || row.own_sku || '未绑定产品', code: row.own_sku ?? row.sku, image: row.image },
      sku: row.sku,
      warehouse: row.warehouse,
      available: row.available,
      reserved: row.reserved,
      inTransit: row.in_transit,
      theirAvailable: row.their_available,
      theirLocked: row.their_locked,
      theirTransit: row.their_transit,
      difference: row.difference,
      match: row.match,
      fetchedAt: row.fetched_at,
      productId: row.product_id,
      warehouseId: row.warehouse_id,
    }),
  });
}

/** Rows by result under the other filters. */
export async function externalCounts(ctx: Ctx, filter: ExternalFilter): Promise<Record<string, number>> {
  const rows = await rowsOf(ctx, { ...filter, match: undefined })
    .select(['s.match', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('s.match')
    .execute();
  return {
    all: rows.reduce((sum, row) => sum + row.n, 0),
    ...Object.fromEntries(rows.map((row) => [row.match, row.n])),
  };
}

/** Pieces that the other side has more than our books say, by product of one warehouse; negative where it has less. */
export async function differences(
  ctx: Ctx,
  warehouse: string,
  products: readonly string[],
): Promise<{ product: string; difference: number }[]> {
  return rowsOf(ctx, { warehouses: [warehouse] })
    .select(['s.product_id as product', 's.difference'])
    .where('s.product_id', 'in', products)
    .where('s.difference', '<>', 0)
    .orderBy('s.product_id')
    .$castTo<{ product: string; difference: number }>()
    .execute();
}
