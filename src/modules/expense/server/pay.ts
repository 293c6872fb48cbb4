import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { type PaidDocuments, type RequestMoved, requestPayment } from '#modules/finance/server/index.ts';
import type { Outcome, requestExpense } from '../contract/calls.ts';
import { expenseDocument } from '../contract/document.ts';
import { step } from './act.ts';
import { linesOf, loaded, locked, lockedBy } from './load.ts';

const held = (ctx: Ctx, id: string, request: { id: string; number: string } | undefined) =>
  sql`
    UPDATE expense.document SET request_id = ${request?.id ?? null}::uuid, request_number = ${request?.number ?? ''}, version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);

/**
 * Asks finance to pay an approved expense: one request at a time, of all of its lines. The caller needs fin:payreq:apply, too.
 * @throws conflict for a stale version; refused B2406 before the approval or while there is a request; as finance refuses
 */
export async function requestFor(ctx: Ctx, input: z.output<typeof requestExpense.body>): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  if (doc.requestId !== null) throw refused(`已有请款单 ${doc.requestNumber}，不能重复申请付款`, 'B2406');
  if (doc.state !== 'approved')
    throw refused(`单据状态为【${expenseDocument.states[doc.state].title}】，不能申请付款`, 'B2406');
  const lines = await linesOf(ctx, doc.id);
  const asked = await requestPayment(ctx, {
    kind: 'EXPENSE',
    party: doc.party,
    subject: { type: expenseDocument.name, id: doc.id, number: doc.number },
    currency: doc.currency,
    method: input.method,
    cashAccountId: input.cashAccountId,
    dueOn: input.dueOn,
    remark: doc.remark,
    lines: lines.map(({ feeType, amount }) => ({ title: feeType, amount })),
  });
  await held(ctx, doc.id, asked);
  await note(ctx, expenseDocument.name, doc.id, { kind: 'note', title: '申请付款', body: asked.number });
  const { version } = await loaded(ctx, doc.id);
  return { id: doc.id, number: doc.number, state: doc.state, version, message: `请款单${asked.number}已提交` };
}

/** What becomes of an expense when its request moves: paid with it, and open again once that is void or taken back. */
export async function onRequestMoved(ctx: Ctx, { requestId, step: name, number }: RequestMoved): Promise<void> {
  if (name !== 'payAll' && name !== 'cancel' && name !== 'reverse') return;
  const doc = await lockedBy(ctx, requestId);
  if (!doc) return;
  // Who pays has the rights of finance; what follows from it is nobody's choice.
  const anyone: Ctx = { ...ctx, permissions: undefined };
  if (name === 'payAll') {
    await step(anyone, doc, 'pay', {});
    return;
  }
  if (doc.state === 'paid') await step(anyone, doc, 'unpay', {});
  await held(ctx, doc.id, undefined);
  await note(ctx, expenseDocument.name, doc.id, {
    kind: 'note',
    title: name === 'cancel' ? '请款单已作废' : '请款单已冲销',
    body: number,
  });
}

/** What finance asks of expenses: their requests are made here, so nobody asks for more by hand or changes one. */
export const paidExpenses: PaidDocuments = {
  type: expenseDocument.name,
  booked: true,
  fixed: '由费用单生成的请款单不能修改，请作废后在费用单重新申请付款',
  async hold(ctx, ids) {
    await sql`
      SELECT FROM expense.document WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])
       ORDER BY id FOR UPDATE`.execute(ctx.db);
  },
  worth: async () => new Map(),
  moved: async () => {},
};
