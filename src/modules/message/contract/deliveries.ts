import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { BASE } from './messages.ts';

export const OUTER_CHANNELS = {
  email: '邮件',
  sms: '短信',
  wechat: '微信',
  feishu: '飞书',
  dingtalk: '钉钉',
} as const;
export type OuterChannel = keyof typeof OUTER_CHANNELS;

const DeliveryState = States({
  queued: { title: '待发送', tone: 'waiting' },
  sent: { title: '已发送', tone: 'done' },
  outbox: { title: '存入发件箱', tone: 'off' },
  failed: { title: '发送失败', tone: 'trouble' },
  skipped: { title: '不再发送', tone: 'off' },
});

/** One message on its way to one reader by one channel. */
export const DeliveryRow = z.object({
  id: Id,
  title: z.string().meta({ title: '消息', width: 300, pinned: 'left' }),
  reader: z.string().nullable().meta({ title: '接收人', kind: 'person', width: 130 }),
  channel: Choice(OUTER_CHANNELS, '渠道').meta({ title: '渠道', width: 80 }),
  target: z.string().meta({ title: '接收地址', width: 200 }),
  state: DeliveryState.meta({ width: 110 }),
  attempts: z.int().meta({ title: '尝试次数', kind: 'integer', width: 90 }),
  note: z.string().nullable().meta({ title: '说明', width: 320 }),
  createdAt: Instant.meta({ title: '创建时间', width: 150 }),
  finishedAt: Instant.nullable().meta({ title: '完成时间', width: 150 }),
});
export type DeliveryRow = z.infer<typeof DeliveryRow>;

export const DeliveryFilter = z.object({
  state: DeliveryState,
  channel: z.array(Choice(OUTER_CHANNELS, '渠道')).max(5).meta({ title: '渠道' }),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '创建时间', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '消息、接收地址' }),
});
const AnyDeliveryFilter = DeliveryFilter.partial();
export type DeliveryFilter = z.infer<typeof AnyDeliveryFilter>;

/** Messages of the company that were to leave the product, newest first. */
export const listDeliveries = endpoint({
  title: '发送记录',
  method: 'POST',
  path: `${BASE}/deliveries`,
  permission: 'sys:log:view',
  access: 'read',
  body: PageQuery(DeliveryFilter),
  sortable: ['attempts', 'createdAt', 'finishedAt'],
  reply: Page(DeliveryRow),
});

export const countDeliveries = endpoint({
  title: '发送记录数量',
  method: 'POST',
  path: `${BASE}/deliveries/counts`,
  permission: 'sys:log:view',
  access: 'read',
  body: z.object({ filter: DeliveryFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** Tries a failed one again, three times. */
export const retryDelivery = endpoint({
  title: '重新发送消息',
  method: 'POST',
  path: `${BASE}/deliveries/:id/retry`,
  permission: 'sys:notify:send',
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});
