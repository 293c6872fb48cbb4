import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import {
  AdGroupRow,
  type CampaignFilter,
  CampaignRow,
  type NegativeFilter,
  NegativeRow,
  type PartFilter,
  ProductAdRow,
  TargetRow,
  type TermFilter,
  TermRow,
} from '../../contract/lists.ts';
import {
  AD_GROUP,
  type AdList,
  type AnyRow,
  CAMPAIGN,
  conditions,
  METRIC_SORT,
  metricsOf,
  SUMS,
  sumsOf,
} from './base.ts';

const BY_COST = [
  ['r.cost', 'desc'],
  ['r.impressions', 'desc'],
] as const;
/** What every row shows of itself; `c` is its campaign. */
const HEAD = sql`e.id::text AS id, e.account_id, e.marketplace_id, e.ad_product, c.currency, c.name AS campaign,
  CASE WHEN e.gone_at IS NULL THEN e.state ELSE 'GONE' END AS state`;

/** A target by its text. Words of a clause of automatic targeting stand in its match; everything else has a text. */
export const nameOf = (text: string, match: string) =>
  text ||
  { QUERY_HIGH_REL_MATCHES: '紧密匹配', QUERY_BROAD_REL_MATCHES: '宽泛匹配' }[match] ||
  { ASIN_SUBSTITUTE_RELATED: '同类商品', ASIN_ACCESSORY_RELATED: '关联商品' }[match] ||
  match;

interface Campaign extends AnyRow {
  name: string;
  state: string;
  targeting: string;
  budget: string | null;
  start_date: string | null;
  top_percent: number;
  cost_type: string;
}

/** Campaigns with their figures. */
export const campaignList = (ctx: Ctx, filter: CampaignFilter): AdList<Campaign, CampaignRow> => ({
  title: '广告活动',
  resource: 'advertising.campaign',
  row: CampaignRow,
  measured: true,
  rows: sql`
    SELECT ${HEAD}, e.name, e.targeting, e.budget, e.start_date, e.top_percent, e.cost_type, ${SUMS}
      FROM advertising.campaign AS e
      CROSS JOIN LATERAL (SELECT e.id, e.currency, e.name, e.cost_type) AS c
      LEFT JOIN ${sumsOf(ctx, 'advertising.campaign_day', ['campaign_id'], filter)} AS m
        ON m.profile_id = e.profile_id AND m.ad_product = e.ad_product AND m.campaign_id = e.campaign_id
     WHERE ${conditions(ctx, filter, 'e.name')}`,
  sort: { ...METRIC_SORT, name: 'r.name', state: 'r.state', budget: 'r.budget', startDate: 'r.start_date' },
  order: BY_COST,
  map: (row, store) => ({
    id: row.id,
    store,
    name: row.name,
    adProduct: row.ad_product,
    costType: row.cost_type,
    state: row.state,
    targeting: row.targeting,
    budget: row.budget,
    startDate: row.start_date,
    topPercent: String(row.top_percent / 100),
    currency: row.currency,
    ...metricsOf(row),
  }),
});

interface AdGroup extends AnyRow {
  name: string;
  campaign: string;
  state: string;
  bid: string | null;
}

/** Ad groups with the figures of their ads. */
export const adGroupList = (ctx: Ctx, filter: PartFilter): AdList<AdGroup, AdGroupRow> => ({
  title: '广告组',
  resource: 'advertising.adGroup',
  row: AdGroupRow,
  measured: true,
  rows: sql`
    SELECT ${HEAD}, e.name, e.default_bid AS bid, ${SUMS}
      FROM advertising.ad_group AS e ${CAMPAIGN}
      LEFT JOIN ${sumsOf(ctx, 'advertising.product_day', ['ad_group_id'], filter)} AS m
        ON m.profile_id = e.profile_id AND m.ad_product = e.ad_product AND m.ad_group_id = e.ad_group_id
     WHERE ${conditions(ctx, filter, 'e.name')}`,
  sort: { ...METRIC_SORT, name: 'r.name', campaign: 'r.campaign', state: 'r.state', bid: 'r.bid' },
  order: BY_COST,
  map: ({ id, name, ad_product: adProduct, campaign, state, bid, currency, ...row }, store) => ({
    ...{ id, store, adProduct, name, campaign, state, bid, currency },
    ...metricsOf(row),
  }),
});

