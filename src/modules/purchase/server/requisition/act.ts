import type { Outcome } from '#kit/contract/document-calls.ts';
import { flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionRules, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { type RequisitionStep, requisition } from '../../contract/requisition.ts';
import type { CommandInput } from '../order/act.ts';
import { reopenPlan } from '../plan/reopen.ts';
import { convert } from './convert.ts';
import { lockedRequisition, type Requisition } from './load.ts';

type AnyStep = keyof typeof requisition.transitions;

const rules: Partial<Record<AnyStep, TransitionRules<Requisition>>> = {
  approve: {
    run: async (ctx, plan) => {
      await convert(ctx, plan);
    },
  },
  discard: { run: (ctx, plan) => reopenPlan(ctx, 'requisition_id', plan.id) },
};

async function move(ctx: Ctx, plan: Requisition, name: AnyStep, reason?: string): Promise<Outcome> {
  const kind = {
    def: requisition,
    table: 'purchase.requisition',
    load: async () => plan,
    rules: { [name]: rules[name] ?? {} },
  };
  const state = await transition(ctx, kind, plan.id, name, { reason });
  const { title } = requisition.transitions[name];
  return outcome({ ...plan, state, version: plan.version + 1 }, `采购计划${plan.number}${title}成功`);
}

/**
 * Takes a step of a plan. Handing it in converts it at once where the company has no flow for plans: then nobody else is
 * to be asked, and its orders are approved for themselves.
 * @throws conflict for a stale version or a state from which the step does not go
 */
export async function actRequisition(
  ctx: Ctx,
  name: RequisitionStep | 'approve' | 'reject',
  input: CommandInput,
): Promise<Outcome> {
  const plan = await lockedRequisition(ctx, input.id);
  const { to, from } = requisition.transitions[name];
  const ways: readonly string[] = from;
  if (to === plan.state && !ways.includes(plan.state)) {
    ctx.audited = true;
    return outcome(plan, DONE_BEFORE, true);
  }
  requireFresh({ ...plan, updatedByName: '' }, input.version);
  const done = await move(ctx, plan, name, input.reason);
  if (name !== 'submit' || done.state !== 'pending' || (await flowTells(ctx, requisition, plan.id))) return done;
  return move(ctx, await lockedRequisition(ctx, plan.id), 'approve');
}
