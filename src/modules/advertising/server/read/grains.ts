/** The grains that figures are kept in: which report brings them, by which columns, into which table. */
import type { AdProduct } from './facts.ts';

/**
 * A figure of a report's row: its column and the one of the table, and what is taken off it. It may be missing in a row:
 * then it is 0.
 */
export interface Metric {
  from: string;
  to: string;
  minus?: string;
}
const metric = ([from, to, minus]: readonly string[]): Metric => ({
  from: from ?? '',
  to: to ?? '',
  ...(minus === undefined ? {} : { minus }),
});

const SHOWN = [
  ['impressions', 'impressions'],
  ['clicks', 'clicks'],
  ['cost', 'cost'],
];

/** Of Sponsored Products: column of a window to column of the table. */
const WINDOWED = [
  ['purchases', 'orders'],
  ['unitsSoldClicks', 'units'],
  ['sales', 'sales'],
  ['purchasesSameSku', 'same_orders'],
  ['unitsSoldSameSku', 'same_units'],
  ['attributedSalesSameSku', 'same_sales'],
];
const PRODUCTS = [
  ...SHOWN,
  ...[1, 7, 14, 30].flatMap((days) => WINDOWED.map(([from, to]) => [`${from}${days}d`, `${to}_${days}d`])),
].map(metric);

/** Of brands and display: within 14 days of the click, and what came after a showing alone. */
const CLICKED = [
  ['purchasesClicks', 'orders_14d'],
  ['salesClicks', 'sales_14d'],
  ['purchases', 'view_orders', 'purchasesClicks'],
  ['sales', 'view_sales', 'salesClicks'],
];
const UNITS = [
  ['unitsSoldClicks', 'units_14d'],
  ['unitsSold', 'view_units', 'unitsSoldClicks'],
];
/** Targets and terms of brands do not tell pieces after a click from those after a showing. */
const ALL_UNITS = [['unitsSold', 'units_14d']];
const PROMOTED = [
  ['purchasesPromoted', 'same_orders_14d'],
  ['salesPromoted', 'same_sales_14d'],
];
const BRANDS = [...SHOWN, ...CLICKED, ...UNITS, ...PROMOTED, ['viewableImpressions', 'views']].map(metric);
const BRAND_TARGETS = [...SHOWN, ...CLICKED, ...ALL_UNITS, ...PROMOTED].map(metric);
const BRAND_TERMS = [...SHOWN, ...CLICKED, ...ALL_UNITS].map(metric);
const BOUGHT = [
  ['orders14d', 'orders'],
  ['unitsSold14d', 'units'],
  ['sales14d', 'sales'],
].map(metric);
const DISPLAY = [
  ...[...SHOWN, ...CLICKED, ...UNITS],
  ['purchasesPromotedClicks', 'same_orders_14d'],
  ['salesPromotedClicks', 'same_sales_14d'],
  ['impressionsViews', 'views'],
].map(metric);

export interface Grain {
  /** Its name among the slices of a profile. */
  code: string;
  product: AdProduct;
  title: string;
  table: string;
  reportTypeId: string;
  groupBy: string;
  /** Report column to table column; of two columns with | between them the one that is filled. With the day they name a row. */
  dimensions: readonly (readonly [string, string])[];
  metrics: readonly Metric[];
  /** Whether its cost is what SKUs are charged with. */
  spend?: boolean;
}

/** The report's columns that a dimension is read from. */
export const columnsOf = (dimension: string): string[] => dimension.split('|');

const CAMPAIGN = ['campaignId', 'campaign_id'] as const;
const GROUP = ['adGroupId', 'ad_group_id'] as const;
const AD = ['adId', 'ad_id'] as const;
const PLACE = ['placementClassification', 'placement'] as const;
// The reports call every target's id a keyword's; those of brands have the two apart.
const KEYWORD = ['keywordId', 'target_id'] as const;
const EITHER = ['keywordId|targetingId', 'target_id'] as const;
const TERM = ['searchTerm', 'term'] as const;

