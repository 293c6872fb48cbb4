import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionInput, type TransitionRules, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';
import type { ShipStep } from '../../contract/order-calls.ts';
import { locked, type ShipOrder, TABLE } from './load.ts';
import { shipRules } from './rules.ts';

export interface CommandInput extends TransitionInput {
  id: string;
}

export type AnyStep = keyof typeof shipOrder.transitions;

/** @throws conflict in a state from which the step does not go */
export function requireState(order: ShipOrder, name: AnyStep): void {
  const rule = shipOrder.transitions[name];
  const from: readonly string[] = rule.from;
  if (from.includes(order.state)) return;
  const title = shipOrder.states[order.state as 'draft']?.title ?? order.state;
  throw conflict(`单据状态为【${title}】，不能执行【${rule.title}】`);
}

/** Counts a change that is no transition, and puts the caller's name on it; answers the version. */
export async function touch(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    UPDATE shipping.ship_order SET version = version + 1, updated_by_name = ${ctx.userName}, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${id} RETURNING version`.execute(ctx.db);
  return rows[0]?.version ?? 0;
}

function stampOf(ctx: Ctx, name: AnyStep) {
  const touched = { updated_by_name: sql`${ctx.userName}`, updated_at: sql`kit.now()` };
  if (name === 'approve' || name === 'hold') {
    return { ...touched, approved_by_name: sql`${ctx.userName}`, approved_at: sql`kit.now()` };
  }
  return name === 'ship' ? { ...touched, shipped_at: sql`kit.now()` } : touched;
}

/** Takes a step of an order that is locked. */
export async function step(
  ctx: Ctx,
  order: ShipOrder,
  name: AnyStep,
  input: TransitionInput = {},
  rules: TransitionRules<ShipOrder> | undefined = shipRules[name],
): Promise<Outcome> {
  requireMove(ctx, order.warehouse);
  const kind = {
    def: shipOrder,
    table: TABLE,
    load: async () => order,
    rules: rules ? { [name]: rules } : {},
    stamp: stampOf(ctx, name),
  };
  const state = await transition(ctx, kind, order.id, name, { reason: input.reason });
  const { title } = shipOrder.transitions[name];
  return outcome({ ...order, state, version: order.version + 1 }, `发货单${order.number}${title}成功`);
}

/**
 * A command that is one transition: answers 「该操作已完成」 where it was taken before.
 * @throws conflict for a stale version or a state from which it does not go
 */
export async function act(ctx: Ctx, name: ShipStep, input: CommandInput): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  const rule = shipOrder.transitions[name];
  const from: readonly string[] = rule.from;
  if (rule.to === order.state && !from.includes(order.state)) {
    ctx.audited = true;
    return outcome(order, DONE_BEFORE, true);
  }
  requireFresh(order, input.version);
  requireState(order, name);
  return step(ctx, order, name, input);
}
