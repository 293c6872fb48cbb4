import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { AppError, invalid } from '#kit/server/errors.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { OPEN_STATES, SUBMIT } from '../../contract/draft.ts';
import { isBusy } from '../site.ts';
import { type Draft, draftOf, lockDraft, putDraft, RESOURCE } from './row.ts';
import { submit } from './submit.ts';

const JOB = 'publish.scheduled';
const AGAIN_MS = 60_000;

interface Payload {
  companyId: string;
  draftId: string;
}

/** Fingerprint of what a draft says. */
const CONTENT = sql<string>`md5(attributes::text || base::text)`;

const keyOf = (draftId: string): string => `${JOB}:${draftId}`;

async function later(ctx: Ctx, draftId: string, at: Date): Promise<void> {
  await enqueue(ctx, JOB, { companyId: ctx.companyId, draftId } satisfies Payload, { runAt: at, key: keyOf(draftId) });
}

/** Hands a draft in at a time to come, or not any more. @throws 404; 409; 400 for a time that is over */
export async function schedule(
  ctx: Ctx,
  { at, ...named }: { id: string; version: number; at: string | null },
): Promise<{ id: string; version: number }> {
  const draft = await lockDraft(ctx, named, OPEN_STATES);
  if (at !== null && new Date(at) <= ctx.clock.now()) {
    throw invalid([{ field: 'at', title: '提交时间', msg: '提交时间必须晚于现在' }]);
  }
  const saved = await putDraft(ctx, draft.id, {
    submit_at: at,
    problem: null,
    scheduled_by: at === null ? null : ctx.userId,
    scheduled_by_name: at === null ? null : ctx.userName,
    scheduled_content: at === null ? null : CONTENT,
  });
  if (at !== null) await later(ctx, draft.id, new Date(at));
  await audit(ctx, {
    action: at === null ? '取消定时提交商品刊登' : '定时提交商品刊登',
    resource: RESOURCE,
    resourceId: draft.id,
    before: { submitAt: draft.submit_at },
    after: { submitAt: at },
  });
  return saved;
}

/** Whose word it was that the draft goes; what it does is written down under that name. */
function principalOf({ companyId }: Payload, { scheduled_by, scheduled_by_name }: Draft): Principal {
  const system = systemPrincipal(companyId, scheduled_by_name ?? '系统');
  return { ...system, userId: scheduled_by };
}

/** Why a draft whose time has come does not go after all; undefined where it does. */
async function whyNot(ctx: Ctx, draft: Draft): Promise<string | undefined> {
  const { scheduled_by: by, scheduled_by_name: name } = draft;
  // Those who left or were disabled hold no right any more.
  if (by !== null && !(await membersWith(ctx, SUBMIT)).includes(by)) return `计划人 ${name} 已离开或没有提交权限`;
  const { content } = await ctx.db
    .selectFrom('publish.draft')
    .select(CONTENT.as('content'))
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', draft.id)
    .executeTakeFirstOrThrow();
  return content === draft.scheduled_content ? undefined : '定时之后草稿被修改过，请确认后重新提交';
}

async function draftIfThere(ctx: Ctx, draftId: string): Promise<Draft | undefined> {
  try {
    return await draftOf(ctx, draftId);
  } catch (error) {
    if (error instanceof AppError && error.code === 404) return undefined;
    throw error;
  }
}

async function dueDraft(runtime: Runtime, { companyId, draftId }: Payload): Promise<Draft | undefined> {
  return inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const draft = await draftIfThere(ctx, draftId);
    if (!draft?.submit_at || !OPEN_STATES.includes(draft.state)) return undefined;
    const at = new Date(draft.submit_at);
    if (at > ctx.clock.now()) {
      await later(ctx, draftId, at);
      return undefined;
    }
    const why = await whyNot(ctx, draft);
    if (why === undefined) return draft;
    await notSent(ctx, draft, why);
    return undefined;
  });
}

/** Writes down why a draft did not go, and tells whoever planned it. */
async function notSent(ctx: Ctx, draft: Draft, reason: string): Promise<void> {
  await putDraft(ctx, draft.id, { submit_at: null, problem: `定时提交未成功：${reason}` });
  await audit(ctx, {
    action: '定时提交商品刊登未成功',
    resource: RESOURCE,
    resourceId: draft.id,
    after: { reason },
  });
  if (draft.scheduled_by === null) return;
  await remind(ctx, {
    to: [draft.scheduled_by],
    title: `定时提交未成功：${draft.seller_sku}`,
    content: reason,
    event: 'publish.notSent',
    documentType: RESOURCE,
    documentId: draft.id,
  });
}

/** Ends the plan of a draft that was refused; one for which Amazon had no time goes a minute later. */
async function refusedAt(runtime: Runtime, { companyId, draftId }: Payload, error: AppError): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    if (isBusy(error)) return later(ctx, draftId, new Date(ctx.clock.now().getTime() + AGAIN_MS));
    const draft = await draftOf(ctx, draftId, true);
    if (!draft.submit_at) return;
    await notSent(ctx, draft, error.message);
  });
}

/** Hands in a draft whose time has come: one that was handed in, cancelled or put off meanwhile stays as it is. */
export const scheduledJob = job<Payload>(JOB, async (runtime, payload) => {
  const draft = await dueDraft(runtime, payload);
  if (!draft) return;
  try {
    await submit({ runtime, principal: principalOf(payload, draft) }, { id: draft.id, version: draft.version });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await refusedAt(runtime, payload, error);
  }
});
