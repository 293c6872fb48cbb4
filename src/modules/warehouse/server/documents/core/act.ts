import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionInput, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict } from '#kit/server/errors.ts';
import { locked, type StockDocument, type StockKind, TABLE } from './load.ts';
import { shareProducts } from './products.ts';
import { tell } from './tell.ts';

export interface CommandInput extends TransitionInput {
  id: string;
}

export type Effect = (ctx: Ctx, doc: StockDocument, input: TransitionInput) => Promise<void>;

/** @throws conflict in a state from which the step does not go */
export function requireState(kind: StockKind, doc: StockDocument, name: string): void {
  const rule = kind.def.transitions[name];
  if (rule?.from.includes(doc.state)) return;
  const title = kind.def.states[doc.state]?.title ?? doc.state;
  throw conflict(`单据状态为【${title}】，不能执行【${rule?.title ?? name}】`);
}

/** Puts the caller's name and the time on the document; answers its version. */
export async function touch(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    UPDATE warehouse.document SET updated_by_name = ${ctx.userName}, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${id} RETURNING version`.execute(ctx.db);
  return rows[0]?.version ?? 0;
}

/** Takes a step of a document that is locked already. */
export async function step(
  ctx: Ctx,
  kind: StockKind,
  doc: StockDocument,
  name: string,
  effect?: Effect,
  input: TransitionInput = {},
): Promise<Outcome> {
  requireState(kind, doc, name);
  await shareProducts(ctx, doc, name);
  const run = effect ? () => effect(ctx, doc, input) : async () => {};
  const state = await transition(
    ctx,
    { def: kind.def, table: TABLE, load: async () => doc, rules: { [name]: { run } } },
    doc.id,
    name,
    { reason: input.reason },
  );
  const version = await touch(ctx, doc.id);
  const rule = kind.def.transitions[name];
  // A flow that asks nobody has approved what was handed in just now.
  if (state === rule?.to) await tell(ctx, kind, doc, name, input.reason);
  const title = rule?.title ?? name;
  return outcome({ ...doc, state, version }, `${kind.def.title}${doc.number}${title}成功`);
}

/**
 * A command that is one transition: locks, answers 「该操作已完成」 where it was taken before, checks version and state, and
 * carries out the effect. @throws conflict for a stale version or a state from which it does not go
 */
export async function act(
  ctx: Ctx,
  kind: StockKind,
  name: string,
  input: CommandInput,
  effect?: Effect,
): Promise<Outcome> {
  const doc = await locked(ctx, kind, input.id);
  const rule = kind.def.transitions[name];
  if (rule && rule.to === doc.state && !rule.from.includes(doc.state)) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireState(kind, doc, name);
  requireFresh(doc, input.version);
  return step(ctx, kind, doc, name, effect, input);
}
