import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { CostState } from '../contract/document.ts';

export const TABLE = 'costshare.document';

/** A document as its rules see it; amounts are decimal text in its currency, days are "yyyy-MM-dd". */
export interface Cost extends DocumentRow {
  state: CostState;
  number: string;
  feeType: string;
  currency: string;
  amount: string;
  from: string;
  to: string;
  posting: number;
  /** SHARE is a document of its own, ITEM a cost of one SKU on one day. */
  kind: 'SHARE' | 'ITEM';
  /** Number of the document of another module that made it; '' where people did. */
  sourceNumber: string;
}

async function headOf(ctx: Ctx, id: string, lock: boolean): Promise<Cost> {
  const { rows } = await sql<Cost>`
    SELECT id, number, state, version, fee_type AS "feeType", currency, trim_scale(amount)::text AS amount,
           date_from::text AS "from", date_to::text AS "to", posting, kind,
           source_number AS "sourceNumber"
      FROM costshare.document
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound();
  return row;
}

/** The document, its row locked until the transaction ends. @throws notFound */
export const locked = (ctx: Ctx, id: string): Promise<Cost> => headOf(ctx, id, true);

/** The document as it is now. @throws notFound */
export const loaded = (ctx: Ctx, id: string): Promise<Cost> => headOf(ctx, id, false);

/**
 * A cost that another document made changes with that one alone, and one of a single SKU in the list of those. @throws B2310
 */
export function requireOwn({ sourceNumber, kind }: Cost, asked: Cost['kind'] = 'SHARE'): void {
  if (kind !== asked) throw refused('其他成本在其他成本列表中修改或删除', 'B2310');
  if (sourceNumber !== '') throw refused(`由 ${sourceNumber} 生成的费用分摊单，请在该单据操作`, 'B2310');
}

/**
 * That the caller sees every row of a document: whoever has the data rights of some stores only must neither take back nor rewrite a
 * part of it. @throws B2309
 */
export async function requireWhole(ctx: Ctx, doc: Cost): Promise<void> {
  const { rows } = await sql<{ whole: boolean }>`
    SELECT coalesce(sum(amount), 0) = ${doc.amount}::numeric AS whole FROM costshare.document_row
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id}`.execute(ctx.db);
  if (!rows[0]?.whole) throw refused('单据包含没有数据权限的店铺，不能操作', 'B2309');
}
