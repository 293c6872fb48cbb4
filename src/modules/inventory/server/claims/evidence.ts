import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import type { ClaimEvidence } from '../../contract/claims.ts';
import { AMOUNTS } from '../../contract/facts.ts';
import type { Claim } from './load.ts';

/** More than anybody reads; what is beyond is in the reports' own lists. */
const MOST = 300;

const warehouse = (ctx: Ctx, claim: Claim) => sql`
  SELECT e.row_id::text AS id, 'LEDGER' AS source, e.day, e.event || ' ' || e.reason AS what, e.reference, e.quantity, e.centre,
         NULL::text AS amount, '' AS currency
    FROM inventory.ledger_event AS e
   WHERE e.company_id = ${ctx.companyId} AND e.account_id = ${claim.accountId} AND e.event = 'Adjustments'
     AND e.fnsku = ${claim.fnsku} AND e.seller_sku = ${claim.sku} AND e.day >= ${claim.day}::date
     AND (e.quantity > 0 OR (e.day = ${claim.day}::date AND e.reference = ${claim.reference}))
  UNION ALL
  SELECT e.row_id::text, 'PAID', e.day, e.reason, e.reimbursement_id, e.quantity, '', trim_scale(e.amount)::text, e.currency
    FROM inventory.reimbursement AS e
   WHERE e.company_id = ${ctx.companyId} AND e.account_id = ${claim.accountId} AND e.seller_sku = ${claim.sku}
     AND e.fnsku = ${claim.fnsku} AND (e.day >= ${claim.day}::date OR e.reimbursement_id = ${claim.reference})`;

const refund = (ctx: Ctx, claim: Claim) => sql`
  SELECT m.source_doc_id || ' ' || m.line_no || ' ' || m.part AS id, 'REFUND' AS source, m.posted_date AS day,
         m.amount_description AS what, m.order_id AS reference, coalesce(m.quantity, 0) AS quantity, '' AS centre,
         trim_scale(m.amount)::text AS amount, m.currency
    FROM settlement.money_line AS m
    JOIN settlement.source_doc AS d ON d.company_id = m.company_id AND d.id = m.source_doc_id AND d.state = 'ACTIVE'
   WHERE m.company_id = ${ctx.companyId} AND m.account_id = ${claim.accountId} AND m.order_id = ${claim.reference}
     AND m.sku = ${claim.sku} AND m.fee_code = 'REFUND_PRINCIPAL'
  UNION ALL
  SELECT e.row_id::text, 'RETURN', e.day, e.reason, e.plate, e.quantity, e.centre, NULL, ''
    FROM inventory.customer_return AS e
   WHERE e.company_id = ${ctx.companyId} AND e.account_id = ${claim.accountId} AND e.order_id = ${claim.reference}
     AND e.seller_sku = ${claim.sku}
  UNION ALL
  SELECT e.row_id::text, 'PAID', e.day, e.reason, e.reimbursement_id, e.quantity, '', trim_scale(e.amount)::text, e.currency
    FROM inventory.reimbursement AS e
   WHERE e.company_id = ${ctx.companyId} AND e.account_id = ${claim.accountId} AND e.order_id = ${claim.reference}
     AND e.seller_sku = ${claim.sku}`;

const removal = (ctx: Ctx, claim: Claim) => sql`
  SELECT e.row_id::text AS id, 'REMOVAL' AS source, e.day, e.order_type || ' ' || e.status AS what, e.order_id AS reference,
         e.requested AS quantity, '' AS centre, NULL::text AS amount, '' AS currency
    FROM inventory.removal_line AS e
   WHERE e.company_id = ${ctx.companyId} AND e.account_id = ${claim.accountId} AND e.order_id = ${claim.reference}
     AND e.seller_sku = ${claim.sku} AND e.fnsku = ${claim.fnsku}
  UNION ALL
  SELECT e.row_id::text, 'PARCEL', e.day, e.carrier, e.tracking, e.quantity, '', NULL, ''
    FROM inventory.removal_parcel AS e
   WHERE e.company_id = ${ctx.companyId} AND e.account_id = ${claim.accountId} AND e.order_id = ${claim.reference}
     AND e.seller_sku = ${claim.sku} AND e.fnsku = ${claim.fnsku}`;

const ROWS = { CUSTOMER_REFUND_NO_RETURN: refund, REMOVAL_LOST: removal } as const;

/** The rows of reports that a claim rests on, and those that could make it good, oldest first; amounts for whom may see them. */
export async function evidenceOf(ctx: Ctx, claim: Claim): Promise<ClaimEvidence[]> {
  if (claim.basis) return claim.basis.map((row) => (can(ctx, AMOUNTS) ? row : { ...row, amount: null }));
  const select = ROWS[claim.type as keyof typeof ROWS] ?? warehouse;
  const { rows } = await sql<ClaimEvidence>`
    SELECT * FROM (${select(ctx, claim)}) AS e ORDER BY day, source, quantity, id LIMIT ${MOST}`.execute(ctx.db);
  return can(ctx, AMOUNTS) ? rows : rows.map((row) => ({ ...row, amount: null }));
}
