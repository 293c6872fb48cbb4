import { CloseOutlined, PlusOutlined, WarningFilled } from '@ant-design/icons';
import {
  Background,
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  type EdgeProps,
  getSmoothStepPath,
  Handle,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { Dropdown } from 'antd';
import { createContext, useContext, useMemo } from 'react';
import type { KindView } from '../../contract/config.ts';
import { branchesOf, type Definition, type FlowNode } from '../../contract/flow.ts';
import { CHANGES, type ChangeKind } from '../../contract/flows.ts';
import { conditionWords, type Names, NODE_TITLES, nodeWords } from '../../contract/words.ts';
import { type CanvasEdge, type CanvasNode, layout } from './layout.ts';
import type { Spot } from './tree.ts';

const TYPES = Object.entries(NODE_TITLES).map(([key, label]) => ({ key, label }));

interface Tools {
  names: Names;
  kind: KindView | undefined;
  /** Keys of nodes with something wrong. */
  faults: ReadonlySet<string>;
  /** Nodes that the document of a trial run passes. */
  lit: ReadonlySet<string> | undefined;
  /** What is otherwise in the version that it is compared with, by key of the node, or "key:slot" of a branch. */
  marks?: Readonly<Record<string, ChangeKind>> | undefined;
  chosen: string | undefined;
  choose: (key: string) => void;
  /** Left out where nothing can be changed. */
  insert?: ((spot: Spot, type: FlowNode['type']) => void) | undefined;
  remove?: ((node: FlowNode) => void) | undefined;
}

const ToolsContext = createContext<Tools | null>(null);

function useTools(): Tools {
  const tools = useContext(ToolsContext);
  if (!tools) throw new Error('a node outside its canvas');
  return tools;
}

function Ports() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

function StepNode({ data: { node } }: NodeProps<CanvasNode>) {
  const tools = useTools();
  if (!node) return null;
  const off = tools.lit !== undefined && !tools.lit.has(node.key);
  const words = nodeWords(node, tools.names, tools.kind);
  const mark = tools.marks?.[node.key];
  const marks = [
    tools.chosen === node.key ? ' is-chosen' : '',
    off ? ' is-off' : '',
    tools.faults.has(node.key) ? ' is-faulty' : '',
    mark ? ` is-${mark}` : '',
  ];
  return (
    <div className={`flow-card is-${node.type}${marks.join('')}`}>
      <Ports />
      <button type="button" className="flow-card-main" title={words}>
        <b className="ellipsis">
          {mark && <span className="flow-mark">{CHANGES[mark]}</span>}
          {node.name}
        </b>
        <span className="flow-card-words label">{words}</span>
      </button>
      {tools.faults.has(node.key) && <WarningFilled className="flow-fault" aria-label="有问题" />}
      {tools.remove && (
        <button
          type="button"
          className="flow-remove"
          aria-label={`删除 ${node.name}`}
          onClick={(event) => {
            event.stopPropagation();
            tools.remove?.(node);
          }}
        >
          <CloseOutlined />
        </button>
      )}
    </div>
  );
}

function CaseNode({ data: { node, slot = 0 } }: NodeProps<CanvasNode>) {
  const tools = useTools();
  if (!node) return null;
  const name = branchesOf(node)[slot]?.name ?? '';
  const words = node.type === 'branch' ? conditionWords(node.cases[slot]?.when ?? null, tools.kind) : '同时进行';
  const mark = tools.marks?.[`${node.key}:${slot}`];
  const off =
    tools.lit !== undefined &&
    !(node.type === 'branch' ? tools.lit.has(`${node.key}:${slot}`) : tools.lit.has(node.key));
  return (
    <button type="button" className={`flow-case${off ? ' is-off' : ''}${mark ? ` is-${mark}` : ''}`} title={words}>
      <Ports />
      <b className="ellipsis">
        {mark && <span className="flow-mark">{CHANGES[mark]}</span>}
        {name}
      </b>
      <span className="ellipsis label">{words}</span>
    </button>
  );
}

function EndNode({ data: { kind } }: NodeProps<CanvasNode>) {
  return (
    <div className={`flow-end is-${kind}`}>
      <Ports />
      {kind === 'start' ? '发起人' : kind === 'end' ? '结束' : null}
    </div>
  );
}

function PlusEdge({ sourceX, sourceY, targetX, targetY, target, data, id }: EdgeProps<CanvasEdge>) {
  const tools = useTools();
  // Lines spread out early and come together late.
  const centerY = target.endsWith(':join') ? targetY - 18 : sourceY + 26;
  const [path] = getSmoothStepPath({ sourceX, sourceY, targetX, targetY, borderRadius: 8, centerY });
  const { spot } = data ?? {};
  return (
    <>
      <BaseEdge id={id} path={path} />
      {spot && tools.insert && (
        <EdgeLabelRenderer>
          <span
            className="flow-plus"
            style={{ transform: `translate(-50%, -50%) translate(${sourceX}px, ${sourceY + 26}px)` }}
          >
            <Dropdown
              trigger={['click']}
              menu={{ items: TYPES, onClick: ({ key }) => tools.insert?.(spot, key as FlowNode['type']) }}
            >
              <button type="button" aria-label="在此处添加节点">
                <PlusOutlined />
              </button>
            </Dropdown>
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const NODES = { step: StepNode, case: CaseNode, start: EndNode, end: EndNode, join: EndNode };
const EDGES = { plus: PlusEdge };

/** A flow as a picture from the top down; where it can be changed, steps are put in with the + of an edge. */
export function Canvas({ definition, ...tools }: Tools & { definition: Definition }) {
  const { nodes, edges } = useMemo(() => layout(definition), [definition]);
  return (
    <ToolsContext value={tools}>
      <ReactFlow
        className="flow-canvas"
        nodes={nodes}
        edges={edges}
        nodeTypes={NODES}
        edgeTypes={EDGES}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        // Presses on the buttons within arrive here as well, from the keyboard too.
        onNodeClick={(_, { data: { node } }) => node && tools.choose(node.key)}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.12 }}
        minZoom={0.25}
        maxZoom={1.5}
        panOnScroll
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </ToolsContext>
  );
}
