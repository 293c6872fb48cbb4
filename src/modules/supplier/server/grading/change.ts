import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Grade } from '../../contract.ts';

/** Why a grade changes: by hand, or for the total of a quarter. */
export type Cause =
  | { source: 'manual'; reason: string }
  | { source: 'proposal' | 'automatic'; quarter: string; total: string };

/**
 * Gives a supplier another grade and writes it into his history. The caller holds the supplier's row, knows that the
 * grade differs, and writes the audit row.
 */
export async function changeGrade(ctx: Ctx, supplierId: string, from: Grade, to: Grade, cause: Cause): Promise<void> {
  await ctx.db
    .updateTable('supplier.supplier')
    .set({ grade: to, version: sql<number>`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', supplierId)
    .execute();
  const why =
    cause.source === 'manual'
      ? { quarter: null, total: null, reason: cause.reason }
      : { quarter: cause.quarter, total: cause.total, reason: `${cause.quarter} 总分 ${cause.total}` };
  await ctx.db
    .insertInto('supplier.grade_change')
    .values({
      company_id: ctx.companyId,
      supplier_id: supplierId,
      from_grade: from,
      to_grade: to,
      source: cause.source,
      by_name: ctx.userName,
      ...why,
    })
    .execute();
}

/** What a person decided about a grade decides what was proposed for it: applied where it is the same, else kept. */
export async function settleProposal(ctx: Ctx, supplierId: string, grade: Grade, reason: string): Promise<void> {
  await sql`
    UPDATE supplier.quarter_score
       SET state = CASE WHEN grade = ${grade} THEN 'applied' ELSE 'kept' END, reason = ${reason},
           decided_at = kit.now(), decided_by_name = ${ctx.userName}
     WHERE company_id = ${ctx.companyId} AND supplier_id = ${supplierId} AND state = 'proposed'`.execute(ctx.db);
}
