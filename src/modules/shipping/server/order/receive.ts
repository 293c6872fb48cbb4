import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { Move } from '#modules/warehouse/server/index.ts';
import type { putShipReceived } from '../../contract/order-calls.ts';
import { DONE_BEFORE, outcome, requireFresh, requireState, step } from './act.ts';
import { postEvent } from './events.ts';
import { locked, type Part, type ShipLine, type ShipOrder } from './load.ts';
import { movesStock } from './rules.ts';

interface Piece {
  part: string;
  lot: string;
  qty: number;
  /** Still on its way. */
  open: number;
}

async function piecesOf(ctx: Ctx, order: ShipOrder): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    SELECT part_id AS part, lot_id AS lot, qty, qty - received_qty AS open FROM shipping.ship_order_piece
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} ORDER BY part_id, lot_id FOR UPDATE`.execute(
    ctx.db,
  );
  return rows;
}

async function noteArrived(ctx: Ctx, pieces: readonly Piece[]): Promise<void> {
  await sql`
    UPDATE shipping.ship_order_piece AS p SET received_qty = p.qty - v.open
      FROM jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb) AS v(part uuid, lot uuid, open int)
     WHERE p.company_id = ${ctx.companyId} AND p.part_id = v.part AND p.lot_id = v.lot`.execute(ctx.db);
}

/** Takes `qty` pieces of a part out of what is open (or, below 0, puts them back), lot by lot. */
function take(pieces: readonly Piece[], part: string, qty: number): { lot: string; qty: number }[] {
  let rest = Math.abs(qty);
  const mine = pieces.filter((piece) => piece.part === part);
  return (qty > 0 ? mine : mine.toReversed()).flatMap((piece) => {
    const now = Math.min(rest, qty > 0 ? piece.open : piece.qty - piece.open);
    piece.open += qty > 0 ? -now : now;
    rest -= now;
    return now > 0 ? [{ lot: piece.lot, qty: now }] : [];
  });
}

function movesOf(order: ShipOrder, pieces: readonly Piece[], part: Part, sets: number): Move[] {
  const warehouse = order.toWarehouse ?? '';
  return take(pieces, part.id, sets * part.qtyPer).map(({ lot, qty }): Move => {
    const [away, there] = [
      { warehouse, lot, status: 'IN_TRANSIT' } as const,
      { warehouse, lot, status: 'AVAILABLE' } as const,
    ];
    return sets > 0
      ? { product: part.product, qty, from: away, to: there }
      : { product: part.product, qty, from: there, to: away };
  });
}

interface Change {
  line: ShipLine;
  by: number;
}

/** How far the totals are from what was received before. @throws refused B1314 for a line of another order or more than left */
function changesOf(order: ShipOrder, lines: readonly { lineId: string; total: number }[]): Change[] {
  return lines.flatMap(({ lineId, total }) => {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1314');
    if (total > line.shipped)
      throw refused(`平台SKU【${line.msku}】累计接收 ${total} 超过已发 ${line.shipped}`, 'B1314');
    const by = total - line.received;
    return by === 0 ? [] : [{ line, by }];
  });
}

async function noteReceived(ctx: Ctx, order: ShipOrder, changes: readonly Change[]): Promise<void> {
  const rows = changes.map(({ line, by }) => ({ line: line.id, by }));
  await sql`
    UPDATE shipping.ship_order_line AS l SET received_qty = l.received_qty + v.by
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v(line uuid, by int)
     WHERE l.company_id = ${ctx.companyId} AND l.order_id = ${order.id} AND l.id = v.line`.execute(ctx.db);
}

/**
 * Sets how much of each line Amazon has received altogether: the difference to before is posted, more as a receipt, less
 * back into transit (handbook E9). The same totals again change nothing; with the last piece the order is done.
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
  const by = new Map(changes.map((change) => [change.line.id, change.by]));
  const complete = order.lines.every((line) => line.received + (by.get(line.id) ?? 0) >= line.shipped);
  return step(
    ctx,
    order,
    complete ? 'receiveAll' : 'receive',
    {},
    {
      run: async () => {
        if (movesStock(order)) {
          const pieces = await piecesOf(ctx, order);
          const moves = order.parts.flatMap((part) => movesOf(order, pieces, part, by.get(part.line) ?? 0));
          await postEvent(ctx, order, 'receive', moves, { lines: input.lines });
          await noteArrived(ctx, pieces);
        }
        await noteReceived(ctx, order, changes);
      },
    },
  );
}

/** The order is closed: what has not come is lost, with its value. */
export async function loseRest(ctx: Ctx, order: ShipOrder, { reason }: { reason?: string | undefined }): Promise<void> {
  if (movesStock(order)) {
    const product = new Map(order.parts.map((part) => [part.id, part.product]));
    const open = (await piecesOf(ctx, order)).filter((piece) => piece.open > 0);
    const moves = open.map(({ part, lot, open: qty }): Move => {
      const from = { warehouse: order.toWarehouse ?? '', status: 'IN_TRANSIT', lot } as const;
      return { product: product.get(part) ?? '', qty, from, to: 'LOST' };
    });
    if (moves.length > 0) await postEvent(ctx, order, 'close', moves, { note: reason });
  }
  await sql`UPDATE shipping.ship_order_line SET lost_qty = greatest(0, shipped_qty - received_qty)
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
}
