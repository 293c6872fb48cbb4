import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import {
  type OrderMoney as FeeMoney,
  moneyOf,
  type RequestMoved,
  requestPayment,
  requestsOf,
} from '#modules/finance/server/index.ts';
import type { OrderMoney, OrderPaymentRow } from '../../contract/order.ts';
import { processOrder } from '../../contract/process.ts';
import { outcome } from '../order/act.ts';
import { paymentRow } from '../order/payments.ts';
import { requireLeft } from '../payable.ts';
import { lockedProcess } from './load.ts';

const leftOf = ({ raised, paid, requested }: Pick<FeeMoney, 'raised' | 'paid' | 'requested'>) =>
  new Decimal(raised).minus(paid).minus(requested);

/** A request for the fee of an order was handed in: it asks for no more than is owed. @throws refused B1061 */
export async function onFeeRequested(ctx: Ctx, moved: RequestMoved): Promise<void> {
  if (moved.subjectType !== processOrder.name || moved.step !== 'submit') return;
  await lockedProcess(ctx, moved.subjectId);
  const [money] = await moneyOf(ctx, processOrder.name, [moved.subjectId]);
  if (money) requireLeft(leftOf(money), moved);
}

/** Requests for the fee of an order, and how it stands with the processor. CNY. */
export async function feePayments(ctx: Ctx, id: string): Promise<{ payments: OrderPaymentRow[]; money: OrderMoney }> {
  const [known] = await moneyOf(ctx, processOrder.name, [id]);
  const { raised = '0', open = '0', prepaid = '0', paid = '0', requested = '0' } = known ?? {};
  const left = Decimal.max(leftOf({ raised, paid, requested }), 0).toFixed(2);
  const requests = await requestsOf(ctx, processOrder.name, [id]);
  return {
    payments: requests.map(paymentRow),
    money: { raised, open, prepaid, paid, requested, left, currency: 'CNY' },
  };
}

/**
 * Asks finance to pay the processor for pieces that came in good, and hands the request in. Amount in CNY.
 * @throws refused B1071 in house, where nobody is paid; B1061 for more than is left; and as finance refuses
 */
export async function requestFee(
  ctx: Ctx,
  input: { id: string; amount: string; dueOn: string | null; remark: string },
): Promise<Outcome> {
  const order = await lockedProcess(ctx, input.id);
  if (order.supplier === null) throw refused('自行加工没有加工费应付，不能请款', 'B1071');
  const asked = await requestPayment(ctx, {
    kind: 'BALANCE',
    party: { kind: 'SUPPLIER', id: order.supplier },
    subject: { type: processOrder.name, id: order.id, number: order.number },
    currency: 'CNY',
    dueOn: input.dueOn,
    remark: input.remark,
    lines: [{ title: `加工费 ${order.number}`, amount: input.amount }],
  });
  await note(ctx, processOrder.name, order.id, {
    kind: 'note',
    title: '请款',
    body: `${asked.number}，${input.amount}`,
  });
  return outcome(order, `请款单${asked.number}已提交`);
}
