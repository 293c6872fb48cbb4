import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { maySee } from '../documents/core/places.ts';

/** Statuses of pieces that lie in a warehouse. */
export const THERE = sql.raw(`('QUARANTINE', 'AVAILABLE', 'RESERVED', 'PROCESSING', 'DEFECTIVE')`);

/**
 * The warehouses that a report covers: those asked for that the caller may see; undefined for all. The other side of a
 * posting is often out of his sight, so the reports read past the data rights and are narrowed by this alone.
 */
export function visible(ctx: Ctx, asked: readonly string[] | undefined): readonly string[] | undefined {
  const wanted = asked?.length ? asked : undefined;
  const reach = ctx.dataScope?.read.warehouse;
  if (!ctx.dataScope || reach === null) return wanted;
  return wanted ? wanted.filter((id) => maySee(ctx, id)) : (reach ?? []);
}

/** Which entries are looked at. */
export interface FlowScope {
  /** yyyy-MM-dd, both included. */
  from: string;
  to: string;
  warehouses?: readonly string[] | undefined;
  /** One product: the column of the query around that names it. */
  product?: RawBuilder<string> | undefined;
  /** Words of the product's SKU or name, as a LIKE pattern. */
  like?: string | undefined;
}

/** Whether a row `alias` with product and warehouse is looked at. */
export function inScope(alias: string, scope: Pick<FlowScope, 'warehouses' | 'product' | 'like'>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const parts = [sql<boolean>`true`];
  if (scope.warehouses) parts.push(sql`${column('warehouse_id')} = ANY (${[...scope.warehouses]}::uuid[])`);
  if (scope.product) parts.push(sql`${column('product_id')} = ${scope.product}`);
  if (scope.like) {
    parts.push(sql`${column('product_id')} IN (SELECT p.id FROM product.local_product AS p
      WHERE p.company_id = kit.company() AND (p.sku ILIKE ${scope.like} OR p.name ILIKE ${scope.like}))`);
  }
  return sql.join(parts, sql` AND `);
}

/**
 * Pieces by product, day and kind of movement, as a query (product_id, warehouse_id, day, kind, qty): what changed the
 * number of pieces that are there. The kind is told by the other side of the posting: RECEIVED from suppliers (a receipt
 * that uses up 待入库 included), SOLD to customers or scrapped, DISPATCHED to a warehouse abroad, MOVED to another one of
 * ours, ASSEMBLED, COUNTED, OTHER. Every piece is in exactly one kind, so opening and kinds add up to closing.
 */
export function flows(ctx: Ctx, scope: FlowScope): RawBuilder<unknown> {
  return sql`
    SELECT h.product_id, h.warehouse_id, h.day, h.qty, CASE
             WHEN k.supplied <> 0 THEN 'RECEIVED'
             WHEN cardinality(k.codes) > 1 THEN 'OTHER'
             WHEN k.codes[1] IN ('CUSTOMER', 'SCRAP') THEN 'SOLD'
             WHEN k.codes[1] = 'ASSEMBLY' THEN 'ASSEMBLED'
             WHEN k.codes[1] = 'ADJUSTMENT' THEN 'COUNTED'
             WHEN cardinality(k.codes) = 1 THEN 'OTHER'
             WHEN k.abroad AND w.kind IN ('LOCAL', 'TRANSIT') THEN 'DISPATCHED'
             ELSE 'MOVED' END AS kind
      FROM (SELECT e.product_id, e.warehouse_id, e.posting_id, e.posted_at, e.business_date AS day, sum(e.qty) AS qty
              FROM warehouse.stock_entry AS e
             WHERE e.company_id = ${ctx.companyId} AND e.status IN ${THERE}
               AND e.business_date BETWEEN ${scope.from}::date AND ${scope.to}::date
               AND e.posted_at >= ${scope.from}::date - interval '1 day' AND ${inScope('e', scope)}
             GROUP BY 1, 2, 3, 4, 5 HAVING sum(e.qty) <> 0) AS h
      JOIN warehouse.warehouse AS w ON w.company_id = ${ctx.companyId} AND w.id = h.warehouse_id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(o.qty) FILTER (WHERE o.code = 'SUPPLIER'), 0) AS supplied,
               coalesce(array_agg(o.code) FILTER (WHERE o.code NOT IN ('SUPPLIER', 'ABROAD')), '{}') AS codes,
               coalesce(bool_or(o.code = 'ABROAD'), false) AS abroad
          FROM (SELECT CASE WHEN x.status = 'EXPECTED' THEN 'SUPPLIER' WHEN x.status = 'IN_TRANSIT' THEN 'ABROAD' ELSE v.code END AS code,
                       sum(x.qty) AS qty
                  FROM warehouse.stock_entry AS x
                  JOIN warehouse.warehouse AS v ON v.company_id = ${ctx.companyId} AND v.id = x.warehouse_id
                 WHERE x.company_id = ${ctx.companyId} AND x.posting_id = h.posting_id AND x.posted_at = h.posted_at
                   AND x.product_id = h.product_id
                   AND (x.status IN ('OUTSIDE', 'EXPECTED')
                     OR (x.status = 'IN_TRANSIT' AND v.kind IN ('OVERSEAS', 'THIRD_PARTY', 'FBA', 'AWD')))
                 GROUP BY 1 HAVING sum(x.qty) <> 0) AS o) AS k`;
}

/** Rows of a report that reads past the data rights, for a file: they are read at once, because the right to do so ends. */
export async function* wholly<Row>(ctx: Ctx, rows: () => AsyncIterable<Row>): AsyncGenerator<Row> {
  yield* await unscoped(ctx, () => Array.fromAsync(rows()));
}
