import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What a posting moved in value, CNY, by the place of the move in the posting (from 0). */
export interface MoveValue {
  move: number;
  /** Taken out of layers, e.g. the cost of what was sold, as month ends have corrected it; null where nothing was. */
  out: string | null;
  /** Put into layers; null where nothing was. */
  in: string | null;
}

/** Values of a posting's moves; those that change no value are left out. Answers the same for a repeated event. */
export async function valuesOf(ctx: Ctx, postingId: string): Promise<MoveValue[]> {
  const { rows } = await sql<MoveValue>`
    SELECT coalesce(o.n, i.n) - 1 AS move, o.a AS out, i.a AS "in"
      FROM (SELECT n, sum(a) AS a FROM (
              SELECT move_no AS n, amount AS a FROM warehouse.layer_consumption
               WHERE company_id = ${ctx.companyId} AND posting_id = ${postingId}
              UNION ALL
              SELECT move_no, amount FROM warehouse.issue_cost
               WHERE company_id = ${ctx.companyId} AND posting_id = ${postingId}) AS x GROUP BY 1) AS o
      FULL JOIN (SELECT source_move AS n, sum(amount_in) AS a FROM warehouse.cost_layer
             WHERE company_id = ${ctx.companyId} AND source_posting_id = ${postingId} GROUP BY 1) AS i USING (n)
     ORDER BY 1`.execute(ctx.db);
  return rows;
}
