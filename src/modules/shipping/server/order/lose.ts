import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type Move, valuesOf } from '#modules/warehouse/server/index.ts';
import { settleCases } from '../claim/settle.ts';
import { postEvent } from './events.ts';
import type { ShipOrder } from './load.ts';
import { movesStock } from './mode.ts';
import { notePieces, type Piece, piecesOf } from './pieces.ts';

/** Whether pieces of an order left that neither came nor were lost. */
export const hasRest = (order: Pick<ShipOrder, 'lines'>): boolean =>
  order.lines.some((line) => line.shipped > line.received + line.lost);

const earlier = (a: string | null, b: string | null): string | null => (a !== null && (b === null || a < b) ? a : b);

/** What is still on its way goes to LOST; each lot keeps what it was worth, so that it can come back as it went. */
async function losePieces(ctx: Ctx, order: ShipOrder, note: string | undefined): Promise<void> {
  const product = new Map(order.parts.map((part) => [part.id, part.product]));
  const open = (await piecesOf(ctx, order)).filter((piece) => piece.open > 0);
  if (open.length === 0) return;
  const moves = open.map(({ part, lot, open: qty }): Move => {
    const from = { warehouse: order.toWarehouse ?? '', status: 'IN_TRANSIT', lot } as const;
    return { product: product.get(part) ?? '', qty, from, to: 'LOST' };
  });
  const posting = await postEvent(ctx, order, 'lose', moves, { note });
  const values = new Map((await unscoped(ctx, () => valuesOf(ctx, posting))).map((one) => [one.move, one]));
  const lost = open.map((piece, index): Piece => {
    const { out, since } = values.get(index) ?? { out: null, since: null };
    return {
      ...piece,
      open: 0,
      lost: piece.lost + piece.open,
      lostValue: new Decimal(piece.lostValue).plus(out ?? 0).toFixed(4),
      lostSince: earlier(since, piece.lostSince),
    };
  });
  await notePieces(ctx, lost);
}

/** Nothing more is awaited: what has not come is lost, with its value, and stands as a discrepancy. */
export async function loseRest(ctx: Ctx, order: ShipOrder, { reason }: { reason?: string | undefined }): Promise<void> {
  if (movesStock(order)) await losePieces(ctx, order, reason);
  await sql`UPDATE shipping.ship_order_line SET lost_qty = greatest(0, shipped_qty - received_qty)
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  await settleCases(ctx, order.id);
}
