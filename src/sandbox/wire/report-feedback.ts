import { localDate } from '../business/marketplaces.ts';
import type { SimAccount, SimMarketplace, SimOrder } from '../business/types.ts';
import { unitDraw } from './random.ts';
import type { ReportTable } from './report-table.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import type { World } from './world.ts';

const COLUMNS = ['Date', 'Rating', 'Comments', 'Response', 'Order ID', 'Rater Email'] as const;
const DAY_MS = 86_400_000;

/** Buyers below the first share complain (their orders count as defects), those below the second say something else. */
const COMPLAIN = 0.002;
const SPEAK = 0.04;

const BAD = ['Arrived late and damaged', 'Not as described', 'Package was open'];
const GOOD = ['Fast delivery, thank you!', 'Exactly as described', 'Great seller'];

/** "6/15/26" in America, "15/06/26" and "15.06.26" where days come first: as each marketplace writes it. */
function shortDay(market: SimMarketplace, at: number): string {
  const day = localDate(market.timeZone, at);
  const [year = '', month = '', date = ''] = day.split('-');
  if (market.region === 'na') return `${Number(month)}/${Number(date)}/${year.slice(2)}`;
  if (market.region === 'fe') return `${year}/${month}/${date}`;
  return [date, month, year.slice(2)].join(market.countryCode === 'DE' ? '.' : '/');
}

interface Feedback {
  order: SimOrder;
  at: number;
  rating: number;
  comments: string;
  response: string;
}

/** What the buyer of an order says about it, some days after it came; undefined for most. */
function feedbackOf(world: World, order: SimOrder): Feedback | undefined {
  const mood = unitDraw('complaint', 'feedback', world.seed, order.orderId);
  if (mood >= SPEAK || order.deliveredAt === undefined) return undefined;
  const bad = mood < COMPLAIN;
  const whim = unitDraw('feedback-words', world.seed, order.orderId);
  const words = bad ? BAD : GOOD;
  return {
    order,
    at: order.deliveredAt + Math.floor((1 + 6 * whim) * DAY_MS),
    rating: bad ? 1 + Math.floor(whim * 2) : whim < 0.1 ? 3 : whim < 0.3 ? 4 : 5,
    comments: words[Math.floor(whim * words.length)] ?? '',
    response: bad && whim < 0.5 ? 'We are sorry and have refunded you.' : '',
  };
}

/** Feedback that was given in [from, to), as of `asOf`. */
export function feedbackIn(world: World, account: SimAccount, { marketplaceIds, from, to, asOf }: ReportScope) {
  // Nobody speaks later than a week after a delivery, and none takes longer than a month.
  const query = { marketplaceIds, by: 'created' as const, from: from - 40 * DAY_MS, to };
  return world.business
    .orders(account, query, asOf)
    .flatMap((order) => feedbackOf(world, order) ?? [])
    .filter(({ at }) => at >= from && at < Math.min(to, asOf))
    .sort((a, b) => a.at - b.at);
}

function table(world: World, account: SimAccount, scope: ReportScope): ReportTable {
  const market = world.marketplace(scope.marketplaceIds[0] ?? '');
  const rows = feedbackIn(world, account, scope).map(({ order, at, rating, comments, response }) => [
    shortDay(market, at),
    String(rating),
    comments,
    response,
    order.orderId,
    order.buyer.email,
  ]);
  return { columns: COLUMNS, rows, pinned: 0, eol: '\n' };
}

/** What buyers say about the seller. */
export const feedbackTypes: Readonly<Record<string, ReportType>> = {
  GET_SELLER_FEEDBACK_DATA: { maxDays: 366, singleMarketplace: true, table },
};
