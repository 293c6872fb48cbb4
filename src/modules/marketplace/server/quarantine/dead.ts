import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, conflict } from '#kit/server/errors.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import { NOTIFICATION_TYPES } from '../../contract/notifications.ts';
import type { DeadRow } from '../../contract/quarantine.ts';
import { retry } from '../feeds/actions.ts';
import { dealAgain } from '../notifications/receive.ts';
import { reviveReports } from '../reports/plan.ts';
import { enqueueBackfill } from '../sync/backfill.ts';
import { promises } from '../sync/health.ts';
import { priorityOf } from '../sync/start.ts';

interface Found {
  id: string;
  kind: DeadRow['kind'];
  store: string | null;
  region: Region | null;
  code: string;
  attempts: number;
  failed_at: string | null;
  error: string;
}

const LIMIT = 500;
const TITLES: Readonly<Record<string, string>> = { ...NOTIFICATION_TYPES, manual: '手工申请的报表' };

/** Of what the marketplace refused, older wishes are nobody's concern any more. */
const REFUSED_DAYS = 14;

/** Submissions that failed, or of which parts were refused, until they are sent once more or left so. */
function failedFeeds(ctx: Ctx) {
  return sql`
    SELECT f.id::text, 'feed', f.account_id, f.title, f.attempts, f.finished_at,
           coalesce(f.error, f.refused || ' 条修改被亚马逊拒绝')
      FROM marketplace.feed AS f
     WHERE f.company_id = ${ctx.companyId} AND f.ignored_at IS NULL AND (f.status = 'failed' OR f.refused > 0)
       AND f.finished_at > kit.now() - make_interval(days => ${REFUSED_DAYS})
       AND NOT EXISTS (SELECT FROM marketplace.feed AS again
                        WHERE again.company_id = f.company_id AND again.retry_of = f.id)`;
}

/** Notifications that came and could not be dealt with; they are kept for two weeks. */
function failedNotices(ctx: Ctx) {
  return sql`
    SELECT notification_id, 'notice', account_id, type, deliveries, received_at, outcome
      FROM marketplace.notification WHERE company_id = ${ctx.companyId} AND state = 'failed'`;
}

/** Work that was given up, newest first: streams, reports, backfills, submissions, notifications, jobs of the queue. */
export async function deadRows(ctx: Ctx): Promise<DeadRow[]> {
  const known = promises(ctx);
  const { rows } = await sql<Found>`
    SELECT d.id, d.kind, s.name AS store, a.region, d.code, d.attempts, d.failed_at, coalesce(d.error, '') AS error
      FROM (SELECT id::text, 'stream' AS kind, account_id, stream AS code, attempts, last_success_at AS failed_at,
                   last_error AS error
              FROM marketplace.sync_cursor
             WHERE company_id = ${ctx.companyId} AND state IN ('dead', 'blocked_role')
            UNION ALL
            SELECT id::text, 'report', account_id, plan, attempts, finished_at, error FROM marketplace.report_request
             WHERE company_id = ${ctx.companyId} AND status = 'failed'
            UNION ALL
            SELECT id::text, 'backfill', account_id, stream, attempts, finished_at, error FROM marketplace.sync_backfill
             WHERE company_id = ${ctx.companyId} AND state = 'failed'
            UNION ALL
            ${failedFeeds(ctx)}
            UNION ALL
            ${failedNotices(ctx)}) AS d
      JOIN marketplace.seller_account AS a ON a.company_id = ${ctx.companyId} AND a.id = d.account_id
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
    UNION ALL
    SELECT id::text, 'job', NULL, NULL, job, attempts, failed_at, coalesce(last_error, '') FROM kit.dead_jobs()
     ORDER BY failed_at DESC NULLS LAST LIMIT ${LIMIT}`.execute(ctx.db);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    store: row.region ? `${row.store}-${REGION_NAMES[row.region]}` : null,
    title: known.get(row.code)?.title ?? TITLES[row.code] ?? row.code,
    attempts: row.attempts,
    failedAt: row.failed_at,
    error: row.error.slice(0, 500),
  }));
}

