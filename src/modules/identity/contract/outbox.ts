import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

export const CHANNELS = {
  sms: { title: '短信', tone: 'running' },
  email: { title: '邮件', tone: 'side' },
  wechat: { title: '微信', tone: 'done' },
  feishu: { title: '飞书', tone: 'waiting' },
  dingtalk: { title: '钉钉', tone: 'off' },
} as const;
export const OutboxChannel = States(CHANNELS, '渠道');

/** A message that did not leave the product, because nobody delivers to its channel. */
export const OutboxRow = z.object({
  id: Id,
  at: Instant.meta({ title: '时间', width: 150 }),
  channel: OutboxChannel.meta({ width: 84 }),
  target: z.string().meta({ title: '接收方', kind: 'code', width: 190 }),
  company: z.string().nullable().meta({ title: '公司', width: 160 }),
  subject: z.string().nullable().meta({ title: '主题', width: 220 }),
  /** Digits of codes are taken out; openOutbox() gives all of it. */
  text: z.string().meta({ title: '内容', width: 360 }),
  keptUntil: Instant.meta({ title: '保留至', width: 120 }),
});
export type OutboxRow = z.infer<typeof OutboxRow>;

export const OutboxFilter = z.object({
  channel: OutboxChannel,
  search: z.string().trim().max(100).meta({ title: '接收方、内容' }),
});
const AnyOutboxFilter = OutboxFilter.partial();
export type OutboxFilter = z.infer<typeof AnyOutboxFilter>;

const outbox = '/admin/api/v1/outbox';

export const listOutbox = endpoint({
  title: '发件箱列表',
  method: 'POST',
  path: `${outbox}/page`,
  permission: 'sys:outbox:view',
  access: 'read',
  body: PageQuery(OutboxFilter),
  sortable: ['at', 'target'],
  reply: Page(OutboxRow),
});

/** Which channels leave the product, and which end here. */
export const outboxChannels = endpoint({
  title: '发送渠道',
  method: 'GET',
  path: `${outbox}/channels`,
  permission: 'sys:outbox:view',
  reply: z.array(z.object({ channel: OutboxChannel, ready: z.boolean() })),
});

export const openOutbox = endpoint({
  title: '查看发件箱消息',
  method: 'POST',
  path: `${outbox}/open/:id`,
  permission: 'sys:outbox:view',
  params: z.object({ id: Id }),
  reply: z.object({ target: z.string(), subject: z.string().nullable(), text: z.string() }),
});
