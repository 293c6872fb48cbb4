import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { SLOW_DAYS, type View, type WallFilter } from '../contract/wall.ts';
import { figureConditions, listingConditions } from './filter.ts';

/** A row of the wall: a listing, or those of an ASIN or of a parent on a site. */
export interface DbRow {
  row_id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string | null;
  code: string;
  listings: number;
  asin: string | null;
  family: string | null;
  name: string;
  image: string | null;
  state: string | null;
  fulfilled_by: string | null;
  price: string | null;
  currency: string;
  opened_at: string | null;
  owner_id: string | null;
  hidden: boolean;
  remark: string;
  tag_ids: string[];
  units7: number | null;
  units15: number | null;
  units30: number | null;
  orders30: number | null;
  sales7: string | null;
  sales30: string | null;
  returns30: number | null;
  sales_to: string | null;
  stock_days30: number | null;
  avg_daily: string | null;
  sessions7: number | null;
  page_views7: number | null;
  traffic_units7: number | null;
  featured_views7: string | null;
  featured_base7: number | null;
  traffic_to: string | null;
  impressions7: number | null;
  clicks7: number | null;
  ad_orders7: number | null;
  ad_spend7: string | null;
  ad_sales7: string | null;
  ads_to: string | null;
  net_sales30: string | null;
  platform_net30: string | null;
  cogs30: string | null;
  profit30: string | null;
  cost_missing30: number | null;
  profit_to: string | null;
  fulfillable: number | null;
  sellable: number | null;
  inbound: number | null;
  stock_at: string | null;
  pool_daily: string | null;
  pool_sites: number;
  leads: boolean;
  cover_days: string | null;
  transit_days: string | null;
  cover_state: string | null;
  group_title: string | null;
  group_rank: number | null;
  group_move1: number | null;
  group_move7: number | null;
  class_title: string | null;
  class_rank: number | null;
  class_move1: number | null;
  class_move7: number | null;
  rank_day: string | null;
}

const INTEGERS = [
  'units7',
  'units15',
  'units30',
  'orders30',
  'returns30',
  'sessions7',
  'page_views7',
  'traffic_units7',
  'featured_base7',
  'impressions7',
  'clicks7',
  'ad_orders7',
  'cost_missing30',
  'fulfillable',
  'sellable',
  'inbound',
] as const;
const AMOUNTS = [
  'sales7',
  'sales30',
  'avg_daily',
  'sort_daily',
  'featured_views7',
  'ad_spend7',
  'ad_sales7',
  'net_sales30',
  'platform_net30',
  'cogs30',
  'profit30',
  'pool_daily',
] as const;
/** What a group has where all of its listings have the same. */
const COMMON = ['state', 'fulfilled_by', 'owner_id', 'price'] as const;

/** Of an id there is no least one. */
const AS_TEXT = { state: '', fulfilled_by: '', owner_id: '::text', price: '' } as const;

const SUMS = sql.raw(
  [
    ...INTEGERS.map((name) => `sum(m.${name})::int AS ${name}`),
    ...AMOUNTS.map((name) => `sum(m.${name}) AS ${name}`),
    ...COMMON.map(
      (
        name,
      ) => `CASE WHEN count(m.${name}) = count(*) AND min(m.${name}${AS_TEXT[name]}) = max(m.${name}${AS_TEXT[name]})
      THEN (array_agg(m.${name}))[1] END AS ${name}`,
    ),
    ...['sales_to', 'traffic_to', 'ads_to', 'profit_to', 'stock_at'].map((name) => `min(m.${name}) AS ${name}`),
  ].join(', '),
);
/**
 * Ranks of a group are those of its product with the best one, as one value that is compared as a whole: aggregates with an order
 * of their own would sort every group again for each column.
 */
const bestOf = (kind: 'group' | 'class') =>
  `min(ARRAY[lpad(m.${kind}_rank::text, 10, '0'), m.${kind}_title, m.${kind}_move1::text, m.${kind}_move7::text])
     FILTER (WHERE m.${kind}_rank IS NOT NULL) AS ${kind}_best`;
const ranksOf = (kind: 'group' | 'class') =>
  `g.${kind}_best[1]::int AS ${kind}_rank, g.${kind}_best[2] AS ${kind}_title, g.${kind}_best[3]::int AS ${kind}_move1,
   g.${kind}_best[4]::int AS ${kind}_move7`;
