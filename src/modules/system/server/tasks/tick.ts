import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { PLATFORM } from '../../contract/shared.ts';
import { DEFAULT_ZONE, type Firing, handlerOf, handlersOf, nextFiring } from './handlers.ts';

const BATCH = 500;
const MAX_ATTEMPTS = 3;
const KEEP_DAYS = 90;

interface Due {
  company_id: string;
  id: string;
  key: string;
  cron: string;
  time_zone: string;
  next_run_at: string;
  priority: number;
}

export interface FiringPayload extends Firing {
  scheduleId: string;
}

/** Makes the schedules that companies, or the product itself, do not have yet. */
async function complete(db: Db, runtime: Runtime, now: Date): Promise<void> {
  for (const { key, scope, defaultCron, timeZone = DEFAULT_ZONE, description, startsPaused } of handlersOf(runtime)) {
    const next = nextFiring(defaultCron, timeZone, now).toISOString();
    const companies =
      scope === 'global'
        ? sql`(SELECT ${PLATFORM}::uuid AS company_id) c WHERE true`
        : sql`identity.company c WHERE c.status = 'active' AND c.company_id <> ${PLATFORM}`;
    await sql`
      INSERT INTO system.schedule (company_id, key, cron, time_zone, description, next_run_at, is_enabled)
      SELECT c.company_id, ${key}, ${defaultCron}, ${timeZone}, ${description}, ${next}::timestamptz,
             ${startsPaused !== true} FROM ${companies}
         AND NOT EXISTS (SELECT FROM system.schedule s WHERE s.company_id = c.company_id AND s.key = ${key})
      ON CONFLICT (company_id, key) DO NOTHING`.execute(db);
  }
}

/** Queues a firing unless it was queued before. A second one of the same moment changes nothing. */
export async function queueFiring(
  db: Db,
  schedule: Pick<Due, 'company_id' | 'id' | 'priority'>,
  fireTime: string,
  askedBy: string | null = null,
): Promise<boolean> {
  const fresh = await db
    .insertInto('system.schedule_run')
    .values({
      company_id: schedule.company_id,
      schedule_id: schedule.id,
      fire_time: fireTime,
      asked_by_name: askedBy,
    })
    .onConflict((on) => on.columns(['company_id', 'schedule_id', 'fire_time']).doNothing())
    .returning('schedule_id')
    .executeTakeFirst();
  if (!fresh) return false;
  const payload: FiringPayload = { companyId: schedule.company_id, scheduleId: schedule.id, fireTime };
  await enqueue({ db }, 'system.fire', payload, {
    key: `fire:${schedule.id}:${fireTime}`,
    priority: schedule.priority,
    maxAttempts: MAX_ATTEMPTS,
  });
  return true;
}

/**
 * Queues whatever is due, each firing once, however many processes look at the same time. What was missed while nobody
 * looked fires once, late. Answers how many were queued.
 */
export async function tick(runtime: Runtime, now: Date = runtime.clock.now()): Promise<number> {
  return inSystem(runtime, async (db) => {
    await complete(db, runtime, now);
    const { rows } = await sql<Due>`
      SELECT s.company_id, s.id, s.key, s.cron, s.time_zone, s.next_run_at, s.priority FROM system.schedule s
       WHERE s.is_enabled AND s.next_run_at <= ${now.toISOString()}::timestamptz
         AND (s.company_id = ${PLATFORM}
              OR EXISTS (SELECT FROM identity.company c WHERE c.company_id = s.company_id AND c.status = 'active'))
       ORDER BY s.priority, s.next_run_at LIMIT ${BATCH} FOR UPDATE OF s SKIP LOCKED`.execute(db);
    let queued = 0;
    for (const due of rows) {
      // A handler that no module has any more stays silent until one has it again.
      if (handlerOf(runtime, due.key) && (await queueFiring(db, due, due.next_run_at))) queued += 1;
      await db
        .updateTable('system.schedule')
        .set({ next_run_at: nextFiring(due.cron, due.time_zone, now).toISOString() })
        .where('company_id', '=', due.company_id)
        .where('id', '=', due.id)
        .execute();
    }
    return queued;
  });
}

async function began(runtime: Runtime, { companyId, scheduleId, fireTime }: FiringPayload) {
  return inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const run = await ctx.db
      .updateTable('system.schedule_run')
      .set({ state: 'running', started_at: sql<string>`kit.now()`, attempts: sql<number>`attempts + 1` })
      .where('company_id', '=', companyId)
      .where('schedule_id', '=', scheduleId)
      .where('fire_time', '=', fireTime)
      .where('state', 'in', ['queued', 'running'])
      .returning('attempts')
      .executeTakeFirst();
    if (!run) return undefined;
    const { key } = await ctx.db
      .selectFrom('system.schedule')
      .select('key')
      .where('company_id', '=', companyId)
      .where('id', '=', scheduleId)
      .executeTakeFirstOrThrow();
    return { key, attempts: run.attempts };
  });
}

async function ended(runtime: Runtime, payload: FiringPayload, state: string, result: string | null): Promise<void> {
  await inTenant(runtime, systemPrincipal(payload.companyId), (ctx) =>
    ctx.db
      .updateTable('system.schedule_run')
      .set({ state, result: result?.slice(0, 500) ?? null, finished_at: sql<string>`kit.now()` })
      .where('company_id', '=', payload.companyId)
      .where('schedule_id', '=', payload.scheduleId)
      .where('fire_time', '=', payload.fireTime)
      .execute(),
  );
}

/** Runs one firing; a process that died in the middle leaves it to another, three times at most. */
export async function fire(runtime: Runtime, payload: FiringPayload): Promise<void> {
  const run = await began(runtime, payload);
  if (!run) return;
  const handler = handlerOf(runtime, run.key);
  try {
    if (!handler) throw new Error(`no handler ${run.key}`);
    const { companyId, fireTime } = payload;
    await ended(runtime, payload, 'done', (await handler.run(runtime, { companyId, fireTime })) ?? null);
  } catch (error) {
    if (run.attempts < MAX_ATTEMPTS) throw error;
    runtime.log.error({ err: error, schedule: run.key }, 'scheduled work failed');
    await ended(runtime, payload, 'failed', '执行失败，详情见服务日志');
  }
}

/** Rows of firings that nobody will ask for any more. */
export async function forgetRuns(runtime: Runtime): Promise<number> {
  return inSystem(runtime, async (db) => {
    const gone = await db
      .deleteFrom('system.schedule_run')
      .where('fire_time', '<', sql<string>`kit.now() - make_interval(days => ${KEEP_DAYS})`)
      .where('state', 'in', ['done', 'failed'])
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  });
}

export const tickJob = job('system.tick', async (runtime) => void (await tick(runtime)));
export const fireJob = job<FiringPayload>('system.fire', (runtime, payload) => fire(runtime, payload));
