import { formatMoney } from '#kit/contract/format.ts';
import type { Approvable, ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { paymentRequest, RequestKind, type RequestStep, VIEW } from '../../contract/requests.ts';
import { requireParty } from '../payables/items.ts';
import { act } from './act.ts';
import { loaded, TABLE } from './load.ts';
import { subjectNumberOf } from './subject.ts';

const KINDS = RequestKind.meta()?.states ?? {};

/** A request as those who approve it see it. */
async function subjectOf(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const doc = await loaded(ctx, id);
  const { name } = await requireParty(ctx, doc.party);
  const kind = KINDS[doc.kind]?.title ?? doc.kind;
  const amount = formatMoney(doc.amount, doc.currency);
  return {
    number: doc.number,
    summary: `${kind} · ${name} · ${amount}`,
    facts: [
      { label: '类型', value: kind },
      { label: '收款方', value: name },
      { label: '关联单号', value: (await subjectNumberOf(ctx, id)) || '—' },
      ...doc.lines.map((line) => ({ label: line.title, value: formatMoney(line.amount, doc.currency) })),
    ],
    amount: doc.amount,
    currency: doc.currency,
    place: '',
    vars: { kind: doc.kind, payee: doc.party.id, subject: doc.subjectType },
    // How it is paid may change until it is paid: that is no matter of whoever approves it.
    content: {
      ...doc,
      state: undefined,
      version: undefined,
      approvedBy: undefined,
      method: undefined,
      cashAccountId: undefined,
    },
  };
}

/** Payment requests for the approval flows: money leaves by them, so no time-out approves one. */
export const requestApproval: Approvable = {
  def: paymentRequest,
  table: TABLE,
  view: VIEW,
  fields: [
    {
      key: 'kind',
      title: '类型',
      kind: 'choice',
      options: async () => Object.entries(KINDS).map(([value, { title }]) => ({ value, title })),
    },
  ],
  fixed: ['payee'],
  pays: true,
  subject: subjectOf,
  take: (ctx, id, step, reason) => act(ctx, step as RequestStep, { id, reason }),
};
