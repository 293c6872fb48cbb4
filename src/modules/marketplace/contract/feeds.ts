import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

export const FeedStatus = States(
  {
    planned: { title: '待提交', tone: 'off' },
    uploaded: { title: '已上传', tone: 'running' },
    submitting: { title: '提交中', tone: 'running' },
    submitted: { title: '亚马逊处理中', tone: 'running' },
    processed: { title: '读取结果', tone: 'running' },
    done: { title: '已完成', tone: 'done' },
    failed: { title: '失败', tone: 'trouble' },
    cancelled: { title: '已撤销', tone: 'off' },
  },
  '提交状态',
);

/** One submission of many changes to the marketplace. */
export const FeedRow = z.object({
  id: Id,
  title: z.string().meta({ title: '内容', width: 180 }),
  store: z.string().meta({ title: '店铺账号', width: 150 }),
  country: z.string().meta({ title: '站点', width: 80 }),
  status: FeedStatus.meta({ width: 120 }),
  messages: z.int().meta({ title: '条数', kind: 'integer', width: 80 }),
  accepted: z.int().nullable().meta({ title: '已接受', kind: 'integer', width: 90 }),
  refused: z.int().nullable().meta({ title: '被拒绝', kind: 'integer', width: 90, good: 'down' }),
  createdBy: z.string().meta({ title: '操作人', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  submittedAt: Instant.nullable().meta({ title: '提交时间', width: 130 }),
  finishedAt: Instant.nullable().meta({ title: '完成时间', width: 130 }),
  error: z.string().nullable().meta({ title: '失败原因', width: 260 }),
  feedType: z.string().meta({ title: '提交类型', kind: 'code', width: 190, optional: true }),
  feedId: z.string().nullable().meta({ title: '提交编号', kind: 'code', width: 140, optional: true }),
});
export type FeedRow = z.infer<typeof FeedRow>;

export const FeedFilter = z.object({
  status: z.array(FeedStatus).meta({ title: '提交状态' }),
  authid: z.array(Id).max(200).meta({ title: '店铺账号', hidden: false }),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '创建日期', kind: 'date' }),
  refusedOnly: z.boolean().meta({ title: '有被拒绝的', optional: true }),
});
const AnyFeed = FeedFilter.partial();
export type FeedFilter = z.infer<typeof AnyFeed>;

export const MessageState = States(
  {
    waiting: { title: '等待结果', tone: 'running' },
    dropped: { title: '已被新的修改取代', tone: 'off' },
    accepted: { title: '已接受', tone: 'done' },
    refused: { title: '被拒绝', tone: 'trouble' },
    unknown: { title: '结果未知', tone: 'waiting' },
  },
  '结果',
);

export const FeedMessage = z.object({
  id: z.string(),
  messageId: z.int().meta({ title: '序号', kind: 'integer', width: 70 }),
  sku: z.string().meta({ title: 'MSKU', kind: 'code', width: 190 }),
  before: z.string().meta({ title: '调整前', width: 130 }),
  after: z.string().meta({ title: '调整后', width: 130 }),
  state: MessageState.meta({ width: 130 }),
  problem: z.string().nullable().meta({ title: '原因', width: 320 }),
});
export type FeedMessage = z.infer<typeof FeedMessage>;

const Step = z.object({ title: z.string(), at: Instant.nullable(), done: z.boolean(), note: z.string().nullable() });

export const FeedDetail = FeedRow.extend({
  steps: z.array(Step),
  nextAt: Instant.nullable(),
  attempts: z.int(),
  /** Refused ones first, at most 500. */
  lines: z.array(FeedMessage),
  documents: z.object({ sent: z.boolean(), result: z.boolean() }),
  may: z.object({ cancel: z.boolean(), hurry: z.boolean(), retry: z.boolean() }),
});
export type FeedDetail = z.infer<typeof FeedDetail>;

const base = '/amazon/api/v1/feed';
const params = z.object({ id: Id });

export const listFeeds = endpoint({
  title: '数据提交列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'amz:feed:view',
  access: 'read',
  body: PageQuery(FeedFilter),
  sortable: ['status', 'messages', 'createdAt', 'finishedAt'],
  reply: Page(FeedRow),
});

export const countFeeds = endpoint({
  title: '数据提交数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: 'amz:feed:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyFeed.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const feedDetail = endpoint({
  title: '数据提交详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: 'amz:feed:view',
  concurrent: true,
  params,
  reply: FeedDetail,
});

export const cancelFeed = endpoint({
  title: '撤销数据提交',
  method: 'POST',
  path: `${base}/cancel/:id`,
  permission: 'amz:feed:run',
  params,
  reply: z.literal('success'),
});

/** Sends what has been gathered at once instead of when the pause since the last submission of the site is over. */
export const hurryFeed = endpoint({
  title: '立即提交数据',
  method: 'POST',
  path: `${base}/hurry/:id`,
  permission: 'amz:feed:run',
  params,
  reply: z.literal('success'),
});

/** Sends what was refused, or what ended without a result, once more as a submission of its own. */
export const retryFeed = endpoint({
  title: '重试数据提交',
  method: 'POST',
  path: `${base}/retry/:id`,
  permission: 'amz:feed:run',
  params,
  reply: z.object({ id: Id, messages: z.int() }),
});

/** The bytes as they were sent ("sent"), or the processing report as it came ("result"). */
export const feedDocument = endpoint({
  title: '下载提交文件',
  method: 'GET',
  path: `${base}/document/:id/:which`,
  permission: 'amz:feed:view',
  params: params.extend({ which: z.enum(['sent', 'result']).meta({ title: '文件类型' }) }),
  file: true,
  reply: z.unknown(),
});
