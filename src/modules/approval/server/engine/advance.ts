import { sql } from 'kysely';
import { type Approvable, forFlow } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { Setting } from '../../contract/config.ts';
import { ACTIONS, type Action } from '../../contract/instance.ts';
import { type Act, act, takenBack } from '../core/acts.ts';
import type { World } from '../core/people.ts';
import type { FlowState, Task } from '../core/state.ts';
import { kindOf } from '../kinds.ts';
import { settingOf } from '../setting.ts';
import { conclude } from './conclude.ts';
import { worldOf } from './people.ts';
import { caseOf, choicesOf } from './start.ts';
import { hashOf, type Instance, lockInstance, logEntry, stateOf, type Undo } from './store.ts';

/** An approval whose document and instance are locked, with all that an act needs. */
export interface Held {
  kind: Approvable;
  setting: Setting;
  instance: Instance;
  state: FlowState;
  world: World;
  /** Whom somebody picked, by step: what `world` goes by. */
  chosen: Record<string, string[]>;
}

/** The instance and the number of a task. @throws notFound */
export async function taskAt(ctx: Ctx, id: string): Promise<{ instance: string; no: number }> {
  const row = await ctx.db
    .selectFrom('approval.task')
    .select(['instance_id as instance', 'no'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Locks the document, then its approval: in this order everywhere, so that no two wait for each other. */
export async function hold(ctx: Ctx, instanceId: string): Promise<Held> {
  const seen = await ctx.db
    .selectFrom('approval.instance')
    .select(['doc_type', 'doc_id'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', instanceId)
    .executeTakeFirst();
  if (!seen) throw notFound();
  const kind = kindOf(ctx.runtime, seen.doc_type);
  await sql`
    SELECT FROM ${sql.table(kind.table)} WHERE company_id = ${ctx.companyId} AND id = ${seen.doc_id} FOR UPDATE`.execute(
    ctx.db,
  );
  const instance = await lockInstance(ctx, instanceId);
  const setting = await settingOf(ctx, instance.docType);
  const chosen = await choicesOf(ctx, instance.docType, instance.docId);
  const world = await worldOf(ctx, instance.definition, setting, caseOf(instance.docType, instance, chosen));
  return { kind, setting, instance, state: await stateOf(ctx, instance), world, chosen };
}

/** @throws conflict where the document is not what people were asked to decide about */
async function requireSame(ctx: Ctx, { kind, instance }: Held): Promise<void> {
  if (hashOf(await kind.subject(ctx, instance.docId)) !== instance.docHash) {
    throw conflict('单据内容已变化，请刷新后再审批');
  }
}

function undoOf(ctx: Ctx, by: string | null, { instance, state }: Held): Undo | null {
  if (by === null) return null;
  return {
    by,
    at: ctx.runtime.clock.now().toISOString(),
    position: instance.position,
    tasks: state.tasks.map((task) => task.state),
  };
}

export interface Said {
  action: Action;
  comment?: string | undefined;
  detail?: string | undefined;
}

async function record(ctx: Ctx, { kind, instance, world }: Held, said: Said, task: Task | undefined): Promise<void> {
  const principal = task?.insteadOf ? (world.chart.members.get(task.insteadOf)?.name ?? null) : null;
  const node = task && world.env.plan.at(task.node).node.name;
  await logEntry(ctx, instance.id, {
    action: said.action,
    node,
    comment: said.comment,
    detail: said.detail,
    principal,
  });
  await audit(ctx, {
    action: `${kind.def.title}·审批${ACTIONS[said.action]}`,
    resource: 'approval.instance',
    resourceId: instance.id,
    after: {
      number: instance.number,
      ...(node ? { node } : {}),
      ...(principal ? { onBehalfOf: principal } : {}),
      ...(said.comment ? { comment: said.comment } : {}),
    },
  });
}

/**
 * Carries out one act in one transaction that holds the document and the approval: the act, the steps that it sets off
 * until people are asked again or the flow ends, the document's own step, the messages.
 * @param what from the locked state: what to do. It may refuse.
 * @throws conflict 「该审批已被处理」 for whoever came second
 */
export async function advance(
  ctx: Ctx,
  instanceId: string,
  said: Said,
  what: (held: Held) => Act | Promise<Act>,
): Promise<void> {
  await forFlow(ctx, async (flow) => {
    const held = await hold(flow, instanceId);
    const { kind, instance, state, world } = held;
    const wanted = await what(held);
    const no = 'task' in wanted ? wanted.task : undefined;
    const step = act(world.env, state, wanted);
    if (wanted.act === 'approve') await requireSame(flow, held);
    await record(flow, held, said, no === undefined ? undefined : state.tasks[no - 1]);
    const undo = wanted.act === 'approve' && step.state.status === 'running' ? undoOf(ctx, flow.userId, held) : null;
    const acted = no === undefined ? undefined : { no, comment: said.comment ?? '' };
    await conclude(
      flow,
      kind,
      { instance, before: state, after: step.state, ...world, acted, undo },
      step.events,
      said.comment ?? '',
    );
  });
}

const TAKE_BACK_MS = 10 * 60_000;

/** Whether somebody may take his last agreement back: nothing has happened since, for at most ten minutes. */
export function mayTakeBack(
  { runtime }: Pick<Ctx, 'runtime'>,
  instance: Pick<Instance, 'state' | 'undo'>,
  by: string | null,
): boolean {
  const { undo, state } = instance;
  return (
    state === 'running' && undo !== null && undo.by === by && runtime.clock.ms() - Date.parse(undo.at) <= TAKE_BACK_MS
  );
}

/** 拿回: everything is as it was before the caller's last agreement. @throws refused B0849 */
export async function takeBack(ctx: Ctx, instanceId: string, comment: string): Promise<void> {
  await forFlow(ctx, async (flow) => {
    const held = await hold(flow, instanceId);
    const { instance, state, kind, world } = held;
    if (!instance.undo || !mayTakeBack(flow, instance, flow.userId)) {
      throw refused('后续节点已处理或已超过10分钟，不能拿回', 'B0849');
    }
    const { tasks } = instance.undo;
    const after = takenBack(state, instance.undo);
    const own = state.tasks.findLast((task, index) => tasks[index] === 'pending' && task.state === 'approved');
    await record(flow, held, { action: 'takeBack', comment }, own);
    await conclude(flow, kind, { instance, before: state, after, ...world }, [], comment);
  });
}
