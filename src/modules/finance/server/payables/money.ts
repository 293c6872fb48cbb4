import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** States in which a request holds what it asks for. */
export const LIVE = sql`('submitted', 'approved', 'partly')`;

/** What an order has come to, in the currency of its money, by its debts and what was paid in advance for it. */
export interface OrderMoney {
  subjectId: string;
  currency: string;
  /** Debts raised, less what was credited or reversed. */
  raised: string;
  /** Still to be paid of them. */
  open: string;
  /** Paid in advance or in credit, not used yet. */
  prepaid: string;
  /** Paid for it, by whatever request and out of whatever was paid in advance, less what came back. */
  paid: string;
  /** Asked for and not paid yet, by whatever request: handed in, and neither returned nor taken back. */
  requested: string;
}

/**
 * Money of orders, by order and currency; orders without any are missing. What is paid are the entries of its debts and
 * prepayments that are no debt themselves, so that raised less paid is always what is open less what is prepaid.
 */
export async function moneyOf(ctx: Ctx, subjectType: string, subjectIds: readonly string[]): Promise<OrderMoney[]> {
  const ids = [...subjectIds];
  const { rows } = await sql<OrderMoney>`
    WITH item AS (
      SELECT i.subject_id AS subject, i.currency, i.id, i.book
        FROM finance.open_item AS i
       WHERE i.company_id = ${ctx.companyId} AND i.subject_type = ${subjectType} AND i.subject_id = ANY (${ids}::text[])
    ), debt AS (
      SELECT item.subject, item.currency,
             coalesce(-sum(e.amount) FILTER (WHERE e.purpose IN ('RAISE', 'CREDIT')), 0) AS raised,
             coalesce(-sum(e.amount) FILTER (WHERE item.book = 'PAYABLE'), 0) AS open,
             coalesce(sum(e.amount) FILTER (WHERE item.book = 'PREPAID'), 0) AS prepaid,
             coalesce(sum(e.amount) FILTER (WHERE e.purpose NOT IN ('RAISE', 'CREDIT')), 0) AS paid
        FROM item JOIN finance.entry AS e ON e.company_id = ${ctx.companyId} AND e.item_id = item.id
       GROUP BY 1, 2
    ), line AS (
      SELECT r.subject_id AS subject, r.currency, l.amount - l.paid_amount AS amount
        FROM finance.payment_request AS r
        JOIN finance.payment_request_line AS l ON l.company_id = r.company_id AND l.request_id = r.id
       WHERE r.company_id = ${ctx.companyId} AND r.subject_type = ${subjectType} AND r.subject_id = ANY (${ids}::text[])
         AND l.payable_id IS NULL AND r.kind <> 'EXPENSE' AND r.state IN ${LIVE}
      UNION ALL
      SELECT item.subject, item.currency, l.amount - l.paid_amount
        FROM item
        JOIN finance.payment_request_line AS l ON l.company_id = ${ctx.companyId} AND l.payable_id = item.id
        JOIN finance.payment_request AS r ON r.company_id = l.company_id AND r.id = l.request_id
       WHERE r.state IN ${LIVE}
    ), asked AS (
      SELECT subject, currency, sum(amount) AS requested FROM line GROUP BY 1, 2
    )
    SELECT subject AS "subjectId", currency, trim_scale(coalesce(d.raised, 0))::text AS raised,
           trim_scale(coalesce(d.open, 0))::text AS open, trim_scale(coalesce(d.prepaid, 0))::text AS prepaid,
           trim_scale(coalesce(d.paid, 0))::text AS paid, trim_scale(coalesce(a.requested, 0))::text AS requested
      FROM debt AS d FULL JOIN asked AS a USING (subject, currency)
     ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}
