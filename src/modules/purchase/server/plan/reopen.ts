import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What needs went into, and will not come about: an order, a process order, or a plan that was handed in. */
type Gone = 'order_id' | 'process_id' | 'requisition_id';

/**
 * Plan lines of something that will not come about are open again; where the same goods have been planned anew in the
 * meantime, their pieces are added there.
 */
export async function reopenPlan(ctx: Ctx, gone: Gone, id: string): Promise<void> {
  await sql`
    WITH back AS (
      SELECT id, product_id, warehouse_id, qty FROM purchase.plan_line
       WHERE company_id = ${ctx.companyId} AND ${sql.ref(gone)} = ${id}), added AS (
      UPDATE purchase.plan_line AS p SET qty = p.qty + b.qty, version = p.version + 1
        FROM back AS b
       WHERE p.company_id = ${ctx.companyId} AND p.state = 'open' AND (p.product_id, p.warehouse_id) = (b.product_id, b.warehouse_id)
      RETURNING b.id), gone AS (
      DELETE FROM purchase.plan_line AS p USING added AS a WHERE p.company_id = ${ctx.companyId} AND p.id = a.id)
    UPDATE purchase.plan_line AS p
       SET state = 'open', order_id = NULL, process_id = NULL, requisition_id = NULL, batch = NULL, version = p.version + 1
      FROM back AS b
     WHERE p.company_id = ${ctx.companyId} AND p.id = b.id AND p.id NOT IN (SELECT id FROM added)`.execute(ctx.db);
}
