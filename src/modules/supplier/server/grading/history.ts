import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { GradeChange, gradeHistory } from '../../contract/grading.ts';
import type { Grade } from '../../contract.ts';

type History = Reply<typeof gradeHistory>;

const CHANGES = 100;
const QUARTERS = 8;

/** How a supplier came to his grade: the last hundred changes and the last eight quarters, the newest first. */
export async function historyOf(ctx: Ctx, id: string): Promise<History> {
  const supplier = await ctx.db
    .selectFrom('supplier.supplier')
    .select(['grade', 'grade_locked as locked', 'grade_lock_reason as lockReason'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!supplier) throw notFound();
  const changes = await sql<GradeChange>`
    SELECT id, at, by_name AS by, from_grade AS "from", to_grade AS "to", source, quarter, total::text AS total, reason
      FROM supplier.grade_change
     WHERE company_id = ${ctx.companyId} AND supplier_id = ${id}
     ORDER BY at DESC, id DESC LIMIT ${CHANGES}`.execute(ctx.db);
  const quarters = await sql<History['quarters'][number]>`
    SELECT quarter, lines, total::text AS total, grade, state FROM supplier.quarter_score
     WHERE company_id = ${ctx.companyId} AND supplier_id = ${id}
     ORDER BY quarter DESC LIMIT ${QUARTERS}`.execute(ctx.db);
  return { ...supplier, grade: supplier.grade as Grade, changes: changes.rows, quarters: quarters.rows };
}
