import fc from 'fast-check';
import type { ApproveNode, Definition, FlowNode, HandleNode, Mode } from '../contract/flow.ts';
import { planOf } from '../server/core/plan.ts';
import type { Assignee, Env } from '../server/core/state.ts';

/** A step of people whose names are all that matters. */
export function step(
  key: string,
  people: readonly string[],
  mode: Mode = 'any',
  more: Partial<ApproveNode> = {},
): ApproveNode {
  return {
    key,
    type: 'approve',
    name: key,
    who: [{ from: 'users', ids: [...people] }],
    mode,
    percent: 60,
    waitAll: false,
    empty: 'admin',
    emptyPeople: [],
    due: null,
    ...more,
  };
}

export function handle(key: string, people: readonly string[], mode: 'any' | 'all' = 'any'): HandleNode {
  const { percent, waitAll, ...rest } = step(key, people);
  return { ...rest, type: 'handle', mode };
}

const names = (node: { who: readonly { from: string; ids?: string[] }[] }): string[] => [
  ...new Set(node.who.flatMap((source) => (source.from === 'users' ? (source.ids ?? []) : []))),
];
export const alone = (person: string): Assignee => ({ person, insteadOf: null });

/** A world in which everybody is where the flow says, and a condition holds where its first rule's value is true. */
export function envOf(
  definition: Definition,
  dedup: Env['dedup'] = 'none',
  admins: readonly string[] = ['admin'],
): Env {
  return {
    plan: planOf(definition),
    holds: (condition) => condition.rules[0]?.value === true,
    people: (node) => names(node as never).map(alone),
    standIns: () => admins.map(alone),
    bars: () => false,
    dedup,
  };
}

const PEOPLE = ['a', 'b', 'c'];

/** Any definition of some depth, with unique keys and every kind of node. */
export function definitions(depth = 2): fc.Arbitrary<Definition> {
  const people = fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 0, maxLength: 2 });
  const work = fc
    .record({
      people,
      mode: fc.constantFrom<Mode>('any', 'all', 'sequence', 'vote'),
      percent: fc.constantFrom(34, 60, 100),
      waitAll: fc.boolean(),
      empty: fc.constantFrom<ApproveNode['empty']>('admin', 'approve', 'reject', 'suspend'),
    })
    .map(({ people: who, mode, ...more }): FlowNode => step('', who, mode, more));
  const done = fc
    .record({ people: fc.constantFrom(['a'], ['a', 'b']), mode: fc.constantFrom<'any' | 'all'>('any', 'all') })
    .map(({ people: who, mode }): FlowNode => handle('', who, mode));
  const cc = fc.constant<FlowNode>({ key: '', type: 'cc', name: '', who: [{ from: 'users', ids: ['c'] }] });
  const stepsOf = (level: number): fc.Arbitrary<FlowNode[]> =>
    fc.array(nodeOf(level), { minLength: 0, maxLength: level === depth ? 3 : 2 });
  const nodeOf = (level: number): fc.Arbitrary<FlowNode> => {
    if (level === 0)
      return fc.oneof({ weight: 4, arbitrary: work }, { weight: 1, arbitrary: done }, { weight: 1, arbitrary: cc });
    const inner = stepsOf(level - 1);
    const branch = fc.record({ first: inner, rest: inner, taken: fc.boolean() }).map(
      ({ first, rest, taken }): FlowNode => ({
        key: '',
        type: 'branch',
        name: '',
        cases: [
          { name: '一', when: { join: 'all', rules: [{ field: 'x', op: 'eq', value: taken }] }, steps: first },
          { name: '默认', when: null, steps: rest },
        ],
      }),
    );
    const parallel = fc.array(inner, { minLength: 2, maxLength: 2 }).map(
      (all): FlowNode => ({
        key: '',
        type: 'parallel',
        name: '',
        branches: all.map((steps, index) => ({ name: String(index), steps })),
      }),
    );
    return fc.oneof(
      { weight: 3, arbitrary: work },
      { weight: 1, arbitrary: cc },
      { weight: 2, arbitrary: branch },
      { weight: 3, arbitrary: parallel },
    );
  };
  return stepsOf(depth).map((steps) => ({ steps: keyed(JSON.parse(JSON.stringify(steps)) as FlowNode[], { n: 0 }) }));
}

function keyed(steps: FlowNode[], count: { n: number }): FlowNode[] {
  for (const node of steps) {
    count.n += 1;
    node.key = `n${count.n}`;
    node.name = node.key;
    if (node.type === 'branch') for (const each of node.cases) keyed(each.steps, count);
    if (node.type === 'parallel') for (const each of node.branches) keyed(each.steps, count);
  }
  return steps;
}
