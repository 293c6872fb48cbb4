import { type Definition, isWork, nodesIn } from '../../contract/flow.ts';
import { type Act, act, begin, resume, returnTargets, takenBack } from '../../server/core/acts.ts';
import { stillHolds } from '../../server/core/again.ts';
import { type World, worldIn } from '../../server/core/people.ts';
import { agreed, type FlowState, isAlive, isOpen, type Task } from '../../server/core/state.ts';
import { acted, begun, handedIn, type Model, mayGoStraight, type Place, type Spot, seen } from './reference.ts';
import { AMOUNTS, chart, MAKER, PERSONS, type Ways } from './space.ts';

/** What a search has seen, summed over definitions. */
export interface Found {
  definitions: number;
  states: number;
  transitions: number;
  /** Acts that the interpreter refused; each left the state as it was. */
  refused: number;
  /** States at the bound of acts whose acts were not carried out. */
  cut: number;
  kinds: Record<string, number>;
  acts: Record<string, number>;
  ends: Record<string, number>;
  /** Documents that came back with another amount and went another way. */
  otherWays: number;
}
export const nothing = (): Found => ({
  definitions: 0,
  states: 0,
  transitions: 0,
  refused: 0,
  cut: 0,
  kinds: {},
  acts: {},
  ends: {},
  otherWays: 0,
});
const count = (into: Record<string, number>, key: string) => {
  into[key] = (into[key] ?? 0) + 1;
};

/** A state of the interpreter beside that of the reference, with the amount that was frozen. */
interface Both {
  state: FlowState;
  place: Place;
  amount: (typeof AMOUNTS)[number];
  depth: number;
  how: string;
}

interface Walk {
  definition: Definition;
  ways: Ways;
  worlds: Record<string, World>;
}

const modelOf = ({ definition, ways, worlds }: Walk, amount: string): Model => ({
  definition,
  world: worlds[amount] as World,
  dedup: ways.setting.dedup,
  big: amount === AMOUNTS[1],
});

const gone = (task: Task | undefined) => task?.state === 'transferred' || task?.state === 'cancelled';
/** Tasks that count at a step; what was asked for a voice that was passed on since counts no more. */
const countedTasks = (state: FlowState, visit: number): Task[] =>
  state.tasks.filter(
    (task) =>
      task.visit === visit &&
      !gone(task) &&
      !((task.kind === 'before' || task.kind === 'after') && gone(state.tasks[(task.source ?? 0) - 1])),
  );

/** The interpreter's state as `seen` tells that of the reference. */
function told(state: FlowState): string {
  const words = { waiting: 'waits', pending: 'asked', approved: 'yes', auto: 'yes', rejected: 'no' } as const;
  const steps = state.tokens.map(({ node, visit }) => {
    const voices = countedTasks(state, visit).map(
      ({ person, insteadOf, state: at }) => `${person}/${insteadOf ?? ''}:${words[at as keyof typeof words] ?? at}`,
    );
    return `${node}(${voices.sort().join()})`;
  });
  const passed = isAlive(state) || state.resume.length > 0 ? [...state.passed].sort().join() : '';
  return [state.status, state.round, steps.sort().join(), passed, state.resume].join('|');
}

/** All that decides what can follow: states of one essence have one future. */
function essence({ state, place, amount }: Both): string {
  const visits = new Map(state.tokens.map(({ visit }, index) => [visit, index]));
  const numbers = new Map<number, number>();
  const live = state.tasks
    .filter((task) => visits.has(task.visit))
    .map((task, index) => {
      numbers.set(task.no, index);
      const { person, insteadOf, seq, kind, source } = task;
      return [visits.get(task.visit), person, insteadOf, seq, kind, source && numbers.get(source), task.state].join();
    });
  const said = state.tasks.filter((task) => agreed(task) && task.round === state.round);
  return JSON.stringify([
    amount,
    state.status,
    state.round,
    state.tokens.map(({ node }) => node),
    state.passed,
    state.joined,
    state.jumps,
    state.resume,
    live,
    [...new Set(said.map(({ person, node }) => person + node))].sort(),
    place.done,
  ]);
}

