import { sql } from 'kysely';
import { metaOf } from '#kit/contract/columns.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { ProductUse, StockPlace } from '#modules/product/server/index.ts';
import { WarehouseKind } from '../../contract/stock.ts';

/** Stock of a product by warehouse, for its page. */
export async function stockPlaces(ctx: Ctx, productId: string): Promise<StockPlace[]> {
  const { rows } = await sql<StockPlace>`
    SELECT w.name AS place, w.kind, coalesce(sum(b.qty) FILTER (WHERE b.status = 'AVAILABLE'), 0)::int AS available,
           sum(b.qty)::int AS total
      FROM warehouse.stock_balance AS b
      JOIN warehouse.warehouse AS w ON w.company_id = b.company_id AND w.id = b.warehouse_id
     WHERE b.company_id = ${ctx.companyId} AND b.product_id = ${productId} AND b.status NOT IN ('OUTSIDE', 'EXPECTED')
       AND b.qty > 0
     GROUP BY w.id, w.name, w.kind, w.sort ORDER BY w.sort, w.name`.execute(ctx.db);
  return rows.map((row) => ({ ...row, kind: metaOf(WarehouseKind).states?.[row.kind]?.title ?? row.kind }));
}

/** What stands against taking products out of use: pieces that are there or on their way. */
export const stockedProducts: ProductUse = async (ctx, ids) => {
  const { rows } = await sql<{ product: string; words: string[] }>`
    SELECT product, array_agg(place || ' ' || qty ORDER BY place) AS words FROM (
      SELECT b.product_id AS product, w.name || '库存' AS place, sum(b.qty) AS qty FROM warehouse.stock_balance AS b
        JOIN warehouse.warehouse AS w ON w.company_id = b.company_id AND w.id = b.warehouse_id
       WHERE b.company_id = ${ctx.companyId} AND b.product_id = ANY (${[...ids]}::uuid[]) AND b.qty > 0
         AND b.status <> 'OUTSIDE' GROUP BY 1, 2) AS held GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.product, row.words]));
};

/** Available pieces of products over all warehouses that the caller reaches, by id. */
export async function availablePieces(ctx: Ctx, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; pieces: number }>`
    SELECT product_id AS id, sum(qty)::int AS pieces FROM warehouse.stock_balance
     WHERE company_id = ${ctx.companyId} AND product_id = ANY (${[...ids]}::uuid[]) AND status = 'AVAILABLE'
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.pieces]));
}
