import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Quantity } from '#kit/contract/field.ts';
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
  reply: z.object({ row: WallRow, days: z.array(TrendDay), sources: z.array(Source) }),
});