const BEST = 'ORDER BY m.sort_daily DESC, m.listing_id';
const KEYS = { asin: 'coalesce(m.asin, m.seller_sku)', parent: 'coalesce(m.family, m.seller_sku)' } as const;

/**
 * The listings of a filter put together by ASIN or parent and site: sums, and days of cover of the sums; of some of these
 * groups alone where they are given, as a query of GROUP_KEY.
 */
function grouped(
  ctx: Ctx,
  filter: WallFilter,
  view: 'asin' | 'parent',
  some?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const key = sql.raw(KEYS[view]);
  const among = some
    ? sql`AND (m.account_id, m.marketplace_id, m.currency, ${key}) IN (
        SELECT c.account_id, c.marketplace_id, c.currency, c.code FROM ${some} AS c)`
    : sql``;
  return sql`(
    SELECT g.*, round(g.sellable / nullif(g.pool_daily, 0), 1) AS cover_days,
           (round(g.sellable / nullif(g.pool_daily, 0), 1) * 10)::bigint AS cover_tenths,
           ${sql.raw(ranksOf('group'))}, ${sql.raw(ranksOf('class'))},
           round(g.inbound / nullif(g.pool_daily, 0), 1) AS transit_days,
           CASE WHEN g.pool_daily IS NULL OR g.sellable IS NULL THEN NULL WHEN g.pool_daily = 0 THEN 'UNSOLD'
                WHEN g.sellable = 0 THEN 'OUT' WHEN g.sellable / g.pool_daily > ${sql.lit(SLOW_DAYS)} THEN 'SLOW'
                ELSE 'NORMAL' END AS cover_state
      FROM (
        SELECT m.account_id || '~' || m.marketplace_id || '~' || ${key} AS row_id, m.account_id, m.marketplace_id,
               m.currency, ${key} AS code, NULL::text AS seller_sku, count(*)::int AS listings,
               ${view === 'asin' ? sql`min(m.asin)` : sql`NULL::text`} AS asin, min(m.family) AS family,
               (array_agg(m.name ${sql.raw(BEST)}))[1] AS name, (array_agg(m.image ${sql.raw(BEST)}))[1] AS image,
               min(m.opened_at) AS opened_at, bool_and(m.hidden) AS hidden, '' AS remark, '{}'::uuid[] AS tag_ids,
               NULL::int AS stock_days30, bool_or(m.leads) AS leads, max(m.pool_sites) AS pool_sites, ${SUMS},
               ${sql.raw(bestOf('group'))}, ${sql.raw(bestOf('class'))}, min(m.rank_day) AS rank_day
          FROM analysis.listing_metric AS m
         WHERE ${listingConditions(ctx, filter)} ${among}
         GROUP BY m.account_id, m.marketplace_id, m.currency, ${key}) AS g)`;
}

/** What tells a group of listings, and is enough to find it again. */
export const GROUP_KEY = ['row_id', 'account_id', 'marketplace_id', 'currency', 'code'] as const;

/** The rows `m` of some groups of a view, whole. */
export function groupsOf(ctx: Ctx, filter: WallFilter, some: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(SELECT m.* FROM ${grouped(ctx, filter, filter.view === 'asin' ? 'asin' : 'parent', some)} AS m)`;
}

/** Columns that a row of one listing has besides those of the table. */
export const OF_LISTING = [
  sql<string>`m.listing_id::text`.as('row_id'),
  sql<string>`m.seller_sku`.as('code'),
  sql<number>`1`.as('listings'),
];

/** The FROM item `m` of a view with all conditions of the filter, as "… AS m WHERE …"; `common`: it is known to find many. */
export function rowsOf(ctx: Ctx, filter: WallFilter, common = false): RawBuilder<unknown> {
  const view: View = filter.view ?? 'msku';
  const figures = figureConditions(ctx, filter);
  if (view === 'msku') {
    return sql`analysis.listing_metric AS m WHERE ${listingConditions(ctx, filter, common)}
      ${figures ? sql`AND ${figures}` : sql``}`;
  }
  return sql`${grouped(ctx, filter, view)} AS m WHERE ${figures ?? sql`true`}`;
}
