import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { valuesOf } from '#modules/warehouse/server/index.ts';
import type { ShipOrder } from '../order/load.ts';
import { movesStock } from '../order/mode.ts';

/** Pieces of a line as the dispatch of its order moved them. */
export interface Dispatched {
  /** Place of the move in the posting, from 0. */
  move: number;
  line: string;
  product: string;
  qty: number;
  /** CNY that they were worth when they left. */
  value: string;
}

export interface Dispatch {
  posting: string;
  moves: Dispatched[];
}

/** One entry for each move, in their order. */
interface Noted {
  part: string;
  qty: number;
}

/**
 * What left our stock with an order, move by move; undefined for one that moved none.
 * @throws refused B1355 for an order of which nobody noted what its moves were
 */
export async function dispatchOf(ctx: Ctx, order: ShipOrder): Promise<Dispatch | undefined> {
  if (!movesStock(order)) return undefined;
  const { rows } = await sql<{ posting: string; lines: Noted[] }>`
    SELECT posting_id AS posting, lines FROM shipping.ship_order_event
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND event = 'ship'
     ORDER BY seq DESC LIMIT 1`.execute(ctx.db);
  const [event] = rows;
  if (!event || event.lines.length === 0) {
    throw refused(`发货单 ${order.number} 出库时没有记录明细，无法分摊头程费用`, 'B1355');
  }
  const parts = new Map(order.parts.map((part) => [part.id, part]));
  const values = new Map((await unscoped(ctx, () => valuesOf(ctx, event.posting))).map((one) => [one.move, one]));
  const moves = event.lines.flatMap(({ part: id, qty }, move): Dispatched[] => {
    const part = parts.get(id);
    const value = values.get(move);
    // What made no layer carries no cost.
    if (!part || value === undefined || value.in === null) return [];
    return [{ move, line: part.line, product: part.product, qty, value: value.out ?? '0' }];
  });
  return { posting: event.posting, moves };
}
