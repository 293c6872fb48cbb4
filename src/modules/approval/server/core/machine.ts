import { refused } from '#kit/server/errors.ts';
import type { BranchNode, CcNode, FlowNode, ParallelNode, WorkNode } from '../../contract/flow.ts';
import { isWork } from '../../contract/flow.ts';
import type { Holder } from './plan.ts';
import {
  type Assignee,
  agreed,
  type Env,
  type FlowEvent,
  type FlowState,
  isAlive,
  isOpen,
  type Status,
  type Task,
} from './state.ts';
import { outcomeOf } from './votes.ts';

/** What somebody is told who would decide about his own document. */
export const OWN = '不能审批本人提交的单据';

/** A state that is being changed, with what happens on the way. */
export interface Run {
  env: Env;
  state: FlowState;
  events: FlowEvent[];
}

/** Tasks of one visit of a step. */
export const tasksOf = (state: FlowState, visit: number): Task[] => state.tasks.filter((task) => task.visit === visit);

/** Ends the flow; whatever is still open is dropped. */
export function finish({ state }: Run, status: Status): void {
  state.status = status;
  state.tokens = [];
  for (const task of state.tasks) if (isOpen(task)) task.state = 'cancelled';
}

/** Goes on with a node, or past the end of the sequence that `holder` has. */
function go(run: Run, target: string | null, holder: Holder | null): void {
  if (!isAlive(run.state)) return;
  if (target !== null) enter(run, target);
  else if (holder === null) finish(run, 'approved');
  else close(run, holder);
}

/** A sequence inside a node is done. */
function close(run: Run, { key, slot }: Holder): void {
  const { node } = run.env.plan.at(key);
  if (node.type === 'parallel') join(run, node, slot);
  else leave(run, key);
}

function leave(run: Run, key: string): void {
  const { next, holder } = run.env.plan.at(key);
  go(run, next, holder);
}

function join(run: Run, node: ParallelNode, slot: number): void {
  const done = new Set(run.state.joined[node.key] ?? []).add(slot);
  run.state.joined[node.key] = [...done].sort((a, b) => a - b);
  if (done.size < node.branches.length) return;
  delete run.state.joined[node.key];
  leave(run, node.key);
}

function choose(run: Run, node: BranchNode): void {
  const slot = node.cases.findIndex(({ when }) => when === null || run.env.holds(when));
  const chosen = node.cases[slot];
  if (!chosen) throw new Error(`branch ${node.key} has no default`);
  go(run, chosen.steps[0]?.key ?? null, { key: node.key, slot });
}

function split(run: Run, node: ParallelNode): void {
  run.state.joined[node.key] = [];
  node.branches.forEach(({ steps }, slot) => {
    go(run, steps[0]?.key ?? null, { key: node.key, slot });
  });
}

function copy(run: Run, node: CcNode): void {
  const people = run.env.people(node).map(({ person }) => person);
  if (people.length > 0) run.events.push({ event: 'copied', node: node.key, people });
  leave(run, node.key);
}

/** Begins a node. */
export function enter(run: Run, key: string): void {
  const node: FlowNode = run.env.plan.at(key).node;
  if (isWork(node)) open(run, node);
  else if (node.type === 'branch') choose(run, node);
  else if (node.type === 'parallel') split(run, node);
  else if (node.type === 'cc') copy(run, node);
  else finish(run, node.action === 'approve' ? 'approved' : 'rejected');
}

/** People who agreed in this round already, as far as the company counts that as agreeing again. */
function alreadyAgreed({ env, state }: Run): Set<string> {
  if (env.dedup === 'none') return new Set();
  const last = state.passed.findLast((key) => env.plan.at(key).node.type === 'approve');
  const before = state.tasks.filter(
    (task) =>
      task.round === state.round &&
      agreed(task) &&
      env.plan.at(task.node).node.type === 'approve' &&
      (env.dedup === 'all' || task.node === last),
  );
  return new Set(before.map((task) => task.person));
}

/**
 * Adds a task to a step that is under way; who agreed before agrees again by himself. Every task goes through here, so
 * this is where nobody is asked about a document of his own. @throws refused B0854
 */
