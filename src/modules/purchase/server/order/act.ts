import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionInput, type TransitionRules, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import type { OrderStep } from '../../contract/order-calls.ts';
import { headOf, locked, type Order } from './load.ts';
import { orderRules } from './rules.ts';
import { tell } from './tell.ts';

export interface CommandInput extends TransitionInput {
  id: string;
}

const TABLE = 'purchase.purchase_order';

/** Counts a change that is no transition, and puts the caller's name on it. */
export async function touch(ctx: Ctx, order: Order): Promise<Order> {
  await sql`
    UPDATE purchase.purchase_order SET version = version + 1, updated_by_name = ${ctx.userName}, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  return { ...order, version: order.version + 1 };
}

/** Who took a step and when; of an approval also what was approved. */
function stampOf(ctx: Ctx, name: string) {
  const by = sql`${ctx.userName}`;
  const touched = { updated_by_name: by, updated_at: sql`kit.now()` };
  if (name !== 'approve') return touched;
  return { ...touched, approved_by_name: by, approved_at: sql`kit.now()`, approved_amount: sql`amount` };
}

/** Takes a step of an order that is locked; `fresh` says that it is as it was read with its lock. */
export async function step(
  ctx: Ctx,
  order: Order,
  name: string,
  input: TransitionInput = {},
  rules: TransitionRules<Order> | undefined = orderRules[name as OrderStep],
  fresh = false,
): Promise<Outcome> {
  requireMove(ctx, order.warehouse);
  const kind = {
    def: purchaseOrder,
    table: TABLE,
    load: async () => order,
    rules: rules ? { [name]: rules } : {},
    stamp: stampOf(ctx, name),
    ...(fresh ? { held: order } : {}),
  };
  const state = await transition(ctx, kind, order.id, name, { reason: input.reason });
  await tell(ctx, order, name, input.reason);
  const rule = purchaseOrder.transitions[name as OrderStep];
  const title = rule?.title ?? name;
  return outcome({ ...order, state, version: order.version + 1 }, `采购单${order.number}${title}成功`);
}

/**
 * A command that is one transition: answers 「该操作已完成」 where it was taken before.
 * @throws conflict for a stale version or a state from which it does not go
 */
export async function act(ctx: Ctx, name: OrderStep, input: CommandInput): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  const rule = purchaseOrder.transitions[name];
  const from: readonly string[] = rule.from;
  if (rule.to === order.state && !from.includes(order.state)) {
    ctx.audited = true;
    return outcome(order, DONE_BEFORE, true);
  }
  requireFresh(order, input.version);
  return step(ctx, order, name, input, undefined, true);
}

/** The head as it is after an event, for its answer. */
export async function answerOf(ctx: Ctx, id: string, message: string): Promise<Outcome> {
  return outcome(await headOf(ctx, id, false), message);
}
