import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionInput, transition } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict } from '#kit/server/errors.ts';
import { requireMove, SHORTAGE } from '#modules/warehouse/server/index.ts';
import type { SelfStep } from '../../contract/self/calls.ts';
import { type SelfState, selfDoc } from '../../contract/self/doc.ts';
import { attempt } from './attempt.ts';
import { locked, type SelfDoc, TABLE } from './load.ts';
import { allShown, markOrders } from './mark.ts';
import { selfRules } from './rules.ts';

export interface CommandInput extends TransitionInput {
  id: string;
}
export type AnyStep = keyof typeof selfDoc.transitions;

const titleOf = (state: SelfState): string => selfDoc.states[state].title;

/** @throws conflict in a state from which the step does not go */
export function requireState(doc: SelfDoc, name: AnyStep): void {
  const rule = selfDoc.transitions[name];
  const from: readonly string[] = rule.from;
  if (!from.includes(doc.state)) throw conflict(`单据状态为【${titleOf(doc.state)}】，不能执行【${rule.title}】`);
}

/** Counts a change that is no transition, and puts the caller's name on it; answers the version. */
export async function touch(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    UPDATE shipping.self_doc SET version = version + 1, updated_by_name = ${ctx.userName}, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${id} RETURNING version`.execute(ctx.db);
  return rows[0]?.version ?? 0;
}

const NOW = sql`kit.now()`;

function stampOf(ctx: Ctx, doc: SelfDoc, name: AnyStep): Record<string, RawBuilder<unknown>> {
  // Where a held document goes on is known only while it is held.
  const heldFrom = name === 'hold' ? sql`${doc.state}` : sql`NULL`;
  const common = { updated_by_name: sql`${ctx.userName}`, updated_at: NOW, held_from: heldFrom };
  // A problem is over as soon as a step was taken that is none.
  const clear = name === 'fail' || name === 'lack' ? {} : { problem: sql`''` };
  if (name === 'approve') return { ...common, ...clear, approved_by_name: sql`${ctx.userName}`, approved_at: NOW };
  if (name === 'ship') return { ...common, ...clear, out_at: NOW };
  if (name === 'confirm') return { ...common, ...clear, shipped_at: NOW };
  return { ...common, ...clear };
}

/** Steps after which nothing is taken of the orders any more. */
const OVER: readonly AnyStep[] = ['confirm', 'cancel', 'sendBack'];

/** Takes a step of a document that is locked; answers the document as it is then. */
export async function step(ctx: Ctx, doc: SelfDoc, name: AnyStep, input: TransitionInput = {}): Promise<SelfDoc> {
  requireMove(ctx, doc.warehouse);
  const rules = selfRules[name];
  const kind = {
    def: selfDoc,
    table: TABLE,
    load: async () => doc,
    rules: rules ? { [name]: rules } : {},
    held: doc,
    stamp: stampOf(ctx, doc, name),
  };
  const state = (await transition(ctx, kind, doc.id, name, { reason: input.reason })) as SelfState;
  if (OVER.includes(name)) {
    await sql`UPDATE shipping.self_order SET over = true
       WHERE company_id = ${ctx.companyId} AND doc_id = ${doc.id}`.execute(ctx.db);
  }
  return { ...doc, state, version: doc.version + 1 };
}

/** Holds what the document asks for, or turns it to 缺货. Which pieces are missing is written down. */
async function approve(ctx: Ctx, doc: SelfDoc, input: TransitionInput): Promise<Outcome> {
  const failure = await attempt(ctx, SHORTAGE, () => step(ctx, doc, 'approve', input));
  if (!('refused' in failure)) return outcome(failure.done, `自发货单${doc.number}审核成功`);
  const problem = failure.refused.message;
  const lacking = doc.state === 'short' ? doc : await step(ctx, doc, 'lack', { reason: problem });
  await sql`UPDATE shipping.self_doc SET problem = ${problem.slice(0, 500)}
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  ctx.audited = true;
  return outcome(lacking, `库存不足，已转为缺货：${problem}`, doc.state === 'short');
}

/** A document of no platform is sent once it has left; one of orders is reported where its parcel is known. */
async function afterOut(ctx: Ctx, doc: SelfDoc, name: 'ship' | 'mark'): Promise<{ doc: SelfDoc; words: string }> {
  if (doc.origin === 'OFFLINE') return { doc: await step(ctx, doc, 'confirm'), words: '' };
  if (await allShown(ctx, doc)) return { doc: await step(ctx, doc, 'confirm'), words: '' };
  if (doc.labelState === 'bought') return { doc, words: '，购买面单时已向平台确认发货' };
  const isKnown = doc.trackingNo !== '' && doc.carrier !== '';
  if (name === 'ship' && !isKnown) return { doc, words: '，填写承运商和运单号后标记发货' };
  await markOrders(ctx, doc);
  return { doc, words: '，已提交标记发货' };
}

const RESUMED = { pending: 'resume', short: 'resumeShort', printing: 'resumePrinting', ready: 'resumeReady' } as const;

/** A step of a document that is locked, with all that follows from it. */
export async function perform(ctx: Ctx, doc: SelfDoc, name: SelfStep, input: TransitionInput): Promise<Outcome> {
  if (name === 'approve') return approve(ctx, doc, input);
  const taken = name === 'resume' ? RESUMED[doc.heldFrom ?? 'pending'] : name;
  const next = await step(ctx, doc, taken, input);
  const { title } = selfDoc.transitions[name];
  const after = name === 'ship' || name === 'mark' ? await afterOut(ctx, next, name) : { doc: next, words: '' };
  return outcome(after.doc, `自发货单${doc.number}${title}成功${after.words}`);
}

/**
 * A command that is one step: answers 「该操作已完成」 where it was taken before, so that of many who press at once one acts.
 * @throws conflict for a stale version or a state from which it does not go
 */
export async function act(ctx: Ctx, name: SelfStep, input: CommandInput): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  const rule = selfDoc.transitions[name];
  const from: readonly string[] = rule.from;
  const gone = name === 'ship' && doc.posting !== null;
  if (gone || (rule.to === doc.state && !from.includes(doc.state))) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireFresh(doc, input.version);
  requireState(doc, name);
  return perform(ctx, doc, name, input);
}
