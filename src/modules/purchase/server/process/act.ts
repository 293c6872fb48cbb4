import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionRules, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { requireOrderable } from '#modules/supplier/server/index.ts';
import { type Move, requireMove } from '#modules/warehouse/server/index.ts';
import { PROCESS_RELEASE, type ProcessStep, processOrder } from '../../contract/process.ts';
import type { CommandInput } from '../order/act.ts';
import { reopenPlan } from '../plan/reopen.ts';
import { requireOtherApprover } from '../setting.ts';
import { holdParts, inWork, issueParts, letPartsGo, negative, postEvent } from './events.ts';
import { lockedProcess, type Process } from './load.ts';

type Rules = TransitionRules<Process>;
type AnyStep = keyof typeof processOrder.transitions;

/** What was not used comes back to the warehouse, to the place and lot that it was taken from. */
async function takeBackParts(ctx: Ctx, order: Process): Promise<void> {
  const cells = await inWork(ctx, order.id);
  if (cells.length === 0) return;
  const moves = cells.map(
    ({ product, location, lot, qty }): Move => ({
      product,
      qty,
      from: { warehouse: order.warehouse, status: 'PROCESSING', location, lot },
      to: { warehouse: order.warehouse, status: 'AVAILABLE', location, lot },
    }),
  );
  await postEvent(ctx, order, 'stop', moves, negative(cells));
}

const rules: Partial<Record<AnyStep, Rules>> = {
  submit: {
    guard: async (ctx, order) => {
      if (order.supplier !== null) await requireOrderable(ctx, [order.supplier]);
      return undefined;
    },
  },
  approve: {
    guard: async (ctx, order) => {
      await requireOtherApprover(ctx, order.createdBy, PROCESS_RELEASE);
      return undefined;
    },
    run: holdParts,
  },
  issue: { run: issueParts },
  stop: { run: takeBackParts },
  discard: {
    run: async (ctx, order) => {
      await letPartsGo(ctx, order);
      await reopenPlan(ctx, 'process_id', order.id);
    },
  },
};

/** Takes a step of an order that is locked. */
export async function stepProcess(ctx: Ctx, order: Process, name: AnyStep, reason?: string): Promise<Outcome> {
  requireMove(ctx, order.warehouse);
  const kind = {
    def: processOrder,
    table: 'purchase.process_order',
    load: async () => order,
    rules: { [name]: rules[name] ?? {} },
  };
  const state = await transition(ctx, kind, order.id, name, { reason });
  await sql`
    UPDATE purchase.process_order SET updated_by_name = ${ctx.userName}, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  const { title } = processOrder.transitions[name];
  return outcome({ ...order, state, version: order.version + 1 }, `采购加工单${order.number}${title}成功`);
}

/**
 * A command that is one transition: answers 「该操作已完成」 where it was taken before.
 * @throws conflict for a stale version or a state from which it does not go; refused B0801 where parts are short
 */
export async function actProcess(ctx: Ctx, name: ProcessStep, input: CommandInput): Promise<Outcome> {
  const order = await lockedProcess(ctx, input.id);
  const { to, from } = processOrder.transitions[name];
  const ways: readonly string[] = from;
  if (to === order.state && !ways.includes(order.state)) {
    ctx.audited = true;
    return outcome(order, DONE_BEFORE, true);
  }
  requireFresh(order, input.version);
  return stepProcess(ctx, order, name, input.reason);
}
