import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { emit, event } from '../events.ts';
import { inTenant, type Runtime, systemPrincipal } from '../runtime.ts';
import type { DataScope } from '../scope.ts';
import { job, TaskCancelled, type TaskDef, type TaskHandle } from './define.ts';

const REPORT_EVERY_MS = 500;
const MAX_ATTEMPTS = 3;

interface TaskPayload {
  companyId: string;
  taskId: string;
}

/** A long task came to its end, one way or the other; `userId` started it. Told in the transaction that says so. */
export const taskFinished = event<{
  id: string;
  title: string;
  userId: string | null;
  state: 'done' | 'failed';
  fileId: string | null;
  /** What it did, or why it failed, in words for its starter. */
  detail: string | null;
}>('kit.taskFinished');

async function claim(runtime: Runtime, { companyId, taskId }: TaskPayload) {
  return inTenant(runtime, systemPrincipal(companyId), (ctx) =>
    ctx.db
      .updateTable('kit.task')
      .set({ state: 'running', started_at: sql`kit.now()`, attempts: sql`attempts + 1`, error: null })
      .where('company_id', '=', companyId)
      .where('id', '=', taskId)
      .where('state', 'in', ['queued', 'running'])
      .where('cancel_requested', '=', false)
      .returning(['type', 'payload', 'attempts', 'created_by', 'created_by_name', 'data_scope'])
      .executeTakeFirst(),
  );
}

interface Ending {
  state: 'done' | 'failed' | 'cancelled';
  progress?: number;
  file_id?: string | null;
  detail?: string | null;
  result?: string | null;
  error?: string;
}

async function finish(runtime: Runtime, { companyId, taskId }: TaskPayload, ending: Ending): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const task = await ctx.db
      .updateTable('kit.task')
      .set({ finished_at: sql`kit.now()`, ...ending })
      .where('company_id', '=', companyId)
      .where('id', '=', taskId)
      .returning(['title', 'created_by'])
      .executeTakeFirst();
    const { state } = ending;
    if (!task || state === 'cancelled') return;
    await emit(ctx, taskFinished, {
      id: taskId,
      title: task.title,
      userId: task.created_by,
      state,
      fileId: ending.file_id ?? null,
      detail: ending.error ?? ending.detail ?? null,
    });
  });
}

function reporter(runtime: Runtime, payload: TaskPayload): TaskHandle['progress'] {
  let last = 0;
  return async (percent, detail) => {
    if (Date.now() - last < REPORT_EVERY_MS) return;
    last = Date.now();
    const row = await inTenant(runtime, systemPrincipal(payload.companyId), (ctx) =>
      ctx.db
        .updateTable('kit.task')
        .set({ progress: Math.min(99, Math.max(0, Math.floor(percent))), detail: detail ?? null })
        .where('company_id', '=', payload.companyId)
        .where('id', '=', payload.taskId)
        .returning('cancel_requested')
        .executeTakeFirst(),
    );
    if (!row || row.cancel_requested) throw new TaskCancelled();
  };
}

/** What the owner may read of a failure: a refusal's own words, else a general line; the rest goes to the log. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof Error && 'refusal' in error) return error.message;
  return '系统繁忙，请稍后重试';
}

/** The job behind all long tasks: claims, runs the type's definition, writes the outcome. */
export function taskRunner(defs: readonly TaskDef[]) {
  const byType = new Map(defs.map((def) => [def.type, def]));
  return job<TaskPayload>('kit.task', async (runtime, payload) => {
    const row = await claim(runtime, payload);
    if (!row) return;
    const def = byType.get(row.type);
    const handle: TaskHandle = {
      id: payload.taskId,
      companyId: payload.companyId,
      userId: row.created_by,
      userName: row.created_by_name ?? '系统',
      dataScope: (row.data_scope as DataScope | null) ?? undefined,
      progress: reporter(runtime, payload),
    };
    try {
      if (!def) throw new Error(`no task type ${row.type}`);
      const result = await def.run(runtime, handle, row.payload as never);
      await finish(runtime, payload, {
        state: 'done',
        progress: 100,
        file_id: result.fileId ?? null,
        detail: result.detail ?? null,
        result: result.result === undefined ? null : JSON.stringify(result.result),
      });
    } catch (error) {
      if (error instanceof TaskCancelled) return finish(runtime, payload, { state: 'cancelled' });
      const refusal = error instanceof AppError || (error instanceof Error && 'refusal' in error);
      if (!refusal && row.attempts < MAX_ATTEMPTS) throw error;
      runtime.log.warn({ err: error, task: row.type }, 'task failed');
      await finish(runtime, payload, { state: 'failed', error: reasonOf(error) });
    }
  });
}
