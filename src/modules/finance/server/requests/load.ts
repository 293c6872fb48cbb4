import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentKind, DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { paymentRequest, type RequestKind, type RequestState } from '../../contract/requests.ts';
import type { Party } from '../ledger/types.ts';

export const TABLE = 'finance.payment_request';

interface Line {
  lineNo: number;
  title: string;
  amount: string;
  /** What is paid of it; the rest holds the debt that it names. */
  paid: string;
  payableId: string | null;
  categoryId: string | null;
  remark: string;
}

/** A request as its rules see it, read while its row is locked. */
export interface Request extends DocumentRow {
  state: RequestState;
  number: string;
  kind: RequestKind;
  party: Party;
  subjectType: string;
  subjectId: string;
  subjectNumber: string;
  method: string;
  cashAccountId: string | null;
  currency: string;
  amount: string;
  paid: string;
  createdBy: string | null;
  approvedBy: string | null;
  lines: Line[];
}

async function headOf(ctx: Ctx, id: string, lock: boolean) {
  const { rows } = await sql<Omit<Request, 'lines' | 'party'> & { partyKind: Party['kind']; partyId: string }>`
    SELECT id, number, state, version, kind, party_kind AS "partyKind", party_id AS "partyId", subject_type AS "subjectType",
           subject_id AS "subjectId", subject_number AS "subjectNumber", method, cash_account_id AS "cashAccountId",
           currency, amount, paid_amount AS paid, created_by AS "createdBy", approved_by AS "approvedBy"
      FROM finance.payment_request
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound();
  return row;
}

async function linesOf(ctx: Ctx, id: string): Promise<Line[]> {
  return ctx.db
    .selectFrom('finance.payment_request_line')
    .select([
      'line_no as lineNo',
      'title',
      'amount',
      'paid_amount as paid',
      'payable_id as payableId',
      'category_id as categoryId',
      'remark',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('request_id', '=', id)
    .orderBy('line_no')
    .execute();
}

async function whole(ctx: Ctx, id: string, lock: boolean): Promise<Request> {
  const { partyKind, partyId, ...head } = await headOf(ctx, id, lock);
  return { ...head, party: { kind: partyKind, id: partyId }, lines: await linesOf(ctx, id) };
}

/** The request, its row locked until the transaction ends. @throws notFound */
export const locked = (ctx: Ctx, id: string): Promise<Request> => whole(ctx, id, true);

/** The request as it is now. @throws notFound */
export const loaded = (ctx: Ctx, id: string): Promise<Request> => whole(ctx, id, false);

/** The kind of document with a rule of one transition. */
export function kindWith(rules: NonNullable<DocumentKind<Request>['rules']> = {}): DocumentKind<Request> {
  return { def: paymentRequest, table: TABLE, load: loaded, rules };
}
