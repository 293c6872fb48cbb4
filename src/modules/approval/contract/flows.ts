import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, States, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { AUTHORIZE, base, CONFIG, VIEW } from './config.ts';
import { Definition } from './flow.ts';
import { PathStep } from './instance.ts';

export const FlowState = States({
  draft: { title: '草稿', tone: 'off' },
  published: { title: '已发布', tone: 'done' },
  disabled: { title: '已停用', tone: 'trouble' },
});
export const Scope = Choice({ company: '全公司', department: '部门', store: '店铺', warehouse: '仓库' }, '适用范围');

export const FlowRow = z.object({
  id: Id,
  name: z.string().meta({ title: '流程名称', width: 200, pinned: 'left' }),
  docType: z.string().meta({ hidden: true }),
  docTitle: z.string().meta({ title: '单据类型', width: 110 }),
  no: z.int().nullable().meta({ title: '版本', kind: 'integer', width: 70 }),
  scope: Scope.meta({ width: 100 }),
  scopeNames: z.string().meta({ title: '范围明细', width: 180 }),
  priority: z.int().meta({ title: '优先级', kind: 'integer', width: 80 }),
  state: FlowState.meta({ width: 90 }),
  running: z.int().meta({ title: '运行中', kind: 'integer', width: 80 }),
  /** The draft differs from what is published. */
  changed: z.boolean().meta({ title: '有未发布修改', kind: 'boolean', width: 110 }),
  updatedByName: z.string().meta({ title: '更新人', kind: 'person', width: 100 }),
  updatedAt: Instant.meta({ title: '更新时间', width: 130 }),
  version: z.int().meta({ hidden: true }),
});
export type FlowRow = z.infer<typeof FlowRow>;

export const FlowFilter = z.object({
  docType: z.array(z.string().max(60)).max(50).meta({ title: '单据类型' }),
  state: z.array(FlowState).max(5).meta({ title: '状态' }),
  keyword: z.string().trim().max(50).meta({ title: '流程名称' }),
});

export const FlowInput = z.object({
  /** Left out for a new flow. */
  id: Id.optional(),
  version: z.int().optional().meta({ title: '版本' }),
  name: Text(50, '流程名称'),
  docType: z.string().min(1, '请选择单据类型').max(60).meta({ title: '单据类型' }),
  scope: Scope.default('company'),
  scopeIds: z.array(Id).max(100).default([]).meta({ title: '范围明细' }),
  priority: z.int().min(0).max(999).default(0).meta({ title: '优先级' }),
  definition: Definition,
});
export type FlowInput = z.infer<typeof FlowInput>;

export const FlowVersion = z.object({
  no: z.int(),
  note: z.string(),
  publishedAt: Instant,
  publishedByName: z.string(),
});

export const FlowView = FlowRow.extend({
  scopeIds: z.array(Id),
  definition: Definition,
  versions: z.array(FlowVersion),
  problems: z.array(z.object({ key: z.string(), text: z.string() })),
});
export type FlowView = z.infer<typeof FlowView>;

const ById = z.object({ id: Id });
const Saved = z.object({ id: Id, version: z.int(), message: z.string() });

export const listFlows = endpoint({
  title: '流程列表',
  method: 'POST',
  path: `${base}/flow/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(FlowFilter),
  sortable: ['name', 'no', 'priority', 'updatedAt'],
  reply: Page(FlowRow),
});
export const readFlow = endpoint({
  title: '流程详情',
  method: 'GET',
  path: `${base}/flow/:id`,
  permission: VIEW,
  params: ById,
  reply: FlowView,
});
export const saveFlow = endpoint({
  title: '保存流程',
  method: 'POST',
  path: `${base}/flow`,
  permission: CONFIG,
  body: FlowInput,
  reply: Saved,
});
export const copyFlow = endpoint({
  title: '复制流程',
  method: 'POST',
  path: `${base}/flow/:id/copy`,
  permission: CONFIG,
  params: ById,
  reply: Saved,
});
export const removeFlow = endpoint({
  title: '删除流程',
  method: 'DELETE',
  path: `${base}/flow/:id`,
  permission: CONFIG,
  params: ById,
  reply: z.null(),
});
export const publishFlow = endpoint({
  title: '发布流程',
  method: 'POST',
  path: `${base}/flow/:id/publish`,
  permission: AUTHORIZE,
  params: ById,
  body: z.object({
    version: z.int().meta({ title: '版本' }),
    note: z.string().trim().max(200).default('').meta({ title: '发布说明' }),
  }),
  reply: Saved,
});
export const disableFlow = endpoint({
  title: '停用流程',
  method: 'POST',
  path: `${base}/flow/:id/disable`,
  permission: AUTHORIZE,
  params: ById,
  reply: Saved,
});

/** Documents of a kind that the caller reaches, the newest first, to run a flow on. */
export const trialDocuments = endpoint({
  title: '可试运行的单据',
  method: 'POST',
  path: `${base}/flow/documents`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    docType: z.string().min(1).max(60).meta({ title: '单据类型' }),
    /** Part of its number; nothing: the latest. */
    keyword: z.string().trim().max(60).default('').meta({ title: '单号' }),
  }),
  reply: z.array(z.object({ number: z.string(), summary: z.string() })),
});

/** Runs a definition on a document that exists, as if somebody handed it in; nothing is written. */
export const simulateFlow = endpoint({
  title: '流程试运行',
  method: 'POST',
  path: `${base}/flow/simulate`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    docType: z.string().min(1).max(60).meta({ title: '单据类型' }),
    /** Number of a document of the kind. */
    number: z.string().trim().min(1, '请输入单号').max(60).meta({ title: '单号' }),
    initiator: Id.nullable().default(null).meta({ title: '发起人' }),
    definition: Definition,
  }),
  reply: z.object({
    number: z.string(),
    summary: z.string(),
    vars: z.array(z.object({ title: z.string(), value: z.string() })),
    path: z.array(PathStep),
    /** Nodes that it passes, branches as well: what the canvas lights up. */
    keys: z.array(z.string()),
  }),
});

/** What became of a node, or of a branch of one, from one version to another. */
export const CHANGES = { added: '新增', removed: '删除', changed: '修改', moved: '移动' } as const;
export type ChangeKind = keyof typeof CHANGES;
const ChangeKind = z.enum(['added', 'removed', 'changed', 'moved']);

/** One node that differs, in words as people read them. */
export const NodeChange = z.object({
  key: z.string(),
  name: z.string(),
  kind: ChangeKind,
  /** What it is and where it stands, e.g. 审批人 · 采购主管之后. */
  place: z.string(),
  /** What it does; of a node that is there in one version only. */
  words: z.string(),
  details: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
});
export type NodeChange = z.infer<typeof NodeChange>;

const Marks = z.record(z.string(), ChangeKind);
const Definitions = z.object({ a: Definition, b: Definition });
/** What differs between two versions; 0 is the draft. */
export const compareVersions = endpoint({
  title: '流程版本对比',
  method: 'GET',
  path: `${base}/flow/:id/diff`,
  permission: VIEW,
  params: ById,
  query: z.object({
    a: z.coerce.number().int().min(0).meta({ title: '版本' }),
    b: z.coerce.number().int().min(0).meta({ title: '对比版本' }),
  }),
  reply: Definitions.extend({
    changes: z.array(NodeChange),
    /** What to mark in the picture of either: keys of nodes, and "key:slot" of branches. */
    marks: z.object({ a: Marks, b: Marks }),
  }),
});
