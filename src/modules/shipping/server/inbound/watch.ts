import { sql } from 'kysely';
import type { ApiItem } from './answers.ts';
import type { Move } from './decide.ts';
import { all, get, pathOf, planPath, summed } from './desk.ts';
import { endTurn, type Turn } from './lease.ts';
import type { View } from './types.ts';

/** A plan is compared with what Amazon shows no more often than this. */
const PAUSE_SEC = 25 * 60;

/** Whether it is time to compare the plan with what Amazon shows: somebody may work on it in Seller Central. */
export function watchDue({ inbound, order, operations }: View): boolean {
  if (inbound.planId === null || ['shipped', 'receiving', 'done'].includes(order.state)) return false;
  if (!operations.some((one) => one.stage === 'createPlan' && one.state === 'done')) return false;
  return inbound.watchedSec === null || inbound.watchedSec > PAUSE_SEC;
}

/** What is told of the plan: SKUs and pieces. */
function toldOf({ operations }: View): { msku: string; qty: number }[] {
  const made = operations.findLast((one) => one.stage === 'createPlan' && one.state === 'done');
  return summed((made?.request.body as { items?: ApiItem[] } | undefined)?.items ?? []);
}

/** What somebody changed in Seller Central; nothing where the plan is as it was told. */
async function foreignChange({ api, view }: Turn): Promise<string | undefined> {
  const { status } = await get<{ status: string }>(api, 'getInboundPlan', planPath(view.inbound.planId ?? ''));
  if (status === 'VOIDED') return '入库计划已在卖家后台取消，请重建计划或取消发货单';
  if (view.shipments.length > 0) return undefined;
  const shown = summed(await all<ApiItem>(api, 'listInboundPlanItems', `${pathOf(view)}/items`, 'items', 1000));
  if (JSON.stringify(shown) === JSON.stringify(toldOf(view))) return undefined;
  return '入库计划的商品或数量在卖家后台被修改，请重建计划或取消发货单';
}

/** Compares the plan with what Amazon shows while it waits for people. */
export async function watch(turn: Turn, move: Extract<Move, { kind: 'wait' }>): Promise<void> {
  const words = await foreignChange(turn);
  const ending =
    words === undefined
      ? ({ state: 'waiting', stage: move.stage, words: move.words, afterMs: PAUSE_SEC * 1000 } as const)
      : ({ state: 'trouble', stage: move.stage, words } as const);
  await endTurn(turn, ending, async (ctx) => {
    await sql`UPDATE shipping.inbound SET watched_at = kit.now()
       WHERE company_id = ${ctx.companyId} AND order_id = ${turn.orderId}`.execute(ctx.db);
  });
}
