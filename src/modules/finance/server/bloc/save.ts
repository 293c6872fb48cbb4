import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import { requireUnlocked } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { type BlocInput, blocRequest, OWN } from '../../contract/bloc.ts';
import type { Outcome } from '../../contract/bloc-calls.ts';
import { type Bloc, locked, requireSides, sidesOf } from './load.ts';

const EDITABLE: readonly string[] = ['draft', 'returned'];

/** @throws refused B0971 for what does not fit together */
function requireSense({ kind, amount, currency, payee, wishedOn, dueOn }: BlocInput): void {
  if (new Decimal(amount).decimalPlaces() > currencyScale(currency)) {
    throw refused(`金额：${currency} 最多 ${currencyScale(currency)} 位小数`, 'B0971');
  }
  if (kind === 'ON_BEHALF' && payee === '') throw refused('代付请填写代付收款方', 'B0971');
  if (wishedOn && dueOn && dueOn < wishedOn) throw refused('约定归还日不能早于期望日期', 'B0971');
}

const sideId = (id: string) => (id === OWN ? null : id);

function valuesOf(input: BlocInput) {
  return {
    kind: input.kind,
    giver_id: sideId(input.giverId),
    taker_id: sideId(input.takerId),
    currency: input.currency,
    amount: input.amount,
    payee: input.kind === 'ON_BEHALF' ? input.payee : '',
    wished_on: input.wishedOn ?? null,
    due_on: input.dueOn ?? null,
    reason: input.reason,
    remark: input.remark,
  };
}

async function created(ctx: Ctx, input: BlocInput): Promise<Bloc> {
  const number = await nextNumber(ctx, blocRequest.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('finance.bloc_request')
    .values({
      company_id: ctx.companyId,
      number,
      state: blocRequest.initial,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...valuesOf(input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, blocRequest.name, id, { kind: 'note', title: '创建', to: blocRequest.initial });
  return locked(ctx, id);
}

async function changed(ctx: Ctx, doc: Bloc, input: BlocInput): Promise<Bloc> {
  if (!EDITABLE.includes(doc.state)) {
    await requireUnlocked(ctx, blocRequest, doc.id);
    throw conflict(`单据状态为【${blocRequest.states[doc.state].title}】，不能执行【修改】`);
  }
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  await ctx.db
    .updateTable('finance.bloc_request')
    .set({ ...valuesOf(input), version: doc.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
  await note(ctx, blocRequest.name, doc.id, { kind: 'note', title: '修改' });
  return { ...doc, version: doc.version + 1 };
}

/**
 * Writes a new request, or changes a draft or one that came back.
 * @throws refused B0970 sides, B0971 what does not fit together; conflict for a stale version or state
 */
export async function save(ctx: Ctx, input: BlocInput): Promise<Outcome> {
  const before = input.id ? await locked(ctx, input.id) : undefined;
  const names = await requireSides(ctx, sidesOf({ giverId: sideId(input.giverId), takerId: sideId(input.takerId) }));
  requireSense(input);
  const doc = before ? await changed(ctx, before, input) : await created(ctx, input);
  const { kind, currency, amount, payee, wishedOn, dueOn, reason, remark } = input;
  await audit(ctx, {
    action: '往来申请·保存',
    resource: blocRequest.name,
    resourceId: doc.id,
    ...(before ? { before: { amount: before.amount, reason: before.reason } } : {}),
    after: { number: doc.number, kind, ...names, currency, amount, payee, wishedOn, dueOn, reason, remark },
  });
  return {
    id: doc.id,
    number: doc.number,
    state: doc.state,
    version: doc.version,
    message: `往来申请${doc.number}已保存`,
  };
}
