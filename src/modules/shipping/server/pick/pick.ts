import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type Held, pickMany, requireMove } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';
import type { pickShip } from '../../contract/picking.ts';
import { requireState, step, touch } from '../order/act.ts';
import { holdings, noteEvent, seenBefore } from '../order/events.ts';
import { locked, type ShipOrder } from '../order/load.ts';
import { takeHeld } from './hold.ts';

/**
 * Pieces that a picker took from the shelves. A scan that came before by its `clientId` changes nothing. With the last piece
 * picking is over; while some are missing the order stays 待配货 until somebody says so. @throws refused B1315 more than there is to pick, conflict in another state
 */
export async function pickOrder(ctx: Ctx, input: z.output<typeof pickShip.body>): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  if (await seenBefore(ctx, order, input.clientId)) {
    ctx.audited = true;
    return outcome(order, DONE_BEFORE, true);
  }
  requireState(order, 'picked');
  requireFresh(order, input.version);
  requireMove(ctx, order.warehouse);
  const held = await holdings(ctx, order);
  if (held.length === 0) throw refused('该发货单不占用库存，无需配货', 'B1315');
  const byPart = Map.groupBy(held, (one) => one.line);
  const picks = input.lines.flatMap(({ lineId, qty }) =>
    takeHeld(byPart.get(lineId) ?? [], qty, (most) =>
      refused(`配货数量超过待配 ${most}`, 'B1315', { line: lineId, most }),
    ),
  );
  return bookPicks(ctx, order, { held, picks, lines: input.lines, clientId: input.clientId });
}

interface Taken {
  /** All that the order holds, with what is taken now among `picked`. */
  held: readonly Held[];
  /** Pieces by reservation. */
  picks: readonly { id: string; pieces: number }[];
  /** The same by part, as it is noted. */
  lines: readonly { lineId: string; qty: number }[];
  clientId: string | undefined;
}

/** Writes down what was taken for an order that is locked and 待配货; with the last piece its picking is over. */
export async function bookPicks(ctx: Ctx, order: ShipOrder, { held, picks, lines, clientId }: Taken): Promise<Outcome> {
  await unscoped(ctx, () => pickMany(ctx, picks));
  await noteEvent(ctx, order, 'pick', { clientId, lines });
  const qty = lines.reduce((total, line) => total + line.qty, 0);
  await audit(ctx, {
    action: '发货单·配货',
    resource: shipOrder.name,
    resourceId: order.id,
    after: { number: order.number, pieces: qty, lines },
  });
  const left = held.reduce((total, one) => total + one.held - one.picked, 0);
  // With the last piece there is nothing to decide.
  if (left === 0) return { ...(await step(ctx, order, 'picked')), message: '已全部配齐' };
  const message = `已配 ${qty}，还差 ${left}`;
  return outcome({ ...order, version: await touch(ctx, order.id) }, message);
}
