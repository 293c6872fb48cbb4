import { sql } from 'kysely';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransitionInput, transition } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { APPROVE, type BlocState, blocRequest } from '../../contract/bloc.ts';
import type { BlocStep, Outcome } from '../../contract/bloc-calls.ts';
import { reverse } from '../ledger/post.ts';
import { type DocumentRef, holdDocuments, moneyMoved } from '../payables/documents.ts';
import { freeDebts } from '../payables/free.ts';
import { lockParties, subjectsOf } from '../payables/items.ts';
import { itemsOf } from '../payables/list.ts';
import { requireOtherApprover } from '../separation.ts';
import { type Bloc, kindWith, loaded, locked, requireSides, sidesOf } from './load.ts';
import { tell } from './tell.ts';

/** Takes a step of a request whose row is locked, and tells whom it concerns. */
export async function step(
  ctx: Ctx,
  doc: Bloc,
  name: BlocStep | 'carry',
  input: TransitionInput,
  run: () => Promise<void> = async () => {},
): Promise<Outcome> {
  const moved = (await transition(ctx, kindWith({ [name]: { run } }), doc.id, name, input)) as BlocState;
  const rule = blocRequest.transitions[name];
  // A flow that asks nobody has approved what was handed in just now.
  if (moved === rule.to) await tell(ctx, doc, name, input.reason);
  const { state, version } = await loaded(ctx, doc.id);
  return { id: doc.id, number: doc.number, state, version, message: `往来申请${doc.number}${rule.title}成功` };
}

/** @throws conflict in a state from which the step does not go, or for a stale version */
export function requireState(doc: Bloc, name: BlocStep | 'carry', version: number | undefined): void {
  const { from, title } = blocRequest.transitions[name];
  if (version !== undefined && version !== doc.version) throw conflict('单据状态已变更，请刷新');
  if ((from as readonly string[]).includes(doc.state)) return;
  throw conflict(`单据状态为【${blocRequest.states[doc.state].title}】，不能执行【${title}】`);
}

/** The document of a debt that another company pays, held until the transaction ends. */
export async function holdDebt(ctx: Ctx, payableId: string | null | undefined) {
  const debts = payableId ? await subjectsOf(ctx, [payableId]) : [];
  const documents: DocumentRef[] = debts.map(({ subjectType, subjectId }) => ({ type: subjectType, id: subjectId }));
  await holdDocuments(ctx, documents);
  return { documents, parties: debts.map(({ partyId }) => partyId) };
}

async function approved(ctx: Ctx, doc: Bloc): Promise<void> {
  await requireOtherApprover(ctx, doc.createdBy, APPROVE);
  await sql`
    UPDATE finance.bloc_request
       SET approved_by = ${ctx.userId}, approved_by_name = ${ctx.userName}, approved_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

/**
 * Nothing of what came of a request is settled, nor asked for by somebody who is about to pay it; its parties are locked.
 * @throws refused B0974 with what stands in the way
 */
async function requireUntouched(ctx: Ctx, doc: Bloc): Promise<void> {
  for (const item of await itemsOf(ctx, blocRequest.name, doc.id)) {
    const words = (value: string) => `${doc.currency} ${new Decimal(value).toFixed(currencyScale(doc.currency))}`;
    const what = `${item.party} 的${item.book === 'PAYABLE' ? '应付' : '应收'}`;
    if (!new Decimal(item.settled).isZero()) {
      throw refused(`${what}已结 ${words(item.settled)}（核销或收付款），不能作废`, 'B0974');
    }
    if (item.book !== 'PAYABLE') continue;
    const debt = (await freeDebts(ctx, item.partyId, doc.currency)).find(({ id }) => id === item.id);
    const asked = new Decimal(item.open).minus(debt?.free ?? 0);
    if (asked.gt(0)) throw refused(`${what}已请款 ${words(asked.toFixed())}，请先撤回请款单，再作废`, 'B0974');
  }
}

/** Takes back what was carried out. @throws refused B0974 where something of it is settled, or what the ledger refuses */
async function voided(ctx: Ctx, id: string, input: TransitionInput): Promise<Outcome> {
  const { payableId } = await loaded(ctx, id);
  // Documents come before the request, and the parties after it: see decision 8.
  const { documents, parties } = await holdDebt(ctx, payableId);
  const doc = await locked(ctx, id);
  requireState(doc, 'void', input.version);
  await lockParties(ctx, [...parties, ...sidesOf(doc).flatMap((side) => side.id ?? [])]);
  const done = await step(ctx, doc, 'void', input, async () => {
    await requireUntouched(ctx, doc);
    if (doc.postingId) await reverse(ctx, doc.postingId, input.reason);
  });
  await moneyMoved(ctx, documents);
  return done;
}

/**
 * A command that is one transition.
 * @throws conflict for a stale version or state; refused B0923 for who asked, B0970 for a company that is no more of the
 * group, B0974 for what is settled, or what the ledger refuses
 */
export async function act(ctx: Ctx, name: BlocStep, input: TransitionInput & { id: string }): Promise<Outcome> {
  if (name === 'void') return voided(ctx, input.id, input);
  const doc = await locked(ctx, input.id);
  requireState(doc, name, input.version);
  if (name === 'submit') await requireSides(ctx, sidesOf(doc));
  return name === 'approve' ? step(ctx, doc, name, input, () => approved(ctx, doc)) : step(ctx, doc, name, input);
}
