import type { Ctx } from '#kit/server/context.ts';
import { type TransitionInput, type TransitionRules, transition } from '#kit/server/document.ts';
import { requireOtherApprover } from '#modules/finance/server/index.ts';
import type { ExpenseStep, Outcome } from '../contract/calls.ts';
import { APPROVE, type ExpenseState, expenseDocument } from '../contract/document.ts';
import { type Expense, loaded, locked, requireWhole, TABLE } from './load.ts';
import { post, takeBack } from './post.ts';
import { tell } from './tell.ts';

type Name = keyof typeof expenseDocument.transitions;

const RULES: Partial<Record<Name, TransitionRules<Expense>>> = {
  approve: { run: post },
  reverse: {
    guard: async (_ctx, { requestId, requestNumber }) =>
      requestId === null ? undefined : `请先作废或冲销请款单 ${requestNumber}`,
    run: (ctx, doc, { reason = '' }) => takeBack(ctx, doc, reason),
  },
};

/** A step of an expense whose row the caller holds, with its effects; tells whom it concerns. @throws as `act` */
export async function step(ctx: Ctx, doc: Expense, name: Name, input: TransitionInput): Promise<Outcome> {
  const rule = RULES[name];
  const kind = {
    def: expenseDocument,
    table: TABLE,
    load: async () => doc,
    held: doc,
    rules: rule ? { [name]: rule } : {},
  };
  const state = (await transition(ctx, kind, doc.id, name, input)) as ExpenseState;
  const { to, title } = expenseDocument.transitions[name];
  // A flow that asks nobody has approved what was handed in just now, and told so.
  if (state === to) await tell(ctx, doc, name, input.reason);
  const { version } = await loaded(ctx, doc.id);
  return { id: doc.id, number: doc.number, state, version, message: `费用单${doc.number}${title}成功` };
}

/**
 * A step that somebody takes. @throws conflict for a stale version or state; refused B0012 for a reversal while a payment
 * request holds it, B0923 for whoever made it, B0930 rate, B2408 stores that the caller does not see
 */
export async function act(ctx: Ctx, name: ExpenseStep, input: TransitionInput & { id: string }): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  if (name === 'submit' || name === 'reverse' || name === 'void') await requireWhole(ctx, doc);
  if (name === 'approve' && doc.state === 'submitted') await requireOtherApprover(ctx, doc.createdBy, APPROVE);
  return step(ctx, doc, name, input);
}
