import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionInput, type TransitionRules, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import { separateApprover } from '#modules/warehouse/server/index.ts';
import { freightBill } from '../../../contract/freight/bill.ts';
import type { FreightStep } from '../../../contract/freight/calls.ts';
import { FREIGHT_AUDIT } from '../../../contract/freight/fields.ts';

import { confirmBill } from './confirm.ts';
import { type FreightBill, lockedBill, requireWhole, TABLE } from './load.ts';

import { reverseBill } from './reverse.ts';

/**
 * Who entered a bill does not confirm it, unless nobody else could.
 * @throws refused B0820
 */
async function requireOther(ctx: Ctx, bill: FreightBill): Promise<void> {
  if (ctx.userId === null || bill.createdBy !== ctx.userId || !(await separateApprover(ctx))) return;
  const able = await membersWith(ctx, FREIGHT_AUDIT);
  if (able.some((id) => id !== ctx.userId)) throw refused('制单人不能审核自己的单据，请由其他人审核', 'B0820');
}

const RULES: Partial<Record<FreightStep, TransitionRules<FreightBill>>> = {
  confirm: {
    run: async (ctx, bill) => {
      await requireOther(ctx, bill);
      await confirmBill(ctx, bill);
    },
  },
  reverse: { run: (ctx, bill, { reason }) => reverseBill(ctx, bill, reason ?? '') },
};

/**
 * A command that is one transition: answers 「该操作已完成」 where it was taken before.
 * @throws conflict for a stale version or a state from which it does not go, forbidden for a bill with orders out of reach;
 *   what {@link confirmBill} and {@link reverseBill} refuse
 */
export async function actBill(ctx: Ctx, name: FreightStep, input: TransitionInput & { id: string }): Promise<Outcome> {
  const bill = await lockedBill(ctx, input.id);
  const rule = freightBill.transitions[name];
  const from: readonly string[] = rule.from;
  if (rule.to === bill.state && !from.includes(bill.state)) {
    ctx.audited = true;
    return outcome(bill, DONE_BEFORE, true);
  }
  requireFresh(bill, input.version);
  requireWhole(bill);
  const rules = RULES[name];
  const confirmed = name === 'confirm' ? { confirmed_by_name: sql`${ctx.userName}`, confirmed_at: sql`kit.now()` } : {};
  const state = await transition(
    ctx,
    {
      def: freightBill,
      table: TABLE,
      load: async () => bill,
      rules: rules ? { [name]: rules } : {},
      stamp: { updated_by_name: sql`${ctx.userName}`, updated_at: sql`kit.now()`, ...confirmed },
    },
    bill.id,
    name,
    { reason: input.reason },
  );
  return outcome({ ...bill, state, version: bill.version + 1 }, `物流账单${bill.number}${rule.title}成功`);
}
