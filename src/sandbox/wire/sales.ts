import { DAY, HOUR, localDate, zoneOffset } from '../business/marketplaces.ts';
import type { SimOrder, SimOrderItem } from '../business/types.ts';
import { invalidInput, unauthorized } from './errors.ts';
import { divideMoney, sumMoney } from './money.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { list, listOf, parseInstant, text } from './query.ts';

const LONGEST_MS = 2 * 366 * DAY;
const LONGEST_BY_HOUR_MS = 30 * DAY;
const HALF_HOUR = HOUR / 2;
const MINUTE = 60_000;

interface Line {
  order: SimOrder;
  item: SimOrderItem;
}

/** Milliseconds that a spelled instant's own offset is ahead of UTC. */
function offsetOf(spelled: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):?(\d{2})$/.exec(spelled) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
}

/** Amazon's own rule: days are those of a zone, so the interval is spelled with that zone's offset, or with Z for UTC. */
function mustAlign(zone: string, spelled: string, at: number): void {
  if (zoneOffset(zone, at) !== offsetOf(spelled)) {
    throw invalidInput(`granularityTimeZone: '${zone}' does not align with the offset of '${spelled}'`);
  }
}

/** As the answer spells its pieces: the zone's wall clock to the minute, with its offset. */
function spelledIn(zone: string, at: number): string {
  const offset = zoneOffset(zone, at);
  const wall = new Date(at + offset).toISOString().slice(0, 16);
  if (offset === 0) return `${wall}Z`;
  return `${wall}${offset < 0 ? '-' : '+'}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}`;
}

function intervalOf(call: Call): { from: number; to: number; spelled: string } {
  const spelled = text(call.query, 'interval') ?? '';
  const [start, end, ...more] = spelled.split('--');
  if (start === undefined || end === undefined || more.length > 0) {
    throw invalidInput('interval: two instants joined by -- are expected');
  }
  const from = parseInstant('interval', start);
  const to = parseInstant('interval', end);
  if (to <= from) throw invalidInput('interval: the end must be later than the start');
  if (from < call.now - LONGEST_MS) throw invalidInput('interval: must not begin more than two years ago');
  if (text(call.query, 'granularity') === 'Hour' && from < call.now - LONGEST_BY_HOUR_MS) {
    throw invalidInput('interval: must not begin more than 30 days ago when granularity is Hour');
  }
  const zone = zoneOf(call);
  if (zone !== undefined) {
    mustAlign(zone, start, from);
    mustAlign(zone, end, to);
  }
  return { from, to, spelled };
}

function linesOf(call: Call, marketplaceId: string, from: number, to: number): Line[] {
  const [asin, sku] = [text(call.query, 'asin'), text(call.query, 'sku')];
  if (asin !== undefined && sku !== undefined) throw invalidInput('asin and sku may not be combined');
  const buyerType = listOf(call.query, 'buyerType', ['All', 'B2B', 'B2C'])[0] ?? 'All';
  const network = listOf(call.query, 'fulfillmentNetwork', ['AFN', 'MFN'])[0];
  const query = { marketplaceIds: [marketplaceId], by: 'created' as const, from, to };
  return call.world.business
    .orders(call.account, query, call.now)
    .filter((order) => order.status !== 'CANCELLED' && order.status !== 'UNFULFILLABLE' && !order.isReplacement)
    .filter((order) => buyerType === 'All' || order.isBusiness === (buyerType === 'B2B'))
    .filter((order) => network === undefined || order.fulfilment === network)
    .flatMap((order) => order.items.map((item) => ({ order, item })))
    .filter(({ item }) => (asin === undefined || item.asin === asin) && (sku === undefined || item.sku === sku));
}

const GRANULARITIES = ['Hour', 'Day', 'Week', 'Month', 'Year', 'Total'] as const;
type Granularity = (typeof GRANULARITIES)[number];

