import { branchesOf, type Definition, type FlowNode } from '../../contract/flow.ts';

export interface NodeChange {
  key: string;
  name: string;
  kind: 'added' | 'removed' | 'changed' | 'moved';
  details: { field: string; before: string; after: string }[];
}

interface Spot {
  node: FlowNode;
  /** What it comes after, and in which branch. */
  where: string;
}

function spots(steps: readonly FlowNode[], branch: string, into: Map<string, Spot>): Map<string, Spot> {
  steps.forEach((node, index) => {
    into.set(node.key, { node, where: `${branch}${steps[index - 1]?.name ?? '开始'}之后` });
    for (const { name, steps: inner } of branchesOf(node)) spots(inner, `${node.name}/${name}：`, into);
  });
  return into;
}

/** A node without the steps that it holds: those are compared by themselves. */
function own(node: FlowNode): Record<string, unknown> {
  if (node.type === 'branch') return { ...node, cases: node.cases.map(({ name, when }) => ({ name, when })) };
  if (node.type === 'parallel') return { ...node, branches: node.branches.map(({ name }) => name) };
  return { ...node };
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

function differences(a: FlowNode, b: FlowNode): NodeChange['details'] {
  const [before, after] = [own(a), own(b)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => text(before[field]) !== text(after[field]))
    .map((field) => ({ field, before: text(before[field]), after: text(after[field]) }));
}

/** What a later definition does otherwise than an earlier one, node by node. */
export function compare(a: Definition, b: Definition): NodeChange[] {
  const [before, after] = [spots(a.steps, '', new Map()), spots(b.steps, '', new Map())];
  const changes: NodeChange[] = [];
  for (const [key, { node, where }] of after) {
    const old = before.get(key);
    if (!old) changes.push({ key, name: node.name, kind: 'added', details: [] });
    else {
      const details = differences(old.node, node);
      const moved = old.where !== where ? [{ field: 'where', before: old.where, after: where }] : [];
      if (details.length > 0) changes.push({ key, name: node.name, kind: 'changed', details: [...details, ...moved] });
      else if (moved.length > 0) changes.push({ key, name: node.name, kind: 'moved', details: moved });
    }
  }
  for (const [key, { node }] of before) {
    if (!after.has(key)) changes.push({ key, name: node.name, kind: 'removed', details: [] });
  }
  return changes;
}
