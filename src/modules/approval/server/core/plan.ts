import type { Condition } from '../../contract/condition.ts';
import { branchesOf, type Definition, type FlowNode, isWork, type WorkNode } from '../../contract/flow.ts';

/** The branch of a node in which a sequence lies. */
export interface Holder {
  key: string;
  slot: number;
}

/** Where a node stands in a definition. */
export interface Place {
  node: FlowNode;
  /** The node after it in its sequence. */
  next: string | null;
  /** What its sequence belongs to; null for that of the flow itself. */
  holder: Holder | null;
  /** Place in reading order. */
  order: number;
  /** Parallel branches around it, the outermost first, as "key:slot". */
  lanes: readonly string[];
}

/** A definition by the keys of its nodes. */
export interface Plan {
  first: string | null;
  at: (key: string) => Place;
  has: (key: string) => boolean;
}

function place(
  steps: readonly FlowNode[],
  holder: Holder | null,
  lanes: readonly string[],
  places: Map<string, Place>,
): void {
  steps.forEach((node, index) => {
    places.set(node.key, { node, next: steps[index + 1]?.key ?? null, holder, order: places.size, lanes });
    branchesOf(node).forEach(({ steps: inner }, slot) => {
      const around = node.type === 'parallel' ? [...lanes, `${node.key}:${slot}`] : lanes;
      place(inner, { key: node.key, slot }, around, places);
    });
  });
}

/** Lays a definition out for the interpreter. */
export function planOf(definition: Definition): Plan {
  const places = new Map<string, Place>();
  place(definition.steps, null, [], places);
  return {
    first: definition.steps[0]?.key ?? null,
    has: (key) => places.has(key),
    at(key) {
      const found = places.get(key);
      if (!found) throw new Error(`no node ${key}`);
      return found;
    },
  };
}

/**
 * Steps that may come right after one when it is done; of branches the case that holds, of parallel branches all. None
 * beyond the end of a parallel branch, where others have to end as well.
 */
export function stepsAfter(plan: Plan, key: string, holds: (condition: Condition) => boolean): WorkNode[] {
  const from = (target: string | null, holder: Holder | null): WorkNode[] => {
    if (target !== null) return at(target);
    if (holder === null || plan.at(holder.key).node.type === 'parallel') return [];
    const around = plan.at(holder.key);
    return from(around.next, around.holder);
  };
  const at = (target: string): WorkNode[] => {
    const { node, next, holder } = plan.at(target);
    if (isWork(node)) return [node];
    if (node.type === 'auto') return [];
    if (node.type === 'cc') return from(next, holder);
    const slots =
      node.type === 'branch'
        ? [node.cases.findIndex(({ when }) => when === null || holds(when))]
        : node.branches.keys();
    return [...slots].flatMap((slot) => {
      const first = branchesOf(node)[slot]?.steps[0]?.key ?? null;
      return from(first, { key: node.key, slot });
    });
  };
  const { next, holder } = plan.at(key);
  return from(next, holder);
}

/** Whether everything in `inner` lies within the parallel branches of `outer`. */
export function within(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((lane, index) => inner[index] === lane);
}
