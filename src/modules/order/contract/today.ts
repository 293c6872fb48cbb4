import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Product, Quantity, Rate, Store } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { AMOUNTS } from './orders.ts';
import { FulfilledBy } from './status.ts';

const Amount = Money.nullable().meta({ currency: 'currency', permission: AMOUNTS, width: 112 });
const Change = Rate.nullable().meta({ good: 'up' });

export const TodayFilter = z.object({
  marketplaceIds: z.array(z.string().max(60)).max(50).meta({ title: '站点', kind: 'choice' }),
  accountIds: z.array(Id).max(200).meta({ title: '店铺', kind: 'choice' }),
  fulfilledBy: FulfilledBy,
  isBusiness: z.boolean().meta({ title: '企业买家' }),
  sku: z.string().trim().max(80).meta({ title: 'MSKU', kind: 'text' }),
});
type Filter = z.infer<typeof TodayFilter>;
export type TodayFilter = { [K in keyof Filter]?: Filter[K] | undefined };

/**
 * A marketplace's day so far. Orders, units and sales run up to now; the changes compare up to `closedTime`, the last
 * half hour that is over, because a part of a slot has no counterpart.
 */
export const TodaySite = z.object({
  marketplaceId: z.string(),
  country: z.string(),
  name: z.string(),
  timeZone: z.string(),
  /** Wall clock of the marketplace, "yyyy-MM-dd HH:mm". */
  localTime: z.string(),
  localDate: Day,
  /** "HH:mm". */
  closedTime: z.string(),
  currency: Currency,
  orders: Quantity,
  units: Quantity,
  /** Includes `estimated`: orders that have no price yet. */
  productSales: Money.nullable(),
  estimated: Money.nullable(),
  unitsPerOrder: z.string().nullable(),
  averagePrice: Money.nullable(),
  /** Units up to `closedTime`, and the same of yesterday and of the same weekday a week ago. */
  closedUnits: Quantity,
  yesterdayUnits: Quantity,
  lastWeekUnits: Quantity,
  vsYesterday: Change,
  vsLastWeek: Change,
  /** Units expected for the whole day; null without 28 days of history. */
  projection: z.int().nullable(),
});
export type TodaySite = z.infer<typeof TodaySite>;

const base = '/amazon/api/v1/orders/today';
const view = 'amz:order:view';

export const todaySummary = endpoint({
  title: '今日订单概况',
  method: 'POST',
  path: `${base}/summary`,
  permission: view,
  access: 'read',
  body: z.object({ filter: TodayFilter.partial().prefault({}) }),
  reply: z.object({ sites: z.array(TodaySite), asOf: Instant.nullable() }),
});

export const TodayRow = z.object({
  id: z.string().meta({ title: '编号', hidden: true }),
  product: Product.meta({ title: '商品信息', kind: 'product', width: 280, pinned: 'left' }),
  store: Store.meta({ title: '店铺-站点', kind: 'store', width: 140 }),
  currency: Currency.meta({ hidden: true }),
  accountId: Id,
  marketplaceId: z.string(),
  orders: Quantity.meta({ title: '订单数', group: '今日', width: 76 }),
  units: Quantity.meta({ title: '销量', group: '今日', width: 76 }),
  netSales: Amount.meta({ title: '净销售额', group: '今日' }),
  averagePrice: Amount.meta({ title: '均价', group: '今日' }),
  yesterdayUnits: Quantity.meta({ title: '销量', group: '昨日同时段', width: 76 }),
  yesterdaySales: Amount.meta({ title: '净销售额', group: '昨日同时段' }),
  vsYesterday: Change.meta({ title: '较昨日', kind: 'percent', group: '昨日同时段', width: 92 }),
  yesterdayAllUnits: Quantity.meta({ title: '销量', group: '昨日全天', width: 76 }),
  yesterdayAllSales: Amount.meta({ title: '净销售额', group: '昨日全天' }),
  lastWeekUnits: Quantity.meta({ title: '销量', group: '上周同日同时段', width: 76 }),
  lastWeekSales: Amount.meta({ title: '净销售额', group: '上周同日同时段' }),
  vsLastWeek: Change.meta({ title: '较上周', kind: 'percent', group: '上周同日同时段', width: 92 }),
});
export type TodayRow = z.infer<typeof TodayRow>;

export const todayList = endpoint({
  title: '今日订单商品',
  method: 'POST',
  path: `${base}/list`,
  permission: view,
  access: 'read',
  body: PageQuery(TodayFilter),
  sortable: ['orders', 'units', 'netSales', 'yesterdayUnits', 'yesterdayAllUnits', 'lastWeekUnits'],
  reply: Page(TodayRow),
});

/** Half hours of the marketplace's wall clock; null where a slot is not over yet. */
export const todayCurve = endpoint({
  title: '今日订单走势',
  method: 'POST',
  path: `${base}/curve`,
  permission: view,
  access: 'read',
  body: z.object({
    marketplaceId: z.string().max(60).meta({ title: '站点' }),
    filter: TodayFilter.partial().prefault({}),
  }),
  reply: z.object({
    /** "HH:mm", 48 of them. */
    slots: z.array(z.string()),
    today: z.array(z.int().nullable()),
    yesterday: z.array(z.int()),
    lastWeek: z.array(z.int()),
  }),
});
