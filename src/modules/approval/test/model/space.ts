import type { Chart } from '#modules/identity/server/index.ts';
import { problemsOf, type Surroundings } from '../../contract/check.ts';
import type { Condition } from '../../contract/condition.ts';
import type { ApproveNode, CcNode, Definition, FlowNode } from '../../contract/flow.ts';
import type { Delegation } from '../../server/core/people.ts';
import { handle, step } from '../flows.ts';

/** Who can be asked: a and b, the maker m, the administrator z; x has left and nobody is above him. */
export const PERSONS = ['a', 'b', 'm', 'z'] as const;
export const MAKER = 'm';
export const ADMIN = 'z';

const member = (name: string, department: string | null, active = true) => ({
  name,
  active,
  owner: name === ADMIN,
  department,
});

/** b leads the department of the maker. */
export const chart: Chart = {
  members: new Map([
    ['a', member('a', null)],
    ['b', member('b', 'd')],
    ['m', member('m', 'd')],
    ['z', member('z', null)],
    ['x', member('x', null, false)],
  ]),
  roles: new Map(),
  departments: new Map([['d', { name: 'd', parent: null, leader: 'b' }]]),
};

/** How a company handles its documents: each definition is walked in all of these. */
export interface Ways {
  name: string;
  setting: { selfApprove: boolean; dedup: 'none' | 'adjacent' | 'all'; admins: string[] };
  delegations: Delegation[];
}
const ways = (name: string, dedup: Ways['setting']['dedup'], selfApprove: boolean, from?: string, to = 'b'): Ways => ({
  name,
  setting: { selfApprove, dedup, admins: [ADMIN] },
  delegations: from === undefined ? [] : [{ from, to, types: [], max: null }],
});
export const WAYS: readonly Ways[] = [
  ways('不去重', 'none', false),
  ways('全流程去重，a 委托 b', 'all', false, 'a'),
  ways('相邻去重，b 委托发起人', 'adjacent', false, 'b', MAKER),
  ways('本人可审', 'all', true),
];

/** The amount by which the flows choose; it may be another one when a document comes back. */
export const AMOUNTS = ['50', '150'] as const;
const dear: Condition = { join: 'all', rules: [{ field: 'amountBase', op: 'gt', value: '100' }] };

const around: Surroundings = {
  fields: [{ key: 'amountBase', title: '金额', kind: 'money' }],
  people: [],
  pays: false,
  members: new Set(['a', 'b', 'm', 'z', 'x']),
  roles: new Set(),
};

type Leaf = () => FlowNode;
const work =
  (people: string[], mode: ApproveNode['mode'], more: Partial<ApproveNode> = {}): Leaf =>
  () =>
    step('', people, mode, more);
const told: Leaf = () => ({ key: '', type: 'cc', name: '', who: [{ from: 'users', ids: ['b'] }] }) satisfies CcNode;
const auto =
  (action: 'approve' | 'reject'): Leaf =>
  () => ({ key: '', type: 'auto', name: '', action });

/** Steps that differ in what the interpreter does with them. */
export const LEAVES: readonly Leaf[] = [
  work(['a', 'b'], 'any'),
  work(['a', 'b'], 'all'),
  work(['a', 'b'], 'sequence'),
  work(['a', 'b', 'z'], 'vote', { percent: 60 }),
  () => handle('', ['a', 'b'], 'all'),
  told,
  auto('reject'),
  work(['a', 'b'], 'all', { waitAll: true }),
  work(['m', 'a'], 'all'),
  work(['m'], 'any'),
  work(['x'], 'any', { empty: 'admin' }),
  work(['x'], 'all', { empty: 'people', emptyPeople: ['a', 'm'] }),
  work(['x'], 'any', { empty: 'approve' }),
  work(['x'], 'any', { empty: 'reject' }),
  work(['x'], 'any', { empty: 'suspend' }),
  auto('approve'),
];

/** Every sequence of exactly so many nodes, those inside of branches counted as well. */
function sequences(nodes: number, leaves: readonly Leaf[]): FlowNode[][] {
  if (nodes === 0) return [[]];
  const all: FlowNode[][] = [];
  for (let first = 1; first <= nodes; first += 1) {
    const heads = first === 1 ? leaves.map((leaf) => leaf()) : holders(first, leaves);
    for (const rest of sequences(nodes - first, leaves)) for (const head of heads) all.push([head, ...rest]);
  }
  return all;
}

/** Every branch and every parallel of exactly so many nodes, itself counted, with two sequences inside. */
function holders(nodes: number, leaves: readonly Leaf[]): FlowNode[] {
  const all: FlowNode[] = [];
  for (let left = 0; left < nodes; left += 1) {
    const pairs = sequences(left, leaves).flatMap((one) =>
      sequences(nodes - 1 - left, leaves).map((other): [FlowNode[], FlowNode[]] => [one, other]),
    );
    for (const [one, other] of pairs) {
      const cases = [
        { name: '一', when: dear, steps: one },
        { name: '默认', when: null, steps: other },
      ];
      const branches = [
        { name: '一', steps: one },
        { name: '二', steps: other },
      ];
      all.push({ key: '', type: 'branch', name: '', cases }, { key: '', type: 'parallel', name: '', branches });
    }
  }
  return all;
}

function keyed(steps: FlowNode[], count: { n: number }): FlowNode[] {
  return steps.map((node) => {
    count.n += 1;
    const named = { ...node, key: `n${count.n}`, name: `n${count.n}` };
    if (named.type === 'branch') named.cases = named.cases.map((one) => ({ ...one, steps: keyed(one.steps, count) }));
    if (named.type === 'parallel')
      named.branches = named.branches.map((one) => ({ ...one, steps: keyed(one.steps, count) }));
    return named;
  });
}

/** Every definition of exactly so many nodes of these leaves that a company could publish. */
export function definitionsOf(nodes: number, leaves: readonly Leaf[] = LEAVES): Definition[] {
  return sequences(nodes, leaves)
    .map((steps): Definition => ({ steps: keyed(steps, { n: 0 }) }))
    .filter((definition) => problemsOf(definition, around).length === 0);
}
