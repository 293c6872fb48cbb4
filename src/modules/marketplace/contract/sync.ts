import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';

export const CursorState = States(
  {
    ready: { title: '正常', tone: 'done' },
    running: { title: '同步中', tone: 'running' },
    late: { title: '延迟', tone: 'waiting' },
    retrying: { title: '重试中', tone: 'waiting' },
    paused: { title: '已暂停', tone: 'off' },
    blocked_auth: { title: '授权失效', tone: 'trouble' },
    blocked_role: { title: '缺少权限角色', tone: 'trouble' },
    suspended: { title: '账户受限', tone: 'trouble' },
    dead: { title: '失败', tone: 'trouble' },
  },
  '状态',
);

/** One stream of one account: what it reads, how far it is, how it goes. */
export const StreamRow = z.object({
  id: Id,
  stream: z.string(),
  title: z.string().meta({ title: '数据流' }),
  country: z.string().nullable().meta({ title: '站点' }),
  state: CursorState,
  /** Minutes that are promised, and minutes since the newest row that was read. */
  sloMin: z.int().meta({ title: '目标（分钟）' }),
  delayMin: z.int().nullable().meta({ title: '当前延迟（分钟）' }),
  watermark: Instant.nullable().meta({ title: '已读到' }),
  lastSuccessAt: Instant.nullable().meta({ title: '最近成功' }),
  error: z.string().nullable().meta({ title: '失败原因' }),
  /** Rows read by the runs of the last 24 hours. */
  rows: z.int().meta({ title: '24小时行数' }),
  /** The last runs, oldest first: whether each went well. */
  history: z.array(z.enum(['ok', 'throttled', 'failed'])),
});
export type StreamRow = z.infer<typeof StreamRow>;

/** The reports that bring the history of a new account. */
const Backfill = z.object({
  code: z.string(),
  title: z.string(),
  done: z.int(),
  total: z.int(),
  failed: z.int(),
  rows: z.int(),
});

/** When the reports that are still to come will have come, as far as anybody can know. */
const Estimate = z.object({
  /** Reports that have not ended. */
  left: z.int(),
  seconds: z.int(),
  /** What sets the pace: Amazon's limits, or how fast reports came of late, which is slower. */
  by: z.enum(['limit', 'pace']),
});
export type Estimate = z.infer<typeof Estimate>;

export const AccountHealth = z.object({
  authid: Id,
  streams: z.array(StreamRow),
  backfill: z.array(Backfill),
  /** Null: no report is to come, or it is not known yet how many are. */
  estimate: Estimate.nullable(),
  /** Last 24 hours. */
  calls: z.int(),
  throttled: z.int(),
  failed: z.int(),
  quarantined: z.int(),
  /** Whether everything that was asked for on the first synchronisation has arrived. */
  firstSyncDone: z.boolean(),
});
export type AccountHealth = z.infer<typeof AccountHealth>;

export const accountHealth = endpoint({
  title: '账号同步健康',
  method: 'GET',
  path: '/amazon/api/v1/sync/status',
  permission: 'amz:store:view',
  concurrent: true,
  query: z.object({ authid: Id.meta({ title: '授权' }) }),
  reply: AccountHealth,
});

export const syncNow = endpoint({
  title: '立即同步',
  method: 'POST',
  path: '/amazon/api/v1/sync/run',
  permission: 'amz:store:sync',
  body: z.object({ authid: Id.meta({ title: '授权' }) }),
  reply: z.literal('success'),
});

/** What may be asked for by hand, and what binds it. */
const ReportType = z.object({
  type: z.string(),
  title: z.string(),
  /** Longest period, days; null where the report shows the present. */
  maxDays: z.int().nullable(),
  /** Minutes between two requests. */
  intervalMin: z.int(),
  /** Amazon makes it by itself; asking means looking for new ones. */
  listed: z.boolean(),
});
export type ReportType = z.infer<typeof ReportType>;

export const reportTypes = endpoint({
  title: '可申请的报表类型',
  method: 'GET',
  path: '/amazon/api/v1/report/requestTypes',
  permission: 'amz:store:view',
  concurrent: true,
  reply: z.array(ReportType),
});

/** Days are of UTC, both included. */
export const requestReport = endpoint({
  title: '申请报表',
  method: 'GET',
  path: '/amazon/api/v1/report/requestReportParamAuth',
  permission: 'amz:report:run',
  access: 'write',
  query: z.object({
    authid: Id.meta({ title: '授权' }),
    type: z.string().min(1, '请选择报表类型').max(100).meta({ title: '报表类型' }),
    start: z
      .union([z.literal(''), Day])
      .optional()
      .meta({ title: '开始日期' }),
    end: z
      .union([z.literal(''), Day])
      .optional()
      .meta({ title: '结束日期' }),
    /** Passes over the interval, for whoever may; the shared limits still hold. */
    ignore: z.enum(['true', 'false']).optional().meta({ title: '忽略间隔' }),
  }),
  reply: z.object({
    /** Requests that were made; none where the list of Amazon's own reports is looked through instead. */
    ids: z.array(Id),
    message: z.string(),
  }),
});
