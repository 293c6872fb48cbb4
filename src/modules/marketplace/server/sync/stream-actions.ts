import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { accountOf } from '../auth/accounts.ts';
import { requestWindows } from '../reports/window.ts';
import { marketplaceNow } from '../settings.ts';
import type { AccountRef, ReportPlan } from '../streams.ts';
import { enqueueBackfill } from './backfill.ts';
import { backfillDaysOf, type CatalogueEntry } from './catalogue.ts';
import { streamOf } from './stream-detail.ts';

interface Which {
  authid: string;
  stream: string;
}

const DAY_MS = 86_400_000;
const SAFETY_LAG_MS = 5 * 60_000;

function note(ctx: Ctx, action: string, { authid, stream }: Which, after: object = {}): Promise<void> {
  return audit(ctx, {
    action,
    resource: 'marketplace.sellerAccount',
    resourceId: authid,
    after: { stream, ...after },
  });
}

/** Sets the cursors of a stream that are in one of these states, and returns them. */
async function setCursors(ctx: Ctx, which: Which, from: readonly string[], change: object): Promise<string[]> {
  const rows = await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set(change)
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', which.authid)
    .where('stream', '=', which.stream)
    .where('state', 'in', from)
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

const AT_ONCE = { state: 'ready', not_before: sql`kit.now()`, attempts: 0, last_error: null };

async function enqueueCursors(ctx: Ctx, ids: readonly string[], priority: number): Promise<void> {
  for (const cursorId of ids) {
    const payload = { companyId: ctx.companyId, cursorId };
    await enqueue(ctx, 'marketplace.sync', payload, { key: `sync:${cursorId}`, priority });
  }
}

/** Reads a stream now. What gave up or lacked a role is tried once more; what is paused stays paused. */
export async function runNow(ctx: Ctx, which: Which): Promise<void> {
  const { entry } = await streamOf(ctx, which.authid, which.stream);
  const ids = await setCursors(ctx, which, ['ready', 'dead', 'blocked_role'], AT_ONCE);
  if (ids.length === 0) throw conflict('数据流已暂停或授权失效，不能立即同步');
  await enqueueCursors(ctx, ids, entry.priority);
  await note(ctx, '立即同步数据流', which);
}

/** Stops a stream until somebody resumes it; a run that is under way ends as usual. */
export async function pause(ctx: Ctx, which: Which): Promise<void> {
  await streamOf(ctx, which.authid, which.stream);
  const ids = await setCursors(ctx, which, ['ready', 'dead'], { state: 'paused' });
  if (ids.length === 0) throw conflict('数据流没有在运行');
  await note(ctx, '暂停数据流', which);
}

/** Goes on where a pause left off: the window since then is read before anything else. */
export async function resumePaused(ctx: Ctx, which: Which): Promise<void> {
  const { entry } = await streamOf(ctx, which.authid, which.stream);
  const ids = await setCursors(ctx, which, ['paused'], AT_ONCE);
  if (ids.length === 0) throw conflict('数据流没有暂停');
  await enqueueCursors(ctx, ids, entry.priority);
  await note(ctx, '恢复数据流', which);
}

async function backfillByCalls(ctx: Ctx, which: Which, from: Date, now: Date): Promise<number> {
  const to = new Date(now.getTime() - SAFETY_LAG_MS);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO marketplace.sync_backfill
      (company_id, account_id, stream, marketplace_id, data_from, data_to, read_down_to, created_by_name)
    SELECT company_id, account_id, stream, marketplace_id, ${from}::timestamptz, ${to}::timestamptz,
           ${to}::timestamptz, ${ctx.userName}
      FROM marketplace.sync_cursor
     WHERE company_id = ${ctx.companyId} AND account_id = ${which.authid} AND stream = ${which.stream}
    ON CONFLICT (company_id, account_id, stream, marketplace_id) WHERE state = 'running' DO NOTHING
    RETURNING id`.execute(ctx.db);
  if (rows.length === 0) throw conflict('该数据流正在回补，请等待完成或先取消');
  for (const row of rows) await enqueueBackfill(ctx, row.id);
  return rows.length;
}

async function backfillByPlan(ctx: Ctx, which: Which, plan: ReportPlan, account: AccountRef, from: Date, now: Date) {
  if (plan.how !== 'list') return requestWindows(ctx, account, plan, from, now);
  const ids = await setCursors(ctx, which, ['ready', 'dead'], { ...AT_ONCE, watermark: from });
  if (ids.length === 0) throw conflict('数据流已暂停或授权失效，不能回补');
  await enqueueCursors(ctx, ids, plan.priority);
  return ids.length;
}

async function firstInstant(entry: CatalogueEntry, day: string, now: Date): Promise<Date> {
  const days = backfillDaysOf(entry);
  if (days === null) throw refused('该数据流只反映当前状态，没有历史可回补', 'B0360');
  const from = new Date(`${day}T00:00:00Z`);
  if (from.getTime() >= now.getTime() - SAFETY_LAG_MS) throw refused('开始日期不能晚于今天', 'B0353');
  if ((now.getTime() - from.getTime()) / DAY_MS > days + 1) throw refused(`最多回补${days}天`, 'B0361');
  return from;
}

/** Reads a stream's past from a UTC day on once more: by its own calls, or by the reports that hold it. */
export async function backfill(ctx: Ctx, which: Which & { from: string }): Promise<{ message: string }> {
  const { entry } = await streamOf(ctx, which.authid, which.stream);
  const account = await accountOf(ctx.db, ctx.companyId, which.authid);
  if (!account) throw notFound('授权不存在或已删除');
  const now = await marketplaceNow(ctx.runtime);
  const from = await firstInstant(entry, which.from, now);
  await note(ctx, '回补数据流', which, { from: which.from });
  if (!entry.plan) {
    await backfillByCalls(ctx, which, from, now);
    return { message: '已开始回补，与日常同步同时进行' };
  }
  const count = await backfillByPlan(ctx, which, entry.plan, account, from, now);
  return { message: entry.plan.how === 'list' ? '已重新拉取报表列表' : `已申请${count}个报表，见报表任务` };
}

/** Ends a backfill; what it has read stays. */
export async function cancel(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .updateTable('marketplace.sync_backfill')
    .set({ state: 'cancelled', finished_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning(['account_id', 'stream'])
    .executeTakeFirst();
  if (!row) throw notFound('没有正在进行的回补');
  await note(ctx, '取消回补', { authid: row.account_id, stream: row.stream });
}
