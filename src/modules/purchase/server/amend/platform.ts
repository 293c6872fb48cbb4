import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { amendment } from '../../contract/amend.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { locked, type Order } from '../order/load.ts';
import { settingOf } from '../setting.ts';
import { dropAmendment, handIn } from './decide.ts';

/** A change that stands between an order and the amount that a platform takes for it. */
export interface PlatformHold {
  number: string;
  state: 'pending' | 'rejected';
}

/** What was approved, in the order's currency. */
const approvedOf = (order: Order) => new Decimal(order.approvedAmount ?? order.amount);

async function tooDear(ctx: Ctx, order: Order, total: string): Promise<boolean> {
  const { changeTolerance } = await settingOf(ctx);
  return new Decimal(total).gt(approvedOf(order).times(new Decimal(1).plus(changeTolerance)));
}

interface Known extends PlatformHold {
  id: string;
  /** Order currency; null for a change of lines. */
  total: string | null;
}

/** The change that waits, whatever it changes; else the last that was refused for what a platform takes. */
async function standing(ctx: Ctx, orderId: string): Promise<Known | undefined> {
  const rows = await ctx.db
    .selectFrom('purchase.amendment')
    .select(['id', 'number', 'state', 'platform_total as total'])
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .where('state', 'in', ['pending', 'rejected'])
    .orderBy('id', 'desc')
    .execute();
  const known = rows as Known[];
  return known.find((row) => row.state === 'pending') ?? known.find((row) => row.total !== null);
}

/** Whoever may order at the platform may ask for its amount: the change is written down for him, not by his right to change. */
const forAnyone = (ctx: Ctx): Ctx => ({ ...ctx, permissions: undefined });

async function written(ctx: Ctx, order: Order, total: string, reason: string): Promise<PlatformHold | undefined> {
  const number = await nextNumber(ctx, amendment.number, ctx.clock.today());
  const difference = new Decimal(total).minus(order.amount).toFixed();
  const { id } = await ctx.db
    .insertInto('purchase.amendment')
    .values({
      company_id: ctx.companyId,
      order_id: order.id,
      number,
      state: 'draft',
      reason,
      changes: '[]',
      difference,
      platform_total: total,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '申请变更',
    body: `${number}：${reason}，超出已批准金额的容差`,
  });
  await audit(ctx, {
    action: '申请变更采购单',
    resource: amendment.name,
    resourceId: id,
    before: { amount: approvedOf(order).toFixed(2) },
    after: { order: order.number, amount: total, reason },
  });
  const { state } = await handIn(forAnyone(ctx), id);
  return state === 'pending' ? { number, state } : undefined;
}

/**
 * Holds an order for which a platform takes more than was approved, by more than the company's tolerance for changes: a
 * change is written down and handed in, once for an amount, and until it is approved nothing is ordered or paid there. What
 * waits for an amount that is no longer asked is dropped.
 * @param total order currency: what all of the order comes to, with what the platform takes for its part
 * @returns the change that waits or was refused; undefined where nothing stands against the amount
 */
export async function holdForPlatform(
  ctx: Ctx,
  orderId: string,
  total: string,
  reason: string,
): Promise<PlatformHold | undefined> {
  const order = await locked(ctx, orderId);
  const dear = ['approved', 'ordered'].includes(order.state) && (await tooDear(ctx, order, total));
  const known = await standing(ctx, order.id);
  const same = known?.total != null && new Decimal(known.total).eq(total);
  if (known?.state === 'pending' && known.total !== null && !(dear && same)) {
    await dropAmendment(forAnyone(ctx), known.id, dear ? `平台金额又变为${total}` : '平台金额已在容差之内');
  } else if (dear && known && (known.state === 'pending' || same)) {
    return { number: known.number, state: known.state };
  }
  return dear ? written(ctx, order, total, reason) : undefined;
}

/** Why an order is not ordered or paid at a platform for so much in all (order currency), or nothing. */
export async function platformObstacle(ctx: Ctx, order: Order, total: string): Promise<string | undefined> {
  const known = await standing(ctx, order.id);
  if (known?.state === 'pending') return `变更单${known.number}还在审核，请先处理`;
  if (!(await tooDear(ctx, order, total))) return undefined;
  const approved = approvedOf(order).toFixed(2);
  return `1688金额使采购单达到${new Decimal(total).toFixed(2)}，超出已批准的${approved}，须先审核`;
}
