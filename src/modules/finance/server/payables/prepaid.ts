import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRef } from './documents.ts';

/** What is left of something that was paid in advance. */
export interface PrepaidPart {
  /** In its currency, more than 0. */
  amount: string;
  /** CNY for one unit as it was paid; null where that is not known, as of a credit for goods that went back. */
  rate: string | null;
}

/** What was paid in advance for a document in a currency and is not used yet, in the order in which debts use it. */
export async function prepaidOf(ctx: Ctx, { type, id }: DocumentRef, currency: string): Promise<PrepaidPart[]> {
  const { rows } = await sql<PrepaidPart>`
    SELECT trim_scale(b.amount)::text AS amount, trim_scale(i.rate)::text AS rate
      FROM finance.open_item AS i
      JOIN finance.balance AS b ON b.company_id = i.company_id AND b.book = 'PREPAID' AND b.item_id = i.id AND b.amount > 0
     WHERE i.company_id = ${ctx.companyId} AND i.subject_type = ${type} AND i.subject_id = ${id} AND i.currency = ${currency}
     ORDER BY i.business_date, i.id`.execute(ctx.db);
  return rows;
}
