import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { shipOrder } from '../../contract/order.ts';
import type { ShipOrder } from '../order/load.ts';
import { movesStock } from '../order/mode.ts';

/** First whoever leaves first; without a planned day last, then by number. */
const byDay = (a: ShipOrder, b: ShipOrder): number =>
  (a.plannedOn ?? '9999').localeCompare(b.plannedOn ?? '9999') || a.number.localeCompare(b.number);

/**
 * The orders of a wave in the order in which they are served. They are read one after the other by id, so that two waves that
 * lock them wait for each other and never for one another.
 * @param read `locked` or `loaded`
 * @throws notFound, refused B1316 for orders of several warehouses or one that holds no stock
 */
export async function waveOrders(
  ctx: Ctx,
  ids: readonly string[],
  read: (ctx: Ctx, id: string) => Promise<ShipOrder>,
): Promise<ShipOrder[]> {
  const orders: ShipOrder[] = [];
  for (const id of [...new Set(ids)].sort()) orders.push(await read(ctx, id));
  if (new Set(orders.map((order) => order.warehouse)).size > 1) {
    throw refused('合并配货的发货单须在同一个发货仓', 'B1316');
  }
  const other = orders.find((order) => !movesStock(order));
  if (other) throw refused(`发货单${other.number}不占用库存，无需配货`, 'B1316');
  return orders.sort(byDay);
}

/** @throws conflict that names the first order that is not 待配货 */
export function requirePicking(orders: readonly ShipOrder[]): void {
  const other = orders.find(({ state }) => state !== 'picking');
  if (!other) return;
  const { title } = shipOrder.states[other.state as 'draft'];
  throw conflict(`发货单${other.number}状态为【${title}】，请刷新后重试`);
}
