import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, States } from '#kit/contract/field.ts';
import { ViewContent } from '#kit/contract/list-view.ts';

export const SEND = 'amz:sales:send';

export const Every = Choice({ day: '每天', week: '每周', month: '每月' }, '频率');
export const WEEKDAYS = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const;

export const DeliveryState = States(
  {
    queued: { title: '发送中', tone: 'running' },
    sent: { title: '已发送', tone: 'done' },
    outbox: { title: '未寄出', tone: 'waiting' },
    failed: { title: '发送失败', tone: 'trouble' },
    skipped: { title: '未发送', tone: 'off' },
  },
  '上次结果',
);

/** When a subscription is sent; hours are those of the company's zone, a day that a month lacks is its last one. */
export const Timing = z.object({
  every: Every,
  /** From Monday, 1 to 7; counts for weeks only. */
  weekday: z.int().min(1).max(7).default(1).meta({ title: '星期' }),
  /** Counts for months only. */
  monthDay: z.int().min(1).max(31).default(1).meta({ title: '日期' }),
  hour: z.int().min(0).max(23).default(8).meta({ title: '时间' }),
});
export type Timing = z.infer<typeof Timing>;

const ById = z.object({ id: Id });
const base = '/amazon/api/v1/sales/report/subscriptions';

export const Subscription = z.object({
  id: Id,
  name: z.string(),
  timing: Timing,
  recipients: z.array(z.object({ id: Id, name: z.string() })),
  isPaused: z.boolean(),
  /** Why the product paused it. */
  note: z.string().nullable(),
  /** Null while it is paused. */
  nextAt: Instant.nullable(),
  /** The last mail of it that did worst for its time: a failed one rather than a sent one. */
  last: z.object({ at: Instant, state: DeliveryState, error: z.string().nullable() }).nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

/** The caller's own, by name. */
export const listSubscriptions = endpoint({
  title: '我的报表订阅',
  method: 'GET',
  path: base,
  permission: SEND,
  concurrent: true,
  reply: z.array(Subscription),
});

/** Members who may see the report and have an e-mail address that is proven to be theirs. */
export const subscriptionReaders = endpoint({
  title: '报表订阅的可选收件人',
  method: 'GET',
  path: `${base}/readers`,
  permission: SEND,
  concurrent: true,
  reply: z.array(z.object({ id: Id, name: z.string() })),
});

/** Answers its id. B0951 beyond 20 of a person; 400 for a recipient who may not see the report or has no address. */
export const addSubscription = endpoint({
  title: '新建报表订阅',
  method: 'POST',
  path: base,
  permission: SEND,
  body: Timing.extend({
    name: z.string().trim().min(1, '订阅名称不能为空').max(40, '订阅名称不能超过40个字符').meta({ title: '订阅名称' }),
    content: ViewContent,
    recipients: z.array(Id).min(1, '请选择收件人').max(50, '最多50个收件人').meta({ title: '收件人' }),
  }),
  reply: Id,
});

/** One that is resumed does not catch up on what it missed. */
export const pauseSubscription = endpoint({
  title: '暂停或恢复报表订阅',
  method: 'POST',
  path: `${base}/:id/pause`,
  permission: SEND,
  params: ById,
  body: z.object({ isPaused: z.boolean().meta({ title: '是否暂停' }) }),
  reply: z.literal('success'),
});

/** Sends one to the caller, now. */
export const sendSubscription = endpoint({
  title: '立即发送报表',
  method: 'POST',
  path: `${base}/:id/send`,
  permission: SEND,
  params: ById,
  reply: z.literal('success'),
});

export const removeSubscription = endpoint({
  title: '删除报表订阅',
  method: 'DELETE',
  path: `${base}/:id`,
  permission: SEND,
  params: ById,
  reply: z.literal('success'),
});
