import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/**
 * What is open of the claims for another measurement: nothing once Amazon paid under the claim's case, or once the newest
 * audit of the listing shows no overcharge any more; all of it while the same measurement is charged for. Where fees cannot
 * be compared, a claim stays as it is.
 */
export async function settleFeeClaims(ctx: Ctx, accountId: string): Promise<void> {
  await sql`
    WITH now AS (
      SELECT c.id, c.lost,
             CASE WHEN paid.known THEN c.lost ELSE 0 END AS paid,
             CASE WHEN paid.known THEN 0
                  WHEN a.diff < a.tolerance OR (a.verdict = 'HIGHER' AND a.happening <> c.happening) THEN c.lost
                  WHEN a.verdict = 'OVER' AND a.happening = c.happening THEN 0 ELSE c.found END AS found
        FROM inventory.claim AS c
        LEFT JOIN inventory.fee_audit AS a ON a.company_id = c.company_id AND a.account_id = c.account_id
         AND a.marketplace_id = c.marketplace_id AND a.seller_sku = c.seller_sku
       CROSS JOIN LATERAL (
         SELECT EXISTS (
           SELECT FROM inventory.reimbursement AS p
            WHERE p.company_id = c.company_id AND p.account_id = c.account_id AND c.case_no <> '' AND p.case_id = c.case_no
              AND (p.seller_sku = c.seller_sku OR p.fnsku = c.fnsku) AND p.amount > 0) AS known) AS paid
       WHERE c.company_id = ${ctx.companyId} AND c.account_id = ${accountId} AND c.type = 'FEE_OVERCHARGE'
         FOR UPDATE OF c)
    UPDATE inventory.claim AS c
       SET paid = n.paid, found = n.found, qty = c.lost - n.paid - n.found, version = c.version + 1, updated_at = kit.now()
      FROM now AS n
     WHERE c.company_id = ${ctx.companyId} AND c.id = n.id AND (c.paid, c.found) IS DISTINCT FROM (n.paid, n.found)`.execute(
    ctx.db,
  );
}
