import type { Edge, Node } from '@xyflow/react';
import { branchesOf, type Definition, type FlowNode } from '../../contract/flow.ts';
import type { Spot } from './tree.ts';

export const CARD = { width: 220, height: 68 };
const SMALL = { width: 180, height: 46 };
const GAP = { x: 36, y: 52 };

/** What a node of the canvas draws. */
export interface CanvasData extends Record<string, unknown> {
  kind: 'start' | 'end' | 'step' | 'case' | 'join';
  /** The node of the flow that it stands for; of a case, the branch that holds it. */
  node?: FlowNode;
  slot?: number;
}
export type CanvasNode = Node<CanvasData>;
export type CanvasEdge = Edge<{ spot?: Spot }>;

interface Size {
  width: number;
  height: number;
}

function sizeOf(node: FlowNode): Size {
  const inner = branchesOf(node).map(({ steps }) => sequence(steps));
  if (inner.length === 0) return CARD;
  const width = inner.reduce((sum, size) => sum + size.width, 0) + GAP.x * (inner.length - 1);
  const height = Math.max(...inner.map((size) => size.height));
  return { width: Math.max(CARD.width, width), height: CARD.height + GAP.y + SMALL.height + height + GAP.y + 12 };
}

/** Room of a sequence, with the gap before each of its nodes. */
function sequence(steps: readonly FlowNode[]): Size {
  const sizes = steps.map(sizeOf);
  return {
    width: Math.max(SMALL.width, ...sizes.map((size) => size.width)),
    height: sizes.reduce((sum, size) => sum + size.height + GAP.y, 0),
  };
}

/** Nodes and edges of a definition, laid out from the top down; every edge between steps can take a new one. */
export function layout(definition: Definition): { nodes: CanvasNode[]; edges: CanvasEdge[] } {
  const nodes: CanvasNode[] = [];
  const edges: CanvasEdge[] = [];
  const put = (id: string, x: number, y: number, size: Size, data: CanvasData) =>
    nodes.push({ id, type: data.kind, position: { x: x - size.width / 2, y }, data, draggable: false, ...size });
  const link = (source: string, target: string, spot?: Spot) =>
    edges.push({ id: `${source}-${target}`, source, target, type: 'plus', data: spot ? { spot } : {} });

  /** Lays a sequence out below `from`; answers its last node and where it ends. */
  const lay = (steps: readonly FlowNode[], holder: Spot['holder'], from: string, x: number, top: number) => {
    let [last, y] = [from, top];
    steps.forEach((node, index) => {
      y += GAP.y;
      put(node.key, x, y, CARD, { kind: 'step', node });
      link(last, node.key, { holder, index });
      last = node.key;
      const branches = branchesOf(node);
      if (branches.length > 0) last = spread(node, branches, x, y + CARD.height);
      y += sizeOf(node).height;
    });
    return { last, y };
  };

  const spread = (node: FlowNode, branches: ReturnType<typeof branchesOf>, x: number, top: number): string => {
    const sizes = branches.map(({ steps }) => sequence(steps));
    const join = `${node.key}:join`;
    const width = sizes.reduce((sum, size) => sum + size.width, 0) + GAP.x * (sizes.length - 1);
    const bottom = top + GAP.y + SMALL.height + Math.max(...sizes.map((size) => size.height)) + GAP.y;
    let left = x - width / 2;
    branches.forEach(({ steps }, slot) => {
      const center = left + (sizes[slot]?.width ?? 0) / 2;
      left += (sizes[slot]?.width ?? 0) + GAP.x;
      const id = `${node.key}:${slot}`;
      put(id, center, top + GAP.y, SMALL, { kind: 'case', node, slot });
      link(node.key, id);
      const end = lay(steps, { key: node.key, slot }, id, center, top + GAP.y + SMALL.height);
      link(end.last, join, { holder: { key: node.key, slot }, index: steps.length });
    });
    put(join, x, bottom, { width: 12, height: 12 }, { kind: 'join' });
    return join;
  };

  put('start', 0, 0, SMALL, { kind: 'start' });
  const { last, y } = lay(definition.steps, null, 'start', 0, SMALL.height);
  put('end', 0, y + GAP.y, SMALL, { kind: 'end' });
  link(last, 'end', { holder: null, index: definition.steps.length });
  return { nodes, edges };
}