interface ProductAd extends AnyRow {
  name: string;
  sku: string;
  asin: string;
  asins: string[];
  title: string | null;
  image: string | null;
  campaign: string;
  ad_group: string | null;
  state: string;
}

/** Joins the advertised product of an ad; an ad of several products is known by its first one's picture. */
const PRODUCT = sql`
  LEFT JOIN LATERAL (
    SELECT CASE e.ad_product WHEN 'SB' THEN NULL ELSE l.name END AS name, l.image FROM listing.product AS l
     WHERE l.company_id = e.company_id AND l.account_id = e.account_id AND l.marketplace_id = e.marketplace_id
       AND CASE e.ad_product WHEN 'SB' THEN l.asin = e.asin ELSE l.seller_sku = e.seller_sku END
     ORDER BY l.seller_sku LIMIT 1) AS p ON true`;

/** Advertised products and ads of brands, one row per ad. */
export const productAdList = (ctx: Ctx, filter: PartFilter): AdList<ProductAd, ProductAdRow> => ({
  title: '推广商品',
  resource: 'advertising.productAd',
  row: ProductAdRow,
  measured: true,
  rows: sql`
    SELECT ${HEAD}, e.name, e.seller_sku AS sku, e.asin, e.asins, p.name AS title, p.image, g.name AS ad_group, ${SUMS}
      FROM advertising.product_ad AS e ${CAMPAIGN} ${AD_GROUP}
      ${PRODUCT}
      LEFT JOIN ${sumsOf(ctx, 'advertising.product_day', ['ad_id'], filter)} AS m
        ON m.profile_id = e.profile_id AND m.ad_product = e.ad_product AND m.ad_id = e.ad_id
     WHERE ${conditions(ctx, filter, `e.name, e.seller_sku, array_to_string(e.asins, ' '), e.asin, p.name`)}`,
  sort: { ...METRIC_SORT, product: 'r.sku', campaign: 'r.campaign', state: 'r.state' },
  order: BY_COST,
  map: (row, store) => ({
    id: row.id,
    store,
    adProduct: row.ad_product,
    product: productOf(row),
    campaign: row.campaign,
    adGroup: row.ad_group ?? '',
    state: row.state,
    currency: row.currency,
    ...metricsOf(row),
  }),
});

/** An ad of brands is shown by its name and the products in it. */
function productOf({ ad_product: adProduct, name, title, sku, image, asin, asins }: ProductAd) {
  if (adProduct === 'SB') return { name: name || asin, code: asins.join(' '), image, extra: null };
  return { name: title ?? sku, code: sku, image, extra: asin || null };
}

interface Target extends AnyRow {
  text: string;
  match_type: string;
  campaign: string;
  ad_group: string | null;
  state: string;
  bid: string | null;
}

/** Keywords, products and automatic clauses that are bid on. */
export const targetList = (ctx: Ctx, filter: PartFilter): AdList<Target, TargetRow> => ({
  title: '投放',
  resource: 'advertising.target',
  row: TargetRow,
  measured: true,
  rows: sql`
    SELECT ${HEAD}, e.text, e.match_type, g.name AS ad_group, coalesce(e.bid, g.default_bid) AS bid, ${SUMS}
      FROM advertising.target AS e ${CAMPAIGN} ${AD_GROUP}
      LEFT JOIN ${sumsOf(ctx, 'advertising.target_day', ['target_id'], filter)} AS m
        ON m.profile_id = e.profile_id AND m.ad_product = e.ad_product AND m.target_id = e.target_id
     WHERE NOT e.negative AND ${conditions(ctx, filter, 'e.text')}`,
  sort: {
    ...METRIC_SORT,
    name: 'r.text',
    matching: 'r.match_type',
    campaign: 'r.campaign',
    state: 'r.state',
    bid: 'r.bid',
  },
  order: BY_COST,
  map: (row, store) => ({
    id: row.id,
    store,
    adProduct: row.ad_product,
    name: nameOf(row.text, row.match_type),
    matching: row.match_type,
    campaign: row.campaign,
    adGroup: row.ad_group ?? '',
    state: row.state,
    bid: row.bid,
    currency: row.currency,
    ...metricsOf(row),
  }),
});

interface Term extends Target {
  term: string;
  use: TermRow['use'];
}

