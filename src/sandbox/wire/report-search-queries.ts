import { localMidnight } from '../business/marketplaces.ts';
import type { SimAccount, SimListing, SimMarketplace } from '../business/types.ts';
import { invalidInput } from './errors.ts';
import { unitDraw } from './random.ts';
import { queriesOf } from './report-search-terms.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import { daysOfPeriod, notWholeWeek } from './report-week.ts';
import { type Funnel, funnelOf, joinFunnels, splitAmong } from './search-funnel.ts';
import type { World } from './world.ts';

const TYPE = 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT';
/** Of the option that names the products: so Amazon's reference says. */
const LONGEST_LIST = 200;

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 10_000);

/** An offer of the marketplace and the pieces of it that were bought in the week. */
interface Offer {
  listing: SimListing;
  units: number;
}

/** What all sellers of a marketplace offer, and sold in the period. */
function offersOf(world: World, market: SimMarketplace, { from, to, asOf }: ReportScope): Offer[] {
  const { marketplaceId, region } = market;
  const sellers = world.business.accounts.filter(
    (one) => one.region === region && one.marketplaceIds.includes(marketplaceId),
  );
  return sellers.flatMap((seller) => {
    const query = { marketplaceIds: [marketplaceId], by: 'created' as const, from, to };
    const sold = new Map<string, number>();
    for (const { status, isReplacement, items } of world.business.orders(seller, query, asOf)) {
      if (status === 'CANCELLED' || status === 'UNFULFILLABLE' || isReplacement) continue;
      for (const { sku, quantityOrdered } of items) sold.set(sku, (sold.get(sku) ?? 0) + quantityOrdered);
    }
    return world.business
      .listings(seller, marketplaceId, asOf)
      .map((listing) => ({ listing, units: sold.get(listing.product.sku) ?? 0 }));
  });
}

/** What came of each query for one product in the week, in the order of `queriesOf`. */
function funnelsOf({ listing: { product }, units }: Offer, week: string): Funnel[] {
  const queries = queriesOf(product.productType);
  const bought = splitAmong(units, queries, product.asin, week);
  return queries.map((query, at) => funnelOf(bought[at] ?? 0, query, product.asin, week));
}

/** Three speeds of delivery, of so many. */
function speeds(count: number, name: string) {
  return {
    [`totalSameDayShipping${name}Count`]: Math.floor(count * 0.15),
    [`totalOneDayShipping${name}Count`]: Math.floor(count * 0.3),
    [`totalTwoDayShipping${name}Count`]: Math.floor(count * 0.4),
  };
}

/** A median price that is `factor` times a price, in the currency's own digits. */
function median({ currency }: SimMarketplace, price: string, factor: number) {
  const digits = currency === 'JPY' ? 0 : 2;
  return { amount: Number((Number(price) * factor).toFixed(digits)), currencyCode: currency };
}

interface Query {
  query: string;
  own: Funnel;
  total: Funnel;
}

function entryOf(market: SimMarketplace, offer: Offer, week: readonly [string, string], query: Query, score: number) {
  const { own, total } = query;
  const { price, product } = offer.listing;
  const volume = Math.max(1, Math.ceil(total.clicks * (1.4 + unitDraw('volume', query.query, week[0]))));
  const rival = 0.8 + 0.4 * unitDraw('rival', query.query, week[0]);
  const prices = (name: string) => ({
    [`totalMedian${name}Price`]: median(market, price, rival),
    [`asinMedian${name}Price`]: median(market, price, 1),
  });
  const step = (name: string, all: number, mine: number) => ({
    [`total${name}Count`]: all,
    [`total${name}Rate`]: share(all, volume),
    [`asin${name}Count`]: mine,
    [`asin${name}Share`]: share(mine, all),
    ...prices(name),
    ...speeds(all, name),
  });
  return {
    startDate: week[0],
    endDate: week[1],
    asin: product.asin,
    searchQueryData: { searchQuery: query.query, searchQueryScore: score, searchQueryVolume: volume },
    impressionData: {
      totalQueryImpressionCount: total.impressions,
      asinImpressionCount: own.impressions,
      asinImpressionShare: share(own.impressions, total.impressions),
    },
    clickData: step('Click', total.clicks, own.clicks),
    cartAddData: step('CartAdd', total.cartAdds, own.cartAdds),
    purchaseData: step('Purchase', total.purchases, own.purchases),
  };
}

/** The queries of a product with those of everybody: what is offered here, and others that nobody here knows. */
function ranked(offer: Offer, alike: readonly Offer[], week: string): Query[] {
  const { productType } = offer.listing.product;
  const own = funnelsOf(offer, week);
  const all = alike.map((one) => funnelsOf(one, week));
  return queriesOf(productType)
    .map((query, at) => {
      const here = joinFunnels(all.flatMap((funnels) => funnels[at] ?? []));
      const others = Math.ceil(here.purchases * (3 + 6 * unitDraw('others', query, week))) + 5;
      const total = joinFunnels([here, funnelOf(others, 'others', query, week)]);
      return { query, own: own[at] ?? funnelOf(0, query, week), total };
    })
    .filter((one) => one.own.impressions > 0)
    .sort((a, b) => b.own.clicks - a.own.clicks || a.query.localeCompare(b.query));
}

/** What people searched for who saw, clicked, put aside and bought a seller's products: of those that he names. */
function searchQueries(world: World, account: SimAccount, scope: ReportScope): object {
  const { marketplaceIds, options } = scope;
  const market = world.marketplace(marketplaceIds[0] ?? '');
  const week = daysOfPeriod(world, scope);
  const asked = new Set((options?.asin ?? '').split(' '));
  // Orders change for a while after the week; what was searched for in it does not.
  const asOf = localMidnight(market.timeZone, week[1]) + 24 * 3_600_000;
  const offers = offersOf(world, market, { ...scope, asOf: Math.min(asOf, scope.asOf) });
  const byType = Map.groupBy(offers, ({ listing }) => listing.product.productType);
  const mine = offers.filter(
    ({ listing }) => listing.account.sellingPartnerId === account.sellingPartnerId && asked.has(listing.product.asin),
  );
  const byAsin = Map.groupBy(mine, ({ listing }) => listing.product.asin);
  return {
    reportSpecification: {
      reportType: TYPE,
      reportOptions: options,
      dataStartTime: week[0],
      dataEndTime: week[1],
      marketplaceIds,
    },
    dataByAsin: [...byAsin.values()].flatMap(([offer]) =>
      offer === undefined
        ? []
        : ranked(offer, byType.get(offer.listing.product.productType) ?? [], week[0]).map((query, at) =>
            entryOf(market, offer, week, query, at + 1),
          ),
    ),
  };
}

/** For owners of a brand: what is searched for before their products are found. */
export const searchQueryTypes: Readonly<Record<string, ReportType>> = {
  [TYPE]: {
    maxDays: 366,
    byDate: true,
    singleMarketplace: true,
    checkOptions: ({ reportPeriod, asin }) => {
      if (reportPeriod !== 'WEEK') throw invalidInput("reportPeriod: only 'WEEK' is simulated");
      if (asin === undefined || asin.trim() === '') throw invalidInput('asin: is required');
      if (asin.length > LONGEST_LIST) throw invalidInput(`asin: must not be longer than ${LONGEST_LIST} characters`);
      if (!/^[A-Z0-9]{10}( [A-Z0-9]{10})*$/.test(asin)) throw invalidInput('asin: must be ASINs with blanks between');
    },
    impossible: notWholeWeek,
    json: searchQueries,
  },
};