export function assign(
  run: Run,
  to: Assignee,
  part: Pick<Task, 'node' | 'visit' | 'seq' | 'kind' | 'source'> & { state: 'pending' | 'waiting' },
): void {
  const { state, env } = run;
  const { node } = env.plan.at(part.node);
  if (isWork(node) && env.bars(node, to.person)) throw refused(OWN, 'B0854');
  const approves = node.type === 'approve';
  const sameVisit =
    env.dedup !== 'none' && tasksOf(state, part.visit).some((task) => task.person === to.person && agreed(task));
  const repeated = approves && (sameVisit || alreadyAgreed(run).has(to.person));
  state.tasks.push({
    no: state.tasks.length + 1,
    round: state.round,
    ...to,
    ...part,
    state: repeated ? 'auto' : part.state,
  });
  if (repeated) run.events.push({ event: 'repeated', node: part.node, person: to.person });
}

/**
 * Whoever agrees where nobody is asked twice agrees with it wherever else he is asked at the same time, as in branches
 * side by side. @returns the steps for which that is so
 */
export function spare({ env, state, events }: Run, said: Task): string[] {
  const approves = (task: Task) => env.plan.at(task.node).node.type === 'approve';
  if (env.dedup !== 'all' || said.round !== state.round || !approves(said)) return [];
  const spared = state.tasks.filter((task) => isOpen(task) && task.person === said.person && approves(task));
  for (const task of spared) {
    task.state = 'auto';
    events.push({ event: 'repeated', node: task.node, person: task.person });
  }
  return spared.map(({ node }) => node);
}

/** Nobody was found for a step: what its policy says. */
function withoutPeople(run: Run, node: WorkNode, visit: number): void {
  run.events.push({ event: 'nobody', node: node.key, policy: node.empty });
  if (node.empty === 'approve') pass(run, node.key);
  else if (node.empty === 'reject') finish(run, 'rejected');
  else staff(run, node, visit, node.empty === 'suspend' ? [] : run.env.standIns(node));
}

function open(run: Run, node: WorkNode): void {
  run.state.visits += 1;
  const visit = run.state.visits;
  const people = run.env.people(node);
  if (people.length === 0) withoutPeople(run, node, visit);
  else staff(run, node, visit, people);
}

/** Puts the flow at a step and gives it to people; without any it stands still until an administrator helps. */
function staff(run: Run, node: WorkNode, visit: number, all: readonly Assignee[]): void {
  const { state } = run;
  const people = all.filter(({ person }) => !run.env.bars(node, person));
  state.tokens.push({ node: node.key, visit });
  if (people.length === 0) state.status = 'suspended';
  people.forEach((to, seq) => {
    const waits = node.mode === 'sequence' && seq > 0;
    assign(run, to, { node: node.key, visit, seq, kind: 'node', source: null, state: waits ? 'waiting' : 'pending' });
  });
  if (people.length > 0) settle(run, node.key);
}

/** A step is done: goes on, or back to where it was returned from. */
function pass(run: Run, key: string): void {
  const { state } = run;
  state.passed.push(key);
  const back = state.jumps[key];
  delete state.jumps[key];
  if (!back) leave(run, key);
  else for (const target of back) if (isAlive(state)) enter(run, target);
}

/** Lets those act whose turn has come: the next of a sequence, and whoever waited for people he had asked first. */
function wake(node: WorkNode, tasks: readonly Task[]): void {
  for (const task of tasks.filter((one) => one.state === 'waiting')) {
    // Where somebody whom he asked first refused, his voice is given: he could pass it on otherwise, and undo the refusal.
    const asks = tasks.some(
      (one) => one.source === task.no && one.kind === 'before' && (isOpen(one) || one.state === 'rejected'),
    );
    const behind =
      node.mode === 'sequence' && tasks.some((one) => one.seq < task.seq && (isOpen(one) || one.state === 'rejected'));
    if (!asks && !behind) task.state = 'pending';
  }
}

/** Looks what the tasks of a step have come to, and moves on where it is decided. */
export function settle(run: Run, key: string): void {
  const { state, env } = run;
  const token = state.tokens.find(({ node }) => node === key);
  const { node } = env.plan.at(key);
  if (!token || !isWork(node)) return;
  const tasks = tasksOf(state, token.visit);
  const outcome = outcomeOf(node, tasks);
  if (outcome === 'rejected') finish(run, 'rejected');
  if (outcome === 'open') wake(node, tasks);
  if (outcome !== 'approved') return;
  for (const task of tasks) if (isOpen(task)) task.state = 'cancelled';
  state.tokens = state.tokens.filter((each) => each !== token);
  pass(run, key);
}
