import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, invalid, notFound, refused } from '#kit/server/errors.ts';
import type { ScheduleRow } from '../../contract/schedules.ts';
import { PLATFORM } from '../../contract/shared.ts';
import { changed } from '../changes.ts';
import { cronProblem, DEFAULT_ZONE, handlersOf, nextFiring, type ScheduleHandler } from './handlers.ts';
import { queueFiring } from './tick.ts';

const RESOURCE = 'system.schedule';

/** Handlers that the caller's company schedules itself. */
function mine(ctx: Ctx): ScheduleHandler[] {
  const scope = ctx.companyId === PLATFORM ? 'global' : 'company';
  return handlersOf(ctx.runtime).filter((handler) => handler.scope === scope);
}

interface DbSchedule {
  id: string;
  key: string;
  cron: string;
  time_zone: string;
  is_enabled: boolean;
  priority: number;
  description: string;
  next_run_at: string | null;
  version: number;
  last_state: string | null;
  last_run_at: string | null;
  last_result: string | null;
}

async function rows(ctx: Ctx): Promise<Map<string, DbSchedule>> {
  const found = await sql<DbSchedule>`
    SELECT s.id, s.key, s.cron, s.time_zone, s.is_enabled, s.priority, s.description, s.next_run_at, s.version,
           r.state AS last_state, coalesce(r.started_at, r.fire_time) AS last_run_at, r.result AS last_result
      FROM system.schedule s
      LEFT JOIN LATERAL (SELECT * FROM system.schedule_run r WHERE r.company_id = s.company_id AND r.schedule_id = s.id
                          ORDER BY r.fire_time DESC LIMIT 1) r ON true
     WHERE s.company_id = ${ctx.companyId}`.execute(ctx.db);
  return new Map(found.rows.map((row) => [row.key, row]));
}

/** What the row of a handler will be once it is made. */
function asPlanned({ runtime }: Ctx, handler: ScheduleHandler): Omit<DbSchedule, 'id'> {
  const time_zone = handler.timeZone ?? DEFAULT_ZONE;
  return {
    key: handler.key,
    cron: handler.defaultCron,
    time_zone,
    is_enabled: handler.startsPaused !== true,
    priority: 0,
    description: handler.description,
    next_run_at: nextFiring(handler.defaultCron, time_zone, runtime.clock.now()).toISOString(),
    version: 0,
    last_state: null,
    last_run_at: null,
    last_result: null,
  };
}

function rowOf(handler: ScheduleHandler, row: DbSchedule): ScheduleRow {
  return {
    id: row.id,
    title: handler.title,
    group: handler.group,
    state: row.is_enabled ? 'active' : 'paused',
    cron: row.cron,
    timeZone: row.time_zone,
    priority: row.priority,
    description: row.description,
    lastState: row.last_state as ScheduleRow['lastState'],
    lastRunAt: row.last_run_at,
    lastResult: row.last_result,
    nextRunAt: row.is_enabled ? row.next_run_at : null,
    version: row.version,
  };
}

interface Filter {
  state?: string | undefined;
  search?: string | undefined;
}

const MAX_ROWS = 10_000;

/** A few dozen rows at most, one per handler, by group and title. */
export async function schedulePage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<ScheduleRow>> {
  const { state, search } = request.filter;
  const from = (request.currentpage - 1) * request.pagesize;
  if (request.sort) throw refused(`不支持按「${request.sort}」排序`, 'B0030');
  if (from > MAX_ROWS) throw refused('页码过大，请缩小筛选范围', 'B0031');
  const known = await rows(ctx);
  const all = mine(ctx)
    // The first minute of a company: its schedules are about to be made.
    .map((handler) => rowOf(handler, known.get(handler.key) ?? { id: PLATFORM, ...asPlanned(ctx, handler) }))
    .filter((row) => (!state || row.state === state) && (!search || row.title.includes(search)))
    .sort((a, b) => a.group.localeCompare(b.group, 'zh') || a.title.localeCompare(b.title, 'zh'));
  return { records: all.slice(from, from + request.pagesize), total: all.length };
}

