import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { membersAmong } from '#modules/identity/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { ACTIONS, type Action, InstanceState } from '../../contract/instance.ts';
import type { Act } from '../core/acts.ts';
import { agreed } from '../core/state.ts';
import { advance, type Held, type Said, takeBack, taskAt } from '../engine/advance.ts';
import { logEntry } from '../engine/store.ts';
import { RESULT_EVENT, TASK_EVENT } from '../engine/tell.ts';
import { kindOf } from '../kinds.ts';
import { isInvolved, requireSight } from './involved.ts';

export interface OnTask {
  taskId: string;
  comment: string;
}

export interface OnInstance {
  instanceId: string;
  comment: string;
}

async function acted(ctx: Ctx, id: string, action: Action) {
  const row = await ctx.db
    .selectFrom('approval.instance')
    .select(['state', 'number'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const state = InstanceState.parse(row.state);
  const title = InstanceState.meta()?.states?.[state]?.title ?? '';
  return {
    instanceId: id,
    state,
    message: `${row.number} 已${ACTIONS[action]}${state === 'running' ? '' : `，${title}`}`,
  };
}

/** @throws refused for somebody who is not here any more */
export async function requirePeople(ctx: Ctx, people: readonly string[]): Promise<void> {
  const wanted = new Set(people);
  if ((await membersAmong(ctx, [...wanted])).length < wanted.size) throw refused('所选人员不存在或已离职', 'B0852');
}

/** An act of the person whose task it is. */
export async function onTask(
  ctx: Ctx,
  { taskId, comment }: OnTask,
  action: Action,
  what: (held: Held, own: { task: number; by: string }, said: Said) => Act | Promise<Act>,
) {
  const { instance, no } = await taskAt(ctx, taskId);
  const by = ctx.userId ?? '';
  if (!(await isInvolved(ctx, instance))) throw notFound();
  const said: Said = { action, comment };
  await advance(ctx, instance, said, (held) => what(held, { task: no, by }, said));
  return acted(ctx, instance, action);
}

export async function transferTo(ctx: Ctx, input: OnTask & { to: string }) {
  await requirePeople(ctx, [input.to]);
  return onTask(ctx, input, 'transfer', ({ world }, own) => {
    if (input.to === ctx.userId) throw refused('不能转交给本人', 'B0853');
    return { act: 'transfer', ...own, to: world.standingFor(input.to) };
  });
}

export async function signBy(ctx: Ctx, input: OnTask & { people: string[]; how: 'before' | 'after' | 'parallel' }) {
  await requirePeople(ctx, input.people);
  return onTask(ctx, input, 'sign', ({ world }, own) => {
    const others = [...new Set(input.people)].filter((id) => id !== ctx.userId);
    if (others.length < input.people.length) throw refused('不能加签本人', 'B0853');
    return { act: 'sign', ...own, how: input.how, people: others.map(world.standingFor) };
  });
}

function requireMaker(ctx: Ctx, { instance }: Held): void {
  if (instance.initiatorId === null || instance.initiatorId !== ctx.userId)
    throw refused('只有发起人可以操作', 'B0855');
}

async function requireOwn(ctx: Ctx, instanceId: string) {
  const row = await ctx.db
    .selectFrom('approval.instance')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', instanceId)
    .executeTakeFirst();
  if (!row) throw notFound();
  await requireSight(ctx, kindOf(ctx.runtime, row.doc_type), row.id, row.doc_id);
  return row;
}

export async function withdrawBy(ctx: Ctx, { instanceId, comment }: OnInstance) {
  await requireOwn(ctx, instanceId);
  await advance(ctx, instanceId, { action: 'withdraw', comment }, (held) => {
    requireMaker(ctx, held);
    const touched = held.state.tasks.some(
      (task) => (agreed(task) && task.state !== 'auto') || task.state === 'returned',
    );
    if (touched && held.setting.withdraw !== 'always') throw refused('审批人已处理，不能撤回', 'B0856');
    return { act: 'withdraw' };
  });
  return acted(ctx, instanceId, 'withdraw');
}

export async function takeBackBy(ctx: Ctx, { instanceId, comment }: OnInstance) {
  await requireOwn(ctx, instanceId);
  await takeBack(ctx, instanceId, comment);
  return acted(ctx, instanceId, 'takeBack');
}

export async function terminateBy(ctx: Ctx, { instanceId, comment }: OnInstance) {
  await requireOwn(ctx, instanceId);
  await advance(ctx, instanceId, { action: 'terminate', comment }, () => ({ act: 'terminate' }));
  return acted(ctx, instanceId, 'terminate');
}

export async function reassignBy(ctx: Ctx, input: OnInstance & { nodeKey: string; people: string[] }) {
  await requireOwn(ctx, input.instanceId);
  await requirePeople(ctx, input.people);
  await advance(ctx, input.instanceId, { action: 'reassign', comment: input.comment }, ({ world }) => ({
    act: 'reassign',
    node: input.nodeKey,
    people: [...new Set(input.people)].map(world.standingFor),
  }));
  return acted(ctx, input.instanceId, 'reassign');
}

const URGE_HOURS = 2;

/** 催办: tells everybody who is waited for, at most once in two hours. @throws refused B0857 */
export async function urgeBy(ctx: Ctx, { instanceId, comment }: OnInstance) {
  const row = await requireOwn(ctx, instanceId);
  if (row.initiator_id !== ctx.userId) throw refused('只有发起人可以操作', 'B0855');
  if (row.state !== 'running') throw refused('审批已结束，无需催办', 'B0857');
  await sql`SELECT FROM approval.instance WHERE company_id = ${ctx.companyId} AND id = ${instanceId} FOR UPDATE`.execute(
    ctx.db,
  );
  const { rows } = await sql<{ person: string; lately: boolean }>`
    SELECT t.assignee_id AS person, EXISTS (SELECT FROM approval.log AS l WHERE l.company_id = t.company_id
             AND l.instance_id = t.instance_id AND l.action = 'urge'
             AND l.at > kit.now() - make_interval(hours => ${URGE_HOURS})) AS lately
      FROM approval.task AS t
     WHERE t.company_id = ${ctx.companyId} AND t.instance_id = ${instanceId} AND t.state = 'pending'`.execute(ctx.db);
  if (rows.some(({ lately }) => lately)) throw refused('2小时内只能催办一次', 'B0857');
  const { def } = kindOf(ctx.runtime, row.doc_type);
  await remind(ctx, {
    to: rows.map(({ person }) => person),
    event: TASK_EVENT,
    approval: true,
    documentType: def.name,
    documentId: row.doc_id,
    title: `${def.title} ${row.number} 催办：请尽快审批`,
    content: `${ctx.userName}：${comment || row.summary}`,
  });
  await logEntry(ctx, instanceId, { action: 'urge', comment });
  await audit(ctx, {
    action: `${def.title}·催办`,
    resource: 'approval.instance',
    resourceId: instanceId,
    after: { number: row.number },
  });
  return acted(ctx, instanceId, 'urge');
}

/** Tells people of an approval; they may read it from then on. */
export async function copyBy(ctx: Ctx, { instanceId, people, comment }: OnInstance & { people: string[] }) {
  const row = await requireOwn(ctx, instanceId);
  await requirePeople(ctx, people);
  const { def } = kindOf(ctx.runtime, row.doc_type);
  await ctx.db
    .insertInto('approval.copy')
    .values(
      [...new Set(people)].map((user) => ({
        company_id: ctx.companyId,
        instance_id: instanceId,
        user_id: user,
        node_name: row.current_nodes,
      })),
    )
    .onConflict((conflict) => conflict.columns(['company_id', 'instance_id', 'user_id']).doNothing())
    .execute();
  await remind(ctx, {
    to: people,
    event: RESULT_EVENT,
    documentType: def.name,
    documentId: row.doc_id,
    title: `${def.title} ${row.number} 抄送给您`,
    content: `${ctx.userName}：${comment || row.summary}`,
  });
  await logEntry(ctx, instanceId, { action: 'copy', comment });
  await audit(ctx, {
    action: `${def.title}·抄送`,
    resource: 'approval.instance',
    resourceId: instanceId,
    after: { number: row.number, people },
  });
  return acted(ctx, instanceId, 'copy');
}

export async function commentBy(ctx: Ctx, { instanceId, comment }: OnInstance) {
  const row = await requireOwn(ctx, instanceId);
  const { def } = kindOf(ctx.runtime, row.doc_type);
  await logEntry(ctx, instanceId, { action: 'comment', comment });
  await audit(ctx, {
    action: `${def.title}·评论`,
    resource: 'approval.instance',
    resourceId: instanceId,
    after: { number: row.number, comment },
  });
  return acted(ctx, instanceId, 'comment');
}

/** Marks the caller's copies as read; the first time counts. @throws notFound where he was sent none */
export async function readCopy(ctx: Ctx, instanceId: string): Promise<void> {
  const { rows } = await sql`
    UPDATE approval.copy SET read_at = coalesce(read_at, kit.now())
     WHERE company_id = ${ctx.companyId} AND instance_id = ${instanceId} AND user_id = ${ctx.userId}
    RETURNING 1`.execute(ctx.db);
  if (rows.length === 0) throw notFound();
}
