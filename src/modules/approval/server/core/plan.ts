import { branchesOf, type Definition, type FlowNode } from '../../contract/flow.ts';

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

/** Whether everything in `inner` lies within the parallel branches of `outer`. */
export function within(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((lane, index) => inner[index] === lane);
}
