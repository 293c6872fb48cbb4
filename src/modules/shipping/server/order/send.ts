import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf, storeNames } from '#modules/marketplace/server/index.ts';
import { fbaCode, fbaWarehouse, type Held } from '#modules/warehouse/server/index.ts';
import { estimateSent } from '../freight/estimate.ts';
import { holdings, postEvent } from './events.ts';
import type { ShipOrder } from './load.ts';
import { movesStock } from './mode.ts';

/** The warehouse that stands for Amazon's stock of the store: one for each stock, as the European sites share theirs. */
async function goalOf(ctx: Ctx, order: ShipOrder): Promise<string> {
  const stock = stockOf(order.marketplaceId);
  const store = (await storeNames(ctx)).get(order.account) ?? '';
  const place = stock === 'EU' ? '欧洲' : countryOf(order.marketplaceId);
  return fbaWarehouse(ctx, {
    code: fbaCode(order.account, stock),
    name: `${store.slice(0, 30)} ${place} FBA`,
    country: stock === 'EU' ? 'DE' : stock === 'UK' ? 'GB' : stock,
  });
}

/** @throws refused B1313 where somebody gave back what the order held, or its time was over */
function requireHeld(order: ShipOrder, holds: readonly Held[]): void {
  const picked = new Map(order.lines.map((line) => [line.id, line.picked]));
  const byPart = Map.groupBy(holds, (one) => one.line);
  for (const part of order.parts) {
    const wanted = (picked.get(part.line) ?? 0) * part.qtyPer;
    const held = (byPart.get(part.id) ?? []).reduce((total, one) => total + one.held, 0);
    if (held !== wanted) throw refused('占用的库存已释放，请取消后重新提交', 'B1313');
  }
}

async function notePieces(ctx: Ctx, order: ShipOrder, holds: readonly Held[]): Promise<void> {
  const sums = new Map<string, { part: string; lot: string; qty: number }>();
  for (const { line: part, lot, held } of holds) {
    const key = `${part} ${lot}`;
    sums.set(key, { part, lot, qty: (sums.get(key)?.qty ?? 0) + held });
  }
  await sql`
    INSERT INTO shipping.ship_order_piece (company_id, order_id, part_id, lot_id, qty)
    SELECT ${ctx.companyId}, ${order.id}, r.part, r.lot, r.qty
      FROM jsonb_to_recordset(${JSON.stringify([...sums.values()])}::jsonb) AS r(part uuid, lot uuid, qty int)`.execute(
    ctx.db,
  );
}

/** What was picked leaves: on its way to Amazon's stock with its layers. @throws refused B1313 */
export async function send(ctx: Ctx, order: ShipOrder): Promise<void> {
  if (movesStock(order)) {
    const goal = await goalOf(ctx, order);
    const holds = await holdings(ctx, order);
    requireHeld(order, holds);
    const moves = holds.map(({ id, product, location, lot, held, warehouse }) => ({
      product,
      qty: held,
      reservation: id,
      from: { warehouse, status: 'RESERVED', location, lot } as const,
      to: { warehouse: goal, status: 'IN_TRANSIT', lot } as const,
    }));
    // What each move carried: late costs are shared by it.
    const lines = holds.map(({ line: part, held: qty }) => ({ part, qty }));
    await postEvent(ctx, order, 'ship', moves, { lines });
    await notePieces(ctx, order, holds);
    await sql`UPDATE shipping.ship_order SET to_warehouse_id = ${goal}
       WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  }
  await sql`UPDATE shipping.ship_order_line SET shipped_qty = picked_qty
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  await estimateSent(ctx, order.id);
}
