import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { marketplaceNow } from '../settings.ts';
import { type AccountRef, type ReachingPlan, type ReportPlan, reaching, reportPlans } from '../streams.ts';

const DAY_MS = 86_400_000;
const SAFETY_LAG_MS = 5 * 60_000;

/** Windows of a plan's history, newest first, cut at UTC midnights so that a second planning asks for the same. */
export function historyWindows(plan: Pick<ReachingPlan, 'windowDays' | 'historyDays'>, now: Date): [Date, Date][] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const begin = today - plan.historyDays * DAY_MS;
  const windows: [Date, Date][] = [];
  let to = now.getTime() - SAFETY_LAG_MS;
  for (let from = today - (plan.windowDays - 1) * DAY_MS; to > begin; from -= plan.windowDays * DAY_MS) {
    // In the first minutes of a day its own window has not begun yet: the newest one is yesterday's.
    if (from >= to) continue;
    windows.push([new Date(Math.max(from, begin)), new Date(to)]);
    to = from;
  }
  return windows;
}

/** What ended longer ago than so many days is there to be compared with, and nobody waits for it. */
const RECENT_DAYS = 120;
/** Behind the first reports of every plan, and before what is read again at somebody's wish. */
const LONG_AGO = 80;

/**
 * Priority of a plan's window, the `index`th of them, newest first, that ends at `to`: the newer the earlier, and what is long
 * ago behind whatever else a new account is asked for.
 */
export function windowPriority(plan: Pick<ReportPlan, 'priority'>, index: number, to: Date, now: Date): number {
  const isLongAgo = to.getTime() <= now.getTime() - RECENT_DAYS * DAY_MS;
  return plan.priority + index + (isLongAgo ? LONG_AGO : 0);
}

/** Plans the history reports of an account, unless it was planned before; each becomes a job. */
export async function planHistory(ctx: Ctx, account: AccountRef): Promise<void> {
  if (account.marketplaceIds.length === 0) return;
  const now = await marketplaceNow(ctx.runtime);
  for (const plan of extensionsOf(ctx.runtime.modules, reportPlans).filter((p) => p.how === 'request')) {
    const known = await ctx.db
      .selectFrom('marketplace.report_request')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .where('account_id', '=', account.id)
      .where('plan', '=', plan.code)
      .limit(1)
      .executeTakeFirst();
    if (known) continue;
    const rows = await ctx.db
      .insertInto('marketplace.report_request')
      .values(
        historyWindows(reaching(plan, ctx.runtime), now).map(([from, to], index) => ({
          company_id: ctx.companyId,
          account_id: account.id,
          plan: plan.code,
          report_type: plan.reportType,
          marketplace_ids: [...account.marketplaceIds],
          data_from: from,
          data_to: to,
          priority: windowPriority(plan, index, to, now),
          past: index > 0,
        })),
      )
      .returning(['id', 'priority'])
      .execute();
    for (const row of rows) await enqueueReport(ctx, row.id, row.priority);
  }
}

/** The marketplace keeps what it made for so long. */
const KEPT_DAYS = 90;

/**
 * Asks once more for reports that ended without bringing anything: what ended so (`ended`) begins anew, what waits after
 * a failure goes on at once. Returns how many there were.
 */
export async function reviveReports(
  ctx: Ctx,
  which: RawBuilder<unknown>,
  ended: readonly string[] = ['failed'],
): Promise<number> {
  const { rows } = await sql<{ id: string; priority: number }>`
    UPDATE marketplace.report_request AS r
       SET status = CASE WHEN NOT failed THEN r.status WHEN ours THEN 'planned' ELSE 'ready' END,
           generation = CASE WHEN failed THEN 1 ELSE generation END,
           attempts = CASE WHEN failed THEN 0 ELSE attempts END,
           error = CASE WHEN failed THEN NULL ELSE error END, empty_at = CASE WHEN failed THEN NULL ELSE empty_at END,
           report_id = CASE WHEN failed AND ours THEN NULL ELSE report_id END,
           remote_document_id = CASE WHEN failed AND ours THEN NULL ELSE remote_document_id END,
           document_id = CASE WHEN failed THEN NULL ELSE document_id END,
           finished_at = NULL, next_at = kit.now()
      FROM (SELECT id, status = ANY (${[...ended]}::text[]) AS failed, data_from IS NOT NULL AS ours
              FROM marketplace.report_request
             WHERE company_id = ${ctx.companyId} AND ${which}
               AND (status = ANY (${[...ended]}::text[]) AND created_at > kit.now() - make_interval(days => ${KEPT_DAYS})
                    OR status IN ('planned', 'requested', 'ready', 'downloaded') AND error IS NOT NULL)
               FOR UPDATE SKIP LOCKED) AS k
     WHERE r.company_id = ${ctx.companyId} AND r.id = k.id
    RETURNING r.id, r.priority`.execute(ctx.db);
  for (const row of rows) await enqueueReport(ctx, row.id, row.priority);
  return rows.length;
}

/** Queues the next step of a report. */
export async function enqueueReport(
  ctx: Pick<Ctx, 'db' | 'companyId'>,
  requestId: string,
  priority: number,
  runAt?: Date,
): Promise<void> {
  await enqueue(
    ctx,
    'marketplace.report',
    { companyId: ctx.companyId, requestId },
    { key: `report:${requestId}`, priority, ...(runAt ? { runAt } : {}) },
  );
}
