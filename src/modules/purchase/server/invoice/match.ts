import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type Compared, findingOf } from './judge.ts';

/** A line of an invoice that is not void, with what it is held against. */
export interface ComparedLine extends Compared {
  id: string;
  invoiceId: string;
  /** Of the order. */
  lineId: string;
  product: string;
  taxRate: string;
  amount: string;
}

/** Lines of all invoices of an order, in the order in which the invoices were written down; void ones count for nothing. */
export async function comparedLines(ctx: Ctx, orderId: string): Promise<ComparedLine[]> {
  const { rows } = await sql<ComparedLine>`
    SELECT l.id, l.invoice_id AS "invoiceId", o.id AS "lineId", o.line_no AS "lineNo", l.product_id AS product, l.qty,
           l.unit_price AS "unitPrice", o.unit_price AS agreed, l.tax_rate AS "taxRate", l.amount,
           o.received - o.returned AS accepted,
           (sum(l.qty) FILTER (WHERE i.state <> 'void') OVER (PARTITION BY l.order_line_id ORDER BY i.id))::int AS invoiced
      FROM purchase.invoice AS i
      JOIN purchase.invoice_line AS l ON l.company_id = i.company_id AND l.invoice_id = i.id
      JOIN purchase.order_line AS o ON o.company_id = l.company_id AND o.id = l.order_line_id
     WHERE i.company_id = ${ctx.companyId} AND i.order_id = ${orderId}
     ORDER BY i.id, l.line_no`.execute(ctx.db);
  const plain = (price: string) => new Decimal(price).toFixed();
  return rows.map((row) => ({
    ...row,
    invoiced: row.invoiced ?? 0,
    unitPrice: plain(row.unitPrice),
    agreed: plain(row.agreed),
  }));
}

interface Judged {
  id: string;
  state: string;
  rate: string;
  finding: string;
}

/**
 * Holds the invoices of an order against it anew, as its pieces or its invoices changed: one that waits may fit by now,
 * and one that fitted may wait. What somebody accepted stays accepted.
 */
export async function rematch(ctx: Ctx, orderId: string): Promise<void> {
  const { rows } = await sql<Judged>`
    SELECT id, state, rate, finding FROM purchase.invoice
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND state IN ('pending', 'matched')
       FOR UPDATE`.execute(ctx.db);
  if (rows.length === 0) return;
  const lines = await comparedLines(ctx, orderId);
  for (const invoice of rows) {
    const finding = findingOf(
      lines.filter((line) => line.invoiceId === invoice.id),
      invoice.rate,
    );
    const state = finding === '' ? 'matched' : 'pending';
    if (state === invoice.state && finding === invoice.finding) continue;
    await sql`
      UPDATE purchase.invoice SET state = ${state}, finding = ${finding}, version = version + 1
       WHERE company_id = ${ctx.companyId} AND id = ${invoice.id}`.execute(ctx.db);
  }
}

/** Numbers of an order's invoices that wait to be looked at. */
export async function waitingInvoices(ctx: Ctx, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    SELECT number FROM purchase.invoice
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND state = 'pending' ORDER BY id`.execute(ctx.db);
  return rows.map((row) => row.number);
}
