import { hash } from 'node:crypto';
import { DAY, localDate, localMidnight } from '../business/marketplaces.ts';
import type { SimAccount, SimMarketplace, SimOrder, SimOrderItem } from '../business/types.ts';
import type { ReportScope } from './report-types.ts';
import type { World } from './world.ts';

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const OLDEST_MS = 2 * 366 * DAY;

/** One piece of an order that was bought at a reduced price. */
export interface PromotedLine {
  order: SimOrder;
  item: SimOrderItem;
}

/**
 * Reports on coupons and promotions are asked for by when those begin: two options, not the report's own times. Without
 * them the request is taken on and ends FATAL, with these words under `reportRequestError` in its document (so sellers
 * report it). The schemas name one limit: beginnings up to two years ago.
 */
export function startsProblem(kind: 'coupon' | 'promotion', { options = {}, asOf }: ReportScope): string | undefined {
  const [from, to] = [options[`${kind}StartDateFrom`], options[`${kind}StartDateTo`]];
  const isZoned = [from, to].every((time) => time !== undefined && ZONED.test(time) && !Number.isNaN(Date.parse(time)));
  if (!isZoned || from === undefined || to === undefined) {
    return `Please provide report options ${kind}StartDateFrom and ${kind}StartDateTo in the standard ISO-8601 zoned date and time format. For example: "2011-12-03T10:15:30Z".`;
  }
  if (Date.parse(from) > Date.parse(to)) return `${kind}StartDateFrom must not be after ${kind}StartDateTo.`;
  if (Date.parse(from) < asOf - OLDEST_MS) return `${kind}StartDateFrom must not be more than two years ago.`;
  return undefined;
}

/** The range of beginnings that was asked for, both ends included; epoch ms. */
export function startsOf(kind: 'coupon' | 'promotion', { options = {} }: ReportScope): { from: number; to: number } {
  const at = (end: string): number => Date.parse(options[`${kind}StartDate${end}`] ?? '');
  return { from: at('From'), to: at('To') };
}

/** First days "yyyy-MM-01" of the marketplace's months that two instants and what lies between them are in. */
export function monthsOf({ timeZone }: SimMarketplace, from: number, to: number): string[] {
  const last = localDate(timeZone, to).slice(0, 7);
  const months: string[] = [];
  let month = localDate(timeZone, from).slice(0, 7);
  for (; month <= last; month = nextMonth(`${month}-01`).slice(0, 7)) months.push(`${month}-01`);
  return months;
}

/** First day of the month after that of a day. */
export function nextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** Pieces bought at a reduced price in [from, to) of days, whose promotion's id begins so. Pending orders show none yet. */
export function promotedLines(
  world: World,
  account: SimAccount,
  market: SimMarketplace,
  [first, end]: [string, string],
  { prefix, asOf }: { prefix: string; asOf: number },
): PromotedLine[] {
  const [from, to] = [localMidnight(market.timeZone, first), localMidnight(market.timeZone, end)];
  return world.business
    .orders(account, { marketplaceIds: [market.marketplaceId], by: 'created', from, to }, asOf)
    .flatMap((order) => order.items.map((item) => ({ order, item })))
    .filter(({ item }) => item.promotionIds.some((id) => id.startsWith(prefix)));
}

/** An id that looks like nothing, the same for the same words: `length` digits and capitals. */
export function idOf(length: number, ...words: (string | number)[]): string {
  return hash('sha256', words.join('|'), 'hex').slice(0, length).toUpperCase();
}