async function reviveStream(ctx: Ctx, id: string): Promise<boolean> {
  const row = await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({ state: 'ready', not_before: sql<string>`kit.now()`, attempts: 0, last_error: null })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('state', 'in', ['dead', 'blocked_role'])
    .returning('stream')
    .executeTakeFirst();
  if (!row) return false;
  const options = { key: `sync:${id}`, priority: priorityOf(ctx.runtime, row.stream) };
  await enqueue(ctx, 'marketplace.sync', { companyId: ctx.companyId, cursorId: id }, options);
  return true;
}

async function reviveBackfill(ctx: Ctx, id: string): Promise<boolean> {
  const row = await ctx.db
    .updateTable('marketplace.sync_backfill')
    .set({ state: 'running', attempts: 0, error: null, finished_at: null, next_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returning('id')
    .executeTakeFirst();
  if (row) await enqueueBackfill(ctx, id);
  return row !== undefined;
}

async function reviveJob(ctx: Ctx, id: string): Promise<boolean> {
  if (!/^\d{1,18}$/.test(id)) return false;
  const { rows } = await sql<{ done: boolean }>`SELECT kit.revive_job(${id}::bigint) AS done`.execute(ctx.db);
  return rows[0]?.done ?? false;
}

/** A submission of which nothing is left to be sent again is no failed one. */
async function retryFeed(ctx: Ctx, id: string): Promise<boolean> {
  try {
    await retry(ctx, id);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function revive(ctx: Ctx, { kind, id }: { kind: DeadRow['kind']; id: string }): Promise<boolean> {
  if (kind === 'job') return reviveJob(ctx, id);
  if (kind === 'notice') return dealAgain(ctx, id);
  if (!UUID.test(id)) return false;
  if (kind === 'feed') return retryFeed(ctx, id);
  if (kind === 'stream') return reviveStream(ctx, id);
  if (kind === 'backfill') return reviveBackfill(ctx, id);
  return (await reviveReports(ctx, sql`id = ${id}::uuid`)) > 0;
}

/** Tries given-up work once more; returns how much of it there was. */
export async function reviveDead(ctx: Ctx, items: readonly { kind: DeadRow['kind']; id: string }[]): Promise<number> {
  let count = 0;
  for (const item of items) if (await revive(ctx, item)) count += 1;
  if (count === 0) throw conflict('所选的任务都已不是失败状态');
  await audit(ctx, { action: '重试失败任务', resource: 'marketplace.report', after: { items } });
  return count;
}

async function ignoreFeed(ctx: Ctx, id: string): Promise<boolean> {
  if (!UUID.test(id)) return false;
  const row = await ctx.db
    .updateTable('marketplace.feed')
    .set({ ignored_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('ignored_at', 'is', null)
    .where((eb) => eb.or([eb('status', '=', 'failed'), eb('refused', '>', 0)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

async function ignoreNotice(ctx: Ctx, id: string): Promise<boolean> {
  const row = await ctx.db
    .updateTable('marketplace.notification')
    .set({ state: 'idle' })
    .where('company_id', '=', ctx.companyId)
    .where('notification_id', '=', id)
    .where('state', '=', 'failed')
    .returning('notification_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Leaves failed submissions and notifications as they are; returns how many. Facts that are missing cannot be ignored:
 * streams and reports stay listed until they are read.
 */
export async function ignoreDead(
  ctx: Ctx,
  items: readonly { kind: 'feed' | 'notice'; id: string }[],
  reason: string,
): Promise<number> {
  let count = 0;
  for (const { kind, id } of items) if (await (kind === 'feed' ? ignoreFeed : ignoreNotice)(ctx, id)) count += 1;
  if (count === 0) throw conflict('所选的任务都已不是失败状态');
  await audit(ctx, { action: '忽略失败任务', resource: 'marketplace.feed', after: { items, reason } });
  return count;
}
