import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import type { Move } from '#modules/warehouse/server/index.ts';
import type { putShipReceived } from '../../contract/order-calls.ts';
import { settleCases } from '../claim/settle.ts';
import { requireState, step } from './act.ts';
import { postEvent } from './events.ts';
import { locked, type Part, type ShipLine, type ShipOrder } from './load.ts';
import { movesStock } from './mode.ts';
import { notePieces, type Piece, piecesOf, take } from './pieces.ts';

function movesOf(order: ShipOrder, pieces: readonly Piece[], part: Part, sets: number): Move[] {
  const warehouse = order.toWarehouse ?? '';
  return take(pieces, part.id, sets * part.qtyPer).map(({ lot, qty, from, cost }): Move => {
    const away = { warehouse, lot, status: 'IN_TRANSIT' } as const;
    const there = { warehouse, lot, status: 'AVAILABLE' } as const;
    const { product } = part;
    if (from === 'shelf') return { product, qty, from: there, to: away };
    return from === 'lost' ? { product, qty, from: 'LOST', to: there, cost } : { product, qty, from: away, to: there };
  });
}

interface Change {
  line: ShipLine;
  by: number;
  /** Of these, pieces that had been given up as lost. */
  found: number;
}

/** How far the totals are from what was received before. @throws refused B1314 for a line of another order or more than left */
function changesOf(order: ShipOrder, lines: readonly { lineId: string; total: number }[]): Change[] {
  return lines.flatMap(({ lineId, total }) => {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1314');
    if (total > line.shipped)
      throw refused(`平台SKU【${line.msku}】累计接收 ${total} 超过已发 ${line.shipped}`, 'B1314');
    const by = total - line.received;
    const open = line.shipped - line.received - line.lost;
    return by === 0 ? [] : [{ line, by, found: Math.max(0, by - open) }];
  });
}

async function noteReceived(ctx: Ctx, order: ShipOrder, changes: readonly Change[]): Promise<void> {
  const rows = changes.map(({ line, by, found }) => ({ line: line.id, by, found }));
  await sql`
    UPDATE shipping.ship_order_line AS l SET received_qty = l.received_qty + v.by, lost_qty = l.lost_qty - v.found
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v(line uuid, by int, found int)
     WHERE l.company_id = ${ctx.companyId} AND l.order_id = ${order.id} AND l.id = v.line`.execute(ctx.db);
}

/** Whether nothing is on its way any more once the changes are made. */
function isComplete(order: ShipOrder, changes: readonly Change[]): boolean {
  const by = new Map(changes.map((change) => [change.line.id, change.by - change.found]));
  return order.lines.every((line) => line.received + line.lost + (by.get(line.id) ?? 0) >= line.shipped);
}

/**
 * Sets how much of each line Amazon has received altogether: the difference to before is posted, more as a receipt, less
 * back into transit (handbook E9). What had been given up as lost comes back with the value that it went with. The same
 * totals again change nothing; when nothing is on its way any more the order is done.
 * @throws refused B1314 more than left, B0801 pieces to take back that were used since
 */
export async function putReceived(ctx: Ctx, input: z.output<typeof putShipReceived.body>): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  const changes = changesOf(order, input.lines);
  if (changes.length === 0) {
    ctx.audited = true;
    return outcome(order, DONE_BEFORE, true);
  }
  requireState(order, 'receive');
  requireFresh(order, input.version);
  const sets = new Map(changes.map((change) => [change.line.id, change.by]));
  return step(
    ctx,
    order,
    isComplete(order, changes) ? 'receiveAll' : 'receive',
    {},
    {
      run: async () => {
        if (movesStock(order)) {
          const pieces = await piecesOf(ctx, order);
          const moves = order.parts.flatMap((part) => movesOf(order, pieces, part, sets.get(part.line) ?? 0));
          await postEvent(ctx, order, 'receive', moves, { lines: input.lines });
          await notePieces(ctx, pieces);
        }
        await noteReceived(ctx, order, changes);
        if (changes.some(({ found }) => found > 0)) await settleCases(ctx, order.id);
      },
    },
  );
}
