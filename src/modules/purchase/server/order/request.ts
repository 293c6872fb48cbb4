import { sum } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { requestPayment } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { requireNoChange } from '../amend/waiting.ts';
import { waitingInvoices } from '../invoice/match.ts';

import { locked } from './load.ts';

/** A balance is not asked for while a bill of the order is not what was agreed and came. */
async function requireMatched(ctx: Ctx, orderId: string): Promise<void> {
  const waiting = await waitingInvoices(ctx, orderId);
  if (waiting.length > 0) throw refused(`发票${waiting.join('、')}待核对，核对后才能请尾款`, 'B1062');
}

interface Asking {
  id: string;
  kind: 'DEPOSIT' | 'BALANCE';
  dueOn?: string | null;
  remark: string;
  /** The account that it is meant to be paid from. */
  cashAccountId?: string;
}

/** What is asked for as a whole, or line by line; in the currency of the order. */
type Amounts = { amount: string } | { lines: readonly { title: string; amount: string }[] };

/**
 * Asks finance to pay for an order and hands the request in. @throws refused B1060 before it is placed, B1062
 * for a balance while an invoice waits, B1081 while a change waits; and as finance refuses, B0928 for more than is left
 */
export async function requestForOrder(ctx: Ctx, input: Asking & Amounts): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  if (!['ordered', 'closed'].includes(order.state)) throw refused('下单后才能请款', 'B1060');
  await requireNoChange(ctx, order.id);
  if (input.kind === 'BALANCE') await requireMatched(ctx, order.id);
  const title = `${input.kind === 'DEPOSIT' ? '定金' : '货款'} ${order.number}`;
  const lines = 'lines' in input ? input.lines : [{ title, amount: input.amount }];
  const asked = await requestPayment(ctx, {
    kind: input.kind,
    party: { kind: 'SUPPLIER', id: order.supplier },
    subject: { type: purchaseOrder.name, id: order.id, number: order.number },
    currency: order.currency,
    dueOn: input.dueOn,
    remark: input.remark,
    cashAccountId: input.cashAccountId,
    lines,
  });
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '请款',
    body: `${asked.number}，${sum(lines.map((line) => line.amount))}`,
  });
  return outcome(order, `请款单${asked.number}已提交`);
}
