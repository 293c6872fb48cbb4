import type { SimAdProduct, SimAdRow } from '../business/ads-types.ts';
import type { Part } from './ads-report-metrics.ts';
import { exactJson } from './ads-words.ts';

/** What a report type counts by, and the columns that it alone has. */
interface ReportShape {
  product: SimAdProduct;
  key: (part: Part) => string;
  dimensions: readonly string[];
  /** Rows that the report leaves out. */
  shows?: (row: SimAdRow) => boolean;
  /** What a row is counted by where it is more than one thing. */
  parts?: (row: SimAdRow) => Part[];
}

const CAMPAIGN = ['campaignId', 'campaignName', 'campaignStatus', 'campaignBudgetAmount', 'campaignBudgetCurrencyCode'];
const GROUP = [...CAMPAIGN, 'adGroupId', 'adGroupName'];
const TARGET = [...GROUP, 'keywordId', 'keyword', 'keywordType', 'matchType', 'targeting', 'keywordBid'];
const BRAND_TARGET = [...GROUP, 'keywordId', 'keywordText', 'keywordType', 'matchType', 'keywordBid', 'costType'];
const CLAUSE = ['targetingId', 'targetingExpression', 'targetingText'];
const DISPLAY_GROUP = ['campaignId', 'campaignName', 'campaignBudgetCurrencyCode', 'adGroupId', 'adGroupName'];
const BOUGHT = ['purchasedAsin', 'attributionType'];

const byCampaign = ({ row }: Part): string => row.campaign.campaignId;
const byAd = ({ row }: Part): string => row.ad.adId;
const byTarget = ({ row }: Part): string => row.target.targetId;
const byTerm = ({ row }: Part): string => `${row.target.targetId}|${row.term}`;
const byPlace = ({ row }: Part): string => `${row.campaign.campaignId}|${row.placement}`;
// A term is told only when somebody clicked.
const CLICKED = { shows: (row: SimAdRow) => row.clicks > 0 };

/** "reportTypeId groupBy" to its shape; the sums of one day of one key are one row. */
export const adsReportShapes: Readonly<Record<string, ReportShape>> = {
  'spCampaigns campaign': { product: 'SP', key: byCampaign, dimensions: CAMPAIGN },
  'spCampaigns campaignPlacement': {
    product: 'SP',
    key: byPlace,
    dimensions: [...CAMPAIGN, 'placementClassification'],
  },
  'spCampaigns adGroup': { product: 'SP', key: ({ row }) => row.adGroup.adGroupId, dimensions: GROUP },
  'spAdvertisedProduct advertiser': {
    ...{ product: 'SP', key: byAd },
    dimensions: [...GROUP, 'adId', 'advertisedSku', 'advertisedAsin'],
  },
  'spTargeting targeting': { product: 'SP', key: byTarget, dimensions: TARGET },
  'spSearchTerm searchTerm': { product: 'SP', key: byTerm, dimensions: [...TARGET, 'searchTerm'], ...CLICKED },
  'sbCampaigns campaign': { product: 'SB', key: byCampaign, dimensions: [...CAMPAIGN, 'costType'] },
  'sbCampaignPlacement campaignPlacement': {
    ...{ product: 'SB', key: byPlace },
    dimensions: [...CAMPAIGN, 'costType', 'placementClassification'],
  },
  'sbAds ads': { product: 'SB', key: byAd, dimensions: [...GROUP, 'adId', 'costType'] },
  'sbTargeting targeting': { product: 'SB', key: byTarget, dimensions: [...BRAND_TARGET, ...CLAUSE] },
  'sbSearchTerm searchTerm': { product: 'SB', key: byTerm, dimensions: [...BRAND_TARGET, 'searchTerm'], ...CLICKED },
  'sbPurchasedProduct purchasedAsin': {
    product: 'SB',
    key: ({ row, bought }) => `${row.adGroup.adGroupId}|${bought?.asin}|${bought?.promoted}`,
    dimensions: [...DISPLAY_GROUP, ...BOUGHT],
    parts: (row) => row.purchased.map((bought) => ({ row, bought })),
  },
  'sdCampaigns campaign': { product: 'SD', key: byCampaign, dimensions: [...CAMPAIGN, 'costType'] },
  'sdAdvertisedProduct advertiser': {
    ...{ product: 'SD', key: byAd },
    dimensions: [...DISPLAY_GROUP, 'adId', 'promotedSku', 'promotedAsin'],
  },
  'sdTargeting targeting': { product: 'SD', key: byTarget, dimensions: [...DISPLAY_GROUP, ...CLAUSE] },
};

