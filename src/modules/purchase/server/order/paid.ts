import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { PaidDocuments, Worth } from '#modules/finance/server/index.ts';
import { moneyOf } from '#modules/finance/server/index.ts';
import { chargeDue, goodsDue, type Priced } from '../../contract/money.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { locked } from './load.ts';
import { settle } from './settle.ts';

/** Locks orders in the order of their ids. */
async function hold(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM purchase.purchase_order
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`.execute(ctx.db);
}

/** A line of which a part is waited for no longer: of the ordered pieces only those that came or may come count. */
interface Cut extends Pick<Priced, 'qty' | 'unitPrice' | 'charge'> {
  cancelled: number;
  due: string;
}

/** What a line that was partly closed comes to while goods are to come; order currency. */
function cutWorth(line: Cut, currency: string): string {
  const pieces = line.qty - line.cancelled;
  const agreed = new Decimal(goodsDue(line, pieces, currency)).plus(chargeDue(line, pieces, currency));
  return Decimal.max(agreed, line.due).toFixed();
}

/**
 * What placed orders come to while goods are to come: lines that wait at the amount ordered (less what was closed of them),
 * the others at what is owed (handbook of purchasing 5.7). An order that waits for nothing comes to its debts alone, so 0.
 */
async function worth(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Worth>> {
  const { rows } = await sql<Worth & { id: string; cuts: Cut[] | null }>`
    SELECT o.id, o.number, o.currency, l.ordered::text AS ordered, l.cuts
      FROM purchase.purchase_order AS o
      CROSS JOIN LATERAL (
        SELECT CASE WHEN o.open_qty = 0 THEN 0 ELSE trim_scale(sum(CASE WHEN open_qty = 0 THEN due WHEN cancelled > 0 THEN 0
                      ELSE greatest(amount + charge, due) END)) END AS ordered,
               jsonb_agg(jsonb_build_object('qty', qty, 'cancelled', cancelled, 'unitPrice', unit_price::text, 'charge',
                 charge::text, 'due', due::text)) FILTER (WHERE open_qty > 0 AND cancelled > 0) AS cuts
          FROM purchase.order_line WHERE company_id = o.company_id AND order_id = o.id) AS l
     WHERE o.company_id = ${ctx.companyId} AND o.id = ANY (${[...ids]}::uuid[]) AND o.state IN ('ordered', 'closed')`.execute(
    ctx.db,
  );
  return new Map(
    rows.map(({ id, cuts, ...order }) => {
      const amounts = (cuts ?? []).map((line) => cutWorth(line, order.currency));
      return [id, { ...order, ordered: sum([order.ordered, ...amounts]) }];
    }),
  );
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
