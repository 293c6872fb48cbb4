import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { event } from '#kit/server/events.ts';

/** A report has told other reimbursements of an account than before. */
export const reimbursed = event<{ accountId: string }>('inventory.reimbursed');

/** What Amazon paid for one SKU under one number; negative where it took a payment back. */
export interface Reimbursed {
  reimbursementId: string;
  msku: string;
  marketplaceId: string;
  /** As Amazon codes it, e.g. Lost_Inbound. */
  reason: string;
  /** Empty where the report names none. */
  caseId: string;
  orderId: string;
  /** The payment that this one takes back, else empty. */
  originalId: string;
  /** Pieces that were paid for in money or given back in kind. */
  qty: number;
  amount: string;
  currency: string;
  approvedAt: string;
  /** The company's day of it. */
  approvedOn: string;
}

/**
 * Everything that Amazon paid an account for some SKUs, the oldest first; rows that one payment has for a SKU (of several
 * labels) are one. A reversal has the sign of its amount, however its pieces are written.
 */
export async function reimbursedFor(ctx: Ctx, accountId: string, mskus: readonly string[]): Promise<Reimbursed[]> {
  const { rows } = await sql<Reimbursed>`
    SELECT reimbursement_id AS "reimbursementId", seller_sku AS msku, min(marketplace_id) AS "marketplaceId",
           min(reason) AS reason, max(case_id) AS "caseId", max(order_id) AS "orderId", max(original_id) AS "originalId",
           sum(CASE WHEN amount < 0 OR reason ILIKE '%reversal%' THEN -abs(quantity) ELSE quantity END)::int AS qty,
           trim_scale(sum(CASE WHEN reason ILIKE '%reversal%' THEN -abs(amount) ELSE amount END))::text AS amount,
           currency, min(approved_at) AS "approvedAt",
           kit.day(min(approved_at)) AS "approvedOn"
      FROM inventory.reimbursement
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
       AND seller_sku = ANY (${[...new Set(mskus)]}::text[])
     GROUP BY reimbursement_id, seller_sku, currency ORDER BY min(approved_at), reimbursement_id`.execute(ctx.db);
  return rows;
}
