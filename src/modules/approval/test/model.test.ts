import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Definition, type FlowNode, isWork, nodesIn } from '../contract/flow.ts';
import { type Act, act, begin, resume, returnTargets } from '../server/core/acts.ts';
import { type Env, type FlowState, isAlive, isOpen } from '../server/core/state.ts';
import { counted, outcomeOf } from '../server/core/votes.ts';
import { alone, definitions, envOf } from './flows.ts';

/** Rounds after which nobody returns anything any more, so that the states are finitely many. */
const ROUNDS = 2;
const STATES = 500;

/** All that anybody can do now. */
function actsIn(env: Env, state: FlowState): Act[] {
  if (!isAlive(state)) return [];
  const acts: Act[] = [{ act: 'withdraw' }, { act: 'terminate' }];
  if (state.status === 'suspended') {
    return [...acts, ...state.tokens.map(({ node }): Act => ({ act: 'reassign', node, people: [alone('admin')] }))];
  }
  const more = state.round < ROUNDS;
  for (const task of state.tasks.filter((one) => one.state === 'pending')) {
    const mine = { task: task.no, by: task.person };
    acts.push({ act: 'approve', ...mine });
    if (env.plan.at(task.node).node.type !== 'approve') continue;
    acts.push({ act: 'reject', ...mine });
    if (!more) continue;
    for (const direct of [true, false]) {
      acts.push({ act: 'return', ...mine, to: null, direct });
      for (const to of returnTargets(env, state, task)) acts.push({ act: 'return', ...mine, to, direct });
    }
    const busy = state.tasks.some((one) => one.visit === task.visit && isOpen(one) && one.person === 'z');
    if (!busy && state.tasks.every((one) => one.person !== 'z')) {
      acts.push({ act: 'transfer', ...mine, to: alone('z') });
      if (task.kind === 'node') {
        for (const how of ['before', 'after', 'parallel'] as const)
          acts.push({ act: 'sign', ...mine, how, people: [alone('z')] });
      }
    }
  }
  return acts;
}

/** Steps that a document must pass, read off the definition without the interpreter. */
function required(steps: readonly FlowNode[]): string[] {
  return steps.flatMap((node) => {
    if (isWork(node)) return [node.key];
    if (node.type === 'parallel') return node.branches.flatMap((branch) => required(branch.steps));
    if (node.type !== 'branch') return [];
    const chosen = node.cases.find(({ when }) => when === null || when.rules[0]?.value === true);
    return required(chosen?.steps ?? []);
  });
}

/** What must be true of every state that can be reached. */
function check(definition: Definition, env: Env, state: FlowState): void {
  const open = state.tasks.filter(isOpen);
  if (!isAlive(state)) {
    expect(state.tokens).toEqual([]);
    expect(open).toEqual([]);
  } else {
    expect(state.tokens.length).toBeGreaterThan(0);
    expect(new Set(state.tokens.map(({ node }) => node)).size).toBe(state.tokens.length);
    for (const { visit } of state.tokens) {
      const pending = state.tasks.some((task) => task.visit === visit && task.state === 'pending');
      // Somebody can act at every place where the flow stands, or an administrator is called.
      expect(pending || state.status === 'suspended').toBe(true);
    }
    const visits = new Set(state.tokens.map(({ visit }) => visit));
    expect(open.every((task) => visits.has(task.visit))).toBe(true);
  }
  if (state.status !== 'approved') return;
  const passed = new Set(state.passed);
  expect(required(definition.steps).filter((key) => !passed.has(key))).toEqual([]);
  for (const key of required(definition.steps)) {
    const { node } = env.plan.at(key);
    const last = Math.max(0, ...state.tasks.filter((task) => task.node === key).map((task) => task.visit));
    const tasks = state.tasks.filter((task) => task.visit === last);
    // Whoever was asked in the last visit agreed as the step demands; nobody was asked where nobody was found.
    if (isWork(node) && counted(tasks).length > 0) expect(outcomeOf(node, tasks)).toBe('approved');
  }
}

/** Part of a state that decides what can follow. */
function essence({ tasks, visits: _, ...rest }: FlowState): string {
  const visits = new Map(rest.tokens.map(({ node, visit }) => [visit, node]));
  const live = tasks
    .filter((task) => visits.has(task.visit))
    .map(({ no, source, visit, ...task }) => [visit - no, task, source]);
  const said = new Set(tasks.filter((task) => task.state === 'approved').map((task) => `${task.person}${task.round}`));
  const asked = tasks.some((task) => task.person === 'z');
  return JSON.stringify([
    rest.status,
    rest.round,
    rest.tokens.map(({ node }) => node),
    rest.joined,
    rest.passed,
    rest.jumps,
    rest.resume,
    live,
    [...said].sort(),
    asked,
  ]);
}

