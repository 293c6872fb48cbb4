import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Rate, Store } from '#kit/contract/field.ts';
import { MetricState, Standing } from '#modules/marketplace/contract/performance.ts';
import { card, Range } from './filter.ts';

/** A sum of the period, its change against the one before, and its days; decimal text where it is money. */
const Count = z.object({ value: z.int(), change: Rate.nullable(), days: z.array(z.int()) });
const Amount = z.object({ value: Money, change: Rate.nullable(), days: z.array(Money) });
/** A ratio of sums; `change` is in points: 0.01 is one percent more. */
const Ratio = z.object({ value: Rate.nullable(), change: Rate.nullable(), days: z.array(Rate.nullable()) });

/**
 * Ads by business day of the site, as the lists of 广告 reckon them. Null without the permission to see ads. TACoS is the
 * spend over the net sales of the same sites and days; it is null without the permission to see amounts of orders.
 */
export const adChart = card(
  'adChart',
  '首页广告表现',
  z
    .object({
      range: Range,
      labels: z.array(Day),
      currency: Currency,
      converted: z.boolean(),
      clicks: Count,
      units: Count,
      spend: Amount,
      sales: Amount,
      acos: Ratio,
      tacos: Ratio.nullable(),
      missingRates: z.array(z.string()),
    })
    .nullable(),
);

const PersonRow = z.object({
  /** Null: SKUs that nobody answers for. */
  id: Id.nullable(),
  name: z.string(),
  skus: z.int(),
  units: z.int(),
  previous: z.int(),
  change: Rate.nullable(),
  /** Net sales in the currency of the card; null without the permission to see amounts. */
  sales: Money.nullable(),
  salesChange: Rate.nullable(),
});

/** Sales by who answers for the SKUs now, on site days, in one currency: CNY unless the filter names another. */
export const personRank = card(
  'personRank',
  '首页销售业绩排名',
  z.object({
    range: Range,
    currency: Currency,
    rows: z.array(PersonRow),
    missingRates: z.array(z.string()),
  }),
);

export const ShopMetric = z.object({
  key: z.string(),
  title: z.string(),
  kind: z.enum(['rate', 'count', 'score']),
  value: z.string().nullable(),
  target: z.string().nullable(),
  condition: z.enum(['LESS_THAN', 'GREATER_THAN']).nullable(),
  state: MetricState,
});
export type ShopMetric = z.infer<typeof ShopMetric>;

/** Sites as of their last performance report, the worst first. Null without the permission to see it. */
export const performance = card(
  'performance',
  '首页店铺绩效',
  z
    .object({
      sites: z.array(
        z.object({
          accountId: Id,
          storeId: Id,
          marketplaceId: z.string(),
          store: Store,
          standing: Standing,
          state: MetricState,
          /** Null before the first report. */
          day: Day.nullable(),
          metrics: z.array(ShopMetric),
          /** Counters of policies that the site broke, added up; null where the report has none. */
          violations: z.int().nullable(),
        }),
      ),
    })
    .nullable(),
);

/** What waits for somebody, of the things that the caller may see; the counts are those of the lists. */
export const todo = endpoint({
  title: '首页待办事项',
  method: 'POST',
  path: '/amazon/api/v1/summary/todo',
  permission: 'login',
  access: 'read',
  concurrent: true,
  body: z.object({}),
  reply: z.object({
    items: z.array(
      z.object({
        key: z.string(),
        title: z.string(),
        count: z.int(),
        urgent: z.boolean(),
        path: z.string(),
        tabTitle: z.string(),
        query: z.record(z.string(), z.string()),
      }),
    ),
    /** Titles of parts that could not be asked. */
    failed: z.array(z.string()),
  }),
});

/** Help and service: the version, whom to ask, and how fresh each account is. */
export const service = endpoint({
  title: '首页帮助与服务',
  method: 'POST',
  path: '/amazon/api/v1/summary/service',
  permission: 'login',
  access: 'read',
  concurrent: true,
  body: z.object({}),
  reply: z.object({
    version: z.string(),
    /** People who administer the company. */
    contacts: z.array(z.string()),
    stores: z.array(
      z.object({
        accountId: Id,
        name: z.string(),
        at: Instant.nullable(),
        /** Streams that are behind their promise, and all. */
        late: z.int(),
        streams: z.int(),
      }),
    ),
  }),
});
