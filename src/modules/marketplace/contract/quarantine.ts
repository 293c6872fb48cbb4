import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, OptionalText, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

export const AsideState = States(
  {
    open: { title: '待处理', tone: 'trouble' },
    fixed: { title: '已入库', tone: 'done' },
    ignored: { title: '已忽略', tone: 'off' },
  },
  '状态',
);

export const AsideRow = z.object({
  id: Id,
  store: z.string().meta({ title: '店铺账号', width: 150 }),
  source: z.string().meta({ title: '报表或数据流', width: 190 }),
  /** Physical line of the file; null for what came by API. */
  lineNo: z.int().nullable().meta({ title: '行号', kind: 'integer', width: 80 }),
  key: z.string().meta({ title: '单号', kind: 'code', width: 190 }),
  reason: z.string().meta({ title: '原因', width: 320 }),
  preview: z.string().meta({ title: '原始内容', width: 360 }),
  state: AsideState.meta({ width: 100 }),
  firstSeenAt: Instant.meta({ title: '发现时间', width: 130 }),
  settledAt: Instant.nullable().meta({ title: '处理时间', width: 130 }),
  settledByName: z.string().nullable().meta({ title: '处理人', kind: 'person', width: 110 }),
  note: z.string().nullable().meta({ title: '说明', width: 200 }),
  fileName: z.string().nullable().meta({ title: '文件', width: 260, optional: true }),
});
export type AsideRow = z.infer<typeof AsideRow>;

export const AsideFilter = z.object({
  state: z.array(AsideState).meta({ title: '状态' }),
  authid: z.array(Id).max(200).meta({ title: '店铺账号', hidden: false }),
  kind: z.array(z.string().max(100)).max(50).meta({ title: '报表或数据流' }),
  seen: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '发现日期', kind: 'date' }),
  reason: z.string().trim().max(100).meta({ title: '原因、单号' }),
});
const AnyAside = AsideFilter.partial();
export type AsideFilter = z.infer<typeof AnyAside>;

const quarantine = '/amazon/api/v1/sync/quarantine';
const view = 'amz:sync:view';
const edit = 'amz:quarantine:edit';

export const listAside = endpoint({
  title: '隔离区',
  method: 'POST',
  path: quarantine,
  permission: view,
  access: 'read',
  body: PageQuery(AsideFilter),
  sortable: ['lineNo', 'firstSeenAt', 'settledAt'],
  reply: Page(AsideRow),
});

export const countAside = endpoint({
  title: '隔离区数量',
  method: 'POST',
  path: `${quarantine}/counts`,
  permission: view,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyAside.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportAside = endpoint({
  title: '导出隔离区',
  method: 'POST',
  path: `${quarantine}/export`,
  permission: view,
  access: 'read',
  body: ExportQuery(AsideFilter),
  file: true,
  reply: z.unknown(),
});

export const asideKinds = endpoint({
  title: '隔离区的报表与数据流',
  method: 'GET',
  path: `${quarantine}/kinds`,
  permission: view,
  concurrent: true,
  reply: z.array(z.object({ value: z.string(), label: z.string() })),
});

export const AsideDetail = AsideRow.extend({
  documentId: Id.nullable(),
  /** Cells of the line by header, as they came and as they stand corrected; empty for what came by API. */
  cells: z.array(z.object({ at: z.int(), header: z.string(), original: z.string(), value: z.string() })),
  /** The API's answer as it came. */
  answer: z.string().nullable(),
});
export type AsideDetail = z.infer<typeof AsideDetail>;

const params = z.object({ id: Id });

export const asideDetail = endpoint({
  title: '隔离行详情',
  method: 'GET',
  path: `${quarantine}/detail/:id`,
  permission: view,
  concurrent: true,
  params,
  reply: AsideDetail,
});

const Retried = z.object({ state: AsideState, reason: z.string() });

/** Puts a line right and reads its document again; the rest of it stays as it is. */
export const retryAside = endpoint({
  title: '修正隔离行并重试',
  method: 'POST',
  path: `${quarantine}/retry/:id`,
  permission: edit,
  params,
  body: z.object({ cells: z.array(z.string().max(4000)).max(300).meta({ title: '内容' }) }),
  reply: Retried,
});

export const ignoreAside = endpoint({
  title: '忽略隔离行',
  method: 'POST',
  path: `${quarantine}/ignore`,
  permission: edit,
  body: z.object({
    ids: z.array(Id).min(1, '请选择隔离行').max(500).meta({ title: '隔离行' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: z.object({ count: z.int() }),
});

export const reopenAside = endpoint({
  title: '恢复隔离行',
  method: 'POST',
  path: `${quarantine}/reopen`,
  permission: edit,
  body: z.object({
    ids: z.array(Id).min(1, '请选择隔离行').max(500).meta({ title: '隔离行' }),
    note: OptionalText(200, '说明'),
  }),
  reply: z.object({ count: z.int() }),
});

export const DeadKind = States(
  {
    stream: { title: '数据流', tone: 'trouble' },
    report: { title: '报表', tone: 'trouble' },
    backfill: { title: '回补', tone: 'trouble' },
    feed: { title: '数据提交', tone: 'trouble' },
    notice: { title: '通知', tone: 'trouble' },
    job: { title: '后台任务', tone: 'trouble' },
  },
  '类型',
);

/** Work that was given up. */
export const DeadRow = z.object({
  id: z.string(),
  kind: DeadKind.meta({ width: 100 }),
  store: z.string().nullable().meta({ title: '店铺账号', width: 160 }),
  title: z.string().meta({ title: '任务', width: 260 }),
  attempts: z.int().meta({ title: '尝试次数', kind: 'integer', width: 90 }),
  failedAt: Instant.nullable().meta({ title: '失败时间', width: 130 }),
  error: z.string().meta({ title: '原因', width: 420 }),
});
export type DeadRow = z.infer<typeof DeadRow>;

export const listDead = endpoint({
  title: '失败任务',
  method: 'GET',
  path: '/amazon/api/v1/sync/dead',
  permission: view,
  concurrent: true,
  reply: z.array(DeadRow),
});

export const retryDead = endpoint({
  title: '重试失败任务',
  method: 'POST',
  path: '/amazon/api/v1/sync/retryDead',
  permission: 'amz:store:sync',
  body: z.object({
    items: z
      .array(z.object({ kind: DeadKind, id: z.string().max(200) }))
      .min(1, '请选择任务')
      .max(200)
      .meta({ title: '任务' }),
  }),
  reply: z.object({ count: z.int() }),
});

/** Leaves failed submissions and notifications as they are: 忽略. What brings facts has to be read. */
export const ignoreDeadWork = endpoint({
  title: '忽略失败任务',
  method: 'POST',
  path: '/amazon/api/v1/sync/ignoreDead',
  permission: 'amz:store:sync',
  body: z.object({
    items: z
      .array(z.object({ kind: z.enum(['feed', 'notice']), id: z.string().max(200) }))
      .min(1, '请选择任务')
      .max(200)
      .meta({ title: '任务' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: z.object({ count: z.int() }),
});
