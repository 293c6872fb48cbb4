import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type PartOf, partsOfAll } from '#modules/product/server/index.ts';
import type { StockRow } from '../../contract/inventory.ts';

/**
 * 可组装: how many kits the free pieces of their parts make, the least over the parts of
 * floor(free · (1 − scrap) / qtyPer). 0 where a part is missing.
 */
export function setsFrom(parts: readonly PartOf[], free: ReadonlyMap<string, number>): number {
  return Decimal.min(
    ...parts.map(({ componentId, qtyPer, scrapShare }) =>
      new Decimal(1)
        .minus(scrapShare)
        .times(free.get(componentId) ?? 0)
        .div(qtyPer)
        .toDecimalPlaces(9)
        .floor(),
    ),
  ).toNumber();
}

/** Free pieces of products by warehouse. */
async function freeBy(ctx: Ctx, warehouses: readonly string[], products: readonly string[]) {
  const { rows } = await sql<{ warehouse: string; product: string; qty: number }>`
    SELECT warehouse_id AS warehouse, product_id AS product, sum(qty)::int AS qty FROM warehouse.stock_balance
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ANY (${[...new Set(warehouses)]}::uuid[])
       AND product_id = ANY (${[...new Set(products)]}::uuid[]) AND status = 'AVAILABLE' AND qty > 0
     GROUP BY 1, 2`.execute(ctx.db);
  const found = new Map<string, Map<string, number>>();
  for (const { warehouse, product, qty } of rows) {
    found.set(warehouse, (found.get(warehouse) ?? new Map<string, number>()).set(product, qty));
  }
  return found;
}

/** Rows with what could be assembled in their warehouse; null stays for a product without a list of parts in force. */
export async function withAssemblable(ctx: Ctx, rows: readonly StockRow[]): Promise<StockRow[]> {
  const kits = await partsOfAll(
    ctx,
    rows.map((row) => row.productId),
  );
  if (kits.size === 0) return [...rows];
  const houses = rows.filter((row) => kits.has(row.productId)).map((row) => row.warehouseId);
  const components = [...kits.values()].flatMap((parts) => parts.map((part) => part.componentId));
  const free = await freeBy(ctx, houses, components);
  return rows.map((row) => {
    const parts = kits.get(row.productId);
    return parts ? { ...row, assemblable: setsFrom(parts, free.get(row.warehouseId) ?? new Map()) } : row;
  });
}
