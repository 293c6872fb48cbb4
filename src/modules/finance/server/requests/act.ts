import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note, type TransitionInput, transition } from '#kit/server/document.ts';
import { conflict } from '#kit/server/errors.ts';
import { emit, event } from '#kit/server/events.ts';
import { APPROVE, type Outcome, paymentRequest, type RequestState, type RequestStep } from '../../contract/requests.ts';
import { reverse } from '../ledger/post.ts';
import { documentsOf, holdDocuments, moneyMoved } from '../payables/documents.ts';
import { lockParties } from '../payables/items.ts';
import { requireOtherApprover } from '../separation.ts';
import { kindWith, loaded, locked, type Request } from './load.ts';
import { requireRoom } from './room.ts';
import { requireAccount } from './save.ts';
import { tell } from './tell.ts';

/** A request took a step: whoever asked for it (an order) follows. Told in the same transaction. */
export interface RequestMoved {
  requestId: string;
  /** The step that it took; the bound of what is asked for is a matter of `submit`. */
  step: RequestStep | 'payPart' | 'payAll';
  number: string;
  state: RequestState;
  currency: string;
  /** Decimal text, in the currency. */
  amount: string;
  subjectType: string;
  subjectId: string;
}
export const requestMoved = event<RequestMoved>('finance.requestMoved');

async function approved(ctx: Ctx, doc: Request): Promise<void> {
  await requireOtherApprover(ctx, doc.createdBy, APPROVE);
  await sql`
    UPDATE finance.payment_request
       SET approved_by = ${ctx.userId}, approved_by_name = ${ctx.userName}, approved_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

/** Takes every payment of a request back, the newest first. @throws refused B0902 where a deposit is used already */
async function takeBack(ctx: Ctx, doc: Request, reason: string | undefined): Promise<void> {
  await lockParties(ctx, [doc.party.id]);
  const rows = await ctx.db
    .selectFrom('finance.payment')
    .select('posting_id')
    .where('company_id', '=', ctx.companyId)
    .where('request_id', '=', doc.id)
    .orderBy('id', 'desc')
    .execute();
  for (const { posting_id } of rows) await reverse(ctx, posting_id, reason);
  await sql`
    UPDATE finance.payment_request SET paid_amount = 0
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  await sql`
    UPDATE finance.payment_request_line SET paid_amount = 0
     WHERE company_id = ${ctx.companyId} AND request_id = ${doc.id}`.execute(ctx.db);
}

/** Takes a step of a request whose row is locked, and tells whom it concerns. */
export async function step(
  ctx: Ctx,
  doc: Request,
  name: RequestMoved['step'],
  input: TransitionInput,
  run: () => Promise<void> = async () => {},
): Promise<Outcome> {
  const moved = (await transition(ctx, kindWith({ [name]: { run } }), doc.id, name, input)) as RequestState;
  const rule = paymentRequest.transitions[name];
  // A flow that asks nobody has approved what was handed in just now.
  if (moved === rule.to) await tell(ctx, doc, name, input.reason);
  const { state, version } = await loaded(ctx, doc.id);
  await emit(ctx, requestMoved, {
    requestId: doc.id,
    step: name,
    number: doc.number,
    state,
    currency: doc.currency,
    amount: doc.amount,
    subjectType: doc.subjectType,
    subjectId: doc.subjectId,
  });
  return { id: doc.id, number: doc.number, state, version, message: `请款单${doc.number}${rule.title}成功` };
}

/** @throws conflict in a state from which the step does not go */
function requireState(doc: Request, name: RequestStep): void {
  const { from, title } = paymentRequest.transitions[name];
  if ((from as readonly string[]).includes(doc.state)) return;
  throw conflict(`单据状态为【${paymentRequest.states[doc.state].title}】，不能执行【${title}】`);
}

/** Takes back all that was paid. @throws conflict for a stale version; refused B0902 where a deposit is used already */
async function reversed(ctx: Ctx, doc: Request, input: TransitionInput): Promise<Outcome> {
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  // Nothing counts as paid any more before the state says so.
  await takeBack(ctx, doc, input.reason);
  const done = await step(ctx, doc, 'reverse', input);
  await moneyMoved(ctx, await documentsOf(ctx, [doc.id]));
  return done;
}

/**
 * A command that is one transition. @throws conflict for a stale version or state; refused B0923, B0928, B0929, or the
 * ledger's
 */
export async function act(ctx: Ctx, name: RequestStep, input: TransitionInput & { id: string }): Promise<Outcome> {
  // Money is asked for and moves under the lock of the documents; it comes before that of the request.
  if (name === 'submit' || name === 'reverse') await holdDocuments(ctx, await documentsOf(ctx, [input.id]));
  const doc = await locked(ctx, input.id);
  requireState(doc, name);
  if (name === 'submit') await requireRoom(ctx, doc);
  if (name === 'approve') return step(ctx, doc, name, input, () => approved(ctx, doc));
  return name === 'reverse' ? reversed(ctx, doc, input) : step(ctx, doc, name, input);
}

interface Method {
  id: string;
  version?: number | undefined;
  method: string;
  cashAccountId?: string | null | undefined;
}

/** Another method or account, while nothing is paid yet. @throws conflict afterwards, refused B0922 */
export async function setMethod(ctx: Ctx, input: Method): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  if (!['draft', 'returned', 'submitted', 'approved'].includes(doc.state)) {
    throw conflict(`单据状态为【${paymentRequest.states[doc.state].title}】，不能修改付款方式`);
  }
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  await requireAccount(ctx, input.cashAccountId);
  await ctx.db
    .updateTable('finance.payment_request')
    .set({ method: input.method, cash_account_id: input.cashAccountId ?? null, version: doc.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
  await note(ctx, paymentRequest.name, doc.id, { kind: 'note', title: '修改付款方式' });
  await audit(ctx, {
    action: '请款单·修改付款方式',
    resource: paymentRequest.name,
    resourceId: doc.id,
    before: { method: doc.method, cashAccountId: doc.cashAccountId },
    after: { method: input.method, cashAccountId: input.cashAccountId ?? null },
  });
  return { id: doc.id, number: doc.number, state: doc.state, version: doc.version + 1, message: '付款方式已修改' };
}
