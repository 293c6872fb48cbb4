import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Product, Rate, Store } from '#kit/contract/field.ts';

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

const Body = z.object({ filter: HomeFilter.default(DEFAULT_FILTER) });

const card = <const P extends string, R extends z.ZodType>(name: P, title: string, reply: R) =>
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
const Range = z.object({ from: Day, to: Day, previousFrom: Day, previousTo: Day, days: z.int() });

/**
 * A figure and its counterpart of the period before. `change` is (current − previous) ÷ previous, null without a base.
 * While a day is not over, `change` compares both up to the last half hour that is complete and has been read.
 */
const Figure = z.object({ value: z.int(), previous: z.int(), change: Rate.nullable(), spark: z.array(z.number()) });

/** Money in one currency. Null without the permission to see amounts. */
const MoneyFigure = z.object({
  currency: Currency,
  converted: z.boolean(),
  value: Money,
  previous: Money,
  change: Rate.nullable(),
  /** Part that stands on estimated prices. */
  estimated: Money,
  spark: z.array(z.number()),
  /** "JPY 2026-07": amounts that no rate could convert; they are not in the figure. */
  missingRates: z.array(z.string()),
  /** Converted with rates that nobody has confirmed. */
  presetRates: z.array(z.string()),
});

export const kpi = card(
  'kpi',
  '首页经营指标',
  z.object({
    range: Range,
    unfinished: z.boolean(),
    units: Figure,
    orders: Figure,
    netSales: MoneyFigure.nullable(),
    /** SKUs that sold something. */
    skus: z.int(),
    asOf: Instant.nullable(),
  }),
);

export const salesChart = card(
  'salesChart',
  '首页销售趋势',
  z.object({
    /** Days, or half hours ("HH:mm") of a single day. */
    labels: z.array(z.string()),
    grain: z.enum(['day', 'slot']),
    units: z.array(z.int().nullable()),
    orders: z.array(z.int().nullable()),
    previousUnits: z.array(z.int()),
    /** So many labels at the end are not over. */
    unfinished: z.int(),
    range: Range,
  }),
);

export const marketPie = card(
  'marketPie',
  '首页市场销量',
  z.object({
    units: z.int(),
    markets: z.array(
      z.object({
        marketplaceId: z.string(),
        country: z.string(),
        name: z.string(),
        units: z.int(),
        previous: z.int(),
        change: Rate.nullable(),
      }),
    ),
    range: Range,
  }),
);

export const stock = card(
  'stock',
  '首页库存概览',
  z
    .object({
      fulfillable: z.int(),
      inbound: z.int(),
      /** SKUs without a piece for sale; SKUs that last less than 14 days. */
      out: z.int(),
      low: z.int(),
      /** SKUs by days of cover. */
      bars: z.array(z.object({ key: z.string(), name: z.string(), skus: z.int() })),
      /** SKUs with stock and without sales in 30 days: they have no days of cover. */
      still: z.int(),
      asOf: Instant.nullable(),
    })
    .nullable(),
);

const Payout = z.object({
  id: Id,
  settlementId: z.string(),
  store: Store,
  depositAt: Instant.nullable(),
  currency: Currency,
  amount: Money,
});

/** Null without the permission to see settlements. */
export const settlement = card(
  'settlement',
  '首页结算',
  z
    .object({
      closed: z.int(),
      pending: z.int(),
      /** Money that no settlement covers yet, by currency. */
      open: z.array(z.object({ currency: Currency, amount: Money })),
      last: Payout.nullable(),
      next: Payout.nullable(),
      /** The newest settlements. */
      recent: z.array(Payout),
    })
    .nullable(),
);

export const RANKINGS = { units: '销量', sales: '销售额', growth: '增长', decline: '下滑' } as const;
export type Ranking = keyof typeof RANKINGS;

const TopRow = z.object({
  id: z.string(),
  product: Product,
  store: Store,
  accountId: Id,
  marketplaceId: z.string(),
  units: z.int(),
  previous: z.int(),
  change: Rate.nullable(),
  currency: Currency,
  netSales: Money.nullable(),
  fulfillable: z.int().nullable(),
});

/** By SKU and site, on site days: the slots that make Beijing days know no SKU. */
export const topGoods = endpoint({
  title: '首页商品销量排名',
  method: 'POST',
  path: '/amazon/api/v1/summary/topGoods',
  permission: 'dash:home:view',
  access: 'read',
  concurrent: true,
  body: Body.extend({
    by: z.enum(['units', 'sales', 'growth', 'decline']).default('units').meta({ title: '排名依据' }),
    limit: z.int().min(1).max(20).default(10).meta({ title: '条数' }),
  }),
  reply: z.object({ rows: z.array(TopRow), range: Range }),
});

const SyncStream = z.object({
  id: Id,
  title: z.string(),
  country: z.string().nullable(),
  state: z.enum([
    'ready',
    'running',
    'late',
    'retrying',
    'paused',
    'blocked_auth',
    'blocked_role',
    'suspended',
    'dead',
  ]),
  delayMin: z.int().nullable(),
  sloMin: z.int(),
  error: z.string().nullable(),
});

const SyncAccount = z.object({
  accountId: Id,
  store: z.string(),
  region: z.string(),
  status: z.string(),
  streams: z.array(SyncStream),
  lastSyncAt: Instant.nullable(),
  /** Steps of the first synchronisation: streams that were read once and reports that have arrived. */
  firstSync: z.object({ done: z.int(), total: z.int() }),
});
export type SyncAccount = z.infer<typeof SyncAccount>;

export const sync = card('sync', '首页同步健康', z.object({ accounts: z.array(SyncAccount) }));

const Pace = z.object({ units: z.int(), orders: z.int() });

export const compare = card(
  'compare',
  '首页今日同时段对比',
  z.object({
    today: Pace,
    yesterday: Pace,
    dayBefore: Pace,
    lastWeek: Pace,
    /** All of yesterday, for the eye only: a part of a day is never compared with it. */
    yesterdayAll: Pace,
    vsYesterday: Rate.nullable(),
    vsLastWeek: Rate.nullable(),
    sites: z.array(
      z.object({
        marketplaceId: z.string(),
        country: z.string(),
        /** "HH:mm" of the site up to which all days are counted. */
        until: z.string(),
        today: z.int(),
        yesterday: z.int(),
        change: Rate.nullable(),
      }),
    ),
  }),
);

/** What the page needs before its cards: choices of the filter, and how far a new company has come. */
export const setup = card(
  'setup',
  '首页准备',
  z.object({
    accounts: z.array(z.object({ id: Id, name: z.string() })),
    markets: z.array(z.object({ id: z.string(), country: z.string(), name: z.string() })),
    /** "marketplaceId-accountId" of every site. */
    sites: z.array(z.string()),
    authorised: z.boolean(),
    synced: z.boolean(),
    costed: z.boolean(),
    /** There are orders to show. */
    hasData: z.boolean(),
  }),
);
