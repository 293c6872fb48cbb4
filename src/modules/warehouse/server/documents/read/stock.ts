import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { containing } from '#kit/server/list/words.ts';
import { unscoped } from '#kit/server/scope.ts';
import { findProducts, localProducts } from '#modules/product/server/index.ts';

export interface Stock {
  /** Free pieces: what a warehouse of its quality keeps at rest. */
  available: number;
  /** Pieces that are there, held ones included. */
  total: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Stock of products in a warehouse that the caller may see; nothing is said of a product without any. */
export async function availableOf(
  ctx: Ctx,
  warehouse: string,
  products: readonly string[],
): Promise<Map<string, Stock>> {
  if (!UUID.test(warehouse) || products.length === 0) return new Map();
  const { rows } = await sql<Stock & { product: string }>`
    SELECT product_id AS product,
           coalesce(sum(qty) FILTER (WHERE status IN ('AVAILABLE', 'QUARANTINE', 'DEFECTIVE')), 0)::int AS available,
           coalesce(sum(qty) FILTER (WHERE status NOT IN ('EXPECTED', 'IN_TRANSIT')), 0)::int AS total
      FROM warehouse.stock_balance
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ${warehouse} AND product_id = ANY (${[...products]}::uuid[])
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map(({ product, ...stock }) => [product, stock]));
}

/** Available pieces of a product in a warehouse. */
export interface FreePieces {
  warehouse: string;
  product: string;
  qty: number;
}

/**
 * Where products lie free to be sent: in warehouses of good pieces that are in use and our own to send from, as far as the
 * caller may see them.
 */
export async function freeOf(ctx: Ctx, products: readonly string[]): Promise<FreePieces[]> {
  if (products.length === 0) return [];
  const { rows } = await sql<FreePieces>`
    SELECT b.warehouse_id AS warehouse, b.product_id AS product, sum(b.qty)::int AS qty
      FROM warehouse.stock_balance AS b
      JOIN warehouse.warehouse AS w ON w.company_id = b.company_id AND w.id = b.warehouse_id AND w.quality = 'GOOD'
       AND NOT w.disabled AND w.kind NOT IN ('FBA', 'AWD', 'VIRTUAL')
     WHERE b.company_id = ${ctx.companyId} AND b.product_id = ANY (${[...new Set(products)]}::uuid[])
       AND b.status = 'AVAILABLE'
     GROUP BY 1, 2 HAVING sum(b.qty) > 0`.execute(ctx.db);
  return rows;
}

/** What a piece of the newest layer of each product cost, CNY with four decimals. */
export async function lastCosts(ctx: Ctx, products: readonly string[]): Promise<Map<string, string>> {
  if (products.length === 0) return new Map();
  const { rows } = await unscoped(ctx, () =>
    sql<{ product: string; cost: string }>`
      SELECT p.id AS product, round(l.amount_in / l.qty_in, 4)::text AS cost
        FROM unnest(${[...new Set(products)]}::uuid[]) AS p(id)
        CROSS JOIN LATERAL (SELECT amount_in, qty_in FROM warehouse.cost_layer
          WHERE company_id = ${ctx.companyId} AND product_id = p.id ORDER BY id DESC LIMIT 1) AS l`.execute(ctx.db),
  );
  return new Map(rows.map((row) => [row.product, row.cost]));
}

/** Products by SKU, barcode or words of the name, with their stock in a warehouse. */
export async function choices(ctx: Ctx, text: string, warehouse: string) {
  const found = await findProducts(ctx, { text, limit: 30 });
  const ids = found.map((row) => row.id);
  const [products, stock, costs] = [
    await localProducts(ctx, ids),
    await availableOf(ctx, warehouse, ids),
    await lastCosts(ctx, ids),
  ];
  return ids.flatMap((id) => {
    const product = products.get(id);
    if (!product) return [];
    const { available = 0, total = 0 } = stock.get(id) ?? {};
    return [{ id, product: product.cell, available, total, lastCost: costs.get(id) ?? null }];
  });
}

/** Places of a warehouse that keep stock, by their code. */
export async function locationChoices(ctx: Ctx, warehouse: string, text: string) {
  const like = containing(text);
  const { rows } = await sql<{ id: string; code: string }>`
    SELECT id, code FROM warehouse.location
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ${warehouse} AND type <> 'AREA' AND NOT frozen
       AND code ILIKE ${like} ORDER BY type <> 'STAGING', pick_sequence, code LIMIT 50`.execute(ctx.db);
  return rows;
}
