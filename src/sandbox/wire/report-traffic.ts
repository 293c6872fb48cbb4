import { localDate, localMidnight, nextDay } from '../business/marketplaces.ts';
import type { SimAccount, SimMarketplace, SimOrder, SimOrderItem } from '../business/types.ts';
import { invalidInput } from './errors.ts';
import { divideMoney, sumMoney } from './money.ts';
import { unitDraw } from './random.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import type { World } from './world.ts';

/** Visits are counted for a day after the day: nothing younger is told. */
const COUNTED_AFTER_MS = 24 * 3_600_000;

interface Line {
  order: SimOrder;
  item: SimOrderItem;
}

interface Visits {
  sessions: number;
  browserSessions: number;
  pageViews: number;
  browserPageViews: number;
  /** Page views with the offer in the buy box. */
  featured: number;
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100);
const unitsOf = (lines: readonly Line[]): number => lines.reduce((sum, { item }) => sum + item.quantityOrdered, 0);
const isB2B = ({ order }: Line): boolean => order.isBusiness;

function salesOf(lines: readonly Line[]): string {
  return sumMoney(lines.map(({ item }) => item.itemPrice)) || '0';
}

function money(amount: string, { currency }: SimMarketplace) {
  return { amount: Number(amount), currencyCode: currency };
}

/** How many came to look at a product on a day: as many as its buyers and its rate of conversion make likely. */
function visitsOf(world: World, key: readonly string[], bought: number): Visits {
  const conversion = 0.06 + 0.12 * unitDraw('conversion', world.seed, ...key.slice(0, 2));
  const idle = Math.floor(6 * unitDraw('idle', world.seed, ...key));
  const sessions = Math.max(bought, Math.round((bought / conversion) * (0.85 + 0.3 * unitDraw('day', ...key)))) + idle;
  const pageViews = Math.round(sessions * (1.15 + 0.45 * unitDraw('views', ...key)));
  const browser = 0.3 + 0.3 * unitDraw('browser', ...key);
  return {
    sessions,
    browserSessions: Math.round(sessions * browser),
    pageViews,
    browserPageViews: Math.round(pageViews * browser),
    featured: Math.round(pageViews * (0.86 + 0.14 * unitDraw('featured', ...key))),
  };
}

function joined(all: readonly Visits[]): Visits {
  const sum = (of: (one: Visits) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    sessions: sum((one) => one.sessions),
    browserSessions: sum((one) => one.browserSessions),
    pageViews: sum((one) => one.pageViews),
    browserPageViews: sum((one) => one.browserPageViews),
    featured: sum((one) => one.featured),
  };
}

function trafficPart(visits: Visits, units: number) {
  return {
    browserPageViews: visits.browserPageViews,
    mobileAppPageViews: visits.pageViews - visits.browserPageViews,
    pageViews: visits.pageViews,
    browserSessions: visits.browserSessions,
    mobileAppSessions: visits.sessions - visits.browserSessions,
    sessions: visits.sessions,
    buyBoxPercentage: percent(visits.featured, visits.pageViews),
    unitSessionPercentage: percent(units, visits.sessions),
  };
}

/** One business day of a marketplace: its lines, and the visits of each offer. */
interface TrafficDay {
  day: string;
  lines: Line[];
  visits: Map<string, Visits>;
}

function dayOf(world: World, account: SimAccount, market: SimMarketplace, day: string, asOf: number): TrafficDay {
  const [from, to] = [localMidnight(market.timeZone, day), localMidnight(market.timeZone, nextDay(day))];
  const query = { marketplaceIds: [market.marketplaceId], by: 'created' as const, from, to };
  const lines = world.business
    .orders(account, query, asOf)
    .filter((order) => order.status !== 'CANCELLED' && order.status !== 'UNFULFILLABLE' && !order.isReplacement)
    .flatMap((order) => order.items.map((item) => ({ order, item })));
  const bySku = Map.groupBy(lines, ({ item }) => item.sku);
  const offers = world.business.listings(account, market.marketplaceId, asOf);
  const visits = offers.map(({ product: { sku } }): [string, Visits] => [
    sku,
    visitsOf(world, [market.marketplaceId, sku, day], bySku.get(sku)?.length ?? 0),
  ]);
  return { day, lines, visits: new Map(visits) };
}

/** Feedback and claims are told by other reports; averages over nothing are nothing. */
function dateEntry(market: SimMarketplace, { day, lines, visits }: TrafficDay) {
  const all = joined([...visits.values()]);
  const [units, items] = [unitsOf(lines), lines.length];
  const sales = salesOf(lines);
  const shipped = lines.filter(({ order }) => order.shippedAt !== undefined);
  const average = (count: number): string => (count === 0 ? '0' : divideMoney(sales, count));
  return {
    date: day,
    salesByDate: {
      orderedProductSales: money(sales, market),
      orderedProductSalesB2B: money(salesOf(lines.filter(isB2B)), market),
      unitsOrdered: units,
      unitsOrderedB2B: unitsOf(lines.filter(isB2B)),
      totalOrderItems: items,
      totalOrderItemsB2B: lines.filter(isB2B).length,
      averageSalesPerOrderItem: money(average(items), market),
      averageUnitsPerOrderItem: items === 0 ? 0 : Math.round((units * 100) / items) / 100,
      averageSellingPrice: money(average(units), market),
      unitsRefunded: 0,
      refundRate: 0,
      claimsGranted: 0,
      claimsAmount: money('0', market),
      shippedProductSales: money(salesOf(shipped), market),
      unitsShipped: unitsOf(shipped),
      ordersShipped: new Set(shipped.map(({ order }) => order.orderId)).size,
    },
    trafficByDate: {
      ...trafficPart(all, units),
      orderItemSessionPercentage: percent(items, all.sessions),
      averageOfferCount: visits.size,
      averageParentItems: visits.size,
      feedbackReceived: 0,
      negativeFeedbackReceived: 0,
      receivedNegativeFeedbackRate: 0,
    },
  };
}

