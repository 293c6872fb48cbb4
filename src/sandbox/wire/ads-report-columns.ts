import { AD_WINDOWS, type SimAdRow, type SimAdSales } from '../business/ads-types.ts';

/** What a report type counts by, and the columns that it alone has. */
interface ReportShape {
  groupBy: readonly string[];
  key: (row: SimAdRow) => string;
  dimensions: readonly string[];
  /** Rows that the report leaves out. */
  shows?: (row: SimAdRow) => boolean;
}

const CAMPAIGN = ['campaignId', 'campaignName', 'campaignStatus', 'campaignBudgetAmount', 'campaignBudgetCurrencyCode'];
const GROUP = [...CAMPAIGN, 'adGroupId', 'adGroupName'];
const TARGET = [...GROUP, 'keywordId', 'keyword', 'keywordType', 'matchType', 'targeting', 'keywordBid'];

/** "reportTypeId groupBy" to its shape; the sums of one day of one key are one row. */
export const adsReportShapes: Readonly<Record<string, ReportShape>> = {
  'spCampaigns campaign': shape(['campaign'], (row) => row.campaign.campaignId, CAMPAIGN),
  'spCampaigns adGroup': shape(['adGroup'], (row) => row.adGroup.adGroupId, GROUP),
  'spAdvertisedProduct advertiser': shape(['advertiser'], (row) => row.ad.adId, [
    ...GROUP,
    'adId',
    'advertisedSku',
    'advertisedAsin',
  ]),
  'spTargeting targeting': shape(['targeting'], (row) => row.target.targetId, TARGET),
  'spSearchTerm searchTerm': {
    ...shape(['searchTerm'], (row) => `${row.target.targetId}|${row.term}`, [...TARGET, 'searchTerm']),
    // A term is told only when somebody clicked.
    shows: (row) => row.clicks > 0,
  },
};

function shape(groupBy: string[], key: ReportShape['key'], dimensions: readonly string[]): ReportShape {
  return { groupBy, key, dimensions };
}

const WINDOWED: Readonly<Record<string, (sales: SimAdSales) => number>> = {
  purchases: (sales) => sales.purchases,
  purchasesSameSku: (sales) => sales.samePurchases,
  unitsSoldClicks: (sales) => sales.units,
  unitsSoldSameSku: (sales) => sales.sameUnits,
  sales: (sales) => Number(sales.sales),
  attributedSalesSameSku: (sales) => Number(sales.sameSales),
};

type Metric = (row: SimAdRow) => number;

/** Metrics by column name: showings, clicks, cost, and everything sold within 1, 7, 14 and 30 days. */
export const adsMetrics: Readonly<Record<string, Metric>> = {
  impressions: (row) => row.impressions,
  clicks: (row) => row.clicks,
  cost: (row) => Number(row.cost),
  ...Object.fromEntries(
    Object.entries(WINDOWED).flatMap(([name, of]) =>
      AD_WINDOWS.map((days): [string, Metric] => [`${name}${days}d`, (row) => of(row.within[days])]),
    ),
  ),
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
  return target.clause === 'ASIN_SAME_AS' ? `asin="${target.text}"` : (CLAUSES[target.clause ?? ''] ?? '');
}

/** A number exactly as its digits are written: ids are longer than a binary number keeps. */
function exact(digits: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(digits);
}

/** Descriptions of a row by column name; ids are JSON numbers of 18 digits, as the real report writes them. */
export function adsDimension(row: SimAdRow, column: string, currency: string): unknown {
  switch (column) {
    case 'date':
      return row.day;
    case 'campaignId':
      return exact(row.campaign.campaignId);
    case 'campaignName':
      return row.campaign.name;
    case 'campaignStatus':
      return row.campaign.state;
    case 'campaignBudgetAmount':
      return Number(row.campaign.budget);
    case 'campaignBudgetCurrencyCode':
      return currency;
    case 'adGroupId':
      return exact(row.adGroup.adGroupId);
    case 'adGroupName':
      return row.adGroup.name;
    case 'adId':
      return exact(row.ad.adId);
    case 'advertisedSku':
      return row.ad.sku;
    case 'advertisedAsin':
      return row.ad.asin;
    case 'keywordId':
      return exact(row.target.targetId);
    case 'keyword':
    case 'targeting':
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
