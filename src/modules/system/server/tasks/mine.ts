import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { fileOf } from '#kit/server/files.ts';
import { type AnyRoute, FileReply, serve } from '#kit/server/http/serve.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { cancelTask, downloadFile, myTasks, retryTask, type TaskRow } from '../../contract.ts';

const KEEP_DAYS = 7;
const MAX_SHOWN = 50;

async function listMine(ctx: Ctx): Promise<TaskRow[]> {
  const rows = await ctx.db
    .selectFrom('kit.task as t')
    .leftJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 't.company_id').onRef('f.id', '=', 't.file_id'),
    )
    .select([
      't.id',
      't.title',
      't.created_by_name as userName',
      't.state',
      't.progress',
      't.detail',
      't.error',
      't.file_id as fileId',
      'f.name as fileName',
      't.created_at as createdAt',
      't.finished_at as finishedAt',
    ])
    .where('t.company_id', '=', ctx.companyId)
    .where('t.created_by', '=', ctx.userId)
    .where('t.created_at', '>', sql<string>`kit.now() - make_interval(days => ${KEEP_DAYS})`)
    .orderBy('t.id', 'desc')
    .limit(MAX_SHOWN)
    .execute();
  return rows as TaskRow[];
}

/** One's own task; whoever looks after tasks may stop and repeat those of others. */
function within(ctx: Ctx, id: string) {
  const task = ctx.db.updateTable('kit.task').where('company_id', '=', ctx.companyId).where('id', '=', id);
  return can(ctx, 'sys:task:run') ? task : task.where('created_by', '=', ctx.userId);
}

async function cancel(ctx: Ctx, id: string): Promise<void> {
  const row = await within(ctx, id)
    .set({
      cancel_requested: true,
      state: sql<string>`CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END`,
      finished_at: sql<string>`CASE WHEN state = 'queued' THEN kit.now() ELSE finished_at END`,
    })
    .where('state', 'in', ['queued', 'running'])
    .returning('id')
    .executeTakeFirst();
  if (!row) throw notFound('任务不存在或已结束');
}

async function retry(ctx: Ctx, id: string): Promise<void> {
  const row = await within(ctx, id)
    .set({ state: 'queued', progress: 0, error: null, cancel_requested: false, attempts: 0, finished_at: null })
    .where('state', 'in', ['failed', 'cancelled'])
    .returning('id')
    .executeTakeFirst();
  if (!row) throw notFound('任务不存在或不能重试');
  await enqueue(ctx, 'kit.task', { companyId: ctx.companyId, taskId: id }, { key: `task:${id}` });
}

export const taskRoutes: AnyRoute[] = [
  serve(myTasks, (ctx) => listMine(ctx)),
  serve(cancelTask, async (ctx, { params }) => {
    await cancel(ctx, params.id);
    return 'success' as const;
  }),
  serve(retryTask, async (ctx, { params }) => {
    await retry(ctx, params.id);
    return 'success' as const;
  }),
  serve(downloadFile, async (ctx, { params }) => {
    const file = await fileOf(ctx, params.id);
    // Results of exports belong to who asked for them; raw reports have a right of their own.
    if (file.created_by !== ctx.userId) throw notFound('文件不存在或已过期');
    return new FileReply(file.name, file.media_type, ctx.runtime.files.open(ctx.companyId, file.sha256));
  }),
];
