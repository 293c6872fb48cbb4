import { z } from 'zod';
import { Choice, Id, Instant, Money, States } from '#kit/contract/field.ts';

export const InstanceState = States(
  {
    running: { title: '审批中', tone: 'waiting' },
    suspended: { title: '已挂起', tone: 'trouble' },
    approved: { title: '已通过', tone: 'done' },
    rejected: { title: '已拒绝', tone: 'trouble' },
    returned: { title: '已退回', tone: 'side' },
    withdrawn: { title: '已撤回', tone: 'off' },
    terminated: { title: '已终止', tone: 'off' },
  },
  '状态',
);
export type InstanceState = z.infer<typeof InstanceState>;

export const TaskState = States(
  {
    waiting: { title: '等待', tone: 'off' },
    pending: { title: '待处理', tone: 'waiting' },
    approved: { title: '同意', tone: 'done' },
    auto: { title: '自动通过', tone: 'done' },
    rejected: { title: '拒绝', tone: 'trouble' },
    returned: { title: '退回', tone: 'side' },
    transferred: { title: '已转交', tone: 'off' },
    cancelled: { title: '已取消', tone: 'off' },
  },
  '任务状态',
);

/** What the log of an approval tells. */
export const ACTIONS = {
  submit: '提交',
  resubmit: '重新提交',
  exempt: '免审',
  approve: '同意',
  auto: '自动同意',
  overdue: '超时处理',
  reject: '拒绝',
  return: '退回',
  withdraw: '撤回',
  takeBack: '拿回',
  transfer: '转交',
  sign: '加签',
  unsign: '减签',
  urge: '催办',
  copy: '抄送',
  comment: '评论',
  reassign: '改派',
  terminate: '终止',
  nobody: '无可用审批人',
  done: '审批结束',
} as const;
export type Action = keyof typeof ACTIONS;

/** Base currency of the company stands beside it in the row. */
const Amount = Money.nullable();

/** One approval, or one task of it, as the desk lists them. */
export const DeskRow = z.object({
  id: Id,
  instanceId: Id,
  docType: z.string().meta({ hidden: true }),
  docId: Id,
  number: z.string().meta({ title: '单号', kind: 'code', width: 140, pinned: 'left' }),
  docTitle: z.string().meta({ title: '单据类型', width: 90 }),
  summary: z.string().meta({ title: '摘要', width: 240 }),
  amount: Amount.meta({ title: '金额', currency: 'currency', width: 120 }),
  currency: z.string().nullable().meta({ hidden: true }),
  amountBase: Amount.meta({ title: '折本位币', currency: 'base', width: 120 }),
  base: z.string().meta({ hidden: true }),
  place: z.string().meta({ title: '店铺/仓库', width: 140 }),
  initiatorName: z.string().meta({ title: '发起人', kind: 'person', width: 100 }),
  submittedAt: Instant.meta({ title: '提交时间', width: 130 }),
  node: z.string().meta({ title: '当前节点', width: 130 }),
  /** Since when it stands there. */
  since: Instant.nullable().meta({ title: '到达时间', width: 130 }),
  dueAt: Instant.nullable().meta({ title: '截止时间', width: 130 }),
  principalName: z.string().nullable().meta({ title: '代理', tip: '受谁委托审批', width: 90, optional: true }),
  state: InstanceState.meta({ width: 90 }),
  batch: z.boolean().meta({ hidden: true }),
});
export type DeskRow = z.infer<typeof DeskRow>;

export const Tab = States(
  {
    todo: { title: '待我审批', tone: 'waiting' },
    done: { title: '我已审批', tone: 'done' },
    mine: { title: '我发起的', tone: 'running' },
    copied: { title: '抄送我的', tone: 'off' },
  },
  '范围',
);
export type Tab = z.infer<typeof Tab>;

export const LogRow = z.object({
  id: Id,
  at: Instant,
  action: z.string(),
  title: z.string(),
  actorName: z.string(),
  principalName: z.string().nullable(),
  node: z.string(),
  comment: z.string(),
  detail: z.string(),
});

export const TaskRow = z.object({
  id: Id,
  no: z.int(),
  node: z.string(),
  nodeKey: z.string(),
  visit: z.int(),
  person: z.string(),
  personId: Id,
  principalName: z.string().nullable(),
  kind: Choice({ node: '审批', before: '前加签', after: '后加签', parallel: '并行加签' }, '方式'),
  state: TaskState,
  begunAt: Instant.nullable(),
  dueAt: Instant.nullable(),
  actedAt: Instant.nullable(),
  comment: z.string(),
});
export type TaskRow = z.infer<typeof TaskRow>;

/** A step of the way from here to the end. */
export const PathStep = z.object({
  key: z.string(),
  name: z.string(),
  type: z.enum(['approve', 'handle', 'cc', 'auto']),
  people: z.array(z.string()),
  /** Why each of them is asked, in their order, e.g. 角色, or 代 张三（委托）; empty where it is not known any more. */
  whys: z.array(z.string()),
  /** What happens where nobody is found, e.g. 转流程管理员 李四. */
  nobody: z.string(),
  /** e.g. 会签 */
  mode: z.string(),
  state: z.enum(['done', 'now', 'todo']),
  /** The parallel branch that it lies in. */
  lane: z.string(),
  /** Nobody was found. */
  open: z.boolean(),
  /** The people are picked at the step before. */
  previous: z.boolean(),
  /** The maker may pick the people. */
  choosable: z.boolean(),
});
export type PathStep = z.infer<typeof PathStep>;

/** Somebody may do this to the approval now. */
export const Allowed = z.object({
  /** The caller's open task, if he has one. */
  taskId: Id.nullable(),
  /** He approves, or only carries something out. */
  handles: z.boolean(),
  withdraw: z.boolean(),
  takeBack: z.boolean(),
  urge: z.boolean(),
  terminate: z.boolean(),
  reassign: z.boolean(),
  /** Steps right after his own whose people he picks when he agrees; those who are picked already. */
  names: z.array(z.object({ key: z.string(), name: z.string(), people: z.array(Id) })),
  returnTo: z.array(z.object({ key: z.string(), name: z.string() })),
  /** Tasks that he added and may take off again. */
  unsign: z.array(z.object({ id: Id, name: z.string() })),
});
export type Allowed = z.infer<typeof Allowed>;

export const InstanceView = z.object({
  id: Id,
  docType: z.string(),
  docTitle: z.string(),
  docId: Id,
  route: z.object({ path: z.string(), id: z.string() }),
  number: z.string(),
  summary: z.string(),
  place: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  amount: Amount,
  currency: z.string().nullable(),
  amountBase: Amount,
  base: z.string(),
  flowName: z.string(),
  flowNo: z.int().nullable(),
  submission: z.int(),
  state: InstanceState,
  initiatorName: z.string(),
  submittedAt: Instant,
  finishedAt: Instant.nullable(),
  tasks: z.array(TaskRow),
  log: z.array(LogRow),
  path: z.array(PathStep),
  /** What differs from what was decided about last, as label, before, after. */
  changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
  allowed: Allowed,
});
export type InstanceView = z.infer<typeof InstanceView>;
