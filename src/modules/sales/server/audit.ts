import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { queueFold } from './mark.ts';
import { type Drift, daysOf, remake } from './rebuild.ts';

const TIMEOUT_MS = 15 * 60_000;
/** Newest days that are always looked at, and the share of the older ones. */
const RECENT_DAYS = 3;
const OLDER_SHARE = 0.02;

interface StoreDays {
  accountId: string;
  marketplaceId: string;
  days: string[];
}

/** Which days to look at: the newest of each store that sold, and a few of the others, drawn anew each night. */
async function sample(ctx: Ctx, share: number): Promise<StoreDays[]> {
  const { rows } = await sql<StoreDays>`
    WITH days AS (
      SELECT account_id, marketplace_id, local_date,
             row_number() OVER (PARTITION BY account_id, marketplace_id ORDER BY local_date DESC) AS age
        FROM (SELECT account_id, marketplace_id, local_date FROM "order".amazon_order WHERE company_id = ${ctx.companyId}
              UNION SELECT account_id, marketplace_id, local_date FROM sales.store_day
                     WHERE company_id = ${ctx.companyId}) AS all_days)
    SELECT account_id AS "accountId", marketplace_id AS "marketplaceId", array_agg(local_date::text) AS days
      FROM days WHERE age <= ${RECENT_DAYS} OR random() < ${share}
     GROUP BY account_id, marketplace_id ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}

async function record(ctx: Ctx, drift: readonly Drift[]): Promise<void> {
  for (const one of drift) {
    await sql`INSERT INTO sales.drift (company_id, table_name, account_id, marketplace_id, local_date, rows)
              VALUES (${ctx.companyId}, ${one.table}, ${one.accountId}, ${one.marketplaceId}, ${one.localDate}::date,
                      ${one.rows})`.execute(ctx.db);
  }
  if (drift.length === 0) return;
  ctx.runtime.log.error(
    { companyId: ctx.companyId, drift },
    '汇总漂移: rollups differed from the orders and were healed',
  );
}

/**
 * Compares the newest days and a share of the older ones of every store with the orders, heals what differs and
 * records it. A day with open marks may differ for a moment; that is no drift. Returns what was wrong.
 */
export async function auditCompany(ctx: Ctx, share = OLDER_SHARE): Promise<Drift[]> {
  const found: Drift[] = [];
  for (const store of await sample(ctx, share)) {
    const scope = daysOf(store.accountId, store.marketplaceId, store.days);
    found.push(...(await remake(ctx, store.accountId, store.marketplaceId, scope)).filter((one) => !one.marked));
  }
  await record(ctx, found);
  return found;
}

async function marksLeft(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT account_id AS id FROM sales.dirty WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Nightly, every company: audit, and a new start for marks whose job gave up. */
export const auditJob = job<Record<string, never>>('sales.audit', async (runtime) => {
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('marketplace.seller_account').select('company_id').distinct().execute(),
  );
  for (const { company_id } of companies) {
    await inTenant(
      runtime,
      systemPrincipal(company_id),
      async (ctx) => {
        await auditCompany(ctx);
        for (const account of await marksLeft(ctx)) await queueFold(ctx, account);
      },
      { timeoutMs: TIMEOUT_MS },
    );
  }
});
