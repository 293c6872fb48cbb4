import { currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import {
  creditPayable,
  moneyOf,
  type OrderMoney,
  type RequestMoved,
  raisePayable,
  reversePosted,
} from '#modules/finance/server/index.ts';
import { purchaseOrder } from '../contract/order.ts';
import { locked, type Order } from './order/load.ts';
import { settle } from './order/settle.ts';

interface Came {
  id: string;
  number: string;
}

const RECEIPT = 'purchase.receipt';
const RETURN = 'purchase.return';
const subjectOf = (order: Order) => ({ type: purchaseOrder.name, id: order.id, number: order.number });
const toScale = (order: Order, amounts: Iterable<string>) => round(sum(amounts), currencyScale(order.currency));

/** The supplier may ask for what came. Nothing is owed for gifts alone. */
export async function oweGoods(ctx: Ctx, order: Order, receipt: Came, owed: Iterable<string>): Promise<void> {
  const amount = toScale(order, owed);
  if (new Decimal(amount).lte(0)) return;
  await raisePayable(ctx, {
    source: { type: RECEIPT, id: receipt.id, event: 'receive', number: receipt.number },
    supplierId: order.supplier,
    kind: 'GOODS',
    subject: subjectOf(order),
    currency: order.currency,
    amount,
    title: `到货 ${receipt.number}`,
  });
}

/** A receipt that is taken back is owed no longer. @throws refused B0902 once it has been paid */
export async function disownGoods(ctx: Ctx, receiptId: string, reason: string): Promise<void> {
  await reversePosted(ctx, { type: RECEIPT, id: receiptId, event: 'receive' }, reason);
}

/** What went back is owed no longer; what was paid for it stays as credit with the supplier. */
export async function creditGoods(ctx: Ctx, order: Order, doc: Came, credits: Iterable<string>): Promise<void> {
  const amount = toScale(order, credits);
  if (new Decimal(amount).lte(0)) return;
  await creditPayable(ctx, {
    source: { type: RETURN, id: doc.id, event: 'ship', number: doc.number },
    supplierId: order.supplier,
    subject: subjectOf(order),
    currency: order.currency,
    amount,
    title: `退货 ${doc.number}`,
  });
}

/** Money of an order in its currency; null while there is none. */
export async function moneyOfOrder(ctx: Ctx, order: Pick<Order, 'id' | 'currency'>): Promise<OrderMoney | null> {
  const all = await moneyOf(ctx, purchaseOrder.name, [order.id]);
  return all.find((one) => one.currency === order.currency) ?? null;
}

/**
 * What may still be asked for an order: what it comes to (the ordered amount while lines are open, else what is owed),
 * less what is paid and asked for. @param known the order's money, where it was read before
 */
export async function leftToAsk(ctx: Ctx, order: Order, known?: OrderMoney | null): Promise<Decimal> {
  const money = known === undefined ? await moneyOfOrder(ctx, order) : known;
  const open = order.lines.some((line) => line.open > 0);
  const whole = open ? Decimal.max(order.amount, order.due) : new Decimal(order.due);
  return whole.minus(money?.paid ?? 0).minus(money?.requested ?? 0);
}

/**
 * What was handed in just now fits into what its document comes to; `left` is what is left with it counted.
 * @throws refused B1061 with what could have been asked for
 */
export function requireLeft(left: Decimal, { amount, currency }: Pick<RequestMoved, 'amount' | 'currency'>): void {
  if (!left.isNegative()) return;
  const most = round(Decimal.max(left.plus(amount), 0), currencyScale(currency));
  throw refused(`请款合计超过应付金额，剩余可请${most}`, 'B1061');
}

/**
 * A payment request of an order moved: the order knows what is paid, and ends with the last of it.
 * @throws refused B1061 where what is handed in asks for more than the order comes to
 */
export async function onRequestMoved(ctx: Ctx, moved: RequestMoved): Promise<void> {
  if (moved.subjectType !== purchaseOrder.name) return;
  const order = await locked(ctx, moved.subjectId);
  if (moved.step === 'submit') requireLeft(await leftToAsk(ctx, order), moved);
  const paid = (await moneyOfOrder(ctx, order))?.paid ?? '0';
  await ctx.db
    .updateTable('purchase.purchase_order')
    .set({ paid_amount: paid })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', order.id)
    .execute();
  await settle(ctx, { ...order, paid });
}
