import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, States } from '#kit/contract/field.ts';

/** One column of a saved version: key, position, shown or not, width in px, pinned side. */
export const QueryFieldItem = z.object({
  ffield: z.string().max(60).meta({ title: '列' }),
  findex: z.int().min(0).meta({ title: '顺序' }),
  isShow: z.boolean().meta({ title: '是否显示' }),
  width: z.number().min(40).max(800).optional().meta({ title: '列宽' }),
  pinned: z.enum(['left', 'right']).nullable().optional().meta({ title: '固定' }),
});
export type QueryFieldItem = z.infer<typeof QueryFieldItem>;

const Version = z.object({
  id: Id,
  name: z.string(),
  queryname: z.string(),
  isUsed: z.boolean(),
  items: z.array(QueryFieldItem),
  /** Lent to the whole company. */
  isShared: z.boolean(),
  isMine: z.boolean(),
  /** Whose it is; null where it is the caller's own. */
  ownerName: z.string().nullable(),
  /** The caller may write and delete it: his own, or a shared one for those who administer rights. */
  isEditable: z.boolean(),
});
export type QueryFieldVersion = z.infer<typeof Version>;

const QueryName = z.string().trim().min(1, '查询名称不能为空').max(80).meta({ title: '查询名称' });
const FieldList = z.array(QueryFieldItem).min(1, '至少保留一列').max(300).meta({ title: '列' });
const base = '/admin/api/v1/sysQueryField';

/** Own versions and those that colleagues share, by name. */
export const myVersions = endpoint({
  title: '我的列方案',
  method: 'GET',
  path: `${base}/getMyVersionFieldByUser`,
  permission: 'login',
  query: z.object({ queryname: QueryName }),
  reply: z.array(Version),
});

export const usedVersion = endpoint({
  title: '当前使用的列方案',
  method: 'GET',
  path: `${base}/getVersionFieldByUserQueryName`,
  permission: 'login',
  query: z.object({ queryname: QueryName }),
  reply: Version.nullable(),
});

export const versionById = endpoint({
  title: '列方案明细',
  method: 'GET',
  path: `${base}/getVersionFieldById`,
  permission: 'login',
  query: z.object({ id: Id }),
  reply: Version,
});

/** The catalogue of a query: every field that its grid can show. */
export const loadFields = endpoint({
  title: '可用列',
  method: 'GET',
  path: `${base}/loadfield`,
  permission: 'login',
  query: z.object({ queryname: QueryName }),
  reply: z.array(
    z.object({
      ffield: z.string(),
      title: z.string(),
      titleTooltip: z.string().nullable(),
      width: z.number().nullable(),
      sortable: z.boolean(),
      isShow: z.boolean(),
      findex: z.int(),
    }),
  ),
});

export const deleteVersion = endpoint({
  title: '删除列方案',
  method: 'GET',
  path: `${base}/deleteMyVersionField`,
  permission: 'login',
  access: 'write',
  query: z.object({ versionid: Id }),
  reply: z.literal('success'),
});

export const saveVersionWithName = endpoint({
  title: '另存列方案',
  method: 'POST',
  path: `${base}/saveMyVersionFieldWithName`,
  permission: 'login',
  body: z.object({
    queryname: QueryName,
    versionname: z
      .string()
      .trim()
      .min(1, '方案名称不能为空')
      .max(30, '方案名称不能超过30个字符')
      .meta({ title: '方案名称' }),
    fieldlist: FieldList,
  }),
  reply: Id,
});

/** `id` is a version's id, or a query name: then the used version is written, or a first one made. */
export const saveVersion = endpoint({
  title: '保存列方案',
  method: 'POST',
  path: `${base}/saveMyVersionField/:id`,
  permission: 'login',
  params: z.object({ id: z.string().min(1).max(80).meta({ title: '方案' }) }),
  body: FieldList,
  reply: Id,
});

/** Uses an own or a shared version, without writing it; no id: none, the list's own columns. */
export const useVersion = endpoint({
  title: '使用列方案',
  method: 'POST',
  path: `${base}/useVersion`,
  permission: 'login',
  body: z.object({ queryname: QueryName, id: Id.nullable().meta({ title: '方案' }) }),
  reply: z.literal('success'),
});

/** Lends an own version to the company, or takes it back: then colleagues who used it have the list's own columns. */
export const shareVersion = endpoint({
  title: '共享列方案',
  method: 'POST',
  path: `${base}/shareVersion/:id`,
  permission: 'login',
  params: z.object({ id: Id }),
  body: z.object({ shared: z.boolean().meta({ title: '是否共享' }) }),
  reply: z.literal('success'),
});

export const TaskState = States(
  {
    queued: { title: '排队', tone: 'off' },
    running: { title: '执行中', tone: 'running' },
    done: { title: '成功', tone: 'done' },
    failed: { title: '失败', tone: 'trouble' },
    cancelled: { title: '已取消', tone: 'off' },
  },
  '状态',
);

export const TaskRow = z.object({
  id: Id,
  title: z.string().meta({ title: '任务', width: 260 }),
  userName: z.string().nullable().meta({ title: '发起人', kind: 'person', width: 120 }),
  state: TaskState,
  /** Whole percent. */
  progress: z.int().meta({ title: '进度', kind: 'integer', width: 120 }),
  /** e.g. "318,204 / 512,380 行". */
  detail: z.string().nullable().meta({ title: '说明', width: 260 }),
  error: z.string().nullable().meta({ title: '失败原因', width: 260 }),
  fileId: Id.nullable(),
  fileName: z.string().nullable().meta({ title: '结果文件', width: 200 }),
  createdAt: Instant.meta({ title: '发起时间', width: 150 }),
  finishedAt: Instant.nullable().meta({ title: '完成时间', width: 150 }),
});
export type TaskRow = z.infer<typeof TaskRow>;

/** Own tasks of the last seven days, newest first, at most 50: the panel behind the header's ring. */
export const myTasks = endpoint({
  title: '我的后台任务',
  method: 'GET',
  path: '/admin/api/v1/jobs/mine',
  permission: 'login',
  concurrent: true,
  reply: z.array(TaskRow),
});

export const cancelTask = endpoint({
  title: '取消任务',
  method: 'POST',
  path: '/admin/api/v1/jobs/:id/cancel',
  permission: 'login',
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});

export const retryTask = endpoint({
  title: '重试任务',
  method: 'POST',
  path: '/admin/api/v1/jobs/:id/retry',
  permission: 'login',
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});

export const downloadFile = endpoint({
  title: '下载文件',
  method: 'GET',
  path: '/admin/api/v1/files/:id',
  permission: 'login',
  params: z.object({ id: Id }),
  file: true,
  reply: z.unknown(),
});
