import type { DocumentDef } from '#kit/contract/document.ts';
import { type ApprovalGate, forFlow } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { act } from '../core/acts.ts';
import { asksAgain } from '../core/again.ts';
import { kindOf, stepsOf } from '../kinds.ts';
import { settingOf } from '../setting.ts';
import { hold } from './advance.ts';
import { conclude } from './conclude.ts';
import { start, submissionOf } from './start.ts';
import { latestOf, logEntry, openOf } from './store.ts';

async function before(ctx: Ctx, def: DocumentDef, id: string, step: string): Promise<void> {
  if (def.approval?.cancel?.includes(step)) return;
  if ((await openOf(ctx, def.name, id)) !== undefined) throw refused('单据审批中，请在审批中处理', 'B0840');
}

/** Ends the approval of a document that is void now; the document itself needs no further step. */
async function drop(ctx: Ctx, def: DocumentDef, id: string, reason: string | undefined): Promise<boolean> {
  const open = await openOf(ctx, def.name, id);
  if (open === undefined) return false;
  await forFlow(ctx, async (flow) => {
    const { kind, instance, state, world } = await hold(flow, open);
    const { state: after, events } = act(world.env, state, { act: 'terminate' });
    await logEntry(flow, instance.id, { action: 'terminate', comment: reason, detail: '单据已作废' });
    await conclude(flow, kind, { instance, before: state, after, ...world }, events, reason ?? '', true);
  });
  return true;
}

async function after(
  ctx: Ctx,
  def: DocumentDef,
  id: string,
  step: string,
  reason: string | undefined,
): Promise<boolean> {
  if (def.approval?.cancel?.includes(step)) return drop(ctx, def, id, reason);
  if (!def.approval?.submit.includes(step)) return false;
  const kind = kindOf(ctx.runtime, def.name);
  const setting = await settingOf(ctx, def.name);
  if (setting.enabled) await start(ctx, kind, setting, id);
  return setting.enabled;
}

async function changed(ctx: Ctx, def: DocumentDef, id: string): Promise<boolean | undefined> {
  const kind = kindOf(ctx.runtime, def.name);
  const setting = await settingOf(ctx, def.name);
  const last = await latestOf(ctx, def.name, id);
  const { reopen } = stepsOf(kind);
  if (!setting.enabled || last?.state !== 'approved' || reopen === undefined) return undefined;
  return forFlow(ctx, async (flow) => {
    const now = await submissionOf(flow, kind, id, ctx.userId);
    if (!asksAgain({ vars: now.subject.vars, amountBase: now.amountBase }, last, kind.fixed ?? [], setting.tolerance)) {
      await logEntry(flow, last.id, { action: 'comment', detail: '审批后修改，在容差以内' });
      return false;
    }
    await kind.take(flow, id, reopen, '修改超出容差，重新审批');
    await start(ctx, kind, setting, id);
    return true;
  });
}

/** Puts the flows between the documents and their steps. */
export const gate: ApprovalGate = {
  before,
  after,
  changed,
  deciding: async (ctx, docType, id) => (await openOf(ctx, docType, id)) !== undefined,
};
