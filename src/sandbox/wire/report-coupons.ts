import { formatMinor, parseMinor } from '../business/amounts.ts';
import { DAY, localMidnight } from '../business/marketplaces.ts';
import type { SimAccount, SimMarketplace } from '../business/types.ts';
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

/** What a redemption costs beside the discount, and the smallest budget; minor units of most currencies, and of yen. */
const FEE = { usual: 60, yen: 90 };
const BUDGET = { usual: 50_000, yen: 70_000 };
/** A coupon that has used so much of its budget goes offline: its seller gives it more before that. */
const FULL = 0.8;

const PERCENTS = [5, 8, 10, 15, 20];

interface Coupon {
  id: string;
  percent: number;
  month: string;
  lines: PromotedLine[];
}

const isJpy = ({ currency }: SimMarketplace): boolean => currency === 'JPY';

function budgetOf(market: SimMarketplace, spent: number): number {
  let budget = isJpy(market) ? BUDGET.yen : BUDGET.usual;
  while (spent > budget * FULL) budget *= 2;
  return budget;
}

/** Everybody who redeems it has clipped it, and so have others who came to look. */
function clipsOf({ id, lines }: Coupon, days: number): number {
  const idle = Math.floor(days * (1 + 3 * unitDraw('clips', id)));
  return lines.reduce((sum, { item }) => sum + 1 + Math.floor(5 * unitDraw('clip', item.orderItemId)), idle);
}

function asinsOf(world: World, account: SimAccount, market: SimMarketplace, coupon: Coupon, asOf: number): object[] {
  const used = new Set(coupon.lines.map(({ item }) => item.asin));
  return world.business
    .listings(account, market.marketplaceId, asOf)
    .map(({ product }) => product.asin)
    .filter((asin) => used.has(asin) || unitDraw('coupon-asin', coupon.id, asin) < 0.2)
    .map((asin) => ({ asin }));
}

function entry(world: World, account: SimAccount, market: SimMarketplace, coupon: Coupon, asOf: number): object {
  const { id, lines, percent, month } = coupon;
  const [start, end] = [localMidnight(market.timeZone, month), localMidnight(market.timeZone, nextMonth(month)) - 1000];
  const sum = (of: (line: PromotedLine) => string): number =>
    lines.reduce((all, line) => all + parseMinor(of(line)), 0);
  const discount = sum(({ item }) => item.itemDiscount);
  const spent = discount + lines.length * (isJpy(market) ? FEE.yen : FEE.usual);
  const budget = budgetOf(market, spent);
  const money = (minor: number): number => Number(formatMinor(minor, market.currency));
  return {
    couponId: id,
    merchantId: account.sellingPartnerId,
    marketplaceId: market.marketplaceId,
    currencyCode: market.currency,
    name: `${percent}% off ${month.slice(0, 7)}`,
    websiteMessage: `Save ${percent}% with coupon`,
    startDateTime: iso(start),
    endDateTime: iso(end),
    customerSegment: percent === 20 ? 'Amazon Prime' : 'All (Default)',
    discountType: 'PERCENT_OFF_LIST_PRICE',
    discountAmount: percent,
    clips: clipsOf(coupon, Math.floor((Math.min(asOf, end) - start) / DAY)),
    redemptions: lines.length,
    budget: money(budget),
    totalDiscount: money(discount),
    budgetSpent: money(spent),
    budgetRemaining: money(budget - spent),
    budgetPercentageUsed: Math.round((spent * 1000) / budget) / 10,
    sales: money(sum(({ item }) => item.itemPrice) - discount),
    asins: asinsOf(world, account, market, coupon, asOf),
  };
}

/** The coupons of a month: one of each percentage, with all that was bought with such a coupon in the month. */
function couponsOf(world: World, account: SimAccount, market: SimMarketplace, month: string, asOf: number): Coupon[] {
  const lines = promotedLines(world, account, market, [month, nextMonth(month)], { prefix: 'PLM-', asOf });
  return PERCENTS.map((percent) => ({
    id: `A${idOf(13, 'coupon', world.seed, account.sellingPartnerId, market.marketplaceId, month, percent)}`,
    percent,
    month,
    lines: lines.filter(({ item }) => item.promotionIds.some((id) => id.endsWith(`-${percent}PCT`))),
  })).filter(({ lines: used }) => used.length > 0 || localMidnight(market.timeZone, nextMonth(month)) > asOf);
}

function coupons(world: World, account: SimAccount, scope: ReportScope): object {
  const market = world.marketplace(scope.marketplaceIds[0] ?? '');
  const { from, to } = startsOf('coupon', scope);
  const begun = monthsOf(market, from, Math.min(to, scope.asOf)).filter((month) => {
    const start = localMidnight(market.timeZone, month);
    return start >= from && start <= to;
  });
  return {
    reportSpecification: {
      reportType: 'GET_COUPON_PERFORMANCE_REPORT',
      reportOptions: scope.options,
      marketplaceIds: scope.marketplaceIds,
    },
    coupons: begun
      .flatMap((month) => couponsOf(world, account, market, month, scope.asOf))
      .map((coupon) => entry(world, account, market, coupon, scope.asOf)),
  };
}

/** What coupons brought, and what they cost. */
export const couponTypes: Readonly<Record<string, ReportType>> = {
  GET_COUPON_PERFORMANCE_REPORT: {
    maxDays: 732,
    singleMarketplace: true,
    reasonKey: 'reportRequestError',
    impossible: (_, scope) => startsProblem('coupon', scope),
    json: coupons,
  },
};
