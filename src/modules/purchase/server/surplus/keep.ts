import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { type OverTreatment, TREATMENTS } from '../../contract/surplus.ts';
import type { Order, OrderLine } from '../order/load.ts';

/** Pieces of a line beyond what may come. */
export interface Surplus {
  line: OrderLine;
  qty: number;
  treatment: OverTreatment;
}

interface CameWith {
  receiptId: string | null;
  clientId: string | undefined;
}

async function keepOne(ctx: Ctx, order: Order, { line, qty, treatment }: Surplus, came: CameWith): Promise<string> {
  const number = await nextNumber(ctx, 'CS{yyMMdd}{seq:4}', ctx.clock.today());
  const held = treatment === 'hold';
  const { id } = await ctx.db
    .insertInto('purchase.surplus')
    .values({
      company_id: ctx.companyId,
      number,
      order_id: order.id,
      order_line_id: line.id,
      product_id: line.product,
      supplier_id: order.supplier,
      warehouse_id: order.warehouse,
      state: held ? 'held' : treatment,
      qty,
      client_id: came.clientId ?? null,
      came_with: came.receiptId,
      receipt_id: held ? null : came.receiptId,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...(held ? {} : { decided_by_name: ctx.userName, decided_at: sql<string>`kit.now()` }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const body = `${number}，第${line.lineNo}行 ${qty} 件，${TREATMENTS[treatment]}`;
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '超收', body });
  await audit(ctx, {
    action: '登记超收',
    resource: 'purchase.surplus',
    resourceId: id,
    after: { number, order: order.number, line: line.lineNo, pieces: qty, treatment: TREATMENTS[treatment] },
  });
  return number;
}

/** Writes down what came beyond the limits, one document for each line, and answers their numbers. */
export async function keepSurplus(
  ctx: Ctx,
  order: Order,
  surplus: readonly Surplus[],
  came: CameWith,
): Promise<string[]> {
  const numbers: string[] = [];
  for (const one of surplus) numbers.push(await keepOne(ctx, order, one, came));
  return numbers;
}

/** Pieces of an order that wait for a decision. */
export async function heldPieces(ctx: Ctx, orderId: string): Promise<number> {
  const { rows } = await sql<{ qty: number }>`
    SELECT coalesce(sum(qty), 0)::int AS qty FROM purchase.surplus
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND state = 'held'`.execute(ctx.db);
  return rows[0]?.qty ?? 0;
}

/**
 * A receipt is taken back, and with it what it said of pieces beyond the limit: those that came with it were never here;
 * those that it took over later are held again.
 */
export async function unkeepSurplus(ctx: Ctx, receiptId: string): Promise<void> {
  await sql`
    UPDATE purchase.surplus
       SET version = version + 1, receipt_id = CASE WHEN came_with = ${receiptId} THEN receipt_id END,
           state = CASE WHEN came_with = ${receiptId} THEN 'reversed' ELSE 'held' END,
           reason = CASE WHEN came_with = ${receiptId} THEN reason ELSE '' END,
           decided_by_name = CASE WHEN came_with = ${receiptId} THEN decided_by_name END,
           decided_at = CASE WHEN came_with = ${receiptId} THEN decided_at END
     WHERE company_id = ${ctx.companyId}
       AND (receipt_id = ${receiptId} OR (came_with = ${receiptId} AND state = 'held'))`.execute(ctx.db);
}
