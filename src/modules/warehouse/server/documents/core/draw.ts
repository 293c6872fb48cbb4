import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { localProducts } from '#modules/product/server/index.ts';
import type { StockStatus } from '../../../contract/stock.ts';
import { SHORTAGE } from '../../ledger/refusal.ts';
import type { Line, StockDocument } from './load.ts';
import type { Warehouse } from './places.ts';

/** Pieces of a line at one place. */
export interface Drawn {
  line: string;
  product: string;
  location: string;
  lot: string;
  qty: number;
}

interface Cell {
  product: string;
  location: string;
  lot: string;
  qty: number;
}

async function cellsOf(ctx: Ctx, warehouse: string, status: StockStatus, products: readonly string[]): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    SELECT b.product_id AS product, b.location_id AS location, b.lot_id AS lot, b.qty
      FROM warehouse.stock_balance AS b
      JOIN warehouse.location AS l ON l.company_id = b.company_id AND l.id = b.location_id AND NOT l.frozen
      JOIN warehouse.lot AS o ON o.company_id = b.company_id AND o.id = b.lot_id
     WHERE b.company_id = ${ctx.companyId} AND b.warehouse_id = ${warehouse} AND b.status = ${status} AND b.qty > 0
       AND b.product_id = ANY (${[...products]}::uuid[])
     ORDER BY b.product_id, o.expires_at NULLS LAST, l.pick_sequence, b.lot_id, b.location_id`.execute(ctx.db);
  return rows;
}

/**
 * Chooses where the pieces of lines are taken from where nothing is held for them: stock that waits for inspection, is
 * defective, or only goes to another shelf. Lots that expire first come first. @throws refused B0801 not enough
 */
export async function draw(
  ctx: Ctx,
  warehouse: Warehouse,
  status: StockStatus,
  lines: readonly (Pick<Line, 'id' | 'product' | 'qty' | 'location'> & { lot?: string | null })[],
): Promise<Drawn[]> {
  const cells = await unscoped(ctx, () =>
    cellsOf(
      ctx,
      warehouse.id,
      status,
      lines.map((line) => line.product),
    ),
  );
  const drawn: Drawn[] = [];
  for (const line of lines) {
    let open = line.qty;
    const mine = cells.filter(
      (cell) =>
        cell.product === line.product &&
        (!line.location || cell.location === line.location) &&
        (!line.lot || cell.lot === line.lot),
    );
    const have = mine.reduce((total, cell) => total + cell.qty, 0);
    for (const cell of mine) {
      const qty = Math.min(open, cell.qty);
      if (qty <= 0) continue;
      cell.qty -= qty;
      open -= qty;
      drawn.push({ line: line.id, product: line.product, location: cell.location, lot: cell.lot, qty });
    }
    if (open > 0) await refuseShort(ctx, warehouse, line.product, line.qty, have);
  }
  return drawn;
}

async function refuseShort(
  ctx: Ctx,
  warehouse: Warehouse,
  product: string,
  need: number,
  have: number,
): Promise<never> {
  const sku = (await localProducts(ctx, [product])).get(product)?.sku ?? '';
  throw refused(`SKU【${sku}】在【${warehouse.name}】可用库存不足：需要 ${need}，可用 ${have}`, SHORTAGE, {
    short: [{ product, sku, warehouse: warehouse.id, name: warehouse.name, need, have }],
  });
}

/** The lines of a document as the ledger holds them. */
export function reserveLines(doc: StockDocument) {
  return doc.lines.map((line) => ({
    line: line.id,
    product: line.product,
    warehouse: doc.warehouse,
    qty: line.qty,
    location: line.location ?? undefined,
  }));
}
