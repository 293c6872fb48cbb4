import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE } from '#kit/server/document-outcome.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { FinishOutcome, finishWave, pickWave, WaveOutcome } from '../../contract/wave.ts';
import { step } from '../order/act.ts';
import { holdings, holdingsOfAll, noteEvent, seenBefore } from '../order/events.ts';
import { locked, type ShipOrder } from '../order/load.ts';
import { shortOf } from '../order/picked.ts';
import { bookPicks } from '../pick/pick.ts';
import { type Dealt, deal } from './deal.ts';
import { requirePicking, waveOrders } from './load.ts';

/** Pieces by part of an order. */
function linesOf(dealt: readonly Dealt[]): { lineId: string; qty: number }[] {
  const byLine = Map.groupBy(dealt, (one) => one.line);
  return [...byLine].map(([lineId, mine]) => ({ lineId, qty: mine.reduce((total, one) => total + one.pieces, 0) }));
}

async function anySeen(ctx: Ctx, orders: readonly ShipOrder[], clientId: string): Promise<boolean> {
  for (const order of orders) if (await seenBefore(ctx, order, clientId)) return true;
  return false;
}

/**
 * What was taken on a walk for several orders. Every order of the wave notes it, also one that got nothing: for that one
 * nothing was found, and its picking does not end as if all of it had been. With its last piece an order's picking is over.
 * @throws refused B1315 more than is to be picked at a place, B1316 orders that do not go together; conflict for an order in
 *   another state; notFound
 */
export async function pickForWave(ctx: Ctx, input: z.output<typeof pickWave.body>): Promise<WaveOutcome> {
  const orders = await waveOrders(ctx, input.ids, locked);
  if (await anySeen(ctx, orders, input.clientId)) {
    ctx.audited = true;
    return { message: DONE_BEFORE, repeated: true, picked: 0, finished: 0 };
  }
  requirePicking(orders);
  for (const order of orders) requireMove(ctx, order.warehouse);
  const held = await holdingsOfAll(
    ctx,
    orders.map(({ id }) => id),
  );
  const dealt = deal(held, new Map(orders.map(({ id }, index) => [id, index])), input.stops);
  const byOrder = Map.groupBy(dealt, (one) => one.order);
  let finished = 0;
  for (const order of orders) {
    const mine = byOrder.get(order.id);
    if (!mine) {
      await noteEvent(ctx, order, 'pick', { clientId: input.clientId });
      continue;
    }
    const { state } = await bookPicks(ctx, order, {
      held: held.filter(({ document }) => document === order.id),
      picks: mine.map(({ id, pieces }) => ({ id, pieces })),
      lines: linesOf(mine),
      clientId: input.clientId,
    });
    if (state !== 'picking') finished += 1;
  }
  const picked = dealt.reduce((total, one) => total + one.pieces, 0);
  const left = held.reduce((total, one) => total + one.held - one.picked, 0);
  const words = [`已配 ${picked} 件`, ...(finished > 0 ? [`${finished} 张发货单已配齐`] : [])];
  return {
    message: [...words, ...(left > 0 ? [`还差 ${left} 件`] : [])].join('，'),
    repeated: false,
    picked,
    finished,
  };
}

/**
 * Picking is over for every order of a wave that is still 待配货 and of which something can leave, all in one transaction. What
 * each gives back is a posting of its own and not one of the wave: the ledger names the order whose pieces they were, and
 * each can be looked at, changed and called off without the others. An order for which nothing was found stays; the answer
 * says of every order what became of it.
 * @throws refused B1316 orders that do not go together; notFound
 */
export async function finishForWave(ctx: Ctx, input: z.output<typeof finishWave.body>): Promise<FinishOutcome> {
  const waiting = (await waveOrders(ctx, input.ids, locked)).filter(({ state }) => state === 'picking');
  if (waiting.length === 0) {
    ctx.audited = true;
    return { message: DONE_BEFORE, repeated: true, picked: 0, finished: 0, orders: [] };
  }
  const stay: string[] = [];
  const orders: FinishOutcome['orders'] = [];
  for (const order of waiting) {
    requireMove(ctx, order.warehouse);
    const short = await shortOf(ctx, order, await holdings(ctx, order));
    if (short === undefined) stay.push(order.number);
    else await step(ctx, order, 'picked');
    orders.push({ orderId: order.id, finished: short !== undefined, short: short ?? null });
  }
  const finished = waiting.length - stay.length;
  if (finished === 0) ctx.audited = true;
  const lacking = orders.filter(({ short }) => (short ?? 0) > 0);
  const pieces = lacking.reduce((total, { short }) => total + (short ?? 0), 0);
  const words = [
    `${finished} 张发货单完成配货${lacking.length > 0 ? `，其中 ${lacking.length} 张缺货共 ${pieces} 件` : ''}`,
    ...(stay.length > 0 ? [`${stay.join('、')} 没有配到货，仍为待配货`] : []),
  ];
  return { message: words.join('；'), repeated: false, picked: 0, finished, orders };
}
