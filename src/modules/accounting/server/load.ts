import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentKind, DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { type VoucherState, type VoucherType, voucher } from '../contract/vouchers.ts';

/** A voucher as its rules see it. */
export interface Voucher extends DocumentRow {
  state: VoucherState;
  type: VoucherType;
  number: string;
  day: string;
  /** "yyyy-MM" */
  month: string;
  summary: string;
  amount: string;
  createdBy: string | null;
  reversalOf: string | null;
}

async function headOf(ctx: Ctx, id: string, lock: boolean): Promise<Voucher> {
  const { rows } = await sql<Voucher>`
    SELECT id, state, version, type, number, day, to_char(month, 'YYYY-MM') AS month, summary, amount::text AS amount,
           created_by AS "createdBy", reversal_of AS "reversalOf"
      FROM accounting.voucher WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** The voucher, its row locked until the transaction ends. @throws notFound */
export const locked = (ctx: Ctx, id: string): Promise<Voucher> => headOf(ctx, id, true);

/** The voucher as it is now. @throws notFound */
export const loaded = (ctx: Ctx, id: string): Promise<Voucher> => headOf(ctx, id, false);

/** The kind of document with rules of its transitions. */
export const kindWith = (rules: NonNullable<DocumentKind<Voucher>['rules']>): DocumentKind<Voucher> => ({
  def: voucher,
  table: 'accounting.voucher',
  load: loaded,
  rules,
});