type AsinGranularity = 'PARENT' | 'CHILD' | 'SKU';

/** What a product is called at a granularity; an offer of its own is its own parent. */
function nameOf(product: { sku: string; asin: string; parentAsin?: string }, by: AsinGranularity) {
  const parentAsin = product.parentAsin ?? product.asin;
  if (by === 'PARENT') return { parentAsin };
  return by === 'CHILD'
    ? { parentAsin, childAsin: product.asin }
    : { parentAsin, childAsin: product.asin, sku: product.sku };
}

/** Sums of the whole period, by product. */
function asinEntries(
  world: World,
  account: SimAccount,
  market: SimMarketplace,
  days: readonly TrafficDay[],
  { by, asOf }: { by: AsinGranularity; asOf: number },
) {
  const offers = world.business.listings(account, market.marketplaceId, asOf).map(({ product }) => product);
  const whole = joined(days.flatMap(({ visits }) => [...visits.values()]));
  const groups = Map.groupBy(offers, (product) => JSON.stringify(nameOf(product, by)));
  return [...groups.values()].flatMap((products) => {
    const [first] = products;
    const skus = new Set(products.map(({ sku }) => sku));
    const lines = days.flatMap((each) => each.lines.filter(({ item }) => skus.has(item.sku)));
    const visits = joined(
      days.flatMap((each) => [...each.visits].filter(([sku]) => skus.has(sku)).map(([, one]) => one)),
    );
    if (!first || visits.pageViews === 0) return [];
    const units = unitsOf(lines);
    return {
      ...nameOf(first, by),
      salesByAsin: {
        unitsOrdered: units,
        unitsOrderedB2B: unitsOf(lines.filter(isB2B)),
        orderedProductSales: money(salesOf(lines), market),
        orderedProductSalesB2B: money(salesOf(lines.filter(isB2B)), market),
        totalOrderItems: lines.length,
        totalOrderItemsB2B: lines.filter(isB2B).length,
      },
      trafficByAsin: {
        ...trafficPart(visits, units),
        browserSessionPercentage: percent(visits.browserSessions, whole.browserSessions),
        mobileAppSessionPercentage: percent(
          visits.sessions - visits.browserSessions,
          whole.sessions - whole.browserSessions,
        ),
        sessionPercentage: percent(visits.sessions, whole.sessions),
        browserPageViewsPercentage: percent(visits.browserPageViews, whole.browserPageViews),
        mobileAppPageViewsPercentage: percent(
          visits.pageViews - visits.browserPageViews,
          whole.pageViews - whole.browserPageViews,
        ),
        pageViewsPercentage: percent(visits.pageViews, whole.pageViews),
      },
    };
  });
}

const GRANULARITIES = ['PARENT', 'CHILD', 'SKU'] as const;

function granularityOf(options: Readonly<Record<string, string>>): AsinGranularity {
  const named = options.asinGranularity ?? 'PARENT';
  const found = GRANULARITIES.find((one) => one === named);
  if (!found) throw invalidInput(`asinGranularity: '${named}' is not one of ${GRANULARITIES.join(', ')}`);
  return found;
}

function salesAndTraffic(world: World, account: SimAccount, scope: ReportScope): object {
  const { marketplaceIds, from, to, asOf, options = {} } = scope;
  const market = world.marketplace(marketplaceIds[0] ?? '');
  const by = granularityOf(options);
  const last = localDate(market.timeZone, to - 1);
  const days: TrafficDay[] = [];
  for (let day = localDate(market.timeZone, from); day <= last; day = nextDay(day)) {
    if (localMidnight(market.timeZone, nextDay(day)) + COUNTED_AFTER_MS > asOf) break;
    days.push(dayOf(world, account, market, day, asOf));
  }
  return {
    reportSpecification: {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      reportOptions: { dateGranularity: 'DAY', asinGranularity: by },
      dataStartTime: localDate(market.timeZone, from),
      dataEndTime: last,
      marketplaceIds,
    },
    salesAndTrafficByDate: days.map((day) => dateEntry(market, day)),
    salesAndTrafficByAsin: asinEntries(world, account, market, days, { by, asOf }),
  };
}

/** How many looked at the offers and how many bought. */
export const trafficTypes: Readonly<Record<string, ReportType>> = {
  GET_SALES_AND_TRAFFIC_REPORT: {
    maxDays: 366,
    byDate: true,
    singleMarketplace: true,
    checkOptions: (options) => {
      granularityOf(options);
      if ((options.dateGranularity ?? 'DAY') !== 'DAY') {
        throw invalidInput('dateGranularity: only DAY is simulated');
      }
    },
    json: salesAndTraffic,
  },
};
