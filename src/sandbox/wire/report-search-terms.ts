import { localMidnight } from '../business/marketplaces.ts';
import type { SimAccount } from '../business/types.ts';
import { invalidInput } from './errors.ts';
import { unitDraw } from './random.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import { daysOfPeriod, notWholeWeek } from './report-week.ts';
import type { World } from './world.ts';

const CLICKED = 3;
const WORDS = ['', 'for home', 'large', 'gift', 'set', 'best'];

/** What people search for who look for a type of product. */
export const queriesOf = (productType: string): string[] =>
  WORDS.map((word) => `${productType.toLowerCase().replaceAll('_', ' ')} ${word}`.trim());

const share = (value: number): number => Math.round(value * 10_000) / 10_000;

/** What is searched for most in a week, and the three products that are clicked on most: the same for every seller. */
function searchTerms(world: World, account: SimAccount, scope: ReportScope): object {
  const { marketplaceIds } = scope;
  const market = world.marketplace(marketplaceIds[0] ?? '');
  const [first, last] = daysOfPeriod(world, scope);
  const asOf = localMidnight(market.timeZone, last);
  const products = world.business.accounts
    .filter(({ region, marketplaceIds: sold }) => region === account.region && sold.includes(market.marketplaceId))
    .flatMap((one) => world.business.listings(one, market.marketplaceId, asOf).map(({ product }) => product));
  const byType = Map.groupBy(products, ({ productType }) => productType);
  const terms = [...byType].flatMap(([type, some]) =>
    queriesOf(type).map((searchTerm) => {
      const likes = some.map((product) => ({ product, weight: unitDraw('click', searchTerm, first, product.asin) }));
      return { searchTerm, likes: likes.sort((a, b) => b.weight - a.weight).slice(0, CLICKED) };
    }),
  );
  const ranked = terms
    .map((term) => ({ ...term, weight: unitDraw('term', term.searchTerm, first) }))
    .sort((a, b) => b.weight - a.weight);
  return {
    reportSpecification: {
      reportType: 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT',
      reportOptions: { reportPeriod: 'WEEK' },
      dataStartTime: first,
      dataEndTime: last,
      marketplaceIds,
    },
    dataByDepartmentAndSearchTerm: ranked.flatMap(({ searchTerm, likes }, rank) =>
      likes.map(({ product, weight }, index) => ({
        departmentName: market.salesChannel,
        searchTerm,
        searchFrequencyRank: rank + 1,
        clickedAsin: product.asin,
        clickedItemName: product.titles.en ?? product.sku,
        clickShareRank: index + 1,
        clickShare: share(0.3 * weight),
        conversionShare: share(0.35 * weight * unitDraw('buys', searchTerm, first, product.asin)),
      })),
    ),
  };
}

/** For owners of a brand: what everybody searches for. */
export const searchTermTypes: Readonly<Record<string, ReportType>> = {
  GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT: {
    maxDays: 366,
    byDate: true,
    singleMarketplace: true,
    checkOptions: ({ reportPeriod }) => {
      if (reportPeriod !== 'WEEK') throw invalidInput("reportPeriod: only 'WEEK' is simulated");
    },
    impossible: notWholeWeek,
    json: searchTerms,
  },
};
