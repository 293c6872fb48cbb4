import { z } from 'zod';
import { Id, Text } from '#kit/contract/field.ts';
import { Condition } from './condition.ts';

const Key = z
  .string()
  .regex(/^[a-z0-9]{1,12}$/, '节点编号有误')
  .meta({ title: '节点编号' });
const Name = Text(30, '节点名称');
const People = z.array(Id).max(50).default([]).meta({ title: '成员' });

/** Where the people of a step come from; each is resolved when the step begins. */
export const SOURCES = {
  users: '指定成员',
  roles: '角色',
  leader: '部门负责人',
  leaders: '连续多级主管',
  related: '单据关联人',
  chosen: '发起人自选',
  initiator: '发起人本人',
  previous: '上一节点指定',
} as const;

export const Source = z.discriminatedUnion('from', [
  z.object({ from: z.literal('users'), ids: z.array(Id).max(50) }),
  /** `within`: of them only whose data rights cover the shops and warehouses of the document, or his who made it. */
  z.object({ from: z.literal('roles'), ids: z.array(Id).max(20), within: z.boolean().optional() }),
  /** Lead of the initiator's department at level 1, of the one above at level 2 … */
  z.object({ from: z.literal('leader'), level: z.int().min(1).max(10) }),
  /** Every lead from level 1 up to this one, one after the other. */
  z.object({ from: z.literal('leaders'), level: z.int().min(1).max(10) }),
  /** Members whom the document names, e.g. its buyer. */
  z.object({ from: z.literal('related'), key: z.string().max(60) }),
  z.object({ from: z.literal('chosen') }),
  z.object({ from: z.literal('initiator') }),
  /** Whoever decides at the step before picks them when he agrees. */
  z.object({ from: z.literal('previous') }),
]);
export type Source = z.infer<typeof Source>;

/** How several people of one step decide. */
export const MODES = { any: '或签', all: '会签', sequence: '依次审批', vote: '票签' } as const;
export type Mode = keyof typeof MODES;

/** What happens where nobody is found for a step. */
export const EMPTY = {
  admin: '转流程管理员',
  people: '转指定成员',
  approve: '自动通过',
  reject: '自动拒绝',
  suspend: '挂起',
} as const;

/** What happens when a step is not decided in time. */
export const OVERDUE = { remind: '仅提醒', leader: '转上级', approve: '自动同意', reject: '自动拒绝' } as const;

/** Time for a step, in working hours of the company's calendar or in hours of the clock. */
export const Due = z.object({
  hours: z.number().min(0.5).max(720).meta({ title: '时限（小时）' }),
  clock: z.enum(['working', 'natural']).default('working').meta({ title: '计时方式' }),
  action: z.enum(['remind', 'leader', 'approve', 'reject']).default('remind').meta({ title: '超时处理' }),
});
export type Due = z.infer<typeof Due>;

const Step = z.object({
  key: Key,
  name: Name,
  who: z.array(Source).max(10).meta({ title: '人员' }),
  empty: z.enum(['admin', 'people', 'approve', 'reject', 'suspend']).default('admin').meta({ title: '无人时' }),
  emptyPeople: People,
  due: Due.nullable().default(null).meta({ title: '时限' }),
});

/** 审批人: people who agree or refuse. */
export const ApproveNode = Step.extend({
  type: z.literal('approve'),
  mode: z.enum(['any', 'all', 'sequence', 'vote']).default('any').meta({ title: '多人审批方式' }),
  /** vote: whole percent of the people who must agree. */
  percent: z.int().min(1, '票签比例须为1-100').max(100, '票签比例须为1-100').default(60).meta({ title: '通过比例' }),
  /** all: a refusal counts only after everybody has spoken. */
  waitAll: z.boolean().default(false).meta({ title: '全部表态后再判定' }),
});
export type ApproveNode = z.infer<typeof ApproveNode>;

/** 办理人: people who do something and say that it is done; they cannot refuse. */
export const HandleNode = Step.extend({
  type: z.literal('handle'),
  mode: z.enum(['any', 'all']).default('any').meta({ title: '多人办理方式' }),
});
export type HandleNode = z.infer<typeof HandleNode>;
export type WorkNode = ApproveNode | HandleNode;

/** 抄送人: people who are told. */
export const CcNode = z.object({
  key: Key,
  type: z.literal('cc'),
  name: Name,
  who: z.array(Source).max(10),
});
export type CcNode = z.infer<typeof CcNode>;

/** 自动处理: the flow ends here, well or not. */
export const AutoNode = z.object({
  key: Key,
  type: z.literal('auto'),
  name: Name,
  action: z.enum(['approve', 'reject']).meta({ title: '处理' }),
});

export interface Case {
  name: string;
  /** null: the default, which comes last and holds where no other did. */
  when: Condition | null;
  steps: FlowNode[];
}
/** 条件分支: the first case that holds. */
export interface BranchNode {
  key: string;
  type: 'branch';
  name: string;
  cases: Case[];
}
/** 并行分支: all branches at once; what follows begins when every one of them is done. */
export interface ParallelNode {
  key: string;
  type: 'parallel';
  name: string;
  branches: { name: string; steps: FlowNode[] }[];
}
export type FlowNode = WorkNode | CcNode | z.infer<typeof AutoNode> | BranchNode | ParallelNode;

const Steps: z.ZodType<FlowNode[]> = z.lazy(() => z.array(FlowNode).max(60));
const FlowNode: z.ZodType<FlowNode> = z.lazy(() =>
  z.discriminatedUnion('type', [
    ApproveNode,
    HandleNode,
    CcNode,
    AutoNode,
    z.object({
      key: Key,
      type: z.literal('branch'),
      name: Name,
      cases: z
        .array(z.object({ name: Name, when: Condition.nullable(), steps: Steps }))
        .min(2)
        .max(10),
    }),
    z.object({
      key: Key,
      type: z.literal('parallel'),
      name: Name,
      branches: z
        .array(z.object({ name: Name, steps: Steps }))
        .min(2)
        .max(10),
    }),
  ]),
);

/**
 * What a flow does, from the submission to its end: steps one after the other, with branches that hold steps themselves.
 * One beginning, one end, no circle and no step that cannot be reached follow from this form.
 */
export const Definition = z.object({ steps: Steps.meta({ title: '流程节点' }) });
export interface Definition {
  steps: FlowNode[];
}

/** Whether people work at a node. */
export function isWork(node: FlowNode): node is WorkNode {
  return node.type === 'approve' || node.type === 'handle';
}

/** The sequences that a node holds, with the name of each. */
export function branchesOf(node: FlowNode): readonly { name: string; steps: readonly FlowNode[] }[] {
  if (node.type === 'branch') return node.cases;
  return node.type === 'parallel' ? node.branches : [];
}

/** Whether the people of a node are picked at the step before it. */
export function isNamedBefore(node: FlowNode): node is WorkNode {
  return isWork(node) && node.who.some(({ from }) => from === 'previous');
}

/** Every node of a sequence with what it holds, in reading order. */
export function nodesIn(steps: readonly FlowNode[]): FlowNode[] {
  return steps.flatMap((node) => [node, ...branchesOf(node).flatMap(({ steps: inner }) => nodesIn(inner))]);
}
