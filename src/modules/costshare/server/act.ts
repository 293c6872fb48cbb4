import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type DocumentKind, type TransitionInput, transition } from '#kit/server/document.ts';
import type { CostOutcome, CostStep } from '../contract/calls.ts';
import { costDocument } from '../contract/document.ts';
import { mirrorLines, postLines } from './ledger.ts';
import { type Cost, loaded, locked, requireOwn, requireWhole, TABLE } from './load.ts';

/** Columns of a document that is posted, once its lines are written. */
export async function posted(ctx: Ctx, doc: Cost): Promise<void> {
  const { rate, amountCny, posting } = await postLines(ctx, doc);
  await sql`
    UPDATE costshare.document
       SET rate = ${rate}::numeric, amount_cny = ${amountCny}::numeric, posting = ${posting}::int,
           posted_by_name = ${ctx.userName}, posted_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

const takenBack = async (ctx: Ctx, doc: Cost): Promise<void> => {
  if (doc.state === 'posted') await mirrorLines(ctx, doc);
};

/**
 * A step that somebody takes by hand: posts a document, takes it back, or makes it void.
 * @throws conflict for a stale version or state; B0930 for a currency without a rate on its first day, B2309 for stores that the caller does not see, B2310 for one that another document made or a single SKU has
 */
export async function act(ctx: Ctx, name: CostStep, input: TransitionInput & { id: string }): Promise<CostOutcome> {
  const doc = await locked(ctx, input.id);
  requireOwn(doc);
  await requireWhole(ctx, doc);
  return step(ctx, doc, name, input);
}

/** A step of a document whose row the caller holds. @throws as `act`, whoever made it */
export async function step(ctx: Ctx, doc: Cost, name: CostStep, input: TransitionInput): Promise<CostOutcome> {
  const run = name === 'post' ? posted : takenBack;
  const kind: DocumentKind<Cost> = {
    def: costDocument,
    table: TABLE,
    // As it was before the step: what is taken back depends on that.
    load: async () => doc,
    held: doc,
    rules: { [name]: { run } },
  };
  await transition(ctx, kind, doc.id, name, input);
  const { state, version } = await loaded(ctx, doc.id);
  const { title } = costDocument.transitions[name];
  return { id: doc.id, number: doc.number, state, version, message: `费用分摊单${doc.number}${title}成功` };
}
