import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { heldPieces } from '../surplus/keep.ts';
import { step } from './act.ts';
import type { Order } from './load.ts';

/** Nothing is waited for any more, and all that is owed is paid. */
function isSettled(order: Order): boolean {
  if (order.state !== 'ordered') return false;
  if (order.lines.some((line) => line.open > 0 || line.inspecting > 0 || line.exchanging > 0)) return false;
  const due = order.lines.reduce((total, line) => total.plus(line.due), new Decimal(0));
  return new Decimal(order.paid).gte(due);
}

/**
 * An order ends by itself with its last event; the permission is that of whoever caused it. What came on top and waits for
 * a decision may yet be owed. Answers the state in the end, for who holds the order.
 */
export async function settle(ctx: Ctx, order: Order): Promise<Pick<Order, 'state' | 'version'>> {
  if (!isSettled(order) || (await heldPieces(ctx, order.id)) > 0) return order;
  return step({ ...ctx, permissions: undefined }, order, 'complete');
}
