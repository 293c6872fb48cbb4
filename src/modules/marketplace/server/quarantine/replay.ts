import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, notFound, refused } from '#kit/server/errors.ts';
import { type TaskHandle, task } from '#kit/server/jobs/define.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { inTenant, type Runtime, taskPrincipal } from '#kit/server/runtime.ts';
import { ORDER_LIST } from '../../contract/uploads.ts';
import { FileRefused } from '../files/refusal.ts';
import { titleOfReport } from '../reports/list.ts';
import { afresh, isOver, LOAD_TIMEOUT_MS, loadDocument } from '../reports/load.ts';
import type { LandCounts } from '../streams.ts';

const TASK = 'marketplace.replay';

interface Payload {
  documentIds: string[];
}

/** Reads the document of a report once more, in the background. Returns the task. */
export async function replayOne(ctx: Ctx, requestId: string): Promise<{ taskId: string }> {
  const row = await ctx.db
    .selectFrom('marketplace.report_request as r')
    .innerJoin('marketplace.report_document as d', (join) =>
      join.onRef('d.company_id', '=', 'r.company_id').onRef('d.id', '=', 'r.document_id'),
    )
    .select(['d.id', 'r.report_type', 'd.loaded_at'])
    .where('r.company_id', '=', ctx.companyId)
    .where('r.id', '=', requestId)
    .executeTakeFirst();
  if (!row) throw notFound('报表任务不存在或没有文件');
  if (row.loaded_at === null) throw refused('报表尚未入库', 'B0374');
  await audit(ctx, { action: '重新解析报表', resource: 'marketplace.report', resourceId: requestId });
  const title = `重新解析${titleOfReport(ctx, row.report_type)}`;
  return { taskId: await startTask(ctx, TASK, title, { documentIds: [row.id] } satisfies Payload) };
}

/**
 * Reads every loaded document of a type that is kept still once more, oldest first, so that of two about the same days the newer has the
 * last word. Order lists are read through a mapping of their own and are not among them.
 */
export async function replayType(ctx: Ctx, reportType: string, from: string | undefined): Promise<{ taskId: string }> {
  const rows = await ctx.db
    .selectFrom('marketplace.report_document as d')
    .innerJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 'd.company_id').onRef('f.id', '=', 'd.file_id'),
    )
    .select('d.id')
    .where('d.company_id', '=', ctx.companyId)
    .where('d.report_type', '=', reportType)
    .where('d.report_type', '<>', ORDER_LIST)
    .where('d.loaded_at', 'is not', null)
    .where(isOver, '=', false)
    .$if(from !== undefined, (query) => query.where('d.created_at', '>=', sql<string>`${from}::date`))
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute();
  if (rows.length === 0) throw notFound('没有已入库的报表文件');
  await audit(ctx, { action: '批量重新解析报表', resource: 'marketplace.report', after: { reportType, from } });
  const title = `重新解析${titleOfReport(ctx, reportType)}（${rows.length} 份）`;
  return { taskId: await startTask(ctx, TASK, title, { documentIds: rows.map((row) => row.id) } satisfies Payload) };
}

type Sum = Required<Omit<LandCounts, 'refused'>> & { failed: number };

async function replay(runtime: Runtime, handle: TaskHandle, documentId: string, sum: Sum): Promise<void> {
  try {
    const counts = await inTenant(runtime, taskPrincipal(handle), (ctx) => loadDocument(ctx, documentId, afresh), {
      timeoutMs: LOAD_TIMEOUT_MS,
    });
    for (const key of ['rowsIn', 'inserted', 'updated', 'unchanged', 'quarantined'] as const) {
      sum[key] += counts[key] ?? 0;
    }
  } catch (error) {
    // A document that its loader refuses stays as it is; the others go on.
    if (!(error instanceof FileRefused || error instanceof AppError)) throw error;
    sum.failed += 1;
  }
}

/** Each document in a transaction of its own: replaying is repeatable, so a broken-off task may simply begin anew. */
export const replayTask = task<Payload>(TASK, async (runtime, handle, { documentIds }) => {
  const sum: Sum = { rowsIn: 0, inserted: 0, updated: 0, unchanged: 0, quarantined: 0, failed: 0 };
  for (const [done, documentId] of documentIds.entries()) {
    await handle.progress((done / documentIds.length) * 100, `${done}/${documentIds.length} 份`);
    await replay(runtime, handle, documentId, sum);
  }
  const failed = sum.failed > 0 ? `，${sum.failed} 份无法读取` : '';
  const detail = `${documentIds.length} 份，新增 ${sum.inserted}，更新 ${sum.updated}，隔离 ${sum.quarantined}${failed}`;
  return { detail, result: sum };
});
