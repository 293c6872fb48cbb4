import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { moneyOf, type PaidDocuments, requestPayment, requestsOf, type Worth } from '#modules/finance/server/index.ts';
import type { OrderMoney, OrderPaymentRow } from '../../contract/order.ts';
import { processOrder } from '../../contract/process.ts';

import { paymentRow } from '../order/payments.ts';
import { lockedProcess } from './load.ts';

/** Locks orders in the order of their ids. */
async function hold(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM purchase.process_order
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`.execute(ctx.db);
}

/** The processor is paid for pieces that came in good, so an order comes to its debts. */
async function worth(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Worth>> {
  const { rows } = await sql<{ id: string; number: string }>`
    SELECT id, number FROM purchase.process_order
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND supplier_id IS NOT NULL`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, number }) => [id, { number, currency: 'CNY', ordered: '0' }]));
}

/** What finance asks about the fees of process orders; nothing on them follows what is paid. */
export const paidFees: PaidDocuments = { type: processOrder.name, hold, worth, moved: async () => {} };

/** Requests for the fee of an order, and how it stands with the processor. CNY. */
export async function feePayments(ctx: Ctx, id: string): Promise<{ payments: OrderPaymentRow[]; money: OrderMoney }> {
  const [known] = await moneyOf(ctx, processOrder.name, [id]);
  const { raised = '0', open = '0', prepaid = '0', paid = '0', requested = '0' } = known ?? {};
  const left = Decimal.max(new Decimal(raised).minus(paid).minus(requested), 0).toFixed(2);
  const requests = await requestsOf(ctx, processOrder.name, [id]);
  return {
    payments: requests.map(paymentRow),
    money: { raised, open, prepaid, paid, requested, left, currency: 'CNY' },
  };
}

/**
 * Asks finance to pay the processor for pieces that came in good, and hands the request in. Amount in CNY.
 * @throws refused B1071 in house, where nobody is paid; and as finance refuses, B0928 for more than is left
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
