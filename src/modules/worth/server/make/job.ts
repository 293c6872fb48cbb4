import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { changedSince, ledgerBegins } from '#modules/warehouse/server/index.ts';
import { dayAfter, makeDay } from './days.ts';

const TIMEOUT_MS = 15 * 60_000;
/** Days that a company's first snapshots reach back, as far as its ledger does. */
const BACK_DAYS = 92;
/** Days in which documents may still be dated: see the ledger's backdate_days. */
const OPEN_DAYS = 40;
/** Postings that were under way when the last day was made. */
const SLACK_MS = 10 * 60_000;

/** The first day that has to be made; null for a company without stock. */
async function firstDay(ctx: Ctx): Promise<string | null> {
  const today = ctx.clock.today();
  const { rows } = await sql<{ day: string | null; madeAt: string | null }>`
    SELECT max(day)::text AS day, max(made_at) AS "madeAt" FROM worth.day WHERE company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
  const [last] = rows;
  if (!last?.day || !last.madeAt) {
    const begins = await ledgerBegins(ctx);
    const stock = await sql`SELECT FROM inventory.fba_stock WHERE company_id = ${ctx.companyId} LIMIT 1`.execute(
      ctx.db,
    );
    if (begins === null && stock.rows.length === 0) return null;
    const least = dayAfter(today, -BACK_DAYS);
    return begins !== null && begins > least ? begins : least;
  }
  const since = new Date(Date.parse(last.madeAt) - SLACK_MS).toISOString();
  const changed = await changedSince(ctx, dayAfter(today, -OPEN_DAYS), since);
  return changed !== null && changed < last.day ? changed : last.day;
}

/** Makes the days of a company from one on up to today, each in a transaction of its own; those of frozen months stay. */
export async function makeDays(runtime: Runtime, companyId: string, from: string): Promise<number> {
  const principal = systemPrincipal(companyId);
  let made = 0;
  const today = await inTenant(runtime, principal, async (ctx) => ctx.clock.today());
  for (let day = from; day <= today; day = dayAfter(day)) {
    const at = day;
    if (await inTenant(runtime, principal, (ctx) => makeDay(ctx, at), { timeoutMs: TIMEOUT_MS })) made += 1;
  }
  return made;
}

/** Brings a company's days up to now. */
export async function keepUp(runtime: Runtime, companyId: string): Promise<number> {
  const from = await inTenant(runtime, systemPrincipal(companyId), firstDay);
  return from === null ? 0 : makeDays(runtime, companyId, from);
}

/** Every two hours: the last run of a day stands for it until the next one, which tells it by the books of that day. */
export const dailyJob = job<object>('worth.daily', async (runtime) => {
  const companies = await inSystem(runtime, (db) => db.selectFrom('identity.company').select('company_id').execute());
  for (const { company_id } of companies) {
    try {
      await keepUp(runtime, company_id);
    } catch (error) {
      runtime.log.error({ err: error, companyId: company_id }, 'worth of stock was not made');
    }
  }
});

export const rebuildJob = job<{ companyId: string; from: string }>(
  'worth.rebuild',
  async (runtime, { companyId, from }) => {
    await makeDays(runtime, companyId, from);
  },
);
