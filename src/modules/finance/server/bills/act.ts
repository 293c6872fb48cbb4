import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { type confirmBill as confirmCall, type moveBill as moveCall, platformBill } from '../../contract/bills/bill.ts';
import { type BillHead, followLines, lockBill, stepBill } from './state.ts';

function requireState(bill: BillHead, name: 'confirm' | 'reopen' | 'cancel'): void {
  const { from, title } = platformBill.transitions[name];
  if ((from as readonly string[]).includes(bill.state)) return;
  throw conflict(`账单当前为「${platformBill.states[bill.state].title}」，不能${title}`);
}

/** What the matched lines are billed beyond their purchase orders, CNY: line by line, so that nothing hides a loss. */
async function differencesOf(ctx: Ctx, billId: string): Promise<{ lines: number; amount: string }> {
  const { rows } = await sql<{ lines: number; amount: string }>`
    SELECT count(*)::int AS lines, coalesce(sum(amount - order_amount), 0) AS amount
      FROM finance.platform_bill_order
     WHERE company_id = ${ctx.companyId} AND bill_id = ${billId} AND amount <> order_amount`.execute(ctx.db);
  return rows[0] ?? { lines: 0, amount: '0' };
}

/**
 * Says that the bill is right as it is matched. Where nothing of it is to be paid it is settled at once.
 * @throws conflict for a stale version or state, refused B0952 for differences without a reason
 */
export async function confirmBill(ctx: Ctx, { id, version, reason }: z.output<typeof confirmCall.body>) {
  const bill = await lockBill(ctx, id, version);
  requireState(bill, 'confirm');
  const { lines, amount } = await differencesOf(ctx, id);
  if (lines > 0 && reason === '') {
    throw refused(`${lines} 笔订单与采购单相差共 ${new Decimal(amount).toFixed(2)}，请填写差异原因`, 'B0952');
  }
  await ctx.db
    .updateTable('finance.platform_bill')
    .set({ reason })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  const confirmed = await stepBill(ctx, id, 'confirm', { reason: reason || undefined });
  const state = await followLines(ctx, { id, state: confirmed });
  return { id, number: bill.number, state, message: `账单${bill.number}已确认` };
}

/** @throws refused B0956 while payment requests hold lines of the bill */
async function requireUnasked(ctx: Ctx, bill: BillHead): Promise<void> {
  const asked = await ctx.db
    .selectFrom('finance.platform_bill_payment as p')
    .innerJoin('finance.payment_request as r', (join) =>
      join.onRef('r.company_id', '=', 'p.company_id').onRef('r.id', '=', 'p.request_id'),
    )
    .select('r.number')
    .where('p.company_id', '=', ctx.companyId)
    .where('p.bill_id', '=', bill.id)
    .where('p.live', '=', true)
    .limit(1)
    .executeTakeFirst();
  if (asked) throw refused(`账单已生成请款单 ${asked.number}，请先作废请款单`, 'B0956');
}

/** Another step of a bill. @throws conflict for a stale version or state, refused B0956, B0011 without a reason */
export async function moveBill(ctx: Ctx, { id, version, action, reason }: z.output<typeof moveCall.body>) {
  const bill = await lockBill(ctx, id, version);
  requireState(bill, action);
  await requireUnasked(ctx, bill);
  const state = await stepBill(ctx, id, action, { reason });
  return { id, number: bill.number, state, message: `账单${bill.number}${platformBill.transitions[action].title}成功` };
}
