import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { PaidDocuments, Worth } from '#modules/finance/server/index.ts';
import { moneyOf } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { locked } from './load.ts';
import { settle } from './settle.ts';

/** Locks orders in the order of their ids. */
async function hold(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM purchase.purchase_order
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`.execute(ctx.db);
}

/**
 * What placed orders come to while goods are to come: lines that wait at the amount ordered, the others at what is owed
 * (handbook of purchasing 5.7). An order that waits for nothing comes to its debts alone, so 0.
 */
async function worth(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Worth>> {
  const { rows } = await sql<Worth & { id: string }>`
    SELECT o.id, o.number, o.currency,
           trim_scale(CASE WHEN o.open_qty = 0 THEN 0
             ELSE (SELECT sum(CASE WHEN l.open_qty > 0 THEN greatest(l.amount + l.charge, l.due) ELSE l.due END)
                     FROM purchase.order_line AS l WHERE l.company_id = o.company_id AND l.order_id = o.id) END)::text AS ordered
      FROM purchase.purchase_order AS o
     WHERE o.company_id = ${ctx.companyId} AND o.id = ANY (${[...ids]}::uuid[]) AND o.state IN ('ordered', 'closed')`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, ...order }) => [id, order]));
}

/** What is paid of an order stands on it, where lists and sums read it. Answers the orders of which it is another now. */
async function putPaid(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const money = await moneyOf(ctx, purchaseOrder.name, ids);
  const paid = money.map(({ subjectId, currency, paid: amount }) => ({ id: subjectId, currency, amount }));
  const { rows } = await sql<{ id: string }>`
    UPDATE purchase.purchase_order AS o SET paid_amount = v.amount
      FROM jsonb_to_recordset(${JSON.stringify(paid)}::jsonb) AS v(id uuid, currency text, amount numeric)
     WHERE o.company_id = ${ctx.companyId} AND o.id = v.id AND o.currency = v.currency AND o.paid_amount <> v.amount
    RETURNING o.id`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** The orders know what is paid, by whatever request or credit; one that waits for nothing ends with the last of it. */
async function moved(ctx: Ctx, ids: readonly string[]): Promise<void> {
  for (const id of (await putPaid(ctx, ids)).sort()) {
    await settle(ctx, await locked(ctx, id));
  }
}

/** What finance asks about purchase orders. */
export const paidOrders: PaidDocuments = { type: purchaseOrder.name, hold, worth, moved };
