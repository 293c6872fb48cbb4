import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** A bill that an order is to be paid with. */
export interface BilledOn {
  number: string;
  /** yyyy-MM-dd */
  dueOn: string;
}

/**
 * The bill of a platform on which orders stand that no request pays yet, by "<type> <id>" of the order; of several the one that is
 * due first.
 */
export async function billedOn(ctx: Ctx): Promise<Map<string, BilledOn>> {
  const { rows } = await sql<BilledOn & { type: string; id: string }>`
    SELECT DISTINCT ON (o.subject_type, o.subject_id) o.subject_type AS type, o.subject_id AS id, b.number, b.due_on AS "dueOn"
      FROM finance.platform_bill AS b
      JOIN finance.platform_bill_order AS o ON o.company_id = b.company_id AND o.bill_id = b.id
     WHERE b.company_id = ${ctx.companyId} AND b.state IN ('uploaded', 'partly', 'matched', 'confirmed')
       AND o.matched IN ('AUTO', 'HAND') AND o.amount <> 0 AND o.subject_id <> ''
       AND NOT EXISTS (SELECT FROM finance.platform_bill_payment AS p
                        WHERE p.company_id = o.company_id AND p.order_line_id = o.id AND p.live)
     ORDER BY o.subject_type, o.subject_id, b.due_on, b.number`.execute(ctx.db);
  return new Map(rows.map(({ type, id, number, dueOn }) => [`${type} ${id}`, { number, dueOn }]));
}
