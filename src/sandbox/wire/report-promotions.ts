import { formatMinor, parseMinor } from '../business/amounts.ts';
import { DAY, HOUR, localMidnight } from '../business/marketplaces.ts';
import type { SimAccount, SimMarketplace, SimProduct } from '../business/types.ts';
import { iso } from './clock.ts';
import { unitDraw } from './random.ts';
import {
  idOf,
  monthsOf,
  nextMonth,
  type PromotedLine,
  promotedLines,
  startsOf,
  startsProblem,
} from './report-starts.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import type { World } from './world.ts';

interface Deal {
  id: string;
  type: 'BEST_DEAL' | 'LIGHTNING_DEAL';
  status: 'APPROVED' | 'CANCELED';
  start: number;
  /** Not part of it. */
  end: number;
  lines: PromotedLine[];
}

const dayIn = (month: string, day: number): string => `${month.slice(0, 8)}${String(day).padStart(2, '0')}`;

/**
 * The deals of a month: three best deals that follow each other, a lightning deal on the 15th in the middle of one, and one
 * on the 25th that was called off. What was bought at a deal's price belongs to the shortest deal that ran then.
 */
function dealsOf(world: World, account: SimAccount, market: SimMarketplace, month: string, asOf: number): Deal[] {
  const at = (day: string): number => localMidnight(market.timeZone, day);
  const next = nextMonth(month);
  const lines = promotedLines(world, account, market, [month, next], { prefix: 'PAWS-', asOf });
  const plan: [Deal['type'], Deal['status'], number, number][] = [
    ['LIGHTNING_DEAL', 'APPROVED', at(dayIn(month, 15)) + 8 * HOUR, at(dayIn(month, 15)) + 20 * HOUR],
    ['BEST_DEAL', 'APPROVED', at(month), at(dayIn(month, 11))],
    ['BEST_DEAL', 'APPROVED', at(dayIn(month, 11)), at(dayIn(month, 21))],
    ['BEST_DEAL', 'APPROVED', at(dayIn(month, 21)), at(next)],
    ['LIGHTNING_DEAL', 'CANCELED', at(dayIn(month, 25)) + 8 * HOUR, at(dayIn(month, 25)) + 20 * HOUR],
  ];
  const left = new Set(lines);
  return plan.map(([type, status, start, end]) => {
    const own = [...left].filter(
      ({ order }) => status === 'APPROVED' && order.purchasedAt >= start && order.purchasedAt < end,
    );
    for (const line of own) left.delete(line);
    const id = idOf(8, 'deal', world.seed, account.sellingPartnerId, market.marketplaceId, start, type).toLowerCase();
    return { id, type, status, start, end, lines: own };
  });
}

interface Sold {
  units: number;
  minor: number;
  views: number;
}

function soldOf(deal: Deal, asin: string, asOf: number): Sold {
  const own = deal.lines.filter(({ item }) => item.asin === asin);
  const sold = own.map(({ item }) => ({
    units: item.quantityOrdered,
    minor: parseMinor(item.itemPrice) - parseMinor(item.itemDiscount),
    views: Math.round((4 + 16 * unitDraw('deal-views', item.orderItemId)) * item.quantityOrdered),
  }));
  const hours = deal.status === 'CANCELED' ? 0 : Math.max(0, Math.min(asOf, deal.end) - deal.start) / HOUR;
  const idle = Math.floor(hours * unitDraw('deal-idle', deal.id, asin) * 0.3);
  return sold.reduce(
    (sum, one) => ({ units: sum.units + one.units, minor: sum.minor + one.minor, views: sum.views + one.views }),
    { units: 0, minor: 0, views: idle },
  );
}

function productsOf(world: World, account: SimAccount, market: SimMarketplace, deal: Deal, asOf: number): SimProduct[] {
  const sold = new Set(deal.lines.map(({ item }) => item.asin));
  return world.business
    .listings(account, market.marketplaceId, asOf)
    .map(({ product }) => product)
    .filter(({ asin }) => sold.has(asin) || unitDraw('deal-asin', deal.id, asin) < 0.2);
}

function entry(world: World, account: SimAccount, market: SimMarketplace, deal: Deal, asOf: number): object {
  const { id, type, status, start, end } = deal;
  const { currency } = market;
  const products = productsOf(world, account, market, deal, asOf).map((product) => ({
    product,
    ...soldOf(deal, product.asin, asOf),
  }));
  const sum = (of: (one: Sold) => number): number => products.reduce((all, one) => all + of(one), 0);
  const money = (minor: number): number => Number(formatMinor(minor, currency));
  const created = start - (14 + Math.floor(14 * unitDraw('deal-made', id))) * DAY;
  return {
    promotionId: id,
    promotionName: `${type === 'BEST_DEAL' ? 'Best Deal' : 'Lightning Deal'} ${iso(start).slice(0, 10)}`,
    merchantId: account.sellingPartnerId,
    unitsSold: sum(({ units }) => units),
    revenue: money(sum(({ minor }) => minor)),
    revenueCurrencyCode: currency,
    startDateTime: iso(start),
    endDateTime: iso(end - 1000),
    type,
    status,
    creationChannel: 'SELF-SERVICE',
    marketplaceId: market.marketplaceId,
    glanceViews: sum(({ views }) => views),
    createdDateTime: iso(created),
    // Told anew every night, whether something has changed or not.
    lastUpdatedDateTime: iso(Math.floor(asOf / DAY) * DAY),
    includedProducts: products.map(({ product, units, minor, views }) => ({
      asin: product.asin,
      productName: product.titles[market.language] ?? product.titles.en ?? product.sku,
      productGlanceViews: views,
      productUnitsSold: units,
      productRevenue: money(minor),
      productRevenueCurrencyCode: currency,
    })),
  };
}

function promotions(world: World, account: SimAccount, scope: ReportScope): object {
  const market = world.marketplace(scope.marketplaceIds[0] ?? '');
  const { from, to } = startsOf('promotion', scope);
  const { asOf } = scope;
  return {
    reportSpecification: {
      reportType: 'GET_PROMOTION_PERFORMANCE_REPORT',
      reportOptions: scope.options,
      marketplaceIds: scope.marketplaceIds,
    },
    promotions: monthsOf(market, from, Math.min(to, asOf + 31 * DAY))
      .flatMap((month) => dealsOf(world, account, market, month, asOf))
      .filter(({ start, end, lines }) => start >= from && start <= to && (lines.length > 0 || end > asOf - 31 * DAY))
      .map((deal) => entry(world, account, market, deal, asOf)),
  };
}

/** What deals sold. Sellers are told of best deals and lightning deals, and not what those cost them. */
export const promotionTypes: Readonly<Record<string, ReportType>> = {
  GET_PROMOTION_PERFORMANCE_REPORT: {
    maxDays: 732,
    singleMarketplace: true,
    reasonKey: 'reportRequestError',
    impossible: (_, scope) => startsProblem('promotion', scope),
    json: promotions,
  },
};
