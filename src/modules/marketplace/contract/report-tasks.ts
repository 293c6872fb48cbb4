import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

export const ReportStatus = States(
  {
    planned: { title: '待申请', tone: 'off' },
    requested: { title: '处理中', tone: 'running' },
    ready: { title: '已完成', tone: 'running' },
    downloaded: { title: '已下载', tone: 'running' },
    loaded: { title: '已入库', tone: 'done' },
    empty: { title: '无数据', tone: 'off' },
    failed: { title: '失败', tone: 'trouble' },
  },
  '申请状态',
);

export const ReportTaskRow = z.object({
  id: Id,
  store: z.string().meta({ title: '店铺账号', width: 150 }),
  title: z.string().meta({ title: '报表名称', width: 160 }),
  reportType: z.string().meta({ title: '报表类型', kind: 'code', width: 330, optional: true }),
  countries: z.string().meta({ title: '站点', width: 110 }),
  dataFrom: Instant.nullable().meta({ title: '开始', width: 130 }),
  dataTo: Instant.nullable().meta({ title: '结束', width: 130 }),
  status: ReportStatus.meta({ width: 100 }),
  rows: z.int().nullable().meta({ title: '行数', kind: 'integer', width: 90 }),
  setAside: z.int().meta({ title: '隔离行', kind: 'integer', width: 80 }),
  size: z.int().nullable().meta({ title: '大小（字节）', kind: 'integer', width: 110 }),
  createdAt: Instant.meta({ title: '申请时间', width: 130 }),
  finishedAt: Instant.nullable().meta({ title: '完成时间', width: 130 }),
  error: z.string().nullable().meta({ title: '失败原因', width: 260 }),
});
export type ReportTaskRow = z.infer<typeof ReportTaskRow>;

export const ReportTaskFilter = z.object({
  status: z.array(ReportStatus).meta({ title: '申请状态' }),
  authid: z.array(Id).max(200).meta({ title: '店铺账号', hidden: false }),
  reportType: z.array(z.string().max(100)).max(50).meta({ title: '报表名称' }),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '申请日期', kind: 'date' }),
});
const AnyTask = ReportTaskFilter.partial();
export type ReportTaskFilter = z.infer<typeof AnyTask>;

export const reportTasks = endpoint({
  title: '报表任务',
  method: 'POST',
  path: '/amazon/api/v1/report/selectTaskInfoList',
  permission: 'amz:store:view',
  access: 'read',
  body: PageQuery(ReportTaskFilter),
  sortable: ['status', 'rows', 'size', 'createdAt', 'finishedAt'],
  reply: Page(ReportTaskRow),
});

export const reportTaskCounts = endpoint({
  title: '报表任务数量',
  method: 'POST',
  path: '/amazon/api/v1/report/taskCounts',
  permission: 'amz:store:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyTask.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** One step of a report on its way: asked for, made, downloaded, loaded. */
const Step = z.object({ title: z.string(), at: Instant.nullable(), done: z.boolean(), note: z.string().nullable() });

export const ReportTaskDetail = ReportTaskRow.extend({
  /** Marketplace's number of the report; null until it was asked for. */
  reportId: z.string().nullable(),
  attempts: z.int(),
  generation: z.int(),
  nextAt: Instant.nullable(),
  steps: z.array(Step),
  document: z
    .object({
      id: Id,
      fileName: z.string(),
      size: z.int(),
      sha256: z.string(),
      charset: z.string().nullable(),
      /** When its bytes go; null where they are kept for good. */
      keptUntil: Instant.nullable(),
      isKept: z.boolean(),
      downloadedAt: Instant,
      loadedAt: Instant.nullable(),
      rows: z.int().nullable(),
    })
    .nullable(),
  may: z.object({ retry: z.boolean(), cancel: z.boolean(), replay: z.boolean() }),
});
export type ReportTaskDetail = z.infer<typeof ReportTaskDetail>;

const params = z.object({ id: Id });
const report = '/amazon/api/v1/report';

export const reportTask = endpoint({
  title: '报表任务详情',
  method: 'GET',
  path: `${report}/task/:id`,
  permission: 'amz:store:view',
  concurrent: true,
  params,
  reply: ReportTaskDetail,
});

export const retryReport = endpoint({
  title: '重新申请报表',
  method: 'POST',
  path: `${report}/retry/:id`,
  permission: 'amz:report:run',
  params,
  reply: z.literal('success'),
});

export const cancelReport = endpoint({
  title: '取消报表任务',
  method: 'POST',
  path: `${report}/cancel/:id`,
  permission: 'amz:report:run',
  params,
  reply: z.literal('success'),
});

/** The bytes as Amazon sent them, for whoever may see all that a report holds. */
export const reportDocument = endpoint({
  title: '下载原始报表',
  method: 'GET',
  path: `${report}/document/:id`,
  permission: 'amz:report:export',
  params,
  file: true,
  reply: z.unknown(),
});

const TaskStarted = z.object({ taskId: Id });

export const reparseReport = endpoint({
  title: '重新解析报表',
  method: 'POST',
  path: `${report}/reparse/:id`,
  permission: 'amz:report:sync',
  params,
  reply: TaskStarted,
});

/** Reads every stored document of a type once more, oldest first, e.g. after its reader was mended. */
export const replayReports = endpoint({
  title: '批量重新解析报表',
  method: 'POST',
  path: `${report}/replay`,
  permission: 'amz:report:sync',
  body: z.object({
    reportType: z.string().min(1, '请选择报表类型').max(100).meta({ title: '报表类型' }),
    from: Day.optional().meta({ title: '下载日期不早于' }),
  }),
  reply: TaskStarted,
});
