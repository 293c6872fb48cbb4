import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { indexTemporary } from '#kit/server/db/statistics.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { ALL_GROUPS } from '../../contract/figures.ts';
import { PIECES_AND_SIZES, SUMS } from '../columns.ts';
import { unitCostOf } from '../unit-cost.ts';

const MEASURES = [
  ...['first_date', 'last_date'],
  ...ALL_GROUPS,
  ...['units', 'refund_units', 'cost_units', 'cost_cny', 'settled_size', 'open_size'],
];
const listed = (prefix = '') => sql.raw(MEASURES.map((name) => `${prefix}${name}`).join(', '));
const SET_VALUES = sql.raw(MEASURES.map((name) => `${name} = excluded.${name}`).join(', '));

/** Marks that are taken at a time: of transactions, which are about one order each. */
const AT_ONCE = 5_000;
const TIME_MS = 10 * 60_000;

/** Takes marks off and notes their orders. How many marks there were. */
async function takeOrders(ctx: Ctx): Promise<number> {
  await sql`DROP TABLE IF EXISTS pg_temp.order_mark, pg_temp.order_key`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE order_mark (account_id uuid, source_doc_id uuid, marketplace_id text, date date, sku text)
      ON COMMIT DROP`.execute(ctx.db);
  const { numAffectedRows } = await sql`
    WITH taken AS (
      DELETE FROM profit.order_dirty WHERE company_id = ${ctx.companyId} AND id IN (
        SELECT id FROM profit.order_dirty WHERE company_id = ${ctx.companyId} ORDER BY id LIMIT ${AT_ONCE})
      RETURNING account_id, source_doc_id, marketplace_id, date, sku)
    INSERT INTO pg_temp.order_mark SELECT * FROM taken`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE order_key ON COMMIT DROP AS
    SELECT l.account_id, l.order_id FROM pg_temp.order_mark AS k
      JOIN settlement.money_line AS l ON l.company_id = ${ctx.companyId} AND l.source_doc_id = k.source_doc_id
     WHERE l.order_id IS NOT NULL
    UNION
    SELECT l.account_id, l.order_id FROM pg_temp.order_mark AS k
      JOIN settlement.money_line AS l
        ON l.company_id = ${ctx.companyId} AND l.account_id = k.account_id AND l.marketplace_id = k.marketplace_id
       AND l.posted_date = k.date AND l.sku = k.sku
     WHERE l.order_id IS NOT NULL`.execute(ctx.db);
  await indexTemporary(ctx, 'order_key', 'account_id, order_id');
  return Number(numAffectedRows ?? 0);
}

/** Counts the noted orders again, each whole, from the money lines that count. */
async function countOrders(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.order_row`.execute(ctx.db);
  const cost = unitCostOf(ctx.companyId, {
    accountId: sql.ref('sold.account_id'),
    marketplaceId: sql.ref('sold.marketplace_id'),
    sku: sql.ref('sold.sku'),
    date: sql.ref('sold.date'),
  });
  await sql`
    CREATE TEMP TABLE order_row ON COMMIT DROP AS
    WITH l AS MATERIALIZED (
      SELECT l.* FROM pg_temp.order_key AS k
        JOIN settlement.money_line AS l
          ON l.company_id = ${ctx.companyId} AND l.order_id = k.order_id AND l.account_id = k.account_id
        JOIN settlement.source_doc AS d
          ON d.company_id = ${ctx.companyId} AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
       WHERE l.pl_section <> 'BALANCE'
    ), sums AS (
      SELECT l.account_id, l.marketplace_id, l.order_id, l.currency, min(l.posted_date) AS first_date,
             max(l.posted_date) AS last_date, ${SUMS}, ${PIECES_AND_SIZES}
        FROM l GROUP BY 1, 2, 3, 4
    ), sold AS (
      SELECT l.account_id, l.marketplace_id, l.order_id, l.currency, l.sku, l.posted_date AS date,
             sum(l.quantity) AS units
        FROM l WHERE l.fee_code = 'PRINCIPAL' GROUP BY 1, 2, 3, 4, 5, 6
    ), costs AS (
      SELECT sold.account_id, sold.marketplace_id, sold.order_id, sold.currency,
             coalesce(sum(sold.units) FILTER (WHERE c.unit_cost IS NOT NULL), 0)::int AS cost_units,
             coalesce(sum(c.unit_cost * sold.units), 0) AS cost_cny
        FROM sold ${cost} GROUP BY 1, 2, 3, 4
    )
    SELECT sums.*, coalesce(costs.cost_units, 0) AS cost_units, coalesce(costs.cost_cny, 0) AS cost_cny
      FROM sums LEFT JOIN costs USING (account_id, marketplace_id, order_id, currency)`.execute(ctx.db);
  await indexTemporary(ctx, 'order_row', 'account_id, order_id');
}

/** Rows that come out the same stay as they are; orders that no money counts for any more vanish. */
async function putOrders(ctx: Ctx): Promise<void> {
  await sql`
    DELETE FROM profit.order_profit AS p USING pg_temp.order_key AS k
     WHERE p.company_id = ${ctx.companyId} AND p.account_id = k.account_id AND p.order_id = k.order_id
       AND NOT EXISTS (SELECT FROM pg_temp.order_row AS r
                        WHERE r.account_id = p.account_id AND r.order_id = p.order_id
                          AND r.marketplace_id = p.marketplace_id AND r.currency = p.currency)`.execute(ctx.db);
  await sql`
    INSERT INTO profit.order_profit AS p (company_id, account_id, marketplace_id, order_id, currency, ${listed()})
    SELECT ${ctx.companyId}::uuid, account_id, marketplace_id, order_id, currency, ${listed()} FROM pg_temp.order_row
    ON CONFLICT (company_id, account_id, order_id, marketplace_id, currency) DO UPDATE SET ${SET_VALUES}
     WHERE (${listed('p.')}) IS DISTINCT FROM (${listed('excluded.')})`.execute(ctx.db);
}

/** Counts marked orders again in the caller's transaction. How many marks were taken off. */
export async function foldSomeOrders(ctx: Ctx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`profit.orders:${ctx.companyId}`}, 0))`.execute(ctx.db);
  const taken = await takeOrders(ctx);
  if (taken === 0) return 0;
  await countOrders(ctx);
  await putOrders(ctx);
  return taken;
}

/** Counts all marked orders of a company, some thousand marks in a transaction. */
export async function foldOrders(runtime: Runtime, companyId: string): Promise<void> {
  const some = () => inTenant(runtime, systemPrincipal(companyId), foldSomeOrders, { timeoutMs: TIME_MS });
  while ((await some()) === AT_ONCE);
}

export const foldOrdersJob = job<{ companyId: string }>('profit.foldOrders', (runtime, { companyId }) =>
  foldOrders(runtime, companyId),
);
