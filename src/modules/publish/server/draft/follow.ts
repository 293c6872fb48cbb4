import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { on } from '#kit/server/events.ts';
import { writeEnded, writeRetried } from '#modules/marketplace/server/index.ts';
import type { DraftState } from '../../contract/draft.ts';
import { storedForm } from '../definition.ts';
import { type ApiIssue, draftIssues, problemWords } from '../live.ts';
import { readBackLater } from './read-back.ts';
import { type Draft, json, putDraft } from './row.ts';
import { LISTING_WRITE } from './submit.ts';

async function draftOfWrite(ctx: Ctx, writeId: string): Promise<Draft | undefined> {
  const row = await ctx.db
    .selectFrom('publish.draft')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('write_id', '=', writeId)
    .forUpdate()
    .executeTakeFirst();
  return row as unknown as Draft | undefined;
}

const ENDS: Readonly<Record<string, DraftState>> = {
  done: 'processing',
  refused: 'rejected',
  unknown: 'unconfirmed',
  cancelled: 'cancelled',
};

/** What became of the call becomes what became of the draft; one that was accepted is looked for on the listing. */
export const onWriteEnded = on(writeEnded, async (ctx, { writeId, kind, state, problem, answer }) => {
  if (kind !== LISTING_WRITE) return;
  const draft = await draftOfWrite(ctx, writeId);
  if (draft?.state !== 'queued') return;
  const { issues = [] } = (answer ?? {}) as { issues?: readonly ApiIssue[] };
  const told = draftIssues(await storedForm(ctx, draft), issues);
  await putDraft(ctx, draft.id, {
    state: ENDS[state],
    issues: json(told),
    problem: state === 'done' ? null : state === 'refused' ? (problemWords(told) ?? problem) : problem,
    ...(state === 'done' ? { accepted_at: sql`kit.now()` } : {}),
  });
  if (state === 'done') await readBackLater(ctx, draft.id);
});

/** A submission goes out once more only if nothing newer is on its way for the listing. */
export const onWriteRetried = on(writeRetried, async (ctx, { writeId, kind }) => {
  if (kind !== LISTING_WRITE) return;
  const draft = await draftOfWrite(ctx, writeId);
  const mayGo = draft?.state === 'rejected' || draft?.state === 'unconfirmed';
  if (!draft || !mayGo) throw conflict('草稿已修改或已经结束，请从商品刊登提交');
  const newer = await ctx.db
    .selectFrom('publish.draft')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', draft.account_id)
    .where('marketplace_id', '=', draft.marketplace_id)
    .where('seller_sku', '=', draft.seller_sku)
    .where('state', 'in', ['queued', 'processing'])
    .executeTakeFirst();
  if (newer) throw conflict('该商品有正在处理的提交，请等待其结束');
  await putDraft(ctx, draft.id, { state: 'queued', problem: null, issues: '[]', accepted_at: null });
});
