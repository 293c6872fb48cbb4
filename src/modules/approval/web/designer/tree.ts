import { branchesOf, type Definition, type FlowNode, nodesIn } from '../../contract/flow.ts';
import { NODE_TITLES } from '../../contract/words.ts';

/** A sequence of a definition: the flow's own, or one inside a node. */
export interface Spot {
  holder: { key: string; slot: number } | null;
  /** Before which place of the sequence. */
  index: number;
}

type Edit = (steps: FlowNode[]) => FlowNode[];

/** Changes the sequences inside a node. */
function inside(node: FlowNode, edit: (steps: FlowNode[], slot: number) => FlowNode[]): FlowNode {
  if (node.type === 'branch')
    return { ...node, cases: node.cases.map((one, slot) => ({ ...one, steps: edit(one.steps, slot) })) };
  if (node.type === 'parallel') {
    return { ...node, branches: node.branches.map((one, slot) => ({ ...one, steps: edit(one.steps, slot) })) };
  }
  return node;
}

function everywhere(steps: FlowNode[], edit: Edit): FlowNode[] {
  return edit(steps.map((node) => inside(node, (inner) => everywhere(inner, edit))));
}

/** Puts a node into a sequence. */
export function insert({ steps }: Definition, { holder, index }: Spot, node: FlowNode): Definition {
  const into: Edit = (list) => [...list.slice(0, index), node, ...list.slice(index)];
  if (holder === null) return { steps: into(steps) };
  const walk = (list: FlowNode[]): FlowNode[] =>
    list.map((each) =>
      inside(each, (inner, slot) => (each.key === holder.key && slot === holder.slot ? into(inner) : walk(inner))),
    );
  return { steps: walk(steps) };
}

/** Takes a node out, with everything that it holds. */
export function remove({ steps }: Definition, key: string): Definition {
  return { steps: everywhere(steps, (list) => list.filter((node) => node.key !== key)) };
}

/** Puts another node in the place of the one with the same key. */
export function replace({ steps }: Definition, changed: FlowNode): Definition {
  const walk = (list: FlowNode[]): FlowNode[] =>
    list.map((node) => (node.key === changed.key ? changed : inside(node, (inner) => walk(inner))));
  return { steps: walk(steps) };
}

export function find({ steps }: Definition, key: string | undefined): FlowNode | undefined {
  return nodesIn(steps).find((node) => node.key === key);
}

/** A new node with a key and a name that no other has. */
export function fresh(definition: Definition, type: FlowNode['type']): FlowNode {
  const nodes = nodesIn(definition.steps);
  const unused = (test: (n: number) => boolean) => {
    let n = 1;
    while (!test(n)) n += 1;
    return n;
  };
  const key = `n${unused((n) => nodes.every((node) => node.key !== `n${n}`))}`;
  const title = NODE_TITLES[type];
  const names = new Set(nodes.map(({ name }) => name));
  const name = names.has(title) ? `${title}${unused((n) => n > 1 && !names.has(`${title}${n}`))}` : title;
  const base = { key, name };
  const work = { ...base, who: [], empty: 'admin' as const, emptyPeople: [], due: null };
  switch (type) {
    case 'approve':
      return { ...work, type, mode: 'any', percent: 60, waitAll: false };
    case 'handle':
      return { ...work, type, mode: 'any' };
    case 'cc':
      return { ...base, type, who: [] };
    case 'auto':
      return { ...base, type, action: 'reject' };
    case 'branch':
      return {
        ...base,
        type,
        cases: [
          { name: '分支1', when: { join: 'all', rules: [] }, steps: [] },
          { name: '默认', when: null, steps: [] },
        ],
      };
    case 'parallel':
      return {
        ...base,
        type,
        branches: [
          { name: '分支1', steps: [] },
          { name: '分支2', steps: [] },
        ],
      };
  }
}

/** How many steps a node holds: what a deletion takes along. */
export function held(node: FlowNode): number {
  return branchesOf(node).reduce((sum, { steps }) => sum + nodesIn(steps).length, 0);
}
