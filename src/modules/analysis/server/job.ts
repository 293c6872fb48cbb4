import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { markAll } from './mark.ts';
import { refresh } from './refresh.ts';

const TIMEOUT_MS = 15 * 60_000;
/** SKUs above which the whole account is made anew: naming so many costs more. */
const MOST_SKUS = 2_000;

/**
 * Takes the marks of an account that are there by now and makes their rows anew. A change that is not committed yet has marks
 * of its own, which wait for the next round. Returns how many rows were written.
 */
export async function refreshMarked(ctx: Ctx, accountId: string): Promise<number> {
  const { rows } = await sql<{ sku: string | null }>`
    WITH taken AS (
      DELETE FROM analysis.dirty WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} RETURNING seller_sku)
    SELECT DISTINCT seller_sku AS sku FROM taken`.execute(ctx.db);
  if (rows.length === 0) return 0;
  const named = rows.flatMap(({ sku }) => (sku === null ? [] : [sku]));
  const all = named.length < rows.length || named.length > MOST_SKUS;
  const written = await refresh(ctx, all ? { accountId } : { accountId, skus: named });
  if (all) {
    await sql`
      INSERT INTO analysis.refreshed (company_id, account_id, at)
      VALUES (${ctx.companyId}, ${accountId}, kit.now())
      ON CONFLICT (company_id, account_id) DO UPDATE SET at = excluded.at`.execute(ctx.db);
  }
  return written;
}

export const refreshJob = job<{ companyId: string; accountId: string }>(
  'analysis.refresh',
  async (runtime, { companyId, accountId }) => {
    await inTenant(runtime, systemPrincipal(companyId), (ctx) => refreshMarked(ctx, accountId), {
      timeoutMs: TIMEOUT_MS,
    });
  },
);

/** Every company, some times a day: the windows move with the days of each site, whether or not anything happens. */
export const nightlyJob = job<Record<string, never>>('analysis.nightly', async (runtime) => {
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('marketplace.seller_account').select('company_id').distinct().execute(),
  );
  for (const { company_id } of companies) {
    await inTenant(runtime, systemPrincipal(company_id), async (ctx) => {
      await markAll(ctx);
    });
  }
});
