import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { EnqueueContext, EnqueueOptions } from './define.ts';

/** Queues a job in the caller's transaction: it exists only if that commits. */
export async function enqueue(
  ctx: EnqueueContext,
  job: string,
  payload: object,
  options: EnqueueOptions = {},
): Promise<void> {
  const { queue = null, runAt = null, key = null, priority = 0, maxAttempts = 12, keyMode = 'replace' } = options;
  await sql`SELECT kit.add_job(${job}, ${JSON.stringify(payload)}::json, ${queue}::text, ${runAt}::timestamptz, ${key}::text, ${priority}::int, ${maxAttempts}::int, ${keyMode}::text)`.execute(
    ctx.db,
  );
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
