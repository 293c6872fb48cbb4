import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { indexTemporary } from '#kit/server/db/statistics.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { returnRowsSelect } from '#modules/inventory/server/index.ts';
import { COUNTED_MONEY, IS_PRICE, IS_REFUND } from '#modules/settlement/server/index.ts';

/** The job that adds cases up. */
export const FOLD = 'returns.foldRefunds';
/** Marks that are taken at a time. */
const AT_ONCE = 5_000;
const TIME_MS = 10 * 60_000;

const VALUES = [
  ...['marketplace_id', 'channel', 'ordered', 'returned', 'paid', 'refund', 'currency'],
  ...['refunded_on', 'first_returned_on', 'returned_on'],
];
const listed = (prefix = '') => sql.raw(VALUES.map((name) => `${prefix}${name}`).join(', '));
const SET_VALUES = sql.raw(VALUES.map((name) => `${name} = excluded.${name}`).join(', '));

/** Takes marks off and notes their orders. How many marks there were. */
async function takeOrders(ctx: Ctx): Promise<number> {
  await sql`DROP TABLE IF EXISTS pg_temp.refund_mark, pg_temp.refund_key`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE refund_mark (account_id uuid, source_doc_id uuid, from_day date, to_day date, order_id text)
      ON COMMIT DROP`.execute(ctx.db);
  const { numAffectedRows } = await sql`
    WITH taken AS (
      DELETE FROM returns.refund_dirty WHERE company_id = ${ctx.companyId} AND id IN (
        SELECT id FROM returns.refund_dirty WHERE company_id = ${ctx.companyId} ORDER BY id LIMIT ${AT_ONCE})
      RETURNING account_id, source_doc_id, from_day, to_day, order_id)
    INSERT INTO pg_temp.refund_mark SELECT * FROM taken`.execute(ctx.db);
  // Of a document only what was refunded by it, and what is known to be a case: most orders never become one.
  await sql`
    CREATE TEMP TABLE refund_key ON COMMIT DROP AS
    SELECT m.account_id, m.order_id FROM pg_temp.refund_mark AS k
      JOIN settlement.money_line AS m ON m.company_id = ${ctx.companyId} AND m.source_doc_id = k.source_doc_id
     WHERE m.order_id IS NOT NULL AND m.sku <> '' AND ${IS_REFUND}
    UNION
    SELECT c.account_id, c.order_id FROM pg_temp.refund_mark AS k
      JOIN settlement.money_line AS m ON m.company_id = ${ctx.companyId} AND m.source_doc_id = k.source_doc_id
      JOIN returns.refund_case AS c ON c.company_id = ${ctx.companyId} AND c.account_id = m.account_id AND c.order_id = m.order_id
    UNION
    SELECT f.account_id, f.order_id FROM pg_temp.refund_mark AS k
      JOIN (${returnRowsSelect()}) AS f ON f.company_id = ${ctx.companyId} AND f.account_id = k.account_id
       AND f.day BETWEEN k.from_day AND k.to_day
     WHERE f.order_id <> ''
    UNION
    -- Rows that a newer report of those days no longer has.
    SELECT c.account_id, c.order_id FROM pg_temp.refund_mark AS k
      JOIN returns.refund_case AS c ON c.company_id = ${ctx.companyId} AND c.account_id = k.account_id
       AND c.returned_on >= k.from_day AND c.first_returned_on <= k.to_day
    UNION
    SELECT account_id, order_id FROM pg_temp.refund_mark WHERE order_id IS NOT NULL`.execute(ctx.db);
  await indexTemporary(ctx, 'refund_key', 'account_id, order_id');
  return Number(numAffectedRows ?? 0);
}

const PRICE = sql`coalesce(l.item_price, l.estimated_price, 0) + coalesce(l.shipping_price, 0) + coalesce(l.gift_wrap_price, 0)
  - coalesce(l.item_discount, 0) - coalesce(l.shipping_discount, 0)`;

/**
 * Adds up the cases of the noted orders, each whole. Money, goods and order tell their part of a row and are added up once:
 * joins of such sums would be planned for a row of each. What was paid is what the books say, else what the order says.
 */
async function countCases(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.refund_row`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE refund_row ON COMMIT DROP AS
    WITH part AS (
      SELECT k.account_id, k.order_id, m.sku AS seller_sku, CASE WHEN ${IS_REFUND} THEN -m.amount END AS refund,
             CASE WHEN ${IS_PRICE} THEN m.amount END AS paid, CASE WHEN ${IS_REFUND} THEN m.posted_date END AS refunded_on,
             m.currency AS money_currency, m.marketplace_id AS money_site, NULL::int AS returned, NULL::date AS returned_on,
             NULL::text AS return_site, NULL::text AS return_channel, NULL::int AS ordered, NULL::numeric AS price,
             NULL::text AS order_currency, NULL::text AS order_site, NULL::text AS fulfilled_by
        FROM pg_temp.refund_key AS k JOIN ${COUNTED_MONEY} ON m.company_id = ${ctx.companyId} AND m.order_id = k.order_id
         AND m.account_id = k.account_id AND m.sku <> ''
      UNION ALL
      SELECT k.account_id, k.order_id, f.seller_sku, NULL, NULL, NULL, NULL, NULL, f.quantity, f.day, f.marketplace_id, f.channel,
             NULL, NULL, NULL, NULL, NULL
        FROM pg_temp.refund_key AS k JOIN (${returnRowsSelect()}) AS f ON f.company_id = ${ctx.companyId}
         AND f.order_id = k.order_id AND f.account_id = k.account_id
      UNION ALL
      SELECT k.account_id, k.order_id, l.seller_sku, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, l.first_quantity,
             ${PRICE}, l.currency, l.marketplace_id, o.fulfilled_by
        FROM pg_temp.refund_key AS k
        JOIN "order".amazon_order AS o ON o.company_id = ${ctx.companyId} AND o.amazon_order_id = k.order_id
         AND o.account_id = k.account_id
        JOIN "order".amazon_order_line AS l ON l.company_id = o.company_id AND l.selling_partner_id = o.selling_partner_id
         AND l.amazon_order_id = o.amazon_order_id AND l.superseded_by IS NULL),
    told AS (
      SELECT account_id, order_id, seller_sku, coalesce(min(order_site), min(money_site), min(return_site)) AS marketplace_id,
             CASE min(fulfilled_by) WHEN 'AMAZON' THEN 'FBA' WHEN 'MERCHANT' THEN 'FBM' ELSE min(return_channel) END AS channel,
             sum(ordered)::int AS ordered, coalesce(sum(returned), 0)::int AS returned, coalesce(sum(paid), sum(price)) AS paid,
             nullif(sum(refund), 0) AS refund, coalesce(min(money_currency), min(order_currency)) AS currency,
             max(refunded_on) AS refunded_on, min(returned_on) AS first_returned_on, max(returned_on) AS returned_on
        FROM part GROUP BY account_id, order_id, seller_sku)
    SELECT * FROM told WHERE refund IS NOT NULL OR returned_on IS NOT NULL`.execute(ctx.db);
  await indexTemporary(ctx, 'refund_row', 'account_id, order_id');
}

/** Rows that come out the same stay as they are; those of which nothing is told any more vanish. */
async function putCases(ctx: Ctx): Promise<void> {
  await sql`
    DELETE FROM returns.refund_case AS c USING pg_temp.refund_key AS k
     WHERE c.company_id = ${ctx.companyId} AND c.account_id = k.account_id AND c.order_id = k.order_id
       AND NOT EXISTS (SELECT FROM pg_temp.refund_row AS r
                        WHERE r.account_id = c.account_id AND r.order_id = c.order_id AND r.seller_sku = c.seller_sku)`.execute(
    ctx.db,
  );
  await sql`
    INSERT INTO returns.refund_case AS c (company_id, account_id, order_id, seller_sku, ${listed()})
    SELECT ${ctx.companyId}::uuid, account_id, order_id, seller_sku, ${listed()} FROM pg_temp.refund_row
    ON CONFLICT (company_id, account_id, order_id, seller_sku) DO UPDATE SET ${SET_VALUES}
     WHERE (${listed('c.')}) IS DISTINCT FROM (${listed('excluded.')})`.execute(ctx.db);
}

/** Adds marked cases up in the caller's transaction. How many marks were taken off. */
export async function foldSomeRefunds(ctx: Ctx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${FOLD}:${ctx.companyId}`}, 0))`.execute(ctx.db);
  const taken = await takeOrders(ctx);
  if (taken === 0) return 0;
  await countCases(ctx);
  await putCases(ctx);
  return taken;
}

/** Adds up all marked cases of a company, some thousand marks in a transaction. */
export async function foldRefunds(runtime: Runtime, companyId: string): Promise<void> {
  const some = () => inTenant(runtime, systemPrincipal(companyId), foldSomeRefunds, { timeoutMs: TIME_MS });
  while ((await some()) === AT_ONCE);
}

export const foldRefundsJob = job<{ companyId: string }>(FOLD, (runtime, { companyId }) =>
  foldRefunds(runtime, companyId),
);
