import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base } from './shared.ts';

export const OperlogRow = z.object({
  id: Id,
  at: Instant.meta({ title: '时间', width: 130, pinned: 'left' }),
  actorName: z.string().nullable().meta({ title: '操作人', kind: 'person', width: 120 }),
  action: z.string().meta({ title: '操作', width: 170 }),
  resourceTitle: z.string().meta({ title: '对象', width: 140 }),
  resourceId: z.string().nullable().meta({ title: '对象编号', kind: 'code', width: 250 }),
  summary: z.string().meta({ title: '内容', width: 360 }),
  ip: z.string().nullable().meta({ title: 'IP 地址', kind: 'code', width: 130 }),
  resource: z.string().meta({ title: '对象代码', kind: 'code', width: 180, optional: true }),
  requestId: z.string().nullable().meta({ title: '请求编号', kind: 'code', width: 250, optional: true }),
});
export type OperlogRow = z.infer<typeof OperlogRow>;

export const OperlogFilter = z.object({
  at: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '时间', kind: 'date' }),
  actors: z.array(Id).max(50).meta({ title: '操作人' }),
  resource: z.array(z.string().max(100)).max(50).meta({ title: '对象' }),
  resourceId: z.string().trim().max(100).meta({ title: '对象编号' }),
  search: z.string().trim().max(50).meta({ title: '操作' }),
  /** One that was taken in: its log stayed by itself. Left out: the own company. */
  company: Id.meta({ title: '已迁入的公司' }),
});
const AnyOperlogFilter = OperlogFilter.partial();
export type OperlogFilter = z.infer<typeof AnyOperlogFilter>;

const path = `${base}/operlog`;

export const listOperlog = endpoint({
  title: '操作日志列表',
  method: 'POST',
  path: `${path}/list`,
  permission: 'sys:log:view',
  access: 'read',
  body: PageQuery(OperlogFilter),
  sortable: ['at'],
  reply: Page(OperlogRow),
});

export const exportOperlog = endpoint({
  title: '导出操作日志',
  method: 'POST',
  path: `${path}/export`,
  permission: 'sys:log:export',
  body: ExportQuery(OperlogFilter),
  file: true,
  reply: z.unknown(),
});

/** One field of a change, in words. */
const Change = z.object({
  field: z.string(),
  title: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type Change = z.infer<typeof Change>;

export const operlogDetail = endpoint({
  title: '操作日志详情',
  method: 'GET',
  path: `${path}/:id`,
  permission: 'sys:log:view',
  params: z.object({ id: Id }),
  reply: OperlogRow.extend({ changes: z.array(Change), sealed: z.boolean() }),
});

/** What the filters offer: people who left traces, and kinds of objects. */
export const operlogOptions = endpoint({
  title: '操作日志筛选项',
  method: 'GET',
  path: `${path}/options`,
  permission: 'sys:log:view',
  reply: z.object({
    actors: z.array(z.object({ value: z.string(), label: z.string() })),
    resources: z.array(z.object({ value: z.string(), label: z.string() })),
    /** Companies that were taken in. */
    companies: z.array(z.object({ value: z.string(), label: z.string() })),
  }),
});

export const SealState = States(
  {
    whole: { title: '完整', tone: 'done' },
    broken: { title: '已被改动', tone: 'trouble' },
    unchecked: { title: '未校验', tone: 'off' },
  },
  '日志完整性',
);

const Seal = z.object({
  state: SealState,
  checkedAt: Instant.nullable(),
  /** Rows that the last check covered. */
  checked: z.int(),
  /** Rows under seal. */
  sealed: z.int(),
  sealedAt: Instant.nullable(),
  /** Last link of the chain; noted down elsewhere, it also shows that nothing was cut off at the end. */
  fingerprint: z.string().nullable(),
  problem: z.string().nullable(),
  auditId: Id.nullable(),
});
export type Seal = z.infer<typeof Seal>;

export const operlogSeal = endpoint({
  title: '操作日志完整性',
  method: 'GET',
  path: `${path}/seal`,
  permission: 'sys:log:view',
  reply: Seal,
});

/** Starts a task that seals what is there and goes through the whole chain; answers its id. */
export const verifyOperlog = endpoint({
  title: '校验操作日志',
  method: 'POST',
  path: `${path}/verify`,
  permission: 'sys:log:view',
  reply: Id,
});