async function scheduleById(ctx: Ctx, id: string): Promise<{ handler: ScheduleHandler; row: DbSchedule }> {
  const row = [...(await rows(ctx)).values()].find((each) => each.id === id);
  const handler = mine(ctx).find((each) => each.key === row?.key);
  if (!row || !handler) throw notFound('定时任务不存在');
  return { handler, row };
}

async function update(ctx: Ctx, row: DbSchedule, values: object, version = row.version): Promise<void> {
  const done = await ctx.db
    .updateTable('system.schedule')
    .set({ ...values, version: sql`version + 1`, updated_at: sql`kit.now()`, updated_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  if (!done) throw conflict();
}

export interface ScheduleInput {
  id: string;
  cron: string;
  timeZone: string;
  priority: number;
  description: string;
  version?: number | undefined;
}

/** @throws AppError 400 for a pattern that cannot be read or comes more often than every minute */
export async function saveSchedule(ctx: Ctx, input: ScheduleInput): Promise<{ nextRunAt: string }> {
  const { row } = await scheduleById(ctx, input.id);
  const problem = cronProblem(input.cron, input.timeZone, ctx.runtime.clock.now());
  if (problem) throw invalid([{ field: 'cron', title: '执行时间', msg: problem }]);
  const nextRunAt = nextFiring(input.cron, input.timeZone, ctx.runtime.clock.now()).toISOString();
  const values = {
    cron: input.cron,
    time_zone: input.timeZone,
    priority: input.priority,
    description: input.description,
  };
  await update(ctx, row, { ...values, next_run_at: nextRunAt }, input.version);
  await audit(ctx, { action: '修改定时任务', resource: RESOURCE, resourceId: row.id, ...changed(row, values) });
  return { nextRunAt };
}

/** @throws AppError B0431 while it waits or runs already */
export async function runOnce(ctx: Ctx, id: string): Promise<void> {
  const { handler, row } = await scheduleById(ctx, id);
  if (row.last_state === 'queued' || row.last_state === 'running') {
    throw refused(`「${handler.title}」正在执行，请等待完成`, 'B0431');
  }
  const { rows: clock } = await sql<{ now: string }>`
    SELECT date_trunc('milliseconds', kit.instant()) AS now`.execute(ctx.db);
  const fireTime = clock[0]?.now ?? ctx.runtime.clock.now().toISOString();
  await queueFiring(ctx.db, { company_id: ctx.companyId, id, priority: row.priority }, fireTime, ctx.userName);
  await audit(ctx, { action: '执行一次', resource: RESOURCE, resourceId: id, after: { title: handler.title } });
}

/** A schedule that is resumed does not catch up on what it missed. */
export async function setEnabled(ctx: Ctx, id: string, enabled: boolean): Promise<void> {
  const { handler, row } = await scheduleById(ctx, id);
  if (row.is_enabled === enabled) throw refused(enabled ? '任务已在运行' : '任务已暂停', 'B0432');
  const next = enabled
    ? { next_run_at: nextFiring(row.cron, row.time_zone, ctx.runtime.clock.now()).toISOString() }
    : {};
  await update(ctx, row, { is_enabled: enabled, ...next });
  await audit(ctx, {
    action: enabled ? '恢复定时任务' : '暂停定时任务',
    resource: RESOURCE,
    resourceId: id,
    before: { is_enabled: row.is_enabled },
    after: { is_enabled: enabled, title: handler.title },
  });
}

/** The last fifty firings, newest first. */
export async function runsOf(ctx: Ctx, id: string) {
  const { row } = await scheduleById(ctx, id);
  const found = await sql<{
    fireTime: string;
    state: 'queued' | 'running' | 'done' | 'failed';
    took: number | null;
    askedBy: string | null;
    result: string | null;
  }>`
    SELECT fire_time AS "fireTime", state, asked_by_name AS "askedBy", result,
           (extract(epoch FROM finished_at - started_at) * 1000)::int AS took
      FROM system.schedule_run WHERE company_id = ${ctx.companyId} AND schedule_id = ${row.id}
     ORDER BY fire_time DESC LIMIT 50`.execute(ctx.db);
  return found.rows;
}
