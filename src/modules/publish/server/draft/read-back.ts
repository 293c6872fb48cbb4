import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  ApiRefused,
  AuthLost,
  accountOf,
  ComeBackLater,
  createSpApi,
  remindOfWrite,
  wakeStream,
} from '#modules/marketplace/server/index.ts';
import { storedForm } from '../definition.ts';
import { labelOf, notShown } from '../form/values.ts';
import { draftIssues, type Live, liveOf, problemWords } from '../live.ts';
import { type Draft, draftOf, json, putDraft } from './row.ts';
import { keepVersion } from './versions.ts';

/** Pauses before a listing is read again whose submission was accepted, minutes: six hours in all. */
const READ_BACK_MIN = [1, 2, 5, 10, 15, 30, 60, 60, 60, 60, 60];
/** The first pause between two tries of a call is 2 s where nothing else is set: minutes shrink with it in tests. */
const USUAL_BASE_MS = 2_000;

interface ReadBack {
  companyId: string;
  draftId: string;
  round: number;
}

/** Has a listing read again until it shows what was sent. */
export async function readBackLater(ctx: Ctx, draftId: string, round = 0): Promise<void> {
  const shrink = Math.min(1, ctx.runtime.config.retryBaseMs / USUAL_BASE_MS);
  const runAt = new Date(ctx.runtime.clock.ms() + (READ_BACK_MIN[round] ?? 0) * 60_000 * shrink);
  const payload: ReadBack = { companyId: ctx.companyId, draftId, round };
  await enqueue(ctx, 'publish.readBack', payload, { key: `publishBack:${draftId}`, runAt });
}

/** What a look at the listing says of a draft that is being processed. */
async function land(ctx: Ctx, draft: Draft, live: Live | undefined, round: number): Promise<void> {
  const form = await storedForm(ctx, draft);
  const missing = live ? notShown(live.attributes, draft.sent ?? {}) : Object.keys(draft.sent ?? {});
  const issues = draftIssues(form, live?.issues ?? []);
  const trouble = problemWords(issues);
  if (live && missing.length === 0) {
    const state = trouble === undefined ? 'live' : 'troubled';
    await putDraft(ctx, draft.id, {
      state,
      problem: trouble ?? null,
      issues: json(issues),
      live_at: sql`kit.now()`,
      title: live.title ?? draft.title,
      image: live.image ?? draft.image,
      asin: live.asin ?? draft.asin,
    });
    await keepVersion(ctx, draft, {
      attributes: live.attributes,
      source: 'live',
      by: draft.submitted_by_name ?? draft.created_by_name,
    });
    await wakeStream(ctx, { accountId: draft.account_id, marketplaceId: draft.marketplace_id, stream: 'listings' });
    if (trouble !== undefined && draft.write_id) await remindOfWrite(ctx, draft.write_id, trouble);
    return;
  }
  if (round + 1 < READ_BACK_MIN.length) return readBackLater(ctx, draft.id, round + 1);
  const names = missing.map((name) => labelOf(form, name)).join('、');
  const problem = trouble ?? `亚马逊已受理，但六小时后仍未显示：${names}，请在卖家后台核实`;
  const state = live && trouble !== undefined ? 'troubled' : 'unconfirmed';
  await putDraft(ctx, draft.id, { state, problem: problem.slice(0, 1000), issues: json(issues) });
  if (draft.write_id) await remindOfWrite(ctx, draft.write_id, problem);
}

/**
 * Reads a listing until it shows what was accepted, for six hours. The listing's own row is written by its stream, which is
 * woken once the marketplace shows the change.
 */
export const readBackJob = job<ReadBack>('publish.readBack', async (runtime, { companyId, draftId, round }) => {
  const inCompany = <T>(work: (ctx: Ctx) => Promise<T>) => inTenant(runtime, systemPrincipal(companyId), work);
  const found = await inCompany(async (ctx) => {
    const row = await ctx.db
      .selectFrom('publish.draft')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '=', draftId)
      .where('state', '=', 'processing')
      .executeTakeFirst();
    if (!row) return undefined;
    const draft = await draftOf(ctx, draftId);
    const account = await accountOf(ctx.db, companyId, draft.account_id);
    return account && { draft, account };
  });
  if (!found) return;
  const { draft, account } = found;
  const api = createSpApi(runtime, account, { calls: 0, throttled: 0 });
  let live: Live | undefined;
  try {
    live = await liveOf({ api, account, marketplaceId: draft.marketplace_id }, draft.seller_sku);
  } catch (error) {
    // Nobody knows: the next round looks again.
    if (!(error instanceof ApiRefused || error instanceof AuthLost || error instanceof ComeBackLater)) throw error;
  }
  await inCompany(async (ctx) => {
    const now = await draftOf(ctx, draftId, true);
    if (now.state === 'processing') await land(ctx, now, live, round);
  });
});
