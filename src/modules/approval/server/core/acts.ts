import { conflict, refused } from '#kit/server/errors.ts';
import { isWork } from '../../contract/flow.ts';
import { assign, enter, finish, OWN, type Run, settle, spare, tasksOf } from './machine.ts';
import { unique } from './people.ts';
import { within } from './plan.ts';
import {
  type Assignee,
  blank,
  type Env,
  type FlowEvent,
  type FlowState,
  isAlive,
  isOpen,
  type Task,
  type TaskState,
} from './state.ts';

export const GONE = '该审批已被处理';

/** One thing that somebody does to a flow. `by` is left out for what time or an administrator does. */
export type Act =
  | { act: 'approve'; task: number; by?: string }
  | { act: 'reject'; task: number; by?: string }
  /** `to`: a step that is done, or null for the maker; `direct`: what was returned comes straight back. */
  | { act: 'return'; task: number; by?: string; to: string | null; direct: boolean }
  | { act: 'transfer'; task: number; by?: string; to: Assignee }
  | { act: 'sign'; task: number; by?: string; how: 'before' | 'after' | 'parallel'; people: Assignee[] }
  /** Takes an added person off again; `task` is his. */
  | { act: 'unsign'; task: number; by?: string }
  | { act: 'withdraw' }
  | { act: 'terminate' }
  /** Gives a step that stands still, or waits for the wrong people, to others. */
  | { act: 'reassign'; node: string; people: Assignee[] };

export interface Step {
  state: FlowState;
  events: FlowEvent[];
}

function running(env: Env, state: FlowState): Run {
  return { env, state: structuredClone(state), events: [] };
}

/** Begins a flow. */
export function begin(env: Env): Step {
  const run: Run = { env, state: blank(), events: [] };
  if (env.plan.first === null) finish(run, 'approved');
  else enter(run, env.plan.first);
  return run;
}

/** Goes on with a flow whose document was returned to its maker and comes straight back. */
export function resume(env: Env, from: FlowState): Step {
  const run = running(env, from);
  const { state } = run;
  const targets = state.resume;
  Object.assign(state, { status: 'running', round: state.round + 1, resume: [] });
  for (const key of targets) if (isAlive(state)) enter(run, key);
  return run;
}

/** What it takes to take an agreement back: where the flow stood, and the state of each task. */
export interface Before {
  position: Omit<FlowState, 'tasks'>;
  tasks: readonly TaskState[];
}

/** 拿回: everything as it was before an agreement; people who were asked since are asked no more. */
export function takenBack(state: FlowState, { position, tasks }: Before): FlowState {
  return {
    ...position,
    visits: state.visits,
    tasks: state.tasks.map((task, index) => ({ ...task, state: tasks[index] ?? 'cancelled' })),
  };
}

/** @throws conflict where the task is not to be decided (any more); refused where it is somebody else's */
function taskOf(state: FlowState, no: number, by: string | undefined): Task {
  const task = state.tasks[no - 1];
  if (!task || state.status !== 'running' || task.state !== 'pending') throw conflict(GONE);
  if (by !== undefined && task.person !== by) throw refused('您不是当前审批人', 'B0841');
  return task;
}

function requireApproval({ env }: Run, task: Task, words: string): void {
  if (env.plan.at(task.node).node.type !== 'approve') throw refused(`办理节点不能${words}`, 'B0842');
}

/** Steps to which a task can be returned: done, and in its own parallel branch or before it. */
export function returnTargets(env: Env, state: FlowState, task: Task): string[] {
  const { lanes } = env.plan.at(task.node);
  return [...new Set(state.passed)].filter((key) => within(env.plan.at(key).lanes, lanes));
}

function returnTo(run: Run, task: Task, to: string, direct: boolean): void {
  const { env, state } = run;
  if (!returnTargets(env, state, task).includes(to)) throw refused('只能退回到已经过的节点', 'B0843');
  const { lanes, order } = env.plan.at(to);
  const after = (key: string) => within(lanes, env.plan.at(key).lanes);
  const undone = state.tokens.filter(({ node }) => after(node));
  for (const each of undone.flatMap(({ visit }) => tasksOf(state, visit))) if (isOpen(each)) each.state = 'cancelled';
  state.tokens = state.tokens.filter(({ node }) => !after(node));
  // By the place in the flow: one that was returned to before has ended after steps that it comes in front of.
  state.passed = state.passed.filter((key) => (direct ? key !== to : env.plan.at(key).order < order || !after(key)));
  if (direct) state.jumps[to] = undone.map(({ node }) => node);
  else for (const key of Object.keys(state.jumps)) if (after(key)) delete state.jumps[key];
  state.round += 1;
  enter(run, to);
}

function giveBack(run: Run, task: Task, to: string | null, direct: boolean): void {
  requireApproval(run, task, '退回');
  task.state = 'returned';
  if (to !== null) {
    returnTo(run, task, to, direct);
    return;
  }
  run.state.resume = direct ? run.state.tokens.map(({ node }) => node) : [];
  finish(run, 'returned');
}

