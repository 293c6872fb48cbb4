import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { on } from '#kit/server/events.ts';
import { writeEnded, writeRetried } from '#modules/marketplace/server/index.ts';
import { type Document, putDocument } from '../row.ts';
import { adopt } from './adopt.ts';
import { APLUS_WRITE } from './kind.ts';
import { readBackLater } from './read-back.ts';

async function documentOfWrite(ctx: Ctx, writeId: string): Promise<Document | undefined> {
  const row = await ctx.db
    .selectFrom('aplus.document')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('write_id', '=', writeId)
    .forUpdate()
    .executeTakeFirst();
  return row as unknown as Document | undefined;
}

/** What became of the call becomes what became of the step; one that was accepted is read back. */
export const onWriteEnded = on(writeEnded, async (ctx, { writeId, kind, state, problem, answer }) => {
  if (kind !== APLUS_WRITE) return;
  const document = await documentOfWrite(ctx, writeId);
  if (!document?.step) return;
  if (state !== 'done') {
    const words = state === 'cancelled' ? '已撤销，没有提交' : problem;
    await putDocument(ctx, document.id, { step: null, problem: words });
    return;
  }
  const { contentReferenceKey: key } = (answer ?? {}) as { contentReferenceKey?: string };
  if (document.content_key === null && key) await adopt(ctx, document, key);
  if (document.step === 'suspend') await putDocument(ctx, document.id, { suspended_at: sql`kit.now()` });
  await readBackLater(ctx, document.id);
});

/**
 * A step goes out once more only if nothing else was begun since. Content is handed in anew instead: somebody may have
 * written on.
 */
export const onWriteRetried = on(writeRetried, async (ctx, { writeId, kind }) => {
  if (kind !== APLUS_WRITE) return;
  const document = await documentOfWrite(ctx, writeId);
  const step = document?.wish?.step;
  if (!document || document.step !== null || step === undefined || step === 'save') {
    throw conflict('请从「A+内容」重新提交');
  }
  await putDocument(ctx, document.id, { step, problem: null });
});
