import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ClaimReason } from '../../contract/claims.ts';

interface Scope {
  accountId: string;
  /** First business day that is looked at. */
  since: string;
  reasons: readonly ClaimReason[];
}

/** Pieces of a label in one stock; goods without a label go by their SKU. */
const GOODS = sql`e.stock || '|' || coalesce(nullif(e.fnsku, ''), e.seller_sku)`;

/** Losses in the warehouses. Damaged pieces leave the sellable ones and come as unsellable: only the former counts. */
const warehouse = ({ within }: Parts) => sql`
  SELECT CASE c.effect WHEN 'LOST' THEN 'FC_LOST' ELSE 'FC_DAMAGED' END AS type, 'W|' || ${GOODS} AS goods,
         ${GOODS} || '|' || e.day || '|' || coalesce(nullif(e.reference, ''), e.row_id::text) AS happening, e.reference, e.day,
         min(e.marketplace_id) AS marketplace_id, min(e.seller_sku) AS sku, min(e.fnsku) AS fnsku, min(e.asin) AS asin,
         -sum(e.quantity)::int AS qty
    FROM inventory.ledger_event AS e JOIN code AS c ON c.source = 'LEDGER' AND c.code = e.reason
   WHERE ${within} AND e.event = 'Adjustments' AND e.quantity < 0
     AND (c.effect = 'LOST' OR (c.effect = 'DAMAGED' AND e.disposition = 'SELLABLE'))
   GROUP BY 1, 2, 3, 4, 5`;

/** Refunds of what Amazon sent. Of one before the first day of the returns known here nobody can say whether it came back. */
const refunds = ({ ctx, scope }: Parts) => sql`
  SELECT 'CUSTOMER_REFUND_NO_RETURN', 'O|' || m.order_id || '|' || m.sku, m.order_id || '|' || m.sku, m.order_id,
         min(m.posted_date), min(m.marketplace_id), m.sku, coalesce(min(s.fnsku), ''), coalesce(min(l.asin), min(s.asin), ''),
         least(min(l.ordered), greatest(1, coalesce(sum(m.quantity), 1)))::int
    FROM settlement.money_line AS m
    JOIN settlement.source_doc AS d ON d.company_id = m.company_id AND d.id = m.source_doc_id AND d.state = 'ACTIVE'
    JOIN "order".amazon_order AS o ON o.company_id = m.company_id AND o.amazon_order_id = m.order_id
     AND o.account_id = m.account_id AND o.fulfilled_by = 'AMAZON'
    JOIN LATERAL (
      SELECT sum(n.first_quantity) AS ordered, min(n.asin) AS asin FROM "order".amazon_order_line AS n
       WHERE n.company_id = o.company_id AND n.selling_partner_id = o.selling_partner_id
         AND n.amazon_order_id = o.amazon_order_id AND n.seller_sku = m.sku HAVING count(*) > 0) AS l ON true
    LEFT JOIN LATERAL (
      SELECT min(k.fnsku) AS fnsku, min(k.asin) AS asin FROM inventory.fba_stock AS k
       WHERE k.company_id = m.company_id AND k.account_id = m.account_id AND k.marketplace_id = m.marketplace_id
         AND k.seller_sku = m.sku) AS s ON true
   WHERE m.company_id = ${ctx.companyId} AND m.account_id = ${scope.accountId} AND m.posted_date >= ${scope.since}::date
     AND m.fee_code = 'REFUND_PRINCIPAL' AND m.amount < 0 AND m.sku <> ''
     AND m.posted_date >= (SELECT min(day) FROM inventory.customer_return AS r
                            WHERE r.company_id = ${ctx.companyId} AND r.account_id = ${scope.accountId})
   GROUP BY m.order_id, m.sku`;

/** What removal orders that are over neither sent, cancelled, destroyed nor still hold; by the day of the last parcel. */
const removals = ({ within }: Parts) => sql`
  SELECT 'REMOVAL_LOST', 'R|' || ${GOODS}, e.order_id || '|' || ${GOODS}, e.order_id,
         coalesce(min(p.day), max((e.updated_at AT TIME ZONE 'UTC')::date)), min(e.marketplace_id), min(e.seller_sku),
         min(e.fnsku), '', (sum(e.requested - e.cancelled - e.disposed - e.in_process) - coalesce(min(p.qty), 0))::int
    FROM inventory.removal_line AS e
    LEFT JOIN LATERAL (
      SELECT max(x.day) AS day, sum(x.quantity) AS qty FROM inventory.removal_parcel AS x
       WHERE x.company_id = e.company_id AND x.account_id = e.account_id AND x.order_id = e.order_id
         AND x.seller_sku = e.seller_sku AND x.fnsku = e.fnsku) AS p ON true
   WHERE ${within} AND e.order_type = 'Return' AND e.status = 'Completed'
     AND e.day >= (SELECT min(x.day) FROM inventory.removal_parcel AS x
                    WHERE x.company_id = e.company_id AND x.account_id = e.account_id)
   GROUP BY 2, 3, 4`;

