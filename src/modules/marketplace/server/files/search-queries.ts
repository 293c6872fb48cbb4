import { z } from 'zod';
import { jsonReader } from './json-report.ts';
import { FileRefused } from './refusal.ts';

const Count = z.int().min(0);
const Share = z.number().min(0).nullish();
const Price = z.object({ amount: z.number().min(0), currencyCode: z.string().regex(/^[A-Z]{3}$/) }).nullish();

const Item = z.object({
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  asin: z.string().min(1),
  searchQueryData: z.object({ searchQuery: z.string().min(1), searchQueryScore: Count, searchQueryVolume: Count }),
  impressionData: z.object({
    totalQueryImpressionCount: Count,
    asinImpressionCount: Count,
    asinImpressionShare: Share,
  }),
  clickData: z.object({
    totalClickCount: Count,
    asinClickCount: Count,
    asinClickShare: Share,
    totalMedianClickPrice: Price,
    asinMedianClickPrice: Price,
  }),
  cartAddData: z.object({
    totalCartAddCount: Count,
    asinCartAddCount: Count,
    asinCartAddShare: Share,
    totalMedianCartAddPrice: Price,
    asinMedianCartAddPrice: Price,
  }),
  purchaseData: z.object({
    totalPurchaseCount: Count,
    asinPurchaseCount: Count,
    asinPurchaseShare: Share,
    totalMedianPurchasePrice: Price,
    asinMedianPurchasePrice: Price,
  }),
});

/**
 * How often something was done after a search: by everybody with any product, and with this one. The share is an exact ratio
 * ("0.0765" is 7.65 %); prices are medians in the row's currency, null where nobody did it.
 */
export interface SearchStep {
  total: number;
  own: number;
  share: string | null;
  totalPrice: string | null;
  ownPrice: string | null;
}

/** What came of a search query for one product in a week. */
export interface SearchQueryRow {
  lineNo: number;
  problem: undefined;
  /** Sunday that the week begins with, a day of the marketplace. */
  day: string;
  asin: string;
  query: string;
  /** Rank of the query among those of the product; 1 is the best. */
  score: number;
  /** How often the query was searched for. */
  volume: number;
  impressions: Pick<SearchStep, 'total' | 'own' | 'share'>;
  clicks: SearchStep;
  cartAdds: SearchStep;
  purchases: SearchStep;
  /** ISO 4217; '' where the row has no price. */
  currency: string;
}

type Price = z.infer<typeof Price>;

const textOf = (value: number | null | undefined): string | null => (value == null ? null : String(value));

/** A median over nothing is none, whatever stands there. */
const priceOf = (count: number, price: Price): string | null => (count === 0 ? null : textOf(price?.amount));

function stepOf(total: number, own: number, share: number | null | undefined, all: Price, mine: Price): SearchStep {
  return { total, own, share: textOf(share), totalPrice: priceOf(total, all), ownPrice: priceOf(own, mine) };
}

function rowOf(item: z.infer<typeof Item>): SearchQueryRow {
  const { startDate, endDate, searchQueryData, impressionData: shown } = item;
  const { clickData: clicks, cartAddData: carts, purchaseData: bought } = item;
  // A month under the name of its first day would stand among weeks.
  if ((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 !== 6) {
    throw new FileRefused('VALUE', '只能导入按周（周日至周六）的搜索词表现报告');
  }
  const prices = [clicks.totalMedianClickPrice, carts.totalMedianCartAddPrice, bought.totalMedianPurchasePrice];
  return {
    lineNo: 0,
    problem: undefined,
    day: startDate,
    asin: item.asin,
    query: searchQueryData.searchQuery,
    score: searchQueryData.searchQueryScore,
    volume: searchQueryData.searchQueryVolume,
    impressions: {
      total: shown.totalQueryImpressionCount,
      own: shown.asinImpressionCount,
      share: textOf(shown.asinImpressionShare),
    },
    clicks: stepOf(
      clicks.totalClickCount,
      clicks.asinClickCount,
      clicks.asinClickShare,
      clicks.totalMedianClickPrice,
      clicks.asinMedianClickPrice,
    ),
    cartAdds: stepOf(
      carts.totalCartAddCount,
      carts.asinCartAddCount,
      carts.asinCartAddShare,
      carts.totalMedianCartAddPrice,
      carts.asinMedianCartAddPrice,
    ),
    purchases: stepOf(
      bought.totalPurchaseCount,
      bought.asinPurchaseCount,
      bought.asinPurchaseShare,
      bought.totalMedianPurchasePrice,
      bought.asinMedianPurchasePrice,
    ),
    currency: prices.find((price) => price != null)?.currencyCode ?? '',
  };
}

/** GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT: what is searched for before a brand's products are found. */
export const searchQueries = jsonReader<SearchQueryRow>({
  type: 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT',
  title: '搜索词表现报告',
  shapes: { dataByAsin: Item },
  items: { dataByAsin: rowOf },
});