/** @throws refused where somebody would have two open tasks of one step, or be asked where he has refused */
function requireNew(state: FlowState, visit: number, people: readonly Assignee[]): void {
  const busy = new Set(
    tasksOf(state, visit)
      .filter((task) => isOpen(task) || task.state === 'rejected')
      .map((task) => task.person),
  );
  if (people.some(({ person }) => busy.has(person))) throw refused('所选人员已在该节点中', 'B0844');
}

function sign(run: Run, task: Task, how: 'before' | 'after' | 'parallel', people: readonly Assignee[]): void {
  requireApproval(run, task, '加签');
  if (task.kind !== 'node') throw refused('加签人不能再加签', 'B0845');
  requireNew(run.state, task.visit, people);
  if (how === 'before') task.state = 'waiting';
  if (how === 'after') task.state = 'approved';
  const { node, visit, seq, no } = task;
  for (const to of unique(people)) assign(run, to, { node, visit, seq, kind: how, source: no, state: 'pending' });
}

/** @throws refused B0854 where the document has become his own since, as after a colleague left */
function approve({ env }: Run, task: Task): void {
  const { node } = env.plan.at(task.node);
  if (isWork(node) && env.bars(node, task.person)) throw refused(`${OWN}，请管理员改派`, 'B0854');
  task.state = 'approved';
}

function transfer(run: Run, task: Task, to: Assignee): void {
  requireNew(run.state, task.visit, [to]);
  task.state = 'transferred';
  const { node, visit, seq, kind, source, no } = task;
  // A task that somebody added stays his who added it; another one comes from the task that is passed on.
  assign(run, to, { node, visit, seq, kind, source: kind === 'node' ? no : source, state: 'pending' });
}

function unsign(run: Run, no: number, by: string | undefined): Task {
  const task = run.state.tasks[no - 1];
  if (!task || !isOpen(task) || run.state.status !== 'running') throw conflict(GONE);
  const adder = run.state.tasks[(task.source ?? 0) - 1];
  if (task.kind === 'node' || !adder) throw refused('只能减去加签的人员', 'B0846');
  if (by !== undefined && adder.person !== by) throw refused('只有加签人可以减签', 'B0846');
  task.state = 'cancelled';
  return task;
}

function reassign(run: Run, key: string, people: readonly Assignee[]): void {
  const { state, env } = run;
  const token = state.tokens.find(({ node }) => node === key);
  if (!token || !isAlive(state)) throw conflict(GONE);
  const tasks = tasksOf(state, token.visit);
  // Who asked somebody after himself agreed only together with him: that goes to the others too.
  const halves = new Set(tasks.filter((task) => isOpen(task) && task.kind === 'after').map(({ source }) => source));
  for (const task of tasks) if (isOpen(task) || halves.has(task.no)) task.state = 'transferred';
  requireNew(state, token.visit, people);
  const { node } = env.plan.at(key);
  const inTurn = isWork(node) && node.mode === 'sequence';
  unique(people).forEach((to, index) => {
    assign(run, to, {
      node: key,
      visit: token.visit,
      seq: 1000 + index,
      kind: 'node',
      source: null,
      state: inTurn && index > 0 ? 'waiting' : 'pending',
    });
  });
  const stuck = state.tokens.some(
    ({ visit }) => !tasksOf(state, visit).some((task) => isOpen(task) || task.state === 'auto'),
  );
  state.status = stuck ? 'suspended' : 'running';
  settle(run, key);
}

/**
 * Carries out one act. Pure: the given state is not touched.
 * @throws conflict for what is decided already, refused for what is not allowed
 */
export function act(env: Env, from: FlowState, what: Act): Step {
  const run = running(env, from);
  const { state } = run;
  if (what.act === 'withdraw' || what.act === 'terminate') {
    if (!isAlive(state)) throw conflict(GONE);
    finish(run, what.act === 'withdraw' ? 'withdrawn' : 'terminated');
    return run;
  }
  if (what.act === 'reassign') {
    reassign(run, what.node, what.people);
    return run;
  }
  if (what.act === 'unsign') {
    settle(run, unsign(run, what.task, what.by).node);
    return run;
  }
  const task = taskOf(state, what.task, what.by);
  if (what.act === 'return') {
    giveBack(run, task, what.to, what.direct);
    return run;
  }
  // Whose time is over has said nothing that could hold elsewhere.
  const agrees = what.act === 'approve' || (what.act === 'sign' && what.how === 'after');
  const spares = agrees && what.by !== undefined;
  if (what.act === 'transfer') transfer(run, task, what.to);
  else if (what.act === 'sign') sign(run, task, what.how, what.people);
  else if (what.act === 'approve') approve(run, task);
  else {
    requireApproval(run, task, '拒绝');
    task.state = 'rejected';
  }
  const others = spares ? spare(run, task) : [];
  for (const key of [task.node, ...others]) settle(run, key);
  return run;
}
