import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Quantity, Rate, States } from '#kit/contract/field.ts';
import { base, VIEW, WallRow } from './wall.ts';

/** One business day of a listing; null where that day was not told. */
export const TrendDay = z.object({
  day: Day.meta({ title: '日期', width: 100 }),
  units: Quantity.nullable().meta({ title: '销量' }),
  sales: Money.nullable().meta({ title: '销售额', currency: 'currency' }),
  sessions: Quantity.nullable().meta({ title: '访问次数' }),
  adSpend: Money.nullable().meta({ title: '广告花费', currency: 'currency' }),
  adSales: Money.nullable().meta({ title: '广告销售额', currency: 'currency' }),
  fulfillable: Quantity.nullable().meta({ title: '可售库存' }),
  price: Money.nullable().meta({ title: '改价为', currency: 'currency' }),
  featuredShare: Rate.nullable().meta({ title: '购物车比例', tip: '当日浏览中由本店占购物车的比例，来自流量报告' }),
  ownPrice: Money.nullable().meta({ title: '本店售价', currency: 'currency', tip: '当日最后一次读到的售价' }),
  featuredPrice: Money.nullable().meta({ title: '购物车价', currency: 'currency', tip: '当日最后一次读到的到手价' }),
  lowestPrice: Money.nullable().meta({ title: '最低价', currency: 'currency', tip: '当日最后一次读到的最低到手价' }),
  groupRank: Quantity.nullable().meta({ title: '大类排名', good: 'down' }),
  classRank: Quantity.nullable().meta({ title: '小类排名', good: 'down' }),
  currency: Currency.meta({ hidden: true }),
});
export type TrendDay = z.infer<typeof TrendDay>;

/** Where a figure comes from and up to when it is told; null before the first reading. */
export const Source = z.object({
  figure: z.string().meta({ title: '数据', width: 90 }),
  source: z.string().meta({ title: '来源', width: 260 }),
  to: Day.nullable().meta({ title: '截至', width: 110 }),
  at: Instant.nullable().meta({ title: '读取时间', width: 130 }),
});

export const listingTrend = endpoint({
  title: '商品趋势',
  method: 'GET',
  path: `${base}/trend/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  query: z.object({ days: z.enum(['30', '60', '90']).default('30').meta({ title: '天数' }) }),
  reply: z.object({
    row: WallRow,
    days: z.array(TrendDay),
    sources: z.array(Source),
    /** What the ranks are of, as Amazon names it; null before the first reading. */
    groupTitle: z.string().nullable(),
    classTitle: z.string().nullable(),
  }),
});

export const EventKind = States(
  {
    price: { title: '售价', tone: 'running' },
    featured: { title: '购物车', tone: 'waiting' },
    issue: { title: '问题', tone: 'trouble' },
    content: { title: '内容', tone: 'running' },
    stock: { title: '库存', tone: 'waiting' },
  },
  '类型',
);
export type EventKind = z.infer<typeof EventKind>;

/** Something that happened to a listing. */
export const TimelineEvent = z.object({
  at: Instant.meta({ title: '时间', width: 140 }),
  kind: EventKind.meta({ width: 90 }),
  text: z.string().meta({ title: '内容', width: 520 }),
  by: z.string().meta({ title: '操作人', width: 110 }),
});
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** What happened to a listing, newest first, the last 500: its price, Buy Box, issues, content and stock. */
export const listingTimeline = endpoint({
  title: '商品动态',
  method: 'GET',
  path: `${base}/timeline/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  query: z.object({ days: z.enum(['30', '60', '90']).default('90').meta({ title: '天数' }) }),
  reply: z.object({ events: z.array(TimelineEvent) }),
});
