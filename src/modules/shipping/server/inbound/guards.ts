import type { Ctx } from '#kit/server/context.ts';
import type { ShipOrder } from '../order/load.ts';
import { goesThrough } from '../order/mode.ts';
import { isFixed } from './decide.ts';
import { loadView } from './load.ts';

/** Why boxes or picked pieces cannot change any more; nothing where they can. */
export async function fixedAlready(ctx: Ctx, order: ShipOrder): Promise<string | undefined> {
  const view = goesThrough(order) ? await loadView(ctx, order.id) : undefined;
  const placement = view?.operations.findLast(({ stage }) => stage === 'takePlacement');
  if (!placement || placement.state === 'failed' || placement.state === 'dropped') return undefined;
  return '配送方案已确认，数量与装箱不能再修改；如需修改请取消发货单';
}

/** Why the goods must not leave yet; nothing where their labels are there. */
export async function notLabelled(ctx: Ctx, order: ShipOrder): Promise<string | undefined> {
  if (!goesThrough(order)) return undefined;
  const view = await loadView(ctx, order.id);
  const isReady =
    view && isFixed(view, 'takeTransport') && view.shipments.every(({ labelFileId }) => labelFileId !== null);
  if (view?.shipments.some(({ change }) => change !== null)) return '货件数量修改还在处理，请稍后再出库';
  return isReady ? undefined : '货件标签未就绪，请先在「货件处理」中完成承运确认';
}
