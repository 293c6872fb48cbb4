import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { StockDocument } from '../core/load.ts';

/** What is physically at a place, whatever it is held for. */
export interface CountCell {
  product: string;
  location: string;
  lot: string;
  lotNo: string;
  /** Pieces on the books. */
  qty: number;
  /** Pieces that are promised or in work: a count cannot go below them. */
  bound: number;
  /** Entry up to which the books were read. */
  seq: number;
}

/** Key of a place for a product: a line of a count. */
export const cellKey = (cell: { product: string; location: string; lot: string }) =>
  `${cell.product} ${cell.location} ${cell.lot}`;

/** The books of a warehouse now, narrowed to products and places; empty lists narrow nothing. */
export async function cellsOf(
  ctx: Ctx,
  doc: Pick<StockDocument, 'warehouse' | 'scope'>,
  products: readonly string[] = doc.scope.products ?? [],
): Promise<CountCell[]> {
  const locations = doc.scope.locations ?? [];
  const { rows } = await sql<CountCell>`
    SELECT b.product_id AS product, b.location_id AS location, b.lot_id AS lot, o.lot_no AS "lotNo", sum(b.qty)::int AS qty,
           coalesce(sum(b.qty) FILTER (WHERE b.status IN ('RESERVED', 'PROCESSING')), 0)::int AS bound,
           max(b.last_seq) AS seq
      FROM warehouse.stock_balance AS b
      JOIN warehouse.location AS l ON l.company_id = b.company_id AND l.id = b.location_id
      JOIN warehouse.lot AS o ON o.company_id = b.company_id AND o.id = b.lot_id
     WHERE b.company_id = ${ctx.companyId} AND b.warehouse_id = ${doc.warehouse}
       AND b.status IN ('AVAILABLE', 'RESERVED', 'PROCESSING', 'QUARANTINE', 'DEFECTIVE')
       AND (${products.length === 0} OR b.product_id = ANY (${[...products]}::uuid[]))
       AND (${locations.length === 0} OR b.location_id = ANY (${[...locations]}::uuid[]))
     GROUP BY l.pick_sequence, l.path, b.product_id, b.location_id, b.lot_id, o.lot_no
     ORDER BY l.pick_sequence, l.path, b.product_id, o.lot_no`.execute(ctx.db);
  return rows;
}
