import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { Party } from '#modules/finance/server/index.ts';
import type { ExpenseState, Scope } from '../contract/document.ts';

export const TABLE = 'expense.document';

/** An expense as its rules see it; amounts are decimal text in its currency, days "yyyy-MM-dd". */
export interface Expense extends DocumentRow {
  state: ExpenseState;
  number: string;
  kind: string;
  scope: Scope;
  departmentId: string | null;
  party: Party;
  payee: string;
  spentOn: string;
  currency: string;
  amount: string;
  /** In CNY; null before the approval. */
  amountCny: string | null;
  months: number;
  remark: string;
  requestId: string | null;
  requestNumber: string;
  createdBy: string | null;
}

async function headOf(ctx: Ctx, condition: ReturnType<typeof sql>, lock: boolean): Promise<Expense | undefined> {
  const { rows } = await sql<Omit<Expense, 'party'> & { partyKind: Party['kind']; partyId: string }>`
    SELECT id, number, state, version, kind, scope, department_id AS "departmentId", party_kind AS "partyKind",
           party_id AS "partyId", payee, spent_on::text AS "spentOn", currency, trim_scale(amount)::text AS amount,
           amount_cny::text AS "amountCny", months, remark, request_id AS "requestId", request_number AS "requestNumber",
           created_by AS "createdBy"
      FROM expense.document
     WHERE company_id = ${ctx.companyId} AND ${condition} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const [row] = rows;
  if (!row) return undefined;
  const { partyKind, partyId, ...head } = row;
  return { ...head, party: { kind: partyKind, id: partyId } };
}

async function found(ctx: Ctx, id: string, lock: boolean): Promise<Expense> {
  const doc = await headOf(ctx, sql`id = ${id}`, lock);
  if (!doc) throw notFound();
  return doc;
}

/** The expense, its row locked until the transaction ends. @throws notFound */
export const locked = (ctx: Ctx, id: string): Promise<Expense> => found(ctx, id, true);

/** The expense as it is now. @throws notFound */
export const loaded = (ctx: Ctx, id: string): Promise<Expense> => found(ctx, id, false);

/** The expense that a payment request pays, its row locked; undefined for requests of others. */
export const lockedBy = (ctx: Ctx, requestId: string): Promise<Expense | undefined> =>
  headOf(ctx, sql`request_id = ${requestId}`, true);

/** A line; amounts in the currency of the document, `tax` is part of the amount. */
export interface Line {
  lineNo: number;
  feeType: string;
  amount: string;
  tax: string | null;
  remark: string;
}

/** The lines of an expense in their order. */
export async function linesOf(ctx: Ctx, id: string): Promise<Line[]> {
  const { rows } = await sql<Line>`
    SELECT line_no AS "lineNo", fee_type AS "feeType", trim_scale(amount)::text AS amount, trim_scale(tax)::text AS tax, remark
      FROM expense.line WHERE company_id = ${ctx.companyId} AND document_id = ${id} ORDER BY line_no`.execute(ctx.db);
  return rows;
}

/** Who bears what: a department, or a SKU in a store ('' is the whole store). Of stores those that the caller may see. */
export interface Share {
  departmentId: string | null;
  accountId: string | null;
  marketplaceId: string | null;
  sku: string;
  amount: string;
}

/** The shares of an expense in their order. */
export async function sharesOf(ctx: Ctx, id: string): Promise<Share[]> {
  const { rows } = await sql<Share>`
    SELECT department_id AS "departmentId", NULL::uuid AS "accountId", NULL::text AS "marketplaceId", '' AS sku,
           trim_scale(amount)::text AS amount, row_no
      FROM expense.department_share WHERE company_id = ${ctx.companyId} AND document_id = ${id}
    UNION ALL
    SELECT NULL, account_id, marketplace_id, sku, trim_scale(amount)::text, row_no
      FROM expense.store_share WHERE company_id = ${ctx.companyId} AND document_id = ${id}
     ORDER BY row_no`.execute(ctx.db);
  return rows;
}

/** That the caller sees every share: whoever has the data rights of some stores only must not act on all. @throws B2408 */
export async function requireWhole(ctx: Ctx, doc: Expense): Promise<void> {
  if (doc.scope !== 'STORE' && doc.scope !== 'SKU') return;
  const seen = sum((await sharesOf(ctx, doc.id)).map(({ amount }) => amount));
  if (!new Decimal(seen).eq(doc.amount)) throw refused('单据包含没有数据权限的店铺，不能操作', 'B2408');
}
