import { sql } from 'kysely';
import type { Approvable } from '#kit/server/approval.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { AUTHORIZE } from '../../contract/config.ts';
import { ACTIONS, type Action, type Allowed, type InstanceView, type TaskRow } from '../../contract/instance.ts';
import { returnTargets } from '../core/acts.ts';
import type { World } from '../core/people.ts';
import { type FlowState, isAlive } from '../core/state.ts';
import { mayTakeBack } from '../engine/advance.ts';
import { worldOf } from '../engine/people.ts';
import { baseOf } from '../engine/rates.ts';
import { caseOf, choicesOf } from '../engine/start.ts';
import { type Instance, stateOf } from '../engine/store.ts';
import { kindOf } from '../kinds.ts';
import { settingOf } from '../setting.ts';
import { namedAfter } from './agree.ts';
import { requireSight } from './involved.ts';
import { pathOf } from './path.ts';

interface Shown extends Instance {
  place: string;
  facts: { label: string; value: string }[];
  amount: string | null;
  currency: string | null;
  finishedAt: string | null;
  /** What was decided about before it came straight back; null where it did not. */
  before: Pick<Shown, 'facts' | 'amount'> | null;
}

async function shown(ctx: Ctx, id: string): Promise<Shown> {
  const { rows } = await sql<Shown>`
    SELECT id, doc_type AS "docType", doc_id AS "docId", number, summary, amount_base AS "amountBase", vars, people,
           flow_name AS "flowName", flow_no AS "flowNo", definition, submission, state, position, undo,
           initiator_id AS "initiatorId", initiator_name AS "initiatorName", submitted_at AS "submittedAt", place, facts,
           amount, currency, finished_at AS "finishedAt", before
      FROM approval.instance WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  if (!rows[0]) throw notFound();
  return rows[0];
}

async function taskRows(ctx: Ctx, instance: string): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    SELECT id, no, node_name AS node, node_key AS "nodeKey", visit, assignee_name AS person, assignee_id AS "personId",
           principal_name AS "principalName", kind, state, begun_at AS "begunAt", due_at AS "dueAt", acted_at AS "actedAt",
           comment
      FROM approval.task WHERE company_id = ${ctx.companyId} AND instance_id = ${instance} ORDER BY no`.execute(ctx.db);
  return rows;
}

async function logRows(ctx: Ctx, instance: string): Promise<InstanceView['log']> {
  const { rows } = await sql<Omit<InstanceView['log'][number], 'title'>>`
    SELECT id, at, action, actor_name AS "actorName", principal_name AS "principalName", node_name AS node, comment, detail
      FROM approval.log WHERE company_id = ${ctx.companyId} AND instance_id = ${instance} ORDER BY id DESC`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, title: ACTIONS[row.action as Action] ?? row.action }));
}

type Decided = Pick<Shown, 'facts' | 'amount'>;

/** What was decided about the approval before this one. */
async function lastDecided(ctx: Ctx, now: Shown): Promise<Decided | undefined> {
  const { rows } = await sql<Decided>`
    SELECT facts, amount FROM approval.instance
     WHERE company_id = ${ctx.companyId} AND doc_type = ${now.docType} AND doc_id = ${now.docId} AND id < ${now.id}
     ORDER BY id DESC LIMIT 1`.execute(ctx.db);
  return rows[0];
}

/** What differs from what was decided about the time before, as far as the summary tells. */
async function changesOf(ctx: Ctx, now: Shown): Promise<InstanceView['changes']> {
  const then = now.before ?? (await lastDecided(ctx, now));
  if (!then) return [];
  const money = { label: '金额', before: then.amount ?? '', after: now.amount ?? '' };
  const facts = now.facts.map(({ label, value }) => ({
    label,
    before: then.facts.find((fact) => fact.label === label)?.value ?? '',
    after: value,
  }));
  return [...facts, money].filter(({ before, after }) => before !== after);
}

interface Seen {
  instance: Shown;
  state: FlowState;
  tasks: readonly TaskRow[];
  world: World;
  chosen: Readonly<Record<string, string[]>>;
  withdrawAlways: boolean;
}