/** Everything that anybody could try. What is not allowed is refused; nothing is left out because it looks senseless. */
function triesAt(world: World, state: FlowState): { what: Act; at?: Spot }[] {
  const tries: { what: Act; at?: Spot }[] = [{ what: { act: 'withdraw' } }, { what: { act: 'terminate' } }];
  if (!isAlive(state)) return tries;
  for (const { node } of state.tokens) {
    for (const person of PERSONS) tries.push({ what: { act: 'reassign', node, people: [world.standingFor(person)] } });
    tries.push({ what: { act: 'reassign', node, people: ['a', 'z'].map(world.standingFor) } });
  }
  for (const task of state.tasks.filter(isOpen)) {
    const at = { node: task.node, person: task.person };
    const own = { task: task.no, by: task.person };
    const put = (what: Act) => tries.push({ what, at });
    put({ act: 'unsign', task: task.no });
    put({ act: 'approve', ...own });
    put({ act: 'approve', task: task.no });
    put({ act: 'reject', ...own });
    for (const direct of [true, false]) {
      put({ act: 'return', ...own, to: null, direct });
      for (const to of returnTargets(world.env, state, task)) put({ act: 'return', ...own, to, direct });
    }
    for (const person of PERSONS) {
      const to = world.standingFor(person);
      put({ act: 'transfer', ...own, to });
      for (const how of ['before', 'after', 'parallel'] as const) put({ act: 'sign', ...own, how, people: [to] });
    }
    put({ act: 'approve', task: task.no, by: 'nobody' });
  }
  return tries;
}

const fail = (walk: Walk, both: Both, law: string): never => {
  throw new Error(
    `${law}\n${walk.ways.name} ${JSON.stringify(walk.definition)}\n${both.how}\n${told(both.state)}\n${JSON.stringify(both.state)}`,
  );
};

/** Steps that a document of some amount cannot leave out, read off the definition. */
function required(steps: Definition['steps'], big: boolean): string[] {
  return steps.flatMap((node) => {
    if (isWork(node)) return [node.key];
    if (node.type === 'parallel') return node.branches.flatMap((one) => required(one.steps, big));
    return node.type === 'branch' ? required(node.cases[big ? 0 : 1]?.steps ?? [], big) : [];
  });
}

/** What must be true of every state, besides that the reference sees the same. */
function requireLaws(walk: Walk, both: Both): void {
  const { state, amount } = both;
  const law = (holds: boolean, words: string) => {
    if (!holds) fail(walk, both, words);
  };
  const open = state.tasks.filter(isOpen);
  const alive = isAlive(state);
  law(alive === state.tokens.length > 0, 'a flow stands somewhere exactly while it runs');
  law(alive || open.length === 0, 'nobody is asked after the end');
  law(new Set(state.tokens.map(({ node }) => node)).size === state.tokens.length, 'a step is open once');
  const visits = new Set(state.tokens.map(({ visit }) => visit));
  law(
    open.every((task) => visits.has(task.visit)),
    'nobody is asked about a step that is not open',
  );
  for (const { visit } of state.tokens) {
    const tasks = state.tasks.filter((task) => task.visit === visit);
    const asked = tasks.filter(isOpen);
    law(
      state.status === 'suspended' || asked.some((task) => task.state === 'pending'),
      'somebody can act at every open step, or an administrator is called',
    );
    law(new Set(asked.map(({ person }) => person)).size === asked.length, 'nobody is asked twice at one step');
    const refused = tasks.filter((task) => task.state === 'rejected').map(({ person }) => person);
    law(!asked.some(({ person }) => refused.includes(person)), 'who refused at a step is not asked there again');
    // Those whom the step asked when it began; a voice that is passed on later is still one voice.
    const first = tasks.filter((task) => task.kind === 'node' && task.source === null && task.seq < 1000);
    law(new Set(first.map(({ person }) => person)).size === first.length, 'nobody has two voices at one step');
    law(
      new Set(first.map(({ person, insteadOf }) => insteadOf ?? person)).size === first.length,
      'a delegated voice counts once',
    );
  }
  if (!walk.ways.setting.selfApprove) {
    law(
      open.every((task) => task.person !== MAKER),
      'the maker is not asked about his own document',
    );
    law(
      state.tasks.every((task) => task.person !== MAKER || !agreed(task)),
      'the maker does not agree to his own document',
    );
  }
  if (state.status === 'approved' && nodesIn(walk.definition.steps).every((node) => node.type !== 'auto')) {
    const missing = required(walk.definition.steps, amount === AMOUNTS[1]).filter((key) => !state.passed.includes(key));
    law(missing.length === 0, `approved without ${missing.join()}`);
  }
}

/** Nobody is asked again who agreed in this round already, where the company counts that once for the whole flow. */
function requireOnce(walk: Walk, both: Both, before: FlowState): void {
  if (walk.ways.setting.dedup !== 'all') return;
  const approves = ({ node }: Task) => walk.worlds[both.amount]?.env.plan.at(node).node.type === 'approve';
  const holds = (task: Task) => agreed(task) && agreed(both.state.tasks[task.no - 1] ?? task);
  const said = before.tasks.filter((task) => holds(task) && approves(task));
  for (const task of both.state.tasks.slice(before.tasks.length)) {
    const again = said.some(({ person, round }) => person === task.person && round === task.round);
    if (again && approves(task) && isOpen(task)) fail(walk, both, 'nobody has to approve twice in a round');
  }
}

