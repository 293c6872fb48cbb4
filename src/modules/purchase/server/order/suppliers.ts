import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';

/** A part of the payment: its share, what it counts from, days after it. */
export interface TermStage {
  share: string;
  anchor: string;
  days: number;
}

export interface SupplierFacts {
  id: string;
  name: string;
  code: string;
  grade: string;
  state: string;
  terms: TermStage[];
  /** Share by which more than ordered may come; null: as the company has it. */
  receiveTolerance: string | null;
}

/** What an order says of its supplier. @throws refused B1001 for one that does not exist */
export async function supplierOf(ctx: Ctx, id: string): Promise<SupplierFacts> {
  const row = await ctx.db
    .selectFrom('supplier.supplier')
    .select(['id', 'short_name as name', 'code', 'grade', 'state', 'terms', 'receive_tolerance as receiveTolerance'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw refused('供应商不存在或已删除', 'B1001');
  return { ...row, terms: row.terms as unknown as TermStage[] };
}
