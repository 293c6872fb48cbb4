import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { RequestInput, type RequestKind, type RequestState } from '../../contract/requests.ts';
import type { Party, Subject } from '../ledger/types.ts';
import { act } from './act.ts';
import { save } from './save.ts';

/** What a document asks finance to pay. */
export interface AskedPayment {
  kind: RequestKind;
  party: Party;
  subject: Subject;
  currency: string;
  /** yyyy-MM-dd on which it should be paid. */
  dueOn?: string | null | undefined;
  method?: z.input<typeof RequestInput>['method'];
  cashAccountId?: string | null | undefined;
  remark?: string | undefined;
  /** Amounts in the currency, more than 0; `payableId` names the debt, else the oldest of the order are paid. */
  lines: readonly { title: string; amount: string; payableId?: string | undefined }[];
}

/**
 * Writes a payment request for a document and submits it, unless `draft`. The caller needs fin:payreq:apply.
 * @throws refused B0920 party, B0921 debts, B0922 account; forbidden
 */
export async function requestPayment(
  ctx: Ctx,
  asked: AskedPayment,
  draft = false,
): Promise<{ id: string; number: string; state: RequestState }> {
  const { id, number, state } = await save(ctx, RequestInput.parse(asked));
  if (draft) return { id, number, state };
  const sent = await act(ctx, 'submit', { id });
  return { id, number, state: sent.state };
}

/** A request of an order, as the order's page shows it. Amounts in its currency. */
export interface RequestOf {
  id: string;
  number: string;
  kind: RequestKind;
  state: RequestState;
  subjectId: string;
  currency: string;
  amount: string;
  paid: string;
  open: string;
}

/** The requests of documents, the oldest first. */
export async function requestsOf(ctx: Ctx, subjectType: string, subjectIds: readonly string[]): Promise<RequestOf[]> {
  if (subjectIds.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('finance.payment_request')
    .select(['id', 'number', 'kind', 'state', 'subject_id as subjectId', 'currency', 'amount', 'paid_amount as paid'])
    .where('company_id', '=', ctx.companyId)
    .where('subject_type', '=', subjectType)
    .where('subject_id', 'in', subjectIds)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    kind: row.kind as RequestKind,
    state: row.state as RequestState,
    open: new Decimal(row.amount).minus(row.paid).toFixed(),
  }));
}
