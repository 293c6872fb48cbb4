import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { locked as lockedOrder, type Order } from '../order/load.ts';

export interface ReceiptLine {
  id: string;
  orderLine: string;
  product: string;
  qty: number;
  /** Pieces that 待入库 lost by it. */
  awaited: number;
  inspecting: number;
  passed: number;
  special: number;
  rejected: number;
  /** Came for nothing: the order line's pieces know nothing of it. */
  free: boolean;
  amount: string;
  cost: string;
}

export interface Receipt {
  id: string;
  number: string;
  state: string;
  version: number;
  order: Order;
  inspectedAt: string | null;
  posting: string | null;
  lines: ReceiptLine[];
}

/** A receipt and its order, both locked: the order first, as everything does. @throws notFound */
export async function lockedReceipt(ctx: Ctx, id: string): Promise<Receipt> {
  const found = await ctx.db
    .selectFrom('purchase.receipt')
    .select('order_id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw notFound();
  const order = await lockedOrder(ctx, found.order_id);
  const { rows } = await sql<Omit<Receipt, 'order' | 'lines'>>`
    SELECT id, number, state, version, inspected_at AS "inspectedAt", posting_id AS posting
      FROM purchase.receipt WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound();
  const lines = await sql<ReceiptLine>`
    SELECT id, order_line_id AS "orderLine", product_id AS product, qty, awaited, inspecting, passed, special, rejected, free, amount, cost
      FROM purchase.receipt_line WHERE company_id = ${ctx.companyId} AND receipt_id = ${id} ORDER BY line_no`.execute(
    ctx.db,
  );
  return { ...head, order, lines: lines.rows };
}
