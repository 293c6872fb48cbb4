/** The grains that figures are kept in: which report brings them, by which columns, into which table. */

const WINDOWS = [1, 7, 14, 30] as const;

/** Report column of a window to column of the table. */
const WINDOWED: readonly (readonly [string, string])[] = [
  ['purchases', 'orders'],
  ['unitsSoldClicks', 'units'],
  ['sales', 'sales'],
  ['purchasesSameSku', 'same_orders'],
  ['unitsSoldSameSku', 'same_units'],
  ['attributedSalesSameSku', 'same_sales'],
];

/** Report column to table column, in the order of the tables. Money may be missing in a row: then it is 0. */
export const METRICS: readonly (readonly [string, string])[] = [
  ['impressions', 'impressions'],
  ['clicks', 'clicks'],
  ['cost', 'cost'],
  ...WINDOWS.flatMap((days) =>
    WINDOWED.map(([report, column]): [string, string] => [`${report}${days}d`, `${column}_${days}d`]),
  ),
];

export interface Grain {
  code: 'campaign' | 'product' | 'target' | 'term';
  title: string;
  table: string;
  reportTypeId: string;
  groupBy: string;
  /** Report column to table column; together with the day they name a row. */
  dimensions: readonly (readonly [string, string])[];
}

const CAMPAIGN = ['campaignId', 'campaign_id'] as const;
const GROUP = ['adGroupId', 'ad_group_id'] as const;

export const GRAINS: readonly Grain[] = [
  {
    code: 'campaign',
    title: '广告活动日报',
    table: 'advertising.campaign_day',
    reportTypeId: 'spCampaigns',
    groupBy: 'campaign',
    dimensions: [CAMPAIGN],
  },
  {
    code: 'product',
    title: '推广商品日报',
    table: 'advertising.product_day',
    reportTypeId: 'spAdvertisedProduct',
    groupBy: 'advertiser',
    dimensions: [CAMPAIGN, GROUP, ['adId', 'ad_id'], ['advertisedSku', 'seller_sku'], ['advertisedAsin', 'asin']],
  },
  {
    code: 'target',
    title: '投放日报',
    table: 'advertising.target_day',
    reportTypeId: 'spTargeting',
    groupBy: 'targeting',
    // The report calls every target's id a keyword's.
    dimensions: [CAMPAIGN, GROUP, ['keywordId', 'target_id']],
  },
  {
    code: 'term',
    title: '搜索词日报',
    table: 'advertising.term_day',
    reportTypeId: 'spSearchTerm',
    groupBy: 'searchTerm',
    dimensions: [CAMPAIGN, GROUP, ['keywordId', 'target_id'], ['searchTerm', 'term']],
  },
];
