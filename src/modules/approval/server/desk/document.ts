import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, notFound, refused } from '#kit/server/errors.ts';
import { membersAmong } from '#modules/identity/server/index.ts';
import { nodesIn } from '../../contract/flow.ts';
import type { InstanceView, PathStep } from '../../contract/instance.ts';
import { holds } from '../core/condition.ts';
import { worldOf } from '../engine/people.ts';
import { pickFlow } from '../engine/route.ts';
import { choicesOf, submissionOf } from '../engine/start.ts';
import { latestOf } from '../engine/store.ts';
import { kindOf } from '../kinds.ts';
import { settingOf } from '../setting.ts';
import { isInvolved, reaches } from './involved.ts';
import { pathOf } from './path.ts';
import { viewOf } from './view.ts';

interface Document {
  docType: string;
  docId: string;
}

/** How a document stands with approvals. @throws notFound where the caller reaches neither it nor its approval */
export async function approvalOf(ctx: Ctx, { docType, docId }: Document) {
  const kind = kindOf(ctx.runtime, docType);
  const { enabled } = await settingOf(ctx, docType);
  const last = await latestOf(ctx, docType, docId);
  const involved = last !== undefined && (await isInvolved(ctx, last.id));
  if (!involved && !(await reaches(ctx, kind, docId))) throw notFound();
  const current: InstanceView | null = last ? await viewOf(ctx, last.id) : null;
  return { enabled, current, deciding: last !== undefined && ['running', 'suspended'].includes(last.state) };
}

/** How a document would be approved if the caller handed it in now. */
export async function previewOf(
  ctx: Ctx,
  { docType, docId }: Document,
): Promise<{ flowName: string; obstacle: string; path: PathStep[] }> {
  const kind = kindOf(ctx.runtime, docType);
  if (!(await reaches(ctx, kind, docId))) throw notFound();
  const setting = await settingOf(ctx, docType);
  const none = { flowName: '', obstacle: '', path: [] };
  if (!setting.enabled) return { ...none, obstacle: '该单据类型未启用审批' };
  try {
    const submission = await submissionOf(ctx, kind, docId, ctx.userId);
    if (setting.exempt && setting.exempt.rules.length > 0 && holds(setting.exempt, submission.vars))
      return { ...none, flowName: '免审' };
    const flow = await pickFlow(ctx, docType, submission);
    if (!flow) return { ...none, obstacle: '未找到匹配的审批流程，请联系管理员' };
    const chosen = await choicesOf(ctx, docType, docId);
    const { subject, amountBase, vars, initiator } = submission;
    const world = await worldOf(ctx, flow.definition, setting, {
      docType,
      initiator,
      amountBase,
      vars,
      people: subject.people ?? {},
      chosen,
    });
    return { flowName: flow.name, obstacle: '', path: pathOf(flow.definition.steps, world, undefined) };
  } catch (error) {
    if (error instanceof AppError && error.code === 400) return { ...none, obstacle: error.message };
    throw error;
  }
}

/** Picks people for a step that leaves it to the maker. @throws refused where no step of the document's flow does */
export async function choose(
  ctx: Ctx,
  { docType, docId, nodeKey, people }: Document & { nodeKey: string; people: string[] },
): Promise<void> {
  const kind = kindOf(ctx.runtime, docType);
  if (!(await reaches(ctx, kind, docId))) throw notFound();
  const flow = await pickFlow(ctx, docType, await submissionOf(ctx, kind, docId, ctx.userId));
  const node = flow && nodesIn(flow.definition.steps).find(({ key }) => key === nodeKey);
  if (!node || !('who' in node) || !node.who.some(({ from }) => from === 'chosen'))
    throw refused('该节点不由发起人选择', 'B0851');
  if ((await membersAmong(ctx, people)).length < people.length) throw refused('所选人员不存在或已离职', 'B0852');
  await ctx.db
    .insertInto('approval.choice')
    .values({ company_id: ctx.companyId, doc_type: docType, doc_id: docId, node_key: nodeKey, people })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'doc_type', 'doc_id', 'node_key']).doUpdateSet({ people }),
    )
    .execute();
  await audit(ctx, {
    action: '自选审批人',
    resource: 'approval.instance',
    resourceId: docId,
    after: { node: node.name, people },
  });
}