/**
 * A term `r` is taken as bid on, or kept out, where the campaign's profile has it as an exact keyword or as a negative
 * one.
 */
const USE = sql`
  CASE WHEN EXISTS (SELECT FROM advertising.target AS n
                     WHERE n.company_id = r.company_id AND n.profile_id = r.profile_id AND n.negative
                       AND n.campaign_id = r.campaign_id AND n.gone_at IS NULL AND lower(n.text) = lower(r.term))
       THEN 'NEGATED'
       WHEN EXISTS (SELECT FROM advertising.target AS k
                     WHERE k.company_id = r.company_id AND k.profile_id = r.profile_id AND NOT k.negative
                       AND k.match_type IN ('EXACT', 'ASIN_SAME_AS') AND k.state <> 'ARCHIVED' AND k.gone_at IS NULL
                       AND lower(k.text) = lower(r.term))
       THEN 'TARGETED' ELSE 'NONE' END AS use`;

/**
 * What people searched for before they clicked, under the target that caught it. Whether it is bid on is found out for
 * all rows only where they are chosen or put in order by it.
 */
export function termList(
  ctx: Ctx,
  { uses, ...filter }: TermFilter,
  request: { sort?: string | undefined },
): AdList<Term, TermRow> {
  const found = sql`
    SELECT md5(e.id::text || m.term) AS id, e.company_id, e.profile_id, e.campaign_id, e.account_id, e.marketplace_id,
           e.ad_product, c.currency, c.name AS campaign, m.term, e.text, e.match_type, g.name AS ad_group, ${SUMS}
      FROM advertising.target AS e ${CAMPAIGN} ${AD_GROUP}
      JOIN ${sumsOf(ctx, 'advertising.term_day', ['target_id', 'term'], filter)} AS m
        ON m.profile_id = e.profile_id AND m.ad_product = e.ad_product AND m.target_id = e.target_id
     WHERE ${conditions(ctx, filter, 'm.term, e.text')}`;
  const early = request.sort === 'use' || Boolean(uses?.length);
  const withUse = sql`SELECT r.*, ${USE} FROM (${found}) AS r`;
  return {
    title: '用户搜索词',
    resource: 'advertising.term',
    row: TermRow,
    measured: true,
    rows: uses?.length
      ? sql`SELECT * FROM (${withUse}) AS t WHERE use = ANY(${uses}::text[])`
      : early
        ? withUse
        : found,
    ...(early ? {} : { shown: { columns: USE, joins: sql`` } }),
    sort: { ...METRIC_SORT, name: 'r.term', use: 'r.use', matching: 'r.match_type', campaign: 'r.campaign' },
    order: BY_COST,
    map: (row, store) => ({
      id: row.id,
      store,
      adProduct: row.ad_product,
      name: row.term,
      use: row.use,
      source: nameOf(row.text, row.match_type),
      matching: row.match_type,
      campaign: row.campaign,
      adGroup: row.ad_group ?? '',
      currency: row.currency,
      ...metricsOf(row),
    }),
  };
}

interface Negative {
  id: string;
  account_id: string;
  marketplace_id: string;
  ad_product: string;
  text: string;
  match_type: string;
  ad_group_id: string;
  campaign: string;
  ad_group: string | null;
  state: string;
}

/** What campaigns and ad groups shall not be shown for. */
export const negativeList = (ctx: Ctx, filter: NegativeFilter): AdList<Negative, NegativeRow> => ({
  title: '否定投放',
  resource: 'advertising.negative',
  row: NegativeRow,
  measured: false,
  rows: sql`
    SELECT ${HEAD}, e.text, e.match_type, e.ad_group_id, g.name AS ad_group
      FROM advertising.target AS e ${CAMPAIGN} ${AD_GROUP}
     WHERE e.negative AND ${conditions(ctx, filter, 'e.text')}`,
  sort: { name: 'r.text', matching: 'r.match_type', campaign: 'r.campaign' },
  order: [
    ['r.campaign', 'asc'],
    ['r.text', 'asc'],
  ],
  map: (row, store) => ({
    id: row.id,
    store,
    adProduct: row.ad_product,
    name: row.text,
    matching: row.match_type,
    level: row.ad_group_id === '' ? ('CAMPAIGN' as const) : ('AD_GROUP' as const),
    campaign: row.campaign,
    adGroup: row.ad_group ?? '',
    state: row.state,
  }),
});