/** What the reports say was found, sent back or paid for, and what of it was taken back. */
const made = ({ within }: Parts) => sql`
  reversal AS (
    SELECT e.reimbursement_id, e.original_id, e.stock, e.seller_sku, e.fnsku, min(e.asin) AS asin, min(e.day) AS day,
           min(e.marketplace_id) AS marketplace_id, sum(abs(e.quantity))::int AS qty
      FROM inventory.reimbursement AS e
     WHERE ${within} AND e.original_id <> '' AND (e.amount < 0 OR e.reason ILIKE '%reversal%')
     GROUP BY 1, 2, 3, 4, 5),
  payment AS (
    SELECT e.reimbursement_id, ${GOODS} AS goods, e.stock, e.seller_sku, e.fnsku, e.case_id, e.order_id, min(e.day) AS day,
           coalesce(min(c.effect), 'NEUTRAL') AS effect,
           sum(greatest(e.quantity, e.quantity_cash + e.quantity_inventory))::int AS qty,
           coalesce((SELECT sum(v.qty) FROM reversal AS v WHERE v.original_id = e.reimbursement_id
                       AND v.seller_sku = e.seller_sku AND v.fnsku = e.fnsku), 0)::int AS reversed
      FROM inventory.reimbursement AS e LEFT JOIN code AS c ON c.source = 'PAID' AND c.code = e.reason
     WHERE ${within} AND e.amount >= 0 AND e.reason NOT ILIKE '%reversal%'
     GROUP BY e.reimbursement_id, 2, e.stock, e.seller_sku, e.fnsku, e.case_id, e.order_id)`;

/** Payments that name the case of exactly one claim belong to it, whatever is older. */
const direct = ({ ctx, scope }: Parts) => sql`
  named AS (
    SELECT p.reimbursement_id, p.goods, min(k.type) AS type, min(k.happening) AS happening,
           greatest(0, min(p.qty) - min(p.reversed)) AS qty
      FROM payment AS p JOIN inventory.claim AS k ON k.company_id = ${ctx.companyId} AND k.account_id = ${scope.accountId}
       AND k.case_no <> '' AND k.case_no = p.case_id AND (k.fnsku = p.fnsku OR k.seller_sku = p.seller_sku)
     GROUP BY 1, 2 HAVING count(*) = 1),
  direct AS (SELECT type, happening, sum(qty)::int AS qty FROM named GROUP BY 1, 2)`;

interface Parts {
  ctx: Ctx;
  scope: Scope;
  within: RawBuilder<unknown>;
}

/**
 * CTEs `loss`, `reversal`, `payment`, `direct` and `move` of an account, see ALLOCATED. There are two runs: 'gross' takes
 * payments as they were made, 'net' without what was taken back of them; what is open in the latter alone, reversals opened.
 */
export function movesOf(ctx: Ctx, scope: Scope): RawBuilder<unknown> {
  const within = sql`e.company_id = ${ctx.companyId} AND e.account_id = ${scope.accountId} AND e.day >= ${scope.since}::date`;
  const parts: Parts = { ctx, scope, within };
  return sql`
  code AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(scope.reasons)}::jsonb) AS c(source text, code text, effect text)),
  ${made(parts)},
  ${direct(parts)},
  loss AS (${warehouse(parts)} UNION ALL ${refunds(parts)} UNION ALL ${removals(parts)}),
  move AS (
    SELECT run, l.goods, 'L' AS side, '' AS kind, l.type, l.happening, l.day, l.qty - least(l.qty, coalesce(d.qty, 0)) AS qty
      FROM loss AS l LEFT JOIN direct AS d ON d.type = l.type AND d.happening = l.happening,
           (VALUES ('gross'), ('net')) AS r(run)
    UNION ALL
    SELECT run, 'W|' || ${GOODS}, 'C', 'FOUND', '', e.row_id::text, e.day, e.quantity
      FROM inventory.ledger_event AS e JOIN code AS c ON c.source = 'LEDGER' AND c.code = e.reason,
           (VALUES ('gross'), ('net')) AS r(run)
     WHERE ${within} AND e.event = 'Adjustments' AND e.quantity > 0
       AND (c.effect IN ('FOUND', 'LOST') OR (c.effect = 'DAMAGED' AND e.disposition = 'SELLABLE'))
    UNION ALL
    SELECT run, CASE p.effect WHEN 'WAREHOUSE' THEN 'W|' ELSE 'R|' END || p.goods, 'C', 'PAID', '', p.reimbursement_id, p.day,
           CASE WHEN run = 'gross' AND p.effect = 'WAREHOUSE' THEN p.qty ELSE greatest(0, p.qty - p.reversed) END
      FROM payment AS p, (VALUES ('gross'), ('net')) AS r(run)
     WHERE p.effect IN ('WAREHOUSE', 'REMOVAL')
       AND NOT EXISTS (SELECT FROM named AS n WHERE n.reimbursement_id = p.reimbursement_id AND n.goods = p.goods)
    UNION ALL
    -- A refund is often paid when the parcel is back: whatever came back of an order makes its refund good.
    SELECT run, 'O|' || e.order_id || '|' || e.seller_sku, 'C', 'FOUND', '', e.row_id::text, 'infinity'::date, e.quantity
      FROM inventory.customer_return AS e, (VALUES ('gross'), ('net')) AS r(run) WHERE ${within}
    UNION ALL
    SELECT run, 'O|' || p.order_id || '|' || p.seller_sku, 'C', 'PAID', '', p.reimbursement_id, 'infinity'::date,
           greatest(0, p.qty - p.reversed)
      FROM payment AS p, (VALUES ('gross'), ('net')) AS r(run)
     WHERE p.order_id <> ''
       AND NOT EXISTS (SELECT FROM named AS n WHERE n.reimbursement_id = p.reimbursement_id AND n.goods = p.goods))`;
}