const CLAUSES: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: 'close-match',
  QUERY_BROAD_REL_MATCHES: 'loose-match',
  ASIN_SUBSTITUTE_RELATED: 'substitutes',
  ASIN_ACCESSORY_RELATED: 'complements',
};

function keywordType({ target }: SimAdRow): string {
  if (target.match !== undefined) return target.match;
  return target.clause === 'ASIN_SAME_AS' ? 'TARGETING_EXPRESSION' : 'TARGETING_EXPRESSION_PREDEFINED';
}

function targeting({ target }: SimAdRow): string {
  if (target.match !== undefined) return target.text ?? '';
  if (target.clause === 'VIEWS') return 'views=(similar-product lookback=30)';
  return target.clause === 'ASIN_SAME_AS' ? `asin="${target.text}"` : (CLAUSES[target.clause ?? ''] ?? '');
}

/** Where keywords and other targets have two columns, the one that does not fit is empty. */
function targetId({ target }: SimAdRow, keyword: boolean, { dimensions }: ReportShape): unknown {
  const apart = dimensions.includes('targetingId') && dimensions.includes('keywordId');
  if (!apart) return exactJson(target.targetId);
  return (target.match !== undefined) === keyword ? exactJson(target.targetId) : null;
}

/** Descriptions of a row by column name; ids are JSON numbers of 18 digits, as the real report writes them. */
export function adsDimension({ row, bought }: Part, column: string, currency: string, shape: ReportShape): unknown {
  switch (column) {
    case 'date':
      return row.day;
    case 'campaignId':
      return exactJson(row.campaign.campaignId);
    case 'campaignName':
      return row.campaign.name;
    case 'campaignStatus':
      return row.campaign.state;
    case 'campaignBudgetAmount':
      return Number(row.campaign.budget);
    case 'campaignBudgetCurrencyCode':
      return currency;
    case 'adGroupId':
      return exactJson(row.adGroup.adGroupId);
    case 'adGroupName':
      return row.adGroup.name;
    case 'adId':
      return exactJson(row.ad.adId);
    case 'advertisedSku':
      return row.ad.sku;
    case 'advertisedAsin':
      return row.ad.asin;
    case 'promotedSku':
      return row.ad.sku;
    case 'promotedAsin':
      return row.ad.asin;
    case 'purchasedAsin':
      return bought?.asin ?? null;
    case 'attributionType':
      return bought?.promoted ? 'Promoted' : 'Brand Halo';
    case 'costType':
      return row.campaign.costType;
    case 'placementClassification':
      return row.placement;
    case 'keywordId':
      return targetId(row, true, shape);
    case 'targetingId':
      return targetId(row, false, shape);
    case 'keyword':
    case 'keywordText':
    case 'targeting':
    case 'targetingExpression':
    case 'targetingText':
      return targeting(row);
    case 'keywordType':
      return keywordType(row);
    case 'matchType':
      return row.target.match ?? null;
    case 'keywordBid':
      return row.target.bid === undefined ? null : Number(row.target.bid);
    case 'searchTerm':
      return row.term;
    default:
      throw new Error(`no column ${column}`);
  }
}

/** Filters know this column only. */
export const adsFilterValue = keywordType;
