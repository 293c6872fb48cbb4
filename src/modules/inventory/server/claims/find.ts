import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { nextNumbers } from '#kit/server/sequence.ts';
import { fbaClaim } from '../../contract/claims.ts';
import { settleFeeClaims } from '../fee-audit/settle.ts';
import { ALLOCATED, policyCte, WINDOW } from './allocate.ts';
import { followReports } from './follow.ts';
import { lockClaims } from './lock.ts';
import { movesOf } from './moves.ts';
import { policiesOf, reasonsOf } from './rules.ts';

/** How far back happenings are looked at: longer than any usual window. */
const LOOK_BACK_DAYS = 180;

/** What a piece cost us to buy on a day (without freight and duty), of a row `f`; of what was sold, what its sale brought. */
const VALUE = (ctx: Ctx) => sql`
  LEFT JOIN LATERAL (
    SELECT sum(m.amount) / nullif(max(o.qty), 0) AS unit, min(m.currency) AS currency
      FROM settlement.money_line AS m
      JOIN settlement.source_doc AS d ON d.company_id = m.company_id AND d.id = m.source_doc_id AND d.state = 'ACTIVE',
           (SELECT sum(n.first_quantity) AS qty FROM "order".amazon_order_line AS n
             WHERE n.company_id = ${ctx.companyId} AND n.amazon_order_id = f.reference AND n.seller_sku = f.sku) AS o
     WHERE f.type = 'CUSTOMER_REFUND_NO_RETURN' AND m.company_id = ${ctx.companyId} AND m.order_id = f.reference
       AND m.sku = f.sku AND m.transaction_type NOT ILIKE '%refund%'
    HAVING count(*) > 0 AND count(DISTINCT m.currency) = 1) AS sold ON true
  LEFT JOIN LATERAL (
    SELECT m.own, m.unit_cost FROM product.listing_cost AS m
     WHERE m.company_id = ${ctx.companyId} AND m.account_id = f.account_id AND m.marketplace_id = f.marketplace_id
       AND m.msku = f.sku AND m.valid_from <= f.day ORDER BY m.valid_from DESC LIMIT 1) AS listed ON true
  LEFT JOIN LATERAL (
    SELECT s.unit_cost, s.currency FROM product.sku_cost AS s
     WHERE listed.own IS NOT TRUE AND s.company_id = ${ctx.companyId} AND s.sku = f.sku AND s.valid_from <= f.day
     ORDER BY s.valid_from DESC LIMIT 1) AS bought ON true`;

/** Brings `pg_temp.claim_row` to what the reports say now: every happening with what is open of it. */
async function stage(ctx: Ctx, accountId: string, since: string): Promise<void> {
  const [policies, reasons] = [await policiesOf(ctx), await reasonsOf(ctx)];
  await sql`DROP TABLE IF EXISTS pg_temp.claim_row`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE claim_row ON COMMIT DROP AS
    WITH ${movesOf(ctx, { accountId, since, reasons })}, ${ALLOCATED}, ${policyCte(policies)},
    -- Taken back, and neither found nor paid for again: the newest reversals are open.
    gap AS (
      SELECT goods, sum(CASE run WHEN 'net' THEN lost - found - paid ELSE -(lost - found - paid) END) AS qty
        FROM allocated GROUP BY goods),
    taken AS (
      SELECT v.*, p.goods, sum(v.qty) OVER (PARTITION BY p.goods ORDER BY v.day DESC, v.reimbursement_id DESC
                                            ROWS UNBOUNDED PRECEDING) - v.qty AS later
        FROM reversal AS v
        JOIN payment AS p ON p.reimbursement_id = v.original_id AND p.seller_sku = v.seller_sku AND p.fnsku = v.fnsku
       WHERE p.effect = 'WAREHOUSE'
         AND NOT EXISTS (SELECT FROM named AS n WHERE n.reimbursement_id = p.reimbursement_id AND n.goods = p.goods)),
    found AS (
      SELECT l.type, l.happening, l.reference, l.day, l.marketplace_id, l.sku, l.fnsku, l.asin, l.qty AS lost,
             coalesce(a.found, 0) AS found, coalesce(a.paid, 0) + least(l.qty, coalesce(d.qty, 0)) AS paid
        FROM loss AS l
        LEFT JOIN allocated AS a ON a.run = 'gross' AND a.goods = l.goods AND a.type = l.type AND a.happening = l.happening
        LEFT JOIN direct AS d ON d.type = l.type AND d.happening = l.happening
       WHERE l.qty > 0
      UNION ALL
      SELECT 'REVERSED', t.reimbursement_id || '|' || t.goods, t.reimbursement_id, t.day, t.marketplace_id, t.seller_sku, t.fnsku,
             t.asin, t.qty, t.qty - least(t.qty, coalesce(d.qty, 0)) - least(t.qty - least(t.qty, coalesce(d.qty, 0)),
               greatest(0, coalesce(g.qty, 0) - t.later))::int, least(t.qty, coalesce(d.qty, 0))
        FROM taken AS t LEFT JOIN gap AS g ON g.goods = 'W|' || t.goods
        LEFT JOIN direct AS d ON d.type = 'REVERSED' AND d.happening = t.reimbursement_id || '|' || t.goods
       WHERE t.qty > 0)
    SELECT f.*, f.lost - f.found - f.paid AS qty, w.opens_on, w.deadline,
           coalesce(sold.unit, CASE WHEN f.type <> 'CUSTOMER_REFUND_NO_RETURN' THEN
             CASE WHEN listed.own THEN listed.unit_cost ELSE bought.unit_cost END END)::numeric(20, 6) AS unit_value,
           coalesce(sold.currency, bought.currency, 'CNY') AS currency
      FROM (SELECT *, ${accountId}::uuid AS account_id FROM found) AS f CROSS JOIN ${WINDOW} ${VALUE(ctx)}`.execute(
    ctx.db,
  );
}

/**
 * A happening is written so many days before it can be claimed: most of what is refunded comes back in the weeks before, and
 * would be a claim that nobody ever has to look at.
 */
const SOON_DAYS = 15;

/** Writes the happenings that are new, still open and can be claimed soon, under numbers of their own. */
async function addNew(ctx: Ctx, accountId: string): Promise<number> {
  const fresh = sql`pg_temp.claim_row AS r WHERE r.qty > 0 AND r.opens_on <= kit.day(kit.now()) + ${SOON_DAYS}::int AND NOT EXISTS (
    SELECT FROM inventory.claim AS c WHERE c.company_id = ${ctx.companyId} AND c.account_id = ${accountId}
       AND c.type = r.type AND c.happening = r.happening)`;
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${fresh}`.execute(ctx.db);
  const numbers = await nextNumbers(ctx, fbaClaim.number, ctx.clock.today(), rows[0]?.count ?? 0);
  if (numbers.length === 0) return 0;
  await sql`
    INSERT INTO inventory.claim (company_id, number, state, type, account_id, marketplace_id, happening, reference, event_day,
                                 fnsku, seller_sku, asin, lost, found, paid, qty, unit_value, currency, opens_on, deadline,
                                 updated_by_name)
    SELECT ${ctx.companyId}, (${numbers}::text[])[row_number() OVER (ORDER BY r.day, r.type, r.happening)], 'candidate', r.type,
           ${accountId}, r.marketplace_id, r.happening, r.reference, r.day, r.fnsku, r.sku, r.asin, r.lost, r.found, r.paid,
           r.qty, r.unit_value, r.currency, r.opens_on, r.deadline, ${ctx.userName}
      FROM ${fresh}`.execute(ctx.db);
  return numbers.length;
}

