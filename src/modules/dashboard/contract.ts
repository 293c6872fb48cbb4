import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Id, Instant, Money, Product, Rate, Store } from '#kit/contract/field.ts';
import { Body, card, Range } from './contract/filter.ts';

export { CURRENCIES, DEFAULT_FILTER, HomeFilter, PERIODS, type Period, ZONES, type Zone } from './contract/filter.ts';

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
    /** Pieces that came back to Amazon; null for half hours and without the permission to see FBA reports. */
    returns: z.array(z.int()).nullable(),
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
      /** SKUs with more than they need: stock for over 180 days, or stock that does not sell. */
      excess: z.int(),
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
