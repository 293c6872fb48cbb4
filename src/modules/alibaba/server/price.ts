import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import {
  holdForPlatform,
  type Order,
  orderOf,
  type PlatformHold,
  platformObstacle,
} from '#modules/purchase/server/index.ts';
import { coveredOf } from './lines.ts';

/** Pieces by line of a purchase order that are about to be ordered, and what the platform takes for them (CNY). */
export interface Coming {
  lines: readonly { lineId: string; qty: number }[];
  total: string;
}

/** What the platform takes for the orders of a purchase order that live, refunds taken off. CNY. */
async function takenFor(ctx: Ctx, orderId: string): Promise<string> {
  const { rows } = await sql<{ total: string }>`
    SELECT coalesce(sum(coalesce(total, expected) - refund), 0)::text AS total FROM alibaba.trade
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND status NOT IN ('failed', 'cancel')`.execute(
    ctx.db,
  );
  return rows[0]?.total ?? '0';
}

/**
 * What all of a purchase order comes to with what the platform takes: for the pieces that are there, or coming, the platform's
 * amount; for the others the order's own, its fees shared by the amounts of its lines. CNY, to the cent.
 */
export async function comesTo(ctx: Ctx, order: Order, coming: Coming = { lines: [], total: '0' }): Promise<string> {
  const { covered } = await coveredOf(ctx, order.id);
  const bought = order.lines.filter((line) => !line.gift);
  const goods = new Decimal(sum(bought.map((line) => line.amount)));
  const there = bought.map((line) => {
    const now = coming.lines.find(({ lineId }) => lineId === line.id)?.qty ?? 0;
    const pieces = Math.min(line.qty, (covered.get(line.id)?.pieces ?? 0) + now);
    return new Decimal(line.amount).times(pieces).div(line.qty).toFixed();
  });
  const own = goods.isZero() ? new Decimal(0) : new Decimal(order.amount).times(sum(there)).div(goods);
  const taken = new Decimal(await takenFor(ctx, order.id)).plus(coming.total);
  return new Decimal(order.amount).minus(own).plus(taken).toDecimalPlaces(2).toFixed();
}

/** Holds a purchase order that comes too dear at the platform for what was approved; see holdForPlatform(). */
export async function held(ctx: Ctx, orderId: string, reason: string, coming?: Coming) {
  return holdForPlatform(ctx, orderId, await comesTo(ctx, await orderOf(ctx, orderId), coming), reason);
}

/** Nothing is ordered while a change waits, or after it was refused. @throws refused B1115 */
export function requireFree(hold: PlatformHold | undefined): void {
  if (hold?.state === 'rejected') throw refused(`变更单${hold.number}已被驳回，请与卖家协商价格`, 'B1115');
  if (hold) throw refused(`1688金额超出已批准金额的容差，变更单${hold.number}审核通过后才能下单`, 'B1115');
}

/** Why nothing is ordered or paid at the platform now: with `coming` it is too dear, or a change waits; or nothing. */
export async function obstacleOf(ctx: Ctx, order: Order, coming?: Coming): Promise<string | undefined> {
  return platformObstacle(ctx, order, await comesTo(ctx, order, coming));
}

/** @throws refused B1115, see obstacleOf() */
export async function requireAllowed(ctx: Ctx, order: Order, coming?: Coming): Promise<void> {
  const obstacle = await obstacleOf(ctx, order, coming);
  if (obstacle !== undefined) throw refused(obstacle, 'B1115');
}

/** Nothing is paid at the platform beyond what was approved. @throws refused B1115 */
export async function requirePayable(ctx: Ctx, orderId: string): Promise<void> {
  await requireAllowed(ctx, await orderOf(ctx, orderId));
}

/**
 * The platform said what it takes for orders of a purchase order: where that is too dear for what was approved, the order is
 * held. What cannot be written down now is when somebody pays.
 */
export async function followPrice(runtime: Runtime, companyId: string, orderId: string): Promise<void> {
  try {
    await inTenant(runtime, systemPrincipal(companyId, '1688'), async (ctx) => {
      ctx.audited = true;
      await held(ctx, orderId, '1688改价');
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    runtime.log.warn({ err: error, orderId }, 'order could not be held for its price at 1688');
  }
}
