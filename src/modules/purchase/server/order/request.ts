import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { requestPayment } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { moneyOfOrder } from '../payable.ts';
import { outcome } from './act.ts';
import { locked, type Order } from './load.ts';

/**
 * What may still be asked for an order: what it comes to (the ordered amount while lines are open, else what is owed),
 * less what is paid and asked for.
 */
export async function leftToAsk(ctx: Ctx, order: Order): Promise<Decimal> {
  const money = await moneyOfOrder(ctx, order);
  const open = order.lines.some((line) => line.open > 0);
  const whole = open ? Decimal.max(order.amount, order.due) : new Decimal(order.due);
  return whole.minus(money?.paid ?? 0).minus(money?.requested ?? 0);
}

/**
 * Asks finance to pay for an order and hands the request in. @throws refused B1060 before it is placed, B1061 for more
 * than is left; and as finance refuses
 */
export async function requestForOrder(
  ctx: Ctx,
  input: { id: string; kind: 'DEPOSIT' | 'BALANCE'; amount: string; dueOn: string | null; remark: string },
): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  if (!['ordered', 'closed'].includes(order.state)) throw refused('下单后才能请款', 'B1060');
  const left = await leftToAsk(ctx, order);
  const scale = currencyScale(order.currency);
  if (new Decimal(input.amount).gt(left)) {
    throw refused(`请款合计超过应付金额，剩余可请${round(Decimal.max(left, 0), scale)}`, 'B1061');
  }
  const asked = await requestPayment(ctx, {
    kind: input.kind,
    party: { kind: 'SUPPLIER', id: order.supplier },
    subject: { type: purchaseOrder.name, id: order.id, number: order.number },
    currency: order.currency,
    dueOn: input.dueOn,
    remark: input.remark,
    lines: [{ title: `${input.kind === 'DEPOSIT' ? '定金' : '货款'} ${order.number}`, amount: input.amount }],
  });
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '请款',
    body: `${asked.number}，${input.amount}`,
  });
  return outcome(order, `请款单${asked.number}已提交`);
}
