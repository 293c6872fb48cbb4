import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { EnqueueContext, EnqueueOptions, QueuedJob } from './define.ts';

/**
 * Queues a job in the caller's transaction: it exists only if that commits. With a whole context it waits for the end of
 * the transaction: the queue's row of a key is held until commit, and two transactions that took such rows in the middle
 * of their work would wait for each other. A rollback to a savepoint leaves it queued: a job looks for itself what there is
 * to do.
 */
export async function enqueue(
  ctx: EnqueueContext,
  job: string,
  payload: object,
  options: EnqueueOptions = {},
): Promise<void> {
  const one: QueuedJob = { job, payload, options };
  if (ctx.queued) ctx.queued.push(one);
  else await addJobs(ctx.db, [one]);
}

/** Writes what a transaction queued, as its last statement. Every transaction takes queues and keys in the same order. */
export async function addQueued(db: Db, queued: readonly QueuedJob[]): Promise<void> {
  if (queued.length > 0) await addJobs(db, lastOfEachKey(queued).sort(byQueueAndKey));
}

/** A job that replaces an earlier one of the same transaction makes that one needless. */
function lastOfEachKey(queued: readonly QueuedJob[]): QueuedJob[] {
  const replacedAt = new Map<string, number>();
  queued.forEach(({ options: { key, keyMode = 'replace' } }, index) => {
    if (key && keyMode === 'replace') replacedAt.set(key, index);
  });
  return queued.filter(({ options: { key } }, index) => !key || index >= (replacedAt.get(key) ?? 0));
}

function byQueueAndKey({ options: a }: QueuedJob, { options: b }: QueuedJob): number {
  return order(a.queue ?? '', b.queue ?? '') || order(a.key ?? '', b.key ?? '');
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Times of jobs are of the product's clock; the queue keeps them by the machine's. */
async function addJobs(db: Db, jobs: readonly QueuedJob[]): Promise<void> {
  const rows = jobs.map(({ job, payload, options }) => ({
    job,
    payload,
    queue: options.queue ?? null,
    run_at: options.runAt ?? null,
    key: options.key ?? null,
    priority: options.priority ?? 0,
    max_attempts: options.maxAttempts ?? 12,
    key_mode: options.keyMode ?? 'replace',
  }));
  await sql`
    SELECT kit.add_job(job, payload, queue, run_at - kit.clock_shift(), key, priority, max_attempts, key_mode)
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
           AS j(job text, payload json, queue text, run_at timestamptz, key text, priority int, max_attempts int,
                key_mode text)`.execute(db);
}

/** Queues a long task for the caller and returns its id; the page follows it in the task panel. */
export async function startTask(
  ctx: Ctx,
  type: string,
  title: string,
  payload: object,
  options: { queue?: string } = {},
): Promise<string> {
  const row = await ctx.db
    .insertInto('kit.task')
    .values({
      company_id: ctx.companyId,
      type,
      title,
      payload: JSON.stringify(payload),
      data_scope: ctx.dataScope ? JSON.stringify(ctx.dataScope) : null,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(ctx, 'kit.task', { companyId: ctx.companyId, taskId: row.id }, { key: `task:${row.id}`, ...options });
  return row.id;
}
