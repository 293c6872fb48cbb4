import { formatMoney } from '#kit/contract/format.ts';
import type { Approvable, ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { BlocKind, blocRequest, OWN, OWN_NAME, VIEW } from '../../contract/bloc.ts';
import type { BlocStep } from '../../contract/bloc-calls.ts';
import { act } from './act.ts';
import { rowOf } from './list.ts';
import { loaded, TABLE } from './load.ts';

const KINDS = BlocKind.meta()?.states ?? {};

/** A request as those who approve it see it. */
async function subjectOf(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const doc = await loaded(ctx, id);
  const row = await rowOf(ctx, id);
  const { giver, taker } = { giver: row?.giver ?? '', taker: row?.taker ?? '' };
  const kind = KINDS[doc.kind]?.title ?? doc.kind;
  const amount = formatMoney(doc.amount, doc.currency);
  return {
    number: doc.number,
    summary: `${kind} · ${giver} → ${taker} · ${amount}`,
    facts: [
      { label: '类型', value: kind },
      { label: '出方', value: giver },
      { label: '入方', value: taker },
      { label: '金额', value: amount },
      ...(doc.payee ? [{ label: '代付收款方', value: doc.payee }] : []),
      { label: '期望日期', value: doc.wishedOn ?? '—' },
      { label: '约定归还日', value: doc.dueOn ?? '—' },
      { label: '事由', value: doc.reason },
    ],
    amount: doc.amount,
    currency: doc.currency,
    place: '',
    vars: { kind: doc.kind, giver: doc.giverId ?? OWN, taker: doc.takerId ?? OWN },
    content: { ...doc, state: undefined, version: undefined, approvedBy: undefined },
  };
}

/** The own company and those of the group, as a flow chooses among them. */
async function companies(ctx: Ctx): Promise<{ value: string; title: string }[]> {
  const rows = await ctx.db
    .selectFrom('finance.partner')
    .select(['id as value', 'name as title'])
    .where('company_id', '=', ctx.companyId)
    .where('kind', '=', 'GROUP')
    .where('disabled', '=', false)
    .orderBy('name')
    .execute();
  return [{ value: OWN, title: OWN_NAME }, ...rows];
}

/** Requests between companies for the approval flows: money leaves by them, so no time-out approves one. */
export const blocApproval: Approvable = {
  def: blocRequest,
  table: TABLE,
  view: VIEW,
  fields: [
    {
      key: 'kind',
      title: '类型',
      kind: 'choice',
      options: async () => Object.entries(KINDS).map(([value, { title }]) => ({ value, title })),
    },
    { key: 'giver', title: '出方', kind: 'choice', options: companies },
    { key: 'taker', title: '入方', kind: 'choice', options: companies },
  ],
  fixed: ['giver', 'taker'],
  pays: true,
  subject: subjectOf,
  take: (ctx, id, step, reason) => act(ctx, step as BlocStep, { id, reason }),
};
