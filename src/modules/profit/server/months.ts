import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { sweepOf } from '#kit/server/jobs/marked.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { holdStore, nextMonth } from './booking.ts';
import type { Unit } from './fold.ts';
import { SUMMED_COLUMNS } from './rollup.ts';

/** Days of a month that is over come in rounds: after this long without one it is added up. */
const PAUSE_MS = 60_000;
const MOST_MS = 10 * 60_000;

/** Notes that the days of a store's month have moved, in the transaction that moved them. */
export async function noteStale(ctx: Ctx, { accountId, marketplaceId, month }: Unit): Promise<void> {
  await sql`
    INSERT INTO profit.month_stale (company_id, account_id, marketplace_id, month)
    VALUES (${ctx.companyId}, ${accountId}, ${marketplaceId}, ${month}::date) ON CONFLICT DO NOTHING`.execute(ctx.db);
  if (isOver(ctx, month)) await sumMonthsSoon(ctx);
}

/** The month that runs moves with every sale: its days are read as they are. */
const isOver = (ctx: Ctx, month: string) => nextMonth(month) <= ctx.clock.today();

async function sumMonthsSoon(ctx: Ctx): Promise<void> {
  const { companyId } = ctx;
  const runAt = new Date(ctx.runtime.clock.ms() + PAUSE_MS);
  const options = { key: `profit.months:${companyId}`, queue: `profit:${companyId}`, runAt };
  await enqueue(ctx, 'profit.months', { companyId }, options);
}

/** Adds a store's month up from its days, in the caller's transaction, whatever was there before. */
export async function sumMonth(ctx: Ctx, unit: Unit): Promise<void> {
  const { accountId, marketplaceId, month } = unit;
  await holdStore(ctx, unit);
  const ofUnit = sql`company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}`;
  await sql`DELETE FROM profit.month_stale WHERE ${ofUnit} AND month = ${month}::date`.execute(ctx.db);
  await sql`DELETE FROM profit.profit_monthly WHERE ${ofUnit} AND date = ${month}::date`.execute(ctx.db);
  const columns = sql.raw(SUMMED_COLUMNS.join(', '));
  const sums = sql.raw(SUMMED_COLUMNS.map((name) => `sum(${name})`).join(', '));
  await sql`
    INSERT INTO profit.profit_monthly (company_id, account_id, marketplace_id, date, sku, currency, scope, late_month, ${columns},
                                       missing_units, sure_size, unsure_size)
    SELECT company_id, account_id, marketplace_id, ${month}::date, sku, currency, scope, late_month, ${sums},
           sum(greatest(units - cost_units, 0)), sum(greatest(settled_size, 0)), sum(greatest(open_size, 0))
      FROM profit.profit_daily
     WHERE ${ofUnit} AND date >= ${month}::date AND date < ${nextMonth(month)}::date
     GROUP BY company_id, account_id, marketplace_id, sku, currency, scope, late_month`.execute(ctx.db);
}

/** Stores' months that are over and whose days have moved, the oldest first. */
async function staleUnits(ctx: Ctx): Promise<Unit[]> {
  const { rows } = await sql<Unit>`
    SELECT account_id AS "accountId", marketplace_id AS "marketplaceId", month::text AS month FROM profit.month_stale
     WHERE company_id = ${ctx.companyId} ORDER BY month, account_id, marketplace_id`.execute(ctx.db);
  return rows.filter(({ month }) => isOver(ctx, month));
}

/** Adds up what has moved, each store's month in a transaction of its own. */
export async function sumMonths(runtime: Runtime, companyId: string): Promise<void> {
  const principal = systemPrincipal(companyId);
  const units = await inTenant(runtime, principal, staleUnits);
  for (const unit of units) await inTenant(runtime, principal, (ctx) => sumMonth(ctx, unit), { timeoutMs: MOST_MS });
}

export const monthsJob = job<{ companyId: string }>('profit.months', (runtime, { companyId }) =>
  sumMonths(runtime, companyId),
);

/** The month that ended, and what a migration left. */
export const sweepMonthsJob = sweepOf('profit.sweepMonths', 'profit.month_stale', sumMonthsSoon);