type Short = readonly [code: string, title: string, table: string, reportTypeId: string, groupBy: string];
const grain = (
  product: AdProduct,
  [code, title, table, reportTypeId, groupBy]: Short,
  dimensions: Grain['dimensions'],
  metrics: Grain['metrics'],
): Grain => ({ code, product, title, table: `advertising.${table}`, reportTypeId, groupBy, dimensions, metrics });

/** Sponsored Products; each of them is a stream of its own. */
export const GRAINS: readonly Grain[] = [
  grain('SP', ['campaign', '广告活动日报', 'campaign_day', 'spCampaigns', 'campaign'], [CAMPAIGN], PRODUCTS),
  {
    ...grain(
      'SP',
      ['product', '推广商品日报', 'product_day', 'spAdvertisedProduct', 'advertiser'],
      [CAMPAIGN, GROUP, AD, ['advertisedSku', 'seller_sku'], ['advertisedAsin', 'asin']],
      PRODUCTS,
    ),
    spend: true,
  },
  grain('SP', ['target', '投放日报', 'target_day', 'spTargeting', 'targeting'], [CAMPAIGN, GROUP, KEYWORD], PRODUCTS),
  grain(
    'SP',
    ['term', '搜索词日报', 'term_day', 'spSearchTerm', 'searchTerm'],
    [CAMPAIGN, GROUP, KEYWORD, TERM],
    PRODUCTS,
  ),
  grain(
    'SP',
    ['placement', '广告位日报', 'placement_day', 'spCampaigns', 'campaignPlacement'],
    [CAMPAIGN, PLACE],
    PRODUCTS,
  ),
];

/** Sponsored Brands. */
export const BRAND_GRAINS: readonly Grain[] = [
  {
    ...grain('SB', ['sb.campaign', '品牌活动日报', 'campaign_day', 'sbCampaigns', 'campaign'], [CAMPAIGN], BRANDS),
    spend: true,
  },
  grain('SB', ['sb.ad', '品牌广告日报', 'product_day', 'sbAds', 'ads'], [CAMPAIGN, GROUP, AD], BRANDS),
  grain(
    'SB',
    ['sb.target', '品牌投放日报', 'target_day', 'sbTargeting', 'targeting'],
    [CAMPAIGN, GROUP, EITHER],
    BRAND_TARGETS,
  ),
  grain(
    'SB',
    ['sb.term', '品牌搜索词日报', 'term_day', 'sbSearchTerm', 'searchTerm'],
    [CAMPAIGN, GROUP, KEYWORD, TERM],
    BRAND_TERMS,
  ),
  grain(
    'SB',
    ['sb.placement', '品牌广告位日报', 'placement_day', 'sbCampaignPlacement', 'campaignPlacement'],
    [CAMPAIGN, PLACE],
    BRANDS,
  ),
  {
    ...grain(
      'SB',
      ['sb.purchased', '品牌成交商品日报', 'purchased_day', 'sbPurchasedProduct', 'purchasedAsin'],
      [CAMPAIGN, GROUP, ['purchasedAsin', 'asin'], ['attributionType', 'attribution']],
      BOUGHT,
    ),
    spend: true,
  },
];

/** Sponsored Display. */
export const DISPLAY_GRAINS: readonly Grain[] = [
  grain('SD', ['sd.campaign', '展示活动日报', 'campaign_day', 'sdCampaigns', 'campaign'], [CAMPAIGN], DISPLAY),
  {
    ...grain(
      'SD',
      ['sd.product', '展示商品日报', 'product_day', 'sdAdvertisedProduct', 'advertiser'],
      [CAMPAIGN, GROUP, AD, ['promotedSku', 'seller_sku'], ['promotedAsin', 'asin']],
      DISPLAY,
    ),
    spend: true,
  },
  grain(
    'SD',
    ['sd.target', '展示投放日报', 'target_day', 'sdTargeting', 'targeting'],
    [CAMPAIGN, GROUP, ['targetingId', 'target_id']],
    DISPLAY,
  ),
];
