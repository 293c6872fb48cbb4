import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { PeriodRow } from '../../contract/rates.ts';

const RESOURCE = 'finance.period';

/** Waits until no posting of the company is under way and keeps new ones waiting until the transaction ends. */
async function closeGate(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('finance.gate:' || ${ctx.companyId}::text, 0))`.execute(
    ctx.db,
  );
}

/** Whether a month "yyyy-MM" is closed. */
export async function isClosed(ctx: Ctx, month: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('finance.period')
    .select('state')
    .where('company_id', '=', ctx.companyId)
    .where('month', '=', `${month}-01`)
    .executeTakeFirst();
  return row?.state === 'CLOSED';
}

/** @throws refused B0904 for a closed month */
export async function requireOpen(ctx: Ctx, month: string): Promise<void> {
  if (!(await isClosed(ctx, month))) return;
  throw refused(`${month} 已关账，不能新增或修改；请录入到当前期间或申请反关账`, 'B0904');
}

/** The last 13 months, the newest first. */
export async function periods(ctx: Ctx): Promise<PeriodRow[]> {
  const { rows } = await sql<PeriodRow>`
    SELECT to_char(m, 'YYYY-MM') AS month, coalesce(p.state = 'CLOSED', false) AS closed, p.changed_by_name AS by,
           p.changed_at AS at, coalesce(p.reason, '') AS reason
      FROM generate_series(date_trunc('month', finance.today()) - interval '12 months', date_trunc('month', finance.today()), '1 month') AS m
      LEFT JOIN finance.period AS p ON p.company_id = ${ctx.companyId} AND p.month = m::date
     ORDER BY m DESC`.execute(ctx.db);
  return rows;
}

async function put(ctx: Ctx, month: string, state: 'OPEN' | 'CLOSED', reason: string): Promise<void> {
  await sql`
    INSERT INTO finance.period (company_id, month, state, reason, changed_by_name)
    VALUES (${ctx.companyId}, ${`${month}-01`}::date, ${state}, ${reason}, ${ctx.userName})
    ON CONFLICT (company_id, month) DO UPDATE
       SET state = excluded.state, reason = excluded.reason, changed_by_name = excluded.changed_by_name, changed_at = kit.now()`.execute(
    ctx.db,
  );
}

/** Months with entries before this one that are still open. */
async function openBefore(ctx: Ctx, month: string): Promise<string | undefined> {
  const { rows } = await sql<{ month: string }>`
    SELECT to_char(p.business_date, 'YYYY-MM') AS month FROM finance.posting AS p
     WHERE p.company_id = ${ctx.companyId} AND p.business_date < ${`${month}-01`}::date
       AND NOT EXISTS (SELECT FROM finance.period AS c WHERE c.company_id = p.company_id AND c.state = 'CLOSED'
                          AND c.month = date_trunc('month', p.business_date)::date)
     ORDER BY p.business_date LIMIT 1`.execute(ctx.db);
  return rows[0]?.month;
}

/**
 * Closes a month that is over: it takes no more entries, and its rates stay as they are, the means of its days among
 * them. Months with entries before it must be closed. @throws refused B0932
 */
export async function close(ctx: Ctx, month: string): Promise<void> {
  await closeGate(ctx);
  const { rows } = await sql<{ over: boolean }>`
    SELECT ${`${month}-01`}::date + interval '1 month' <= finance.today() AS over`.execute(ctx.db);
  if (!rows[0]?.over) throw refused('当月尚未结束，不能关账', 'B0932');
  const earlier = await openBefore(ctx, month);
  if (earlier) throw refused(`请先关闭 ${earlier}`, 'B0932');
  await sql`
    INSERT INTO finance.month_rate (company_id, currency, month, rate, source, updated_by_name)
    SELECT company_id, currency, ${`${month}-01`}::date, round(avg(rate), 10), '关账平均', ${ctx.userName}
      FROM finance.day_rate
     WHERE company_id = ${ctx.companyId} AND date_trunc('month', day)::date = ${`${month}-01`}::date
     GROUP BY 1, 2 ON CONFLICT DO NOTHING`.execute(ctx.db);
  await put(ctx, month, 'CLOSED', '');
  await audit(ctx, { action: '资金关账', resource: RESOURCE, resourceId: month, after: { state: 'CLOSED' } });
}

/** Opens a closed month, the last closed one first. @throws refused B0932 */
export async function reopen(ctx: Ctx, month: string, reason: string): Promise<void> {
  await closeGate(ctx);
  if (!(await isClosed(ctx, month))) throw refused(`${month} 没有关账`, 'B0932');
  const { rows } = await sql<{ month: string }>`
    SELECT to_char(month, 'YYYY-MM') AS month FROM finance.period
     WHERE company_id = ${ctx.companyId} AND state = 'CLOSED' AND month > ${`${month}-01`}::date ORDER BY month DESC LIMIT 1`.execute(
    ctx.db,
  );
  const later = rows[0]?.month;
  if (later) throw refused(`${later} 已关账，请先反关账较晚的期间`, 'B0932');
  await put(ctx, month, 'OPEN', reason);
  await audit(ctx, { action: '资金反关账', resource: RESOURCE, resourceId: month, after: { state: 'OPEN', reason } });
}
