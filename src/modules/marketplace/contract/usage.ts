import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Decimal, Id, Instant, Rate } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

const PERMISSION = 'amz:apilog:view';
const count = (title: string, width = 90) => z.int().meta({ title, kind: 'integer', width });

/** What an account's calls of one operation come to in a period, beside what Amazon allows. */
export const UsageRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  store: z.string().meta({ title: '店铺账号', width: 160 }),
  operation: z.string().meta({ title: '操作', kind: 'code', width: 230 }),
  calls: count('调用'),
  throttled: count('限流').meta({ good: 'down' }),
  failed: count('失败').meta({ good: 'down' }),
  averageMs: count('平均耗时（毫秒）', 120),
  perDay: count('每日上限', 100).nullable().meta({ tip: '限速 × 86,400 秒，另可积存突发次数' }),
  share: Rate.nullable().meta({ title: '占上限', width: 90, tip: '最近 24 小时的调用 ÷ 每日上限' }),
  rate: Decimal.nullable().meta({ title: '限速（次/秒）', width: 110, tip: '亚马逊最近一次答复给出的限速' }),
  tokens: count('令牌余量', 90).nullable().meta({ tip: '现在可以立即发出的次数' }),
  burst: count('突发上限', 90).nullable(),
  blockedUntil: Instant.nullable().meta({ title: '暂停至', width: 130, tip: '被限流后暂停调用到这个时刻' }),
});
export type UsageRow = z.infer<typeof UsageRow>;

export const UsageFilter = z.object({
  period: Choice({ day: '最近24小时', week: '最近7天' }, '时间'),
  authid: z.array(Id).max(200).meta({ title: '店铺账号', hidden: false }),
  operation: z.string().trim().max(100).meta({ title: '操作' }),
  throttledOnly: z.boolean().meta({ title: '有限流的' }),
});
const AnyUsage = UsageFilter.partial();
export type UsageFilter = z.infer<typeof AnyUsage>;

export const listUsage = endpoint({
  title: '接口用量',
  method: 'POST',
  path: '/amazon/api/v1/sync/usage',
  permission: PERMISSION,
  access: 'read',
  body: PageQuery(UsageFilter),
  sortable: ['operation', 'calls', 'throttled', 'failed', 'averageMs', 'share'],
  reply: Page(UsageRow),
});

/** Calls and refusals of each hour of the period, oldest first; hours without a call are there too. */
const UsageHour = z.object({ hour: Instant, calls: z.int(), throttled: z.int(), failed: z.int() });

export const usageChart = endpoint({
  title: '接口用量走势',
  method: 'POST',
  path: '/amazon/api/v1/sync/usage/chart',
  permission: PERMISSION,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyUsage.default({}) }),
  reply: z.object({
    hours: z.array(UsageHour),
    /** Operations that come closest to what is allowed, of one account each; the share of the last 24 hours. */
    closest: z.array(z.object({ store: z.string(), operation: z.string(), share: Rate })),
  }),
});