/** A flow to which everybody agrees comes to an end. */
function requireEnd(walk: Walk, both: Both): void {
  const { env, standingFor } = walk.worlds[both.amount] as World;
  let { state } = both;
  for (let left = 60; isAlive(state); left -= 1) {
    const task = state.tasks.find((one) => one.state === 'pending');
    const token = state.tokens.find(({ visit }) => !state.tasks.some((one) => one.visit === visit && isOpen(one)));
    if (left === 0) fail(walk, both, 'agreeing leads to an end');
    if (state.status === 'suspended' && token)
      state = act(env, state, { act: 'reassign', node: token.node, people: [standingFor('z')] }).state;
    else if (task) state = act(env, state, { act: 'approve', task: task.no }).state;
    else fail(walk, both, 'no dead state');
  }
}

/** Walks every state that a definition can reach by at most so many acts, the nearest first. */
export function walk(definition: Definition, ways: Ways, most: number, found: Found): void {
  const worlds = Object.fromEntries(
    AMOUNTS.map((amount) => [
      amount,
      worldIn({ chart, delegations: ways.delegations, covers: () => true }, definition, ways.setting, {
        docType: 'test',
        initiator: MAKER,
        amountBase: amount,
        vars: { amountBase: amount },
        people: {},
        chosen: {},
      }),
    ]),
  );
  const here: Walk = { definition, ways, worlds };
  const known = new Set<string>();
  const queue: Both[] = [];
  found.definitions += 1;
  for (const { type } of nodesIn(definition.steps)) count(found.kinds, type);
  const reach = (both: Both) => {
    const key = essence(both);
    if (known.has(key)) return;
    const model = modelOf(here, both.amount);
    if (told(both.state) !== seen(model, both.place))
      fail(here, both, `the reference sees ${seen(model, both.place)} where the interpreter has`);
    known.add(key);
    requireLaws(here, both);
    if (isAlive(both.state)) requireEnd(here, both);
    found.states += 1;
    if (!isAlive(both.state)) count(found.ends, both.state.status);
    queue.push(both);
  };
  for (const amount of AMOUNTS) {
    const model = modelOf(here, amount);
    reach({ state: begin(model.world.env).state, place: begun(model), amount, depth: 0, how: amount });
  }
  for (let n = 0; n < queue.length; n += 1) {
    const from = queue[n] as Both;
    if (from.depth === most) {
      found.cut += 1;
      continue;
    }
    const model = modelOf(here, from.amount);
    const before = JSON.stringify(from.state);
    for (const { what, at } of triesAt(model.world, from.state)) {
      const how = `${from.how} > ${JSON.stringify(what)}`;
      let state: FlowState;
      try {
        ({ state } = act(model.world.env, from.state, what));
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error)) throw error;
        found.refused += 1;
        if (JSON.stringify(from.state) !== before) fail(here, from, `refused, but changed: ${how}`);
        continue;
      }
      if (!isAlive(from.state)) fail(here, from, `an ended flow took ${how}`);
      if (JSON.stringify(from.state) !== before) fail(here, from, `the given state was changed by ${how}`);
      found.transitions += 1;
      count(found.acts, what.act === 'sign' ? `sign ${what.how}` : what.act);
      const to = { state, place: acted(model, from.place, what, at), amount: from.amount, depth: from.depth + 1, how };
      requireOnce(here, to, from.state);
      reach(to);
      if (what.act === 'approve' && state.status === 'running') {
        const { tasks, ...position } = from.state;
        const again = takenBack(state, { position, tasks: tasks.map((task) => task.state) });
        count(found.acts, 'takeBack');
        found.transitions += 1;
        reach({ ...from, state: again, depth: from.depth + 1, how: `${how} > takeBack` });
      }
    }
    if (!['returned', 'withdrawn', 'rejected'].includes(from.state.status)) continue;
    for (const amount of AMOUNTS) {
      const now = modelOf(here, amount);
      const facts = (of: string) => ({ vars: { amountBase: of }, amountBase: of });
      const straight =
        from.state.status === 'returned' &&
        from.state.resume.length > 0 &&
        stillHolds(definition, facts(from.amount), facts(amount), [], '0');
      const env = now.world.env;
      const { state } = straight ? resume(env, from.state) : begin(env);
      const place = handedIn(now, from.place, mayGoStraight(model, from.place, now.big));
      found.transitions += 1;
      count(found.acts, 'resubmit');
      if (required(definition.steps, now.big).join() !== required(definition.steps, model.big).join())
        found.otherWays += 1;
      reach({ state, place, amount, depth: from.depth + 1, how: `${from.how} > resubmit ${amount}` });
    }
  }
}