/** Whether anybody has decided anything since the document was handed in. */
function untouched(tasks: readonly TaskRow[]): boolean {
  return tasks.every((task) => ['pending', 'waiting', 'auto', 'cancelled'].includes(task.state));
}

function allowedFor(ctx: Ctx, { instance, state, tasks, world, chosen, withdrawAlways }: Seen): Allowed {
  const alive = isAlive(state);
  const own =
    state.status === 'running'
      ? tasks.find((task) => task.state === 'pending' && task.personId === ctx.userId)
      : undefined;
  const core = own && state.tasks[own.no - 1];
  const node = own && world.env.plan.at(own.nodeKey).node;
  const mine = instance.initiatorId !== null && instance.initiatorId === ctx.userId;
  const chief = can(ctx, AUTHORIZE) || (ctx.userId !== null && world.admins.includes(ctx.userId));
  const added = state.tasks.filter((task) => {
    const adder = task.source === null ? undefined : state.tasks[task.source - 1];
    return (
      task.kind !== 'node' && (task.state === 'pending' || task.state === 'waiting') && adder?.person === ctx.userId
    );
  });
  return {
    taskId: own?.id ?? null,
    handles: node?.type === 'handle',
    withdraw: alive && mine && (withdrawAlways || untouched(tasks)),
    takeBack: mayTakeBack(ctx, instance, ctx.userId),
    urge: mine && state.status === 'running',
    terminate: alive && chief,
    reassign: alive && chief,
    names:
      own && node
        ? namedAfter(world.env, own.nodeKey).map(({ key, name }) => ({ key, name, people: chosen[key] ?? [] }))
        : [],
    returnTo:
      core && node?.type === 'approve'
        ? returnTargets(world.env, state, core).map((key) => ({ key, name: world.env.plan.at(key).node.name }))
        : [],
    unsign: added.flatMap(({ no }) =>
      tasks.filter((task) => task.no === no).map(({ id, person }) => ({ id, name: person })),
    ),
  };
}

function hides(ctx: Ctx, kind: Approvable, tasks: readonly TaskRow[]): boolean {
  const asked = tasks.some((task) => task.personId === ctx.userId && task.state !== 'waiting');
  return kind.amountPermission !== undefined && !asked && !can(ctx, kind.amountPermission);
}

/** Everything that the page of an approval shows. @throws notFound where it is no matter of the caller's */
export async function viewOf(ctx: Ctx, id: string): Promise<InstanceView> {
  const instance = await shown(ctx, id);
  const kind = kindOf(ctx.runtime, instance.docType);
  await requireSight(ctx, kind, id, instance.docId);
  const setting = await settingOf(ctx, instance.docType);
  const chosen = await choicesOf(ctx, instance.docType, instance.docId);
  const world = await worldOf(ctx, instance.definition, setting, caseOf(instance.docType, instance, chosen));
  const state = await stateOf(ctx, instance);
  const tasks = await taskRows(ctx, id);
  const base = await baseOf(ctx);
  const hidden = hides(ctx, kind, tasks);
  return {
    id,
    docType: instance.docType,
    docTitle: kind.def.title,
    docId: instance.docId,
    route: { path: kind.def.detail, id: instance.docId },
    number: instance.number,
    summary: instance.summary,
    place: instance.place,
    facts: instance.facts,
    amount: hidden ? null : instance.amount,
    currency: instance.currency,
    amountBase: hidden ? null : instance.amountBase,
    base,
    flowName: instance.flowName,
    flowNo: instance.flowNo,
    submission: instance.submission,
    state: instance.state,
    initiatorName: instance.initiatorName,
    submittedAt: instance.submittedAt,
    finishedAt: instance.finishedAt,
    tasks: [...tasks],
    log: await logRows(ctx, id),
    path: pathOf(instance.definition.steps, world, state),
    changes: hidden ? [] : await changesOf(ctx, instance),
    allowed: allowedFor(ctx, { instance, state, tasks, world, chosen, withdrawAlways: setting.withdraw === 'always' }),
  };
}
