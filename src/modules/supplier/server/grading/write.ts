import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ScoreState } from '../../contract/grading.ts';
import type { Grade } from '../../contract.ts';
import type { Score } from '../scorecard.ts';

/** A supplier as grading sees him. */
export interface Graded {
  id: string;
  grade: Grade;
  locked: boolean;
  serviceScore: string | null;
}

/** Suppliers by id. With `hold` nobody changes them until the transaction ends; orders may still refer to them. */
export async function gradedSuppliers(ctx: Ctx, ids: readonly string[], hold: boolean): Promise<Graded[]> {
  const { rows } = await sql<Graded>`
    SELECT id, grade, grade_locked AS locked, service_score AS "serviceScore" FROM supplier.supplier
     WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[])
     ORDER BY id ${hold ? sql`FOR NO KEY UPDATE` : sql``}`.execute(ctx.db);
  return rows;
}

export interface Outcome {
  supplierId: string;
  score: Score;
  state: ScoreState;
  /** Null while the quarter is open. */
  gradeBefore: Grade | null;
}

/**
 * Writes scores of an open quarter: the quarter stays open, or is closed with them. A score that is as it was is not
 * written again, one that is closed is not touched.
 */
export async function writeScores(ctx: Ctx, quarter: string, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ supplierId, score, state, gradeBefore }) => ({
    supplier_id: supplierId,
    lines: score.lines,
    delivery: score.delivery?.toFixed(2) ?? null,
    quality: score.quality?.toFixed(2) ?? null,
    price: score.price?.toFixed(2) ?? null,
    service: score.service?.toFixed(2) ?? null,
    total: score.total?.toFixed(2) ?? null,
    grade: score.grade,
    lead_days: score.leadDays?.toFixed(1) ?? null,
    state,
    grade_before: gradeBefore,
  }));
  await sql`
    INSERT INTO supplier.quarter_score AS q (company_id, quarter, supplier_id, lines, delivery, quality, price, service,
           total, grade, lead_days, state, grade_before, decided_at, decided_by_name)
    SELECT ${ctx.companyId}, ${quarter}, v.supplier_id, v.lines, v.delivery, v.quality, v.price, v.service, v.total,
           v.grade, v.lead_days, v.state, v.grade_before, CASE v.state WHEN 'applied' THEN kit.now() END,
           CASE v.state WHEN 'applied' THEN ${ctx.userName}::text END
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS v(supplier_id uuid, lines int, delivery numeric, quality numeric, price numeric, service numeric, total numeric,
             grade text, lead_days numeric, state text, grade_before text)
    ON CONFLICT (company_id, supplier_id, quarter) DO UPDATE
       SET lines = excluded.lines, delivery = excluded.delivery, quality = excluded.quality, price = excluded.price,
           service = excluded.service, total = excluded.total, grade = excluded.grade, lead_days = excluded.lead_days,
           state = excluded.state, grade_before = excluded.grade_before, decided_at = excluded.decided_at,
           decided_by_name = excluded.decided_by_name, computed_at = kit.now()
     WHERE q.state = 'running'
       AND (q.lines, q.delivery, q.quality, q.price, q.service, q.total, q.grade, q.lead_days, q.state)
           IS DISTINCT FROM (excluded.lines, excluded.delivery, excluded.quality, excluded.price, excluded.service,
           excluded.total, excluded.grade, excluded.lead_days, excluded.state)`.execute(ctx.db);
}

/** Takes away scores of an open quarter whose suppliers have no lines in it any more. */
export async function dropOthers(ctx: Ctx, quarter: string, supplierIds: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM supplier.quarter_score
     WHERE company_id = ${ctx.companyId} AND quarter = ${quarter} AND state = 'running'
       AND supplier_id <> ALL (${supplierIds}::uuid[])`.execute(ctx.db);
}

/** Nothing before a quarter waits any longer: what was proposed is out of date, what was left open stays as it is. */
export async function endOlder(ctx: Ctx, quarter: string): Promise<void> {
  await sql`
    UPDATE supplier.quarter_score
       SET state = 'none', reason = CASE state WHEN 'proposed' THEN ${`${quarter} 已定稿，建议过期`}::text END
     WHERE company_id = ${ctx.companyId} AND quarter < ${quarter} AND state IN ('running', 'proposed')`.execute(ctx.db);
}
