import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { type DocumentKind, note, transition } from '#kit/server/document.ts';
import { AppError, conflict, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { TaskCancelled, task } from '#kit/server/jobs/define.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { inTenant, type Runtime, taskPrincipal } from '#kit/server/runtime.ts';
import { type commitUpload, ORDER_LIST, reportUpload } from '../../contract/uploads.ts';
import { FileRefused } from '../files/index.ts';
import { remindOfUpload } from '../reminders.ts';
import { LOAD_TIMEOUT_MS, loadDocument, markLoaded, sourceOf } from '../reports/load.ts';
import type { LandCounts, ReportSource } from '../streams.ts';
import { type Batch, findBatch, lockBatch } from './batches.ts';
import { goodLines, orderListLoaderOf, readOrderList } from './order-list.ts';
import { fileRefusal } from './receive.ts';
import { remembering, undo, undoObstacle } from './undo.ts';

export type CommitReply = Reply<typeof commitUpload>;
type Follow = (source: ReportSource) => ReportSource;

/** Rows above which a file loads in the background, with progress. */
export const TASK_ROWS = 50_000;
const TASK_TYPE = 'marketplace.upload.commit';
const FAULT = '系统繁忙，请稍后重试';

async function loadOrderList(ctx: Ctx, batch: Batch, follow: Follow): Promise<LandCounts> {
  const loader = orderListLoaderOf(ctx.runtime);
  if (!loader || !batch.mapping || !batch.marketplace_id) throw refused('暂不支持导入订单列表', 'B0331');
  const source = follow(await sourceOf(ctx, batch.document_id));
  const reading = await readOrderList(source.open, batch.mapping, batch.options ?? {}, batch.marketplace_id);
  const counts = await loader.load(ctx, source.account, batch.marketplace_id, goodLines(reading), batch.sha256);
  await markLoaded(ctx, batch.document_id, counts);
  return counts;
}

async function load(ctx: Ctx, batch: Batch, follow: Follow): Promise<void> {
  let counts: LandCounts = { rowsIn: 0, inserted: 0, updated: 0, unchanged: 0 };
  const undoable = await remembering(ctx, batch, async () => {
    counts =
      batch.report_type === ORDER_LIST
        ? await loadOrderList(ctx, batch, follow)
        : await loadDocument(ctx, batch.document_id, follow);
  });
  await ctx.db
    .updateTable('marketplace.upload_batch')
    .set({
      inserted: counts.inserted,
      updated: counts.updated,
      unchanged: counts.unchanged,
      quarantined: counts.quarantined ?? 0,
      error: null,
      undoable,
      loaded_at: sql`kit.now()`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', batch.id)
    .execute();
}

/** The document kind of uploads; `follow` may watch the bytes while they load. */
export function uploadKind(follow: Follow = (source) => source): DocumentKind<Batch> {
  return {
    def: reportUpload,
    table: 'marketplace.upload_batch',
    load: findBatch,
    rules: {
      commit: {
        run: (ctx, batch) => load(ctx, batch, follow),
      },
      revert: { guard: undoObstacle, run: undo },
    },
  };
}

function replyOf(batch: Batch): CommitReply {
  const { id, state, rows, inserted, updated, unchanged } = batch;
  return { id, state, taskId: null, rows, inserted, updated, unchanged };
}

/** Why a load came to nothing, in words for whoever looks at the batch. */
function reasonOf(error: unknown): string {
  return error instanceof AppError || error instanceof FileRefused ? error.message : FAULT;
}

async function recordFailure(runtime: Runtime, principal: Principal, id: string, error: unknown): Promise<void> {
  await inTenant(runtime, principal, async (ctx) => {
    const reason = reasonOf(error);
    const row = await ctx.db
      .updateTable('marketplace.upload_batch')
      .set({ error: reason })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .where('state', '=', 'checked')
      .returning(['id', 'number'])
      .executeTakeFirst();
    if (!row) return;
    await note(ctx, reportUpload.name, id, { kind: 'note', title: '入库失败，已全部回退', body: reason });
    await remindOfUpload(ctx, row, reason);
  });
}

/**
 * Loads a checked batch, all or nothing. A failure rolls everything back; the batch stays checked and shows why. A
 * batch that somebody has loaded already is answered with what that load did.
 */
async function commitNow(runtime: Runtime, principal: Principal, id: string, follow?: Follow): Promise<CommitReply> {
  try {
    return await inTenant(
      runtime,
      principal,
      async (ctx) => {
        const before = await lockBatch(ctx, id);
        if (before.state !== 'loaded') await transition(ctx, uploadKind(follow), id, 'commit');
        return replyOf(await lockBatch(ctx, id));
      },
      { timeoutMs: LOAD_TIMEOUT_MS },
    );
  } catch (error) {
    const own = error instanceof AppError && error.status !== 200;
    if (!own && !(error instanceof TaskCancelled)) await recordFailure(runtime, principal, id, error);
    throw error instanceof FileRefused ? fileRefusal(error) : error;
  }
}

/** The running task of a batch, or a new one. Two clicks make one task: the batch is locked while it is decided. */
async function inBackground(ctx: Ctx, batch: Batch): Promise<string> {
  if (batch.task_id) {
    const open = await ctx.db
      .selectFrom('kit.task')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', batch.task_id)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst();
    if (open) return open.id;
  }
  const taskId = await startTask(ctx, TASK_TYPE, `报表入库 ${batch.number}`, { batchId: batch.id });
  await ctx.db
    .updateTable('marketplace.upload_batch')
    .set({ task_id: taskId })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', batch.id)
    .execute();
  return taskId;
}

/** Commits a batch: at once where it is small, as a background task where it is large. */
export async function commit(open: OpenCtx, id: string): Promise<CommitReply> {
  const { runtime, principal } = open;
  const queued = await inTenant(runtime, principal, async (ctx) => {
    const batch = await lockBatch(ctx, id);
    if (batch.state === 'loaded') return replyOf(batch);
    if (batch.state !== 'checked') {
      const why = batch.state === 'uploaded' ? batch.error : null;
      throw conflict(why ?? `单据当前为「${reportUpload.states[batch.state].title}」，不能确认入库`);
    }
    if ((batch.rows ?? 0) <= TASK_ROWS) return undefined;
    return { ...replyOf(batch), taskId: await inBackground(ctx, batch) };
  });
  return queued ?? commitNow(runtime, principal, id);
}

/** Counts bytes as they are read; a load reads its file twice, once to prove it and once for its rows. */
function following(size: number, report: (percent: number) => Promise<void>): Follow {
  let seen = 0;
  return (source) => ({
    ...source,
    open: async function* () {
      for await (const chunk of source.open()) {
        seen += chunk.length;
        await report(Math.min(98, (seen / (2 * Math.max(1, size))) * 98));
        yield chunk;
      }
    },
  });
}

/** Size of the unpacked bytes of a batch's file. */
async function plainSize(ctx: Ctx, batchId: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('marketplace.upload_batch as b')
    .innerJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 'b.company_id').onRef('f.id', '=', 'b.file_id'),
    )
    .select('f.size')
    .where('b.company_id', '=', ctx.companyId)
    .where('b.id', '=', batchId)
    .executeTakeFirst();
  return Number(row?.size ?? 0);
}

/** Loads a large batch for the person who committed it. */
export const commitTask = task<{ batchId: string }>(TASK_TYPE, async (runtime, handle, { batchId }) => {
  const principal = taskPrincipal(handle);
  const size = await inTenant(runtime, principal, (ctx) => plainSize(ctx, batchId), { readOnly: true });
  const report = (percent: number) => handle.progress(percent, `已读取 ${Math.round(percent)}%`);
  const reply = await commitNow(runtime, principal, batchId, following(size, report));
  return { detail: `${reply.rows ?? 0} 行`, result: reply };
});
