import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { requireUnlocked } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { type Outcome, paymentRequest, type RequestInput } from '../../contract/requests.ts';
import { requireCategory } from '../accounts/categories.ts';
import { requireNotOfBill } from '../bills/requests.ts';
import { fixedBy } from '../payables/documents.ts';
import { openItems, requireParty } from '../payables/items.ts';
import { locked, type Request } from './load.ts';

export type SaveInput = z.output<typeof RequestInput>;

const EDITABLE = ['draft', 'returned'];

/** @throws refused B0921 where a line names a debt of somebody else or asks for more than is open of it */
async function requirePayables(ctx: Ctx, input: SaveInput): Promise<void> {
  const named = input.lines.flatMap((line) => (line.payableId ? [line.payableId] : []));
  if (named.length === 0) return;
  if (new Set(named).size < named.length) throw refused('同一笔应付不能重复请款', 'B0921');
  const open = await openItems(ctx, { ids: named, party: input.party.id, currency: input.currency, book: 'PAYABLE' });
  const known = new Map(open.map((item) => [item.id, item.open]));
  for (const { payableId, amount, title } of input.lines) {
    if (!payableId) continue;
    const left = known.get(payableId);
    if (left === undefined) throw refused(`【${title}】对应的应付不存在、已结清或不属于该收款方`, 'B0921');
    if (new Decimal(left).lt(amount)) throw refused(`付款金额超过待付金额 ${left}（${title}）`, 'B0921');
  }
}

/** @throws refused B0922 for an account that does not exist or is out of use */
export async function requireAccount(ctx: Ctx, id: string | null | undefined): Promise<void> {
  if (!id) return;
  const row = await ctx.db
    .selectFrom('finance.cash_account')
    .select('disabled')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.disabled) throw refused('付款账户不存在或已停用', 'B0922');
}

/** What a changed request is about where that is left unsaid: what it was, as long as the same party is paid. */
function subjectOf(input: SaveInput, before: Request | undefined): SaveInput['subject'] {
  if (input.subject || !before || before.subjectId === '') return input.subject;
  const same = before.party.kind === input.party.kind && before.party.id === input.party.id;
  return same ? { type: before.subjectType, id: before.subjectId, number: before.subjectNumber } : undefined;
}

function headValues(input: SaveInput, before?: Request) {
  const subject = subjectOf(input, before);
  return {
    kind: input.kind,
    party_kind: input.party.kind,
    party_id: input.party.id,
    subject_type: subject?.type ?? '',
    subject_id: subject?.id ?? '',
    subject_number: subject?.number ?? '',
    method: input.method,
    cash_account_id: input.cashAccountId ?? null,
    currency: input.currency,
    amount: sum(input.lines.map((line) => line.amount)),
    due_on: input.dueOn ?? null,
    remark: input.remark,
  };
}

async function putLines(ctx: Ctx, id: string, lines: SaveInput['lines']): Promise<void> {
  await sql`DELETE FROM finance.payment_request_line WHERE company_id = ${ctx.companyId} AND request_id = ${id}`.execute(
    ctx.db,
  );
  await ctx.db
    .insertInto('finance.payment_request_line')
    .values(
      lines.map((line, index) => ({
        company_id: ctx.companyId,
        request_id: id,
        line_no: index + 1,
        title: line.title,
        amount: line.amount,
        payable_id: line.payableId ?? null,
        category_id: line.categoryId ?? null,
        remark: line.remark,
      })),
    )
    .execute();
}

async function created(ctx: Ctx, input: SaveInput): Promise<Request> {
  const number = await nextNumber(ctx, paymentRequest.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('finance.payment_request')
    .values({
      company_id: ctx.companyId,
      number,
      state: paymentRequest.initial,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...headValues(input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, paymentRequest.name, id, { kind: 'note', title: '创建', to: paymentRequest.initial });
  return locked(ctx, id);
}

async function changed(ctx: Ctx, id: string, input: SaveInput): Promise<Request> {
  const doc = await locked(ctx, id);
  if (!EDITABLE.includes(doc.state)) {
    await requireUnlocked(ctx, paymentRequest, id);
    throw conflict(`单据状态为【${paymentRequest.states[doc.state].title}】，不能执行【修改】`);
  }
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  await requireNotOfBill(ctx, id);
  const fixed = fixedBy(ctx, doc.subjectType);
  if (fixed) throw refused(fixed, 'B0958');
  await ctx.db
    .updateTable('finance.payment_request')
    .set({ ...headValues(input, doc), version: doc.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await note(ctx, paymentRequest.name, id, { kind: 'note', title: '修改' });
  return { ...doc, version: doc.version + 1 };
}

/**
 * Writes a new request, or changes a draft or one that came back; all of its lines are replaced, and it stays with its document.
 * @throws refused B0920 party, B0921 debts, B0922 account, B0913 category; conflict for a stale version or state
 */
export async function save(ctx: Ctx, input: SaveInput): Promise<Outcome> {
  await requireParty(ctx, input.party);
  await requireAccount(ctx, input.cashAccountId);
  await requirePayables(ctx, input);
  for (const { categoryId } of input.lines) await requireCategory(ctx, categoryId ?? undefined, 'OUT');
  const doc = input.id ? await changed(ctx, input.id, input) : await created(ctx, input);
  await putLines(ctx, doc.id, input.lines);
  await audit(ctx, {
    action: '请款单·保存',
    resource: paymentRequest.name,
    resourceId: doc.id,
    ...(input.id ? { before: { amount: doc.amount, lines: doc.lines.length } } : {}),
    after: { number: doc.number, ...input },
  });
  return {
    id: doc.id,
    number: doc.number,
    state: doc.state,
    version: doc.version,
    message: `请款单${doc.number}已保存`,
  };
}
