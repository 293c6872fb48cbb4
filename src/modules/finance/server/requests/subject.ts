import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/**
 * Number of the document that a request `r` is about: its own, else those of the debts that its lines name, such as a request
 * between companies that is paid back; empty where there is none.
 */
export const SUBJECT = sql<string>`coalesce(nullif(r.subject_number, ''), (
  SELECT string_agg(DISTINCT i.subject_number, '、') FROM finance.payment_request_line AS l
    JOIN finance.open_item AS i ON i.company_id = l.company_id AND i.id = l.payable_id
   WHERE l.company_id = r.company_id AND l.request_id = r.id AND i.subject_number <> ''), '')`;

/** The same of one request. */
export async function subjectNumberOf(ctx: Ctx, id: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('finance.payment_request as r')
    .select(SUBJECT.as('subject'))
    .where('r.company_id', '=', ctx.companyId)
    .where('r.id', '=', id)
    .executeTakeFirst();
  return row?.subject ?? '';
}
