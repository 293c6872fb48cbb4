import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { locked as lockedOrder, type Order } from '../order/load.ts';

export interface ReturnLine {
  id: string;
  orderLine: string;
  product: string;
  qty: number;
}

export interface Return extends DocumentRow {
  number: string;
  way: string;
  /** Where the goods lie. */
  warehouse: string;
  reason: string;
  createdBy: string | null;
  order: Order;
  lines: ReturnLine[];
}

/** A return and its order, both locked: the order first, as everything does. @throws notFound */
export async function lockedReturn(ctx: Ctx, id: string): Promise<Return> {
  const found = await ctx.db
    .selectFrom('purchase.return_order')
    .select('order_id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw notFound();
  const order = await lockedOrder(ctx, found.order_id);
  const { rows } = await sql<Omit<Return, 'order' | 'lines'>>`
    SELECT id, number, state, version, way, warehouse_id AS warehouse, reason, created_by AS "createdBy"
      FROM purchase.return_order WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound();
  const lines = await sql<ReturnLine>`
    SELECT id, order_line_id AS "orderLine", product_id AS product, qty
      FROM purchase.return_line WHERE company_id = ${ctx.companyId} AND return_id = ${id} ORDER BY line_no`.execute(
    ctx.db,
  );
  return { ...head, order, lines: lines.rows };
}