/** Brings the claims that are known in line; one whose rows are told no more has nothing left to claim. */
async function amend(ctx: Ctx, accountId: string, since: string): Promise<void> {
  await sql`
    UPDATE inventory.claim AS c
       SET lost = r.lost, found = r.found, paid = r.paid, qty = r.qty, updated_at = kit.now(), version = c.version + 1,
           event_day = r.day,
           unit_value = CASE WHEN u.unfiled THEN r.unit_value ELSE c.unit_value END,
           currency = CASE WHEN u.unfiled THEN r.currency ELSE c.currency END,
           opens_on = CASE WHEN u.unfiled THEN r.opens_on ELSE c.opens_on END,
           deadline = CASE WHEN u.unfiled THEN r.deadline ELSE c.deadline END
      FROM (
        SELECT k.id, k.state IN ('candidate', 'open', 'ready') AS unfiled FROM inventory.claim AS k
         WHERE k.company_id = ${ctx.companyId} AND k.account_id = ${accountId} FOR UPDATE) AS u,
        (SELECT type, happening, day, lost, found, paid, qty, unit_value, currency, opens_on, deadline FROM pg_temp.claim_row
         UNION ALL
         SELECT k.type, k.happening, k.event_day, k.lost, k.lost - k.paid, k.paid, 0, k.unit_value, k.currency, k.opens_on, k.deadline
           FROM inventory.claim AS k
          WHERE k.company_id = ${ctx.companyId} AND k.account_id = ${accountId} AND k.event_day >= ${since}::date
            AND k.type <> 'FEE_OVERCHARGE'
            AND NOT EXISTS (SELECT FROM pg_temp.claim_row AS r WHERE r.type = k.type AND r.happening = k.happening)) AS r
     WHERE c.company_id = ${ctx.companyId} AND c.account_id = ${accountId} AND u.id = c.id
       AND c.type = r.type AND c.happening = r.happening
       AND ((c.lost, c.found, c.paid, c.event_day) IS DISTINCT FROM (r.lost, r.found, r.paid, r.day)
         OR (u.unfiled AND (c.unit_value, c.currency, c.opens_on, c.deadline)
                           IS DISTINCT FROM (r.unit_value, r.currency, r.opens_on, r.deadline)))`.execute(ctx.db);
}

/**
 * Finds what Amazon owes an account: lost + damaged − found − paid for, the oldest first, and never below 0 (handbook 5.7).
 * One run of an account at a time; repeating it changes nothing. Returns how many claims are new.
 */
export async function findClaims(ctx: Ctx, accountId: string): Promise<number> {
  await lockClaims(ctx, accountId);
  const since = ctx.clock.dayAhead(-LOOK_BACK_DAYS);
  await stage(ctx, accountId, since);
  await amend(ctx, accountId, since);
  const added = await addNew(ctx, accountId);
  await settleFeeClaims(ctx, accountId);
  await followReports(ctx, accountId);
  return added;
}
