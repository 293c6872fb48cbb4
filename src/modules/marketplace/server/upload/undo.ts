import { sql } from 'kysely';
import { formatInteger } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { emit, event } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { reportUpload, UNDO_DAYS, UNDO_ROWS } from '../../contract/uploads.ts';
import type { Batch } from './batches.ts';

/**
 * The rows that an upload had changed are as they were before it. The temporary table of that name holds one row per
 * (relation text, before jsonb, after jsonb): what was put back and what it replaced, null where there was nothing.
 * Whoever keeps sums of those rows makes them anew. Whoever takes back rows of the document by himself, because they must
 * not be deleted, adds them to the counts.
 */
export const uploadUndone = event<{
  table: 'undone_row';
  documentId: string;
  counts: { restored: number; kept: number };
}>('marketplace.uploadUndone');

/** Runs a load so that it can be undone; a larger one is loaded without. Returns whether it can. */
export async function remembering(ctx: Ctx, batch: Batch, load: () => Promise<void>): Promise<boolean> {
  if ((batch.rows ?? 0) > UNDO_ROWS) {
    await load();
    return false;
  }
  await sql`SELECT set_config('app.upload_batch', ${batch.id}, true)`.execute(ctx.db);
  await load();
  await sql`SELECT set_config('app.upload_batch', '', true)`.execute(ctx.db);
  return true;
}

/** Why a loaded batch cannot be undone; undefined where it can. */
export async function undoObstacle(ctx: Ctx, batch: Batch): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.upload_batch')
    .select(['undoable', sql<boolean>`loaded_at < kit.now() - make_interval(days => ${UNDO_DAYS})`.as('old')])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', batch.id)
    .executeTakeFirst();
  if (!row?.undoable) return `超过 ${formatInteger(UNDO_ROWS)} 行或较早版本入库的批次不能撤销`;
  return row.old ? `入库超过 ${UNDO_DAYS} 天，不能撤销` : undefined;
}

/** Forgets that the bytes were loaded, so that the same file may be brought once more. */
async function forget(ctx: Ctx, batch: Batch, restored: number, kept: number): Promise<void> {
  const own = sql`company_id = ${ctx.companyId}`;
  await sql`UPDATE marketplace.upload_batch SET undoable = false, restored = ${restored}, kept = ${kept}
             WHERE ${own} AND id = ${batch.id}`.execute(ctx.db);
  await sql`UPDATE marketplace.report_document SET loaded_at = NULL WHERE ${own} AND id = ${batch.document_id}`.execute(
    ctx.db,
  );
  await sql`UPDATE marketplace.quarantine_row SET state = 'ignored', note = '上传已撤销', settled_at = kit.now()
             WHERE ${own} AND document_id = ${batch.document_id} AND state = 'open'`.execute(ctx.db);
  await sql`DELETE FROM marketplace.upload_undo WHERE ${own} AND batch_id = ${batch.id}`.execute(ctx.db);
}

/** Puts back what a batch changed, but for what somebody else has told since, and lets sums be made anew. */
export async function undo(ctx: Ctx, batch: Batch): Promise<void> {
  const { rows } = await sql<{ restored: number; kept: number }>`
    SELECT restored, kept FROM marketplace.undo_upload(${batch.id}::uuid)`.execute(ctx.db);
  const counts = rows[0] ?? { restored: 0, kept: 0 };
  await emit(ctx, uploadUndone, { table: 'undone_row', documentId: batch.document_id, counts });
  const { restored, kept } = counts;
  await forget(ctx, batch, restored, kept);
  const body = `恢复 ${formatInteger(restored)} 行，${formatInteger(kept)} 行之后有更新而保留`;
  await note(ctx, reportUpload.name, batch.id, { kind: 'note', title: '撤销结果', body });
}

/** What a page says of undoing a batch. */
export function undoNote(batch: {
  state: Batch['state'];
  rows: number | null;
  undoable: boolean;
  restored: number | null;
  kept: number | null;
}): string | null {
  const { state, rows, undoable, restored, kept } = batch;
  if (state === 'checked') {
    return (rows ?? 0) > UNDO_ROWS
      ? `超过 ${formatInteger(UNDO_ROWS)} 行，入库后不能撤销`
      : `入库后 ${UNDO_DAYS} 天内可以撤销：改动的内容恢复为入库前的样子，之后又被其他来源更新的内容保留不动`;
  }
  if (state === 'loaded') {
    return undoable ? '可以撤销：改动的内容恢复为入库前的样子，之后又被其他来源更新的内容保留不动' : '该批次不能撤销';
  }
  if (state !== 'reverted') return null;
  return `已恢复 ${formatInteger(restored ?? 0)} 行，${formatInteger(kept ?? 0)} 行之后有更新而保留`;
}

/** Every night: the images of batches that can no longer be undone go. */
export const purgeUndo = job<object>('marketplace.purgeUndo', async (runtime) => {
  await inSystem(runtime, async (db) => {
    await sql`DELETE FROM marketplace.upload_undo
               WHERE noted_at < kit.now() - make_interval(days => ${UNDO_DAYS})`.execute(db);
  });
});