/** First local day of the week (from Monday or Sunday), month or year that a local day lies in. */
function firstDay(day: string, granularity: Granularity, weekBegins: number): string {
  if (granularity === 'Month') return `${day.slice(0, 7)}-01`;
  if (granularity === 'Year') return `${day.slice(0, 4)}-01-01`;
  if (granularity !== 'Week') return day;
  const date = new Date(day);
  return new Date(date.getTime() - ((date.getUTCDay() - weekBegins + 7) % 7) * DAY).toISOString().slice(0, 10);
}

/** [from, to) cut where hours or local days, weeks, months and years begin; the first and last piece may be shorter. */
function piecesOf(call: Call, from: number, to: number): { from: number; to: number }[] {
  const granularity = listOf(call.query, 'granularity', GRANULARITIES)[0];
  if (granularity === undefined) throw invalidInput('granularity: is required');
  if (granularity === 'Total') return [{ from, to }];
  const zone = zoneOf(call) ?? 'UTC';
  if (granularity !== 'Hour' && text(call.query, 'granularityTimeZone') === undefined) {
    throw invalidInput('granularityTimeZone: is required');
  }
  const weekBegins = text(call.query, 'firstDayOfWeek') === 'Sunday' ? 0 : 1;
  const pieceOf = (at: number): string =>
    granularity === 'Hour' ? String(Math.floor(at / HOUR)) : firstDay(localDate(zone, at), granularity, weekBegins);
  const cuts = [from];
  // Every zone in which Amazon sells is a whole number of half hours away from UTC.
  for (let at = (Math.floor(from / HALF_HOUR) + 1) * HALF_HOUR; at < to; at += HALF_HOUR) {
    if (pieceOf(at) !== pieceOf(at - 1)) cuts.push(at);
  }
  return cuts.map((cut, index) => ({ from: cut, to: cuts[index + 1] ?? to }));
}

function zoneOf(call: Call): string | undefined {
  const zone = text(call.query, 'granularityTimeZone');
  try {
    if (zone !== undefined) zoneOffset(zone, call.now);
  } catch {
    throw invalidInput(`granularityTimeZone: '${zone}' is not a time zone`);
  }
  return zone;
}

function metricsOf(lines: readonly Line[], interval: string, currencyCode: string): object {
  const units = lines.reduce((sum, { item }) => sum + item.quantityOrdered, 0);
  const total = sumMoney(lines.map(({ item }) => item.itemPrice)) || '0';
  return {
    interval,
    unitCount: units,
    orderItemCount: lines.length,
    orderCount: new Set(lines.map(({ order }) => order.orderId)).size,
    averageUnitPrice: { amount: units === 0 ? '0' : divideMoney(total, units), currencyCode },
    totalSales: { amount: total, currencyCode },
  };
}

/** Order metrics of an interval, as a whole or by its hours, days, weeks, months or years. */
function getOrderMetrics(call: Call): Answer {
  const [marketplaceId, ...more] = list(call.query, 'marketplaceIds');
  if (marketplaceId === undefined || more.length > 0) throw invalidInput('marketplaceIds: exactly one is required');
  if (!call.account.marketplaceIds.includes(marketplaceId)) {
    throw unauthorized(`The seller does not sell in marketplace ${marketplaceId}`);
  }
  const { from, to, spelled } = intervalOf(call);
  const pieces = piecesOf(call, from, to);
  const lines = linesOf(call, marketplaceId, from, to);
  const currency = call.world.marketplace(marketplaceId).currency;
  const zone = zoneOf(call) ?? 'UTC';
  const payload = pieces.map((piece) => {
    const inside = lines.filter(({ order }) => order.purchasedAt >= piece.from && order.purchasedAt < piece.to);
    const interval = pieces.length === 1 ? spelled : `${spelledIn(zone, piece.from)}--${spelledIn(zone, piece.to)}`;
    return metricsOf(inside, interval, currency);
  });
  return { body: { payload } };
}

/** Sales API v1. */
export const salesOperations: Operation[] = [
  {
    name: 'getOrderMetrics',
    method: 'GET',
    path: '/sales/v1/orderMetrics',
    plan: { rate: 0.5, burst: 15 },
    handle: getOrderMetrics,
  },
];
