import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { AccountStatus } from './stores.ts';
import { CursorState } from './sync.ts';

/** How a stream is read. */
export const StreamMode = States(
  {
    window: { title: '按时间增量', tone: 'done' },
    present: { title: '当前快照', tone: 'done' },
    report: { title: '滚动报表', tone: 'done' },
    list: { title: '拉取亚马逊生成的报表', tone: 'done' },
    ads: { title: '广告接口', tone: 'done' },
  },
  '读取方式',
);
export type StreamMode = z.infer<typeof StreamMode>;

const MatrixStream = z.object({
  code: z.string(),
  title: z.string(),
  /** Minutes that are promised. */
  sloMin: z.int(),
  mode: StreamMode,
});

/** One stream of one account; over several sites the worst of them speaks. */
export const SyncCell = z.object({
  stream: z.string(),
  state: CursorState,
  delayMin: z.int().nullable(),
  error: z.string().nullable(),
});
export type SyncCell = z.infer<typeof SyncCell>;

export const MatrixAccount = z.object({
  authid: Id,
  name: z.string(),
  region: z.string(),
  status: AccountStatus,
  cells: z.array(SyncCell),
});
export type MatrixAccount = z.infer<typeof MatrixAccount>;

export const SyncMatrix = z.object({
  streams: z.array(MatrixStream),
  accounts: z.array(MatrixAccount),
  /** Of the accounts shown; calls and rows over the last 24 hours. */
  figures: z.object({
    /** Streams inside their promise, and all of them. */
    good: z.int(),
    all: z.int(),
    running: z.int(),
    late: z.int(),
    stopped: z.int(),
    openReports: z.int(),
    failedReports: z.int(),
    backfills: z.int(),
    calls: z.int(),
    throttled: z.int(),
  }),
});
export type SyncMatrix = z.infer<typeof SyncMatrix>;

export const syncMatrix = endpoint({
  title: '同步监控',
  method: 'GET',
  path: '/amazon/api/v1/sync/matrix',
  permission: 'amz:sync:view',
  concurrent: true,
  query: z.object({
    keyword: z.string().trim().max(50).optional().meta({ title: '店铺' }),
    region: z.enum(['na', 'eu', 'fe']).optional().meta({ title: '区域' }),
    state: z.enum(['late', 'stopped']).optional().meta({ title: '状态' }),
  }),
  reply: SyncMatrix,
});

/** The cursor of a stream: one per account, or one per site. Instants are marketplace time but for the runs' own. */
const StreamSite = z.object({
  id: Id,
  country: z.string().nullable(),
  state: CursorState,
  watermark: Instant.nullable(),
  firstFrom: Instant.nullable(),
  lastSuccessAt: Instant.nullable(),
  nextAt: Instant.nullable(),
  delayMin: z.int().nullable(),
  attempts: z.int(),
  error: z.string().nullable(),
});

const StreamRunRow = z.object({
  id: Id,
  country: z.string().nullable(),
  windowFrom: Instant.nullable(),
  windowTo: Instant.nullable(),
  startedAt: Instant,
  ms: z.int(),
  calls: z.int(),
  throttled: z.int(),
  rowsIn: z.int(),
  inserted: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  quarantined: z.int(),
  error: z.string().nullable(),
});
export type StreamRunRow = z.infer<typeof StreamRunRow>;

const BackfillState = States(
  {
    running: { title: '回补中', tone: 'running' },
    done: { title: '已完成', tone: 'done' },
    failed: { title: '失败', tone: 'trouble' },
    cancelled: { title: '已取消', tone: 'off' },
  },
  '状态',
);

export const BackfillRow = z.object({
  id: Id,
  country: z.string().nullable(),
  from: Instant,
  to: Instant,
  readDownTo: Instant,
  state: BackfillState,
  rows: z.int(),
  /** Whole minutes until it is done at the pace so far; null while nothing can be said. */
  etaMin: z.int().nullable(),
  byName: z.string().nullable(),
  error: z.string().nullable(),
});
export type BackfillRow = z.infer<typeof BackfillRow>;

export const StreamDetail = z.object({
  authid: Id,
  account: z.string(),
  stream: z.string(),
  title: z.string(),
  mode: StreamMode,
  sloMin: z.int(),
  cadenceSec: z.int(),
  /** Null where the stream knows no window. */
  overlapSec: z.int().nullable(),
  maxWindowSec: z.int().nullable(),
  /** Longest way back that a backfill may be asked for, days; null where the stream shows the present only. */
  backfillDays: z.int().nullable(),
  sites: z.array(StreamSite),
  runs: z.array(StreamRunRow),
  backfills: z.array(BackfillRow),
});
export type StreamDetail = z.infer<typeof StreamDetail>;

const Which = z.object({
  authid: Id.meta({ title: '授权' }),
  stream: z.string().min(1).max(60).meta({ title: '数据流' }),
});

export const streamDetail = endpoint({
  title: '数据流详情',
  method: 'GET',
  path: '/amazon/api/v1/sync/stream',
  permission: 'amz:sync:view',
  concurrent: true,
  query: Which,
  reply: StreamDetail,
});

const done = z.literal('success');

export const runStream = endpoint({
  title: '立即同步数据流',
  method: 'POST',
  path: '/amazon/api/v1/sync/stream/run',
  permission: 'amz:store:sync',
  body: Which,
  reply: done,
});

export const pauseStream = endpoint({
  title: '暂停数据流',
  method: 'POST',
  path: '/amazon/api/v1/sync/pause',
  permission: 'amz:sync:config',
  body: Which,
  reply: done,
});

export const resumeStream = endpoint({
  title: '恢复数据流',
  method: 'POST',
  path: '/amazon/api/v1/sync/resume',
  permission: 'amz:sync:config',
  body: Which,
  reply: done,
});

/** Reads from a UTC day on once more, beside the live reading. */
export const backfillStream = endpoint({
  title: '回补数据流',
  method: 'POST',
  path: '/amazon/api/v1/sync/backfill',
  permission: 'amz:sync:config',
  body: Which.extend({ from: Day.meta({ title: '开始日期' }) }),
  reply: z.object({ message: z.string() }),
});

export const cancelBackfill = endpoint({
  title: '取消回补',
  method: 'POST',
  path: '/amazon/api/v1/sync/backfill/cancel',
  permission: 'amz:sync:config',
  body: z.object({ id: Id }),
  reply: done,
});
