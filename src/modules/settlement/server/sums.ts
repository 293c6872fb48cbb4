import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { PlSection } from '../contract/fees.ts';

/** Money of one fee code in a settlement that counts. */
export interface SettledFee {
  /** Source document: one version of the settlement. */
  documentId: string;
  settlementId: string;
  accountId: string;
  currency: string;
  /** Company day on which the settlement ended. */
  day: string;
  feeCode: string;
  section: PlSection;
  /** Seller's sign, in `currency`. */
  amount: string;
}

/** Money by fee code of the settlements that ended in a month (its first day, company days), in their latest versions. */
export async function settledFees(ctx: Ctx, month: string): Promise<SettledFee[]> {
  const { rows } = await sql<SettledFee>`
    SELECT s.id AS "documentId", s.settlement_id AS "settlementId", s.account_id AS "accountId", s.currency,
           kit.day(s.end_at)::text AS day, t.fee_code AS "feeCode", t.pl_section AS section, sum(t.amount)::text AS amount
      FROM settlement.settlement AS s
      JOIN settlement.fee_total AS t ON t.company_id = s.company_id AND t.source_doc_id = s.id
     WHERE s.company_id = ${ctx.companyId} AND s.superseded_at IS NULL
       AND s.end_at >= (${month}::date - 1) AND s.end_at < (${month}::date + interval '1 month 2 days')
       AND date_trunc('month', kit.day(s.end_at))::date = ${month}::date
     GROUP BY s.id, s.settlement_id, s.account_id, s.currency, s.end_at, t.fee_code, t.pl_section
     ORDER BY s.end_at, s.id, t.fee_code`.execute(ctx.db);
  return rows;
}
