import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What a posting moved in value, CNY, by the place of the move in the posting (from 0). */
export interface MoveValue {
  move: number;
  /** Taken out of layers, e.g. the cost of what was sold, as month ends have corrected it; null where nothing was. */
  out: string | null;
  /** Put into layers; null where nothing was. */
  in: string | null;
  /** Day of the first receipt of the oldest layer that was taken from; null where nothing was. */
  since: string | null;
}

/** Values of a posting's moves; those that change no value are left out. Answers the same for a repeated event. */
export async function valuesOf(ctx: Ctx, postingId: string): Promise<MoveValue[]> {
  const { rows } = await sql<MoveValue>`
    SELECT coalesce(o.n, i.n) - 1 AS move, o.a AS out, i.a AS "in", o.since
      FROM (SELECT n, sum(a) AS a, min(day) AS since FROM (
              SELECT c.move_no AS n, c.amount AS a, l.original_date AS day FROM warehouse.layer_consumption AS c
                JOIN warehouse.cost_layer AS l ON l.company_id = c.company_id AND l.id = c.layer_id
               WHERE c.company_id = ${ctx.companyId} AND c.posting_id = ${postingId}
              UNION ALL
              SELECT move_no, amount, NULL FROM warehouse.issue_cost
               WHERE company_id = ${ctx.companyId} AND posting_id = ${postingId}) AS x GROUP BY 1) AS o
      FULL JOIN (SELECT source_move AS n, sum(amount_in) AS a FROM warehouse.cost_layer
             WHERE company_id = ${ctx.companyId} AND source_posting_id = ${postingId} GROUP BY 1) AS i USING (n)
     ORDER BY 1`.execute(ctx.db);
  return rows;
}

/**
 * What a piece of a product costs on average while it is on its way to a warehouse, CNY, by "warehouse:product"; products of
 * which nothing is on its way are left out.
 */
export async function transitCosts(
  ctx: Ctx,
  wanted: readonly { warehouse: string; product: string }[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; unit: string }>`
    SELECT warehouse_id || ':' || product_id AS key, (sum(amount_remaining) / sum(qty_remaining))::text AS unit
      FROM warehouse.cost_layer
     WHERE company_id = ${ctx.companyId} AND open AND in_transit
       AND product_id = ANY (${[...new Set(wanted.map((one) => one.product))]}::uuid[])
       AND warehouse_id = ANY (${[...new Set(wanted.map((one) => one.warehouse))]}::uuid[])
     GROUP BY warehouse_id, product_id`.execute(ctx.db);
  return new Map(rows.map(({ key, unit }) => [key, unit]));
}

/**
 * SELECT of (posting_id, move_no, amount): what postings took out of layers by move (from 1), CNY, as month ends have corrected
 * it, wherever the layers were. `postings` is a SELECT of their ids.
 */
export const issuedValuesSelect = (postings: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`SELECT posting_id, move_no, amount FROM warehouse.issued_values(ARRAY(${postings}))`;
