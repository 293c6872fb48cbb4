import { formatMoney } from '#kit/contract/format.ts';
import type { Approvable, ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { departmentsOf } from '#modules/identity/server/index.ts';
import type { ExpenseStep } from '../contract/calls.ts';
import { ExpenseKind, expenseDocument, Scope, VIEW } from '../contract/document.ts';
import { act } from './act.ts';
import { linesOf, loaded, sharesOf, TABLE } from './load.ts';

const titleOf = (choice: typeof ExpenseKind | typeof Scope, value: string) =>
  choice.meta()?.states?.[value]?.title ?? value;
const optionsOf = (choice: typeof ExpenseKind | typeof Scope) => async () =>
  Object.entries(choice.meta()?.states ?? {}).map(([value, { title }]) => ({ value, title }));

/** An expense as those who approve it see it. */
async function subjectOf(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const doc = await loaded(ctx, id);
  const lines = await linesOf(ctx, id);
  const shares = await sharesOf(ctx, id);
  const department = (await departmentsOf(ctx)).find((one) => one.id === doc.departmentId)?.name ?? '—';
  return {
    number: doc.number,
    summary: `${titleOf(ExpenseKind, doc.kind)} · ${doc.payee} · ${formatMoney(doc.amount, doc.currency)}`,
    facts: [
      { label: '类型', value: titleOf(ExpenseKind, doc.kind) },
      { label: '部门', value: department },
      { label: '收款方', value: doc.payee },
      { label: '费用日期', value: doc.spentOn },
      { label: '归属', value: titleOf(Scope, doc.scope) },
      { label: '摊销月数', value: String(doc.months) },
      ...lines.map((line) => ({ label: line.feeType, value: formatMoney(line.amount, doc.currency) })),
    ],
    amount: doc.amount,
    currency: doc.currency,
    place: '',
    vars: { kind: doc.kind, scope: doc.scope, payee: doc.party.id },
    content: { ...doc, state: undefined, version: undefined, amountCny: undefined, lines, shares },
  };
}

/** Expenses for the approval flows: money leaves by them, so no time-out approves one. */
export const expenseApproval: Approvable = {
  def: expenseDocument,
  table: TABLE,
  view: VIEW,
  fields: [
    { key: 'kind', title: '类型', kind: 'choice', options: optionsOf(ExpenseKind) },
    { key: 'scope', title: '归属', kind: 'choice', options: optionsOf(Scope) },
  ],
  fixed: ['payee'],
  pays: true,
  subject: subjectOf,
  take: (ctx, id, step, reason) => act(ctx, step as ExpenseStep, { id, reason }),
};
