import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { eventBook, type Held, heldByAll } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';
import { linesToHold } from '../pick/hold.ts';
import type { ShipOrder } from './load.ts';

/** What stands behind the ledger's entries of ship orders. */
export const SOURCE = shipOrder.name;

/** What moved stock for an order, or was scanned for it. */
const book = eventBook<{ id: string }>({
  table: 'shipping.ship_order_event',
  key: 'order_id',
  type: () => SOURCE,
});
export const { seenBefore, postEvent, noteEvent, holdings } = book;

/** Whether somebody wrote down what he took, since picking last began; he may have taken nothing. */
export async function wasWalked(ctx: Ctx, order: Pick<ShipOrder, 'id'>): Promise<boolean> {
  const { rows } = await sql<{ walked: boolean }>`
    SELECT coalesce(max(seq) FILTER (WHERE event = 'pick') > coalesce(max(seq) FILTER (WHERE event = 'unpick'), 0), false) AS walked
      FROM shipping.ship_order_event WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  return rows[0]?.walked ?? false;
}

/** Holds pieces for the parts of an order. @throws refused B0801 not enough, B0803 frozen by a count */
export const hold = (ctx: Ctx, order: ShipOrder): Promise<void> => book.hold(ctx, order, linesToHold(order));

/** What several orders hold, all of it in the order in which a picker walks; `document` is the order. */
export function holdingsOfAll(ctx: Ctx, ids: readonly string[]): Promise<(Held & { document: string })[]> {
  return unscoped(ctx, () => heldByAll(ctx, SOURCE, ids));
}

/** Gives back all that the order holds. */
export const letGo = (ctx: Ctx, order: ShipOrder): Promise<void> => book.letGo(ctx, order);
