import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id } from '#kit/contract/field.ts';

export const PERIODS = {
  today: '今天',
  yesterday: '昨日',
  d7: '近7天',
  d30: '近30天',
  month: '本月',
  custom: '自定义',
} as const;
export type Period = keyof typeof PERIODS;

export const ZONES = { site: '站点时间', beijing: '北京时间' } as const;
export type Zone = keyof typeof ZONES;

/** 原币 where there is one currency; several are converted into CNY unless another target is chosen. */
export const CURRENCIES = { auto: '自动', CNY: 'CNY', USD: 'USD', EUR: 'EUR' } as const;

const LONGEST_DAYS = 366;
const DAY_MS = 86_400_000;

const Dates = z
  .object({ from: Day, to: Day })
  .refine(({ from, to }) => from <= to, '结束日期不能早于开始日期')
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < LONGEST_DAYS * DAY_MS, '日期范围不能超过 366 天')
  .meta({ title: '日期' });

/** "N days" are exactly N days that end with yesterday; 本月 likewise, from the first of the month. */
export const HomeFilter = z.object({
  accountIds: z.array(Id).max(200).default([]).meta({ title: '店铺' }),
  marketplaceIds: z.array(z.string().max(60)).max(50).default([]).meta({ title: '站点' }),
  period: z
    .enum(Object.keys(PERIODS) as [Period, ...Period[]])
    .default('d30')
    .meta({ title: '时间' }),
  /** For 自定义 only. */
  dates: Dates.optional(),
  zone: z.enum(['site', 'beijing']).default('site').meta({ title: '时区' }),
  currency: z.enum(['auto', 'CNY', 'USD', 'EUR']).default('auto').meta({ title: '币种' }),
});
export type HomeFilter = z.infer<typeof HomeFilter>;

export const DEFAULT_FILTER: HomeFilter = {
  accountIds: [],
  marketplaceIds: [],
  period: 'd30',
  zone: 'site',
  currency: 'auto',
};

export const Body = z.object({ filter: HomeFilter.default(DEFAULT_FILTER) });

/** A card's call: what it shows for a filter. Two cards of one kind may ask at once. */
export const card = <const P extends string, R extends z.ZodType>(name: P, title: string, reply: R) =>
  endpoint({
    title,
    method: 'POST',
    path: `/amazon/api/v1/summary/${name}`,
    permission: 'dash:home:view',
    access: 'read',
    concurrent: true,
    body: Body,
    reply,
  });

/** The days of a figure and those that it is compared with: the same number, directly before. */
export const Range = z.object({ from: Day, to: Day, previousFrom: Day, previousTo: Day, days: z.int() });
