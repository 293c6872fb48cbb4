import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type JobFilter, JobRow } from '../../contract/jobs.ts';
import type { TaskRow } from '../../contract.ts';

async function filtered(ctx: Ctx, filter: JobFilter) {
  let query = ctx.db
    .selectFrom('kit.task as t')
    .leftJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 't.company_id').onRef('f.id', '=', 't.file_id'),
    )
    .where('t.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('t.state', '=', filter.state);
  if (filter.search) {
    const like = containing(filter.search);
    query = query.where((eb) => eb.or([eb('t.title', 'ilike', like), eb('t.created_by_name', 'ilike', like)]));
  }
  const { from, to } = filter.created ?? {};
  if (from || to) {
    const { zone } = ctx.clock;
    if (from) query = query.where('t.created_at', '>=', sql<string>`${from}::timestamp AT TIME ZONE ${zone}`);
    if (to) query = query.where('t.created_at', '<', sql<string>`(${to}::date + 1)::timestamp AT TIME ZONE ${zone}`);
  }
  return query;
}

/** Long tasks of everybody in the company. */
export async function jobPage(ctx: Ctx, request: PageRequest<JobFilter>): Promise<PageOf<JobRow>> {
  const query = (await filtered(ctx, request.filter)).select([
    't.id',
    't.title',
    't.created_by_name as userName',
    't.state',
    't.progress',
    sql<string | null>`coalesce(t.error, t.detail)`.as('detail'),
    sql<number | null>`extract(epoch FROM coalesce(t.finished_at, kit.now()) - t.started_at)::int`.as('took'),
    't.file_id as fileId',
    'f.name as fileName',
    't.created_at as createdAt',
    't.finished_at as finishedAt',
    't.attempts',
    sql<boolean>`t.created_by = ${ctx.userId} IS TRUE`.as('mine'),
  ]);
  return page(ctx, request, {
    row: JobRow,
    query: listQuery<JobRow>(query),
    sort: { createdAt: 't.created_at', finishedAt: 't.finished_at', progress: 't.progress' },
    order: [['t.id', 'desc']],
    key: 't.id',
    map: (row: JobRow) => row,
  });
}

/** Number of tasks by state, over the other filters. */
export async function jobCounts(ctx: Ctx, { state: _, ...filter }: JobFilter): Promise<Record<string, number>> {
  const rows = await (await filtered(ctx, filter))
    .select(['t.state', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('t.state')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.state, row.n]));
}

/** @throws AppError 404 */
export async function jobLines(ctx: Ctx, id: string) {
  const rows = await ctx.db
    .selectFrom('system.task_line')
    .select(['at', 'state', 'progress', 'attempt', 'text'])
    .where('company_id', '=', ctx.companyId)
    .where('task_id', '=', id)
    .orderBy('id')
    .limit(1000)
    .execute();
  if (rows.length === 0) throw notFound('任务不存在');
  return rows.map((row) => ({ ...row, state: row.state as TaskRow['state'] }));
}

/** @throws AppError 404 for a task of somebody else */
export async function progressOf(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('kit.task')
    .select(['id as key', 'state', 'progress', 'detail', 'error', 'file_id as fileId'])
    .where('company_id', '=', ctx.companyId)
    .where('created_by', '=', ctx.userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('任务不存在');
  return { ...row, state: row.state as TaskRow['state'] };
}
