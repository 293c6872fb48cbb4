import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

/** What a seller account can be told about. */
export const NOTIFICATION_TYPES = {
  ORDER_CHANGE: '订单变化',
  REPORT_PROCESSING_FINISHED: '报表完成',
  FEED_PROCESSING_FINISHED: '数据提交完成',
  ANY_OFFER_CHANGED: '报价变化',
  FBA_INVENTORY_AVAILABILITY_CHANGES: 'FBA 库存变化',
  FBA_OUTBOUND_SHIPMENT_STATUS: 'FBA 发货状态',
  LISTINGS_ITEM_STATUS_CHANGE: '商品状态变化',
  LISTINGS_ITEM_ISSUES_CHANGE: '商品问题变化',
  PRICING_HEALTH: '价格竞争力',
  ACCOUNT_STATUS_CHANGED: '账户状态变化',
} as const;

const named = Object.fromEntries(
  Object.entries(NOTIFICATION_TYPES).map(([type, title]) => [type, { title, tone: 'off' as const }]),
);

export const NoticeState = States({
  received: { title: '待处理', tone: 'waiting' },
  done: { title: '已处理', tone: 'done' },
  idle: { title: '无需处理', tone: 'off' },
  failed: { title: '处理失败', tone: 'trouble' },
});

const NoticeId = z.string().min(1).max(200).meta({ title: '通知编号' });

export const NoticeRow = z.object({
  id: NoticeId.meta({ kind: 'code', width: 280, optional: true }),
  receivedAt: Instant.meta({ title: '收到时间', width: 150 }),
  store: z.string().meta({ title: '店铺账号', width: 160 }),
  type: z.string().meta({ title: '类型', kind: 'choice', states: named, width: 110 }),
  subject: z.string().meta({ title: '对象', kind: 'code', width: 200, tip: '订单号、报表或提交编号、ASIN' }),
  state: NoticeState.meta({ width: 100 }),
  outcome: z.string().nullable().meta({ title: '结果', width: 220 }),
  eventAt: Instant.meta({ title: '发生时间', width: 150, tip: '亚马逊所说的时间' }),
  deliveries: z
    .int()
    .meta({ title: '送达次数', kind: 'integer', width: 90, tip: '同一条通知可能送达多次，只处理一次' }),
});
export type NoticeRow = z.infer<typeof NoticeRow>;

export const NoticeFilter = z.object({
  received: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '收到时间', kind: 'date' }),
  authid: z.array(Id).max(200).meta({ title: '店铺账号', hidden: false }),
  type: z.array(z.string().max(60)).max(20).meta({ title: '类型', kind: 'choice' }),
  state: z.array(NoticeState).max(4).meta({ title: '状态' }),
  subject: z.string().trim().max(60).meta({ title: '订单号/编号/ASIN' }),
});
const AnyNoticeFilter = NoticeFilter.partial();
export type NoticeFilter = z.infer<typeof AnyNoticeFilter>;

const Type = z.enum(Object.keys(NOTIFICATION_TYPES) as [keyof typeof NOTIFICATION_TYPES]).meta({ title: '类型' });

/** One kind of event of one seller account; `subscribedAt` is null where nobody asked to be told. */
export const Subscription = z.object({
  authid: Id,
  store: z.string(),
  region: z.enum(['na', 'eu', 'fe']),
  type: Type,
  subscribedAt: Instant.nullable(),
  lastAt: Instant.nullable(),
  dayCount: z.int(),
  failed: z.int(),
});
export type Subscription = z.infer<typeof Subscription>;

/** `waiting` is null where the queue did not answer; why not stands in `problem`. */
export const QueueState = z.object({
  configured: z.boolean(),
  waiting: z.int().nullable(),
  problem: z.string().nullable(),
});
export type QueueState = z.infer<typeof QueueState>;

const BASE = '/amazon/api/v1/notification';
const Done = z.literal('success');
const Wish = z.object({ authid: Id.meta({ title: '店铺账号' }), type: Type });

export const listNotices = endpoint({
  title: '通知列表',
  method: 'POST',
  path: `${BASE}/list`,
  permission: 'amz:notice:view',
  access: 'read',
  body: PageQuery(NoticeFilter),
  sortable: ['receivedAt', 'type', 'eventAt', 'deliveries'],
  reply: Page(NoticeRow),
});

export const listSubscriptions = endpoint({
  title: '通知订阅',
  method: 'GET',
  path: `${BASE}/subscriptions`,
  permission: 'amz:notice:view',
  access: 'read',
  reply: z.array(Subscription),
});

export const queueStateOf = endpoint({
  title: '通知队列状态',
  method: 'GET',
  path: `${BASE}/queue`,
  permission: 'amz:notice:view',
  access: 'read',
  reply: QueueState,
});

export const subscribeTo = endpoint({
  title: '订阅通知',
  method: 'POST',
  path: `${BASE}/subscribe`,
  permission: 'amz:notice:config',
  body: Wish,
  reply: Done,
});

export const unsubscribeFrom = endpoint({
  title: '取消订阅通知',
  method: 'POST',
  path: `${BASE}/unsubscribe`,
  permission: 'amz:notice:config',
  body: Wish,
  reply: Done,
});

export const receiveNow = endpoint({
  title: '立即接收通知',
  method: 'POST',
  path: `${BASE}/receive`,
  permission: 'amz:notice:run',
  reply: Done,
});

export const replayNotice = endpoint({
  title: '重新处理通知',
  method: 'POST',
  path: `${BASE}/replay`,
  permission: 'amz:notice:run',
  body: z.object({ id: NoticeId }),
  reply: Done,
});