/** Agrees to everything; a flow that cannot be agreed to an end has lost something. */
function agreeable(env: Env, from: FlowState): void {
  let state = from;
  for (let left = 200; isAlive(state); left -= 1) {
    expect(left).toBeGreaterThan(0);
    const task = state.tasks.find((one) => one.state === 'pending');
    const token = state.tokens.find(({ visit }) => !state.tasks.some((one) => one.visit === visit && isOpen(one)));
    if (state.status === 'suspended' && token) {
      state = act(env, state, { act: 'reassign', node: token.node, people: [alone('admin')] }).state;
    } else {
      expect(task).toBeDefined();
      state = act(env, state, { act: 'approve', task: task?.no ?? 0 }).state;
    }
  }
  expect(['approved', 'rejected']).toContain(state.status);
}

/** Checks the states that can be reached, at most so many; `whole` where these are all. What is known is not kept again. */
function explore(definition: Definition, env: Env, most = STATES): { states: number; whole: boolean } {
  const known = new Set<string>();
  const queue: FlowState[] = [];
  const reached = (state: FlowState) => {
    const key = essence(state);
    if (known.has(key)) return;
    known.add(key);
    queue.push(state);
  };
  reached(begin(env).state);
  let states = 0;
  for (let state = queue.pop(); state; state = queue.pop()) {
    states += 1;
    check(definition, env, state);
    if (isAlive(state)) agreeable(env, state);
    if (states === most) break;
    if (state.status === 'returned' && state.resume.length > 0) reached(resume(env, state).state);
    const before = JSON.stringify(state);
    for (const what of actsIn(env, state)) {
      reached(act(env, state, what).state);
      expect(JSON.stringify(state) === before, JSON.stringify(what)).toBe(true);
    }
  }
  return { states, whole: queue.length === 0 };
}

test('every state that any definition can reach keeps its place, skips nothing and comes to an end', () => {
  let states = 0;
  fc.assert(
    fc.property(definitions(), fc.constantFrom<Env['dedup']>('none', 'adjacent', 'all'), (definition, dedup) => {
      states += explore(definition, envOf(definition, dedup)).states;
    }),
    { numRuns: 60, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  );
  expect(states).toBeGreaterThan(2000);
});

test('of definitions of up to two steps every state is looked at, none is left out', () => {
  const small = definitions(1).filter(
    ({ steps }) => nodesIn(steps).filter(isWork).length <= 2 && nodesIn(steps).some(isWork),
  );
  let states = 0;
  fc.assert(
    fc.property(small, fc.constantFrom<Env['dedup']>('none', 'all'), (definition, dedup) => {
      const found = explore(definition, envOf(definition, dedup), 50_000);
      expect(found.whole).toBe(true);
      states += found.states;
    }),
    { numRuns: 25 },
  );
  expect(states).toBeGreaterThan(300);
});

test('an ended flow refuses every act, and no act is taken twice', () => {
  fc.assert(
    fc.property(definitions(1), fc.infiniteStream(fc.nat()), (definition, picks) => {
      const env = envOf(definition);
      let { state } = begin(env);
      for (let n = 0; n < 30 && isAlive(state); n += 1) {
        const acts = actsIn(env, state);
        const what = acts[picks.next().value % acts.length];
        if (!what) break;
        const after = act(env, state, what).state;
        if (what.act !== 'withdraw' && what.act !== 'terminate' && what.act !== 'reassign') {
          // The same act on what it has become: decided already, or somebody else's turn.
          if (!after.tasks[what.task - 1] || after.tasks[what.task - 1]?.state !== 'pending') {
            expect(() => act(env, after, what)).toThrow('该审批已被处理');
          }
        }
        state = after;
      }
      if (isAlive(state)) return;
      for (const task of state.tasks) {
        expect(() => act(env, state, { act: 'approve', task: task.no })).toThrow('该审批已被处理');
      }
      expect(() => act(env, state, { act: 'withdraw' })).toThrow('该审批已被处理');
    }),
    { numRuns: 200 },
  );
});
