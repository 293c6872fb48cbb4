import type { Approvable } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { examined, remind } from '#modules/message/server/index.ts';
import { InstanceState } from '../../contract/instance.ts';
import type { FlowEvent, FlowState } from '../core/state.ts';
import { begun, type Change } from './save.ts';
import { logEntry } from './store.ts';

/** Events that people subscribe to. */
export const TASK_EVENT = 'approval.task';
export const RESULT_EVENT = 'approval.result';

function about({ def }: Approvable, { instance }: Pick<Change, 'instance'>) {
  return { documentType: def.name, documentId: instance.docId, words: `${def.title} ${instance.number}` };
}

/** Who is asked now. */
function asked({ tasks }: FlowState): Set<string> {
  return new Set(tasks.filter(({ state }) => state === 'pending').map(({ person }) => person));
}

/** What asked somebody who is not asked any more counts as read. */
async function excuse(ctx: Ctx, kind: Approvable, { instance, before, after }: Change): Promise<void> {
  const still = asked(after);
  const people = [...asked(before)].filter((person) => !still.has(person));
  await examined(ctx, { documentType: kind.def.name, documentId: instance.docId, people });
}

/** Asks those whose turn has come; who stands in for somebody reads for whom. */
async function ask(ctx: Ctx, kind: Approvable, change: Change): Promise<void> {
  const { words, ...document } = about(kind, change);
  for (const task of begun(change)) {
    const { node } = change.env.plan.at(task.node);
    const instead = task.insteadOf === null ? '' : `（代${change.chart.members.get(task.insteadOf)?.name ?? ''}）`;
    await remind(ctx, {
      ...document,
      to: [task.person],
      event: TASK_EVENT,
      approval: true,
      title: `${words} ${node.type === 'handle' ? '待您办理' : '待您审批'}${instead}`,
      content: `${change.instance.summary}\n发起人：${change.instance.initiatorName}，节点：${node.name}`,
      dedupeKey: `${TASK_EVENT}:${change.instance.id}:${task.no}:${change.after.round}:${change.after.visits}`,
    });
  }
}

async function tellEvent(ctx: Ctx, kind: Approvable, change: Change, event: FlowEvent): Promise<void> {
  const { words, ...document } = about(kind, change);
  const { node } = change.env.plan.at(event.node);
  const { id } = change.instance;
  const nameOf = (person: string) => change.chart.members.get(person)?.name ?? '';
  if (event.event === 'repeated') {
    await logEntry(ctx, id, { action: 'auto', node: node.name, detail: `${nameOf(event.person)} 已审批过，自动同意` });
    return;
  }
  if (event.event === 'nobody') {
    const fate = {
      admin: '已转交流程管理员',
      people: '已转交指定成员',
      approve: '自动通过',
      reject: '自动拒绝',
      suspend: '流程挂起',
    };
    await logEntry(ctx, id, {
      action: 'nobody',
      node: node.name,
      detail: `节点「${node.name}」没有可用审批人，${fate[event.policy]}`,
    });
    return;
  }
  await ctx.db
    .insertInto('approval.copy')
    .values(
      event.people.map((user) => ({ company_id: ctx.companyId, instance_id: id, user_id: user, node_name: node.name })),
    )
    .onConflict((conflict) => conflict.columns(['company_id', 'instance_id', 'user_id']).doNothing())
    .execute();
  await logEntry(ctx, id, { action: 'copy', node: node.name, detail: event.people.map(nameOf).join('、') });
  await remind(ctx, {
    ...document,
    to: event.people,
    event: RESULT_EVENT,
    title: `${words} 抄送给您`,
    content: change.instance.summary,
    dedupeKey: `${RESULT_EVENT}:${id}:copy:${node.key}:${change.after.round}`,
  });
}

/** Tells the maker how it ended, unless he ended it himself. */
async function tellEnd(ctx: Ctx, kind: Approvable, change: Change, comment: string): Promise<void> {
  const { words, ...document } = about(kind, change);
  const { initiatorId, id } = change.instance;
  const title = InstanceState.meta()?.states?.[change.after.status]?.title ?? '';
  if (initiatorId === null || initiatorId === ctx.userId || change.after.status === 'running') return;
  await remind(ctx, {
    ...document,
    to: [initiatorId],
    event: RESULT_EVENT,
    title: `${words} ${title}`,
    content: `${change.instance.summary}\n${ctx.userName}：${comment || title}`,
    dedupeKey: `${RESULT_EVENT}:${id}:${change.after.status}:${change.after.round}`,
  });
}

/** Calls the administrators where a flow stands still. */
async function call(ctx: Ctx, kind: Approvable, change: Change): Promise<void> {
  const { words, ...document } = about(kind, change);
  await remind(ctx, {
    ...document,
    to: change.admins,
    event: TASK_EVENT,
    title: `${words} 审批已挂起，请改派审批人`,
    content: change.instance.summary,
    dedupeKey: `${TASK_EVENT}:${change.instance.id}:suspended:${change.after.visits}`,
  });
}

/** Messages and log entries of everything that an act set off. */
export async function tellChange(
  ctx: Ctx,
  kind: Approvable,
  change: Change,
  events: readonly FlowEvent[],
  comment: string,
): Promise<void> {
  for (const event of events) await tellEvent(ctx, kind, change, event);
  await excuse(ctx, kind, change);
  await ask(ctx, kind, change);
  if (change.before.status === change.after.status) return;
  if (change.after.status === 'suspended') await call(ctx, kind, change);
  else await tellEnd(ctx, kind, change, comment);
}
