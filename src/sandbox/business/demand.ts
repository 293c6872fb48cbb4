/** How many orders a SKU would get on a day, at which moments, and at what price it is offered. */
import { charmPrice } from './catalogue.ts';
import { draw, poisson } from './draws.ts';
import { dayNumber, dayOfNumber, localDate, localMidnight } from './marketplaces.ts';
import type { Lane, Shop } from './model.ts';

const MONTH_SEASON = [0.92, 0.9, 0.94, 0.96, 1, 1.02, 1.08, 1, 0.97, 1.02, 1.24, 1.3];
/** Sunday first. */
const WEEKDAY = [1.08, 1.1, 1.02, 1, 0.97, 0.9, 0.93];
/** Relative traffic by local hour. */
const HOURS = [2, 1, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 5, 5, 6, 7, 8, 9, 8, 6, 4];
const HOURS_TOTAL = HOURS.reduce((sum, weight) => sum + weight, 0);

/** The deal week: seven days out of every 120, counted from the first simulated day. */
const EVENT = { every: 120, first: 80, days: 7, uplift: 1.8 };
const PRICE_PERIOD_DAYS = 28;

/** Days of the deal week. */
function isEventDay(dayIndex: number): boolean {
  const position = dayIndex % EVENT.every;
  return position >= EVENT.first && position < EVENT.first + EVENT.days;
}

/** Season of the month and of the product: 1 is an ordinary day. */
export function seasonOf(lane: Lane, day: string): number {
  const month = Number(day.slice(5, 7)) - 1;
  const dayOfYear = dayNumber(day) - dayNumber(`${day.slice(0, 4)}-01-01`);
  return (MONTH_SEASON[month] ?? 1) * (1 + lane.seasonSwing * Math.cos((2 * Math.PI * (dayOfYear - 15)) / 365));
}

/**
 * Expected orders: base · season · weekday · trend · event · (price/reference)^elasticity; 0 while suppressed
 * or while the merchant says that he has none.
 * `dayIndex` counts from the first simulated day.
 */
export function expectedOrders(shop: Shop, lane: Lane, day: string, dayIndex: number): number {
  const at = shop.simulatedUntil;
  if (lane.suppressed && at >= lane.suppressed.from && at < lane.suppressed.to) return 0;
  if (saidBefore(shop, lane, day, 'quantity')?.stated === 0) return 0;
  const weekday = WEEKDAY[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 1;
  const trend = 1 + lane.trend * Math.min(dayIndex / 365, 2);
  const event = isEventDay(dayIndex) ? EVENT.uplift : 1;
  const price = (priceOn(shop, lane, day) / lane.refPrice) ** lane.elasticity;
  return lane.base * seasonOf(lane, day) * weekday * trend * event * price;
}

/** Orders that would come on a day if stock were endless. */
export function demandOf(shop: Shop, lane: Lane, day: string, dayIndex: number): number {
  const u = draw(shop.seed, shop.account.sellingPartnerId, `demand:${lane.key}`, day, 0);
  return poisson(u, expectedOrders(shop, lane, day, dayIndex));
}

/** Moment within a day, by the hour profile; `u` uniform in [0, 1). Whole seconds. Fits days of 23 and 25 hours. */
export function momentOf(dayStart: number, dayEnd: number, u: number): number {
  let rest = u * HOURS_TOTAL;
  let hour = 0;
  for (const weight of HOURS) {
    if (rest < weight) {
      const share = (hour + rest / weight) / HOURS.length;
      return dayStart + Math.floor((share * (dayEnd - dayStart)) / 1000) * 1000;
    }
    rest -= weight;
    hour += 1;
  }
  return dayEnd - 1000;
}

function periodOf(lane: Lane, day: string): number {
  return Math.floor((dayNumber(day) + lane.pricePhase) / PRICE_PERIOD_DAYS);
}

function priceInPeriod(shop: Shop, lane: Lane, period: number): number {
  const u = draw(shop.seed, shop.account.sellingPartnerId, `price:${lane.key}`, period, 0);
  const factor = u < 0.6 ? 1 : u < 0.75 ? 0.9 : u < 0.87 ? 0.95 : u < 0.96 ? 1.06 : 0.85;
  return factor === 1 ? lane.refPrice : charmPrice(lane.refPrice * factor, shop.market.currency);
}

const priceCache = new WeakMap<Lane, { period: number; price: number }>();

/** What the seller said last before a business day began; what he says during a day counts from the next. */
function saidBefore<K extends 'price' | 'quantity'>(shop: Shop, lane: Lane, day: string, what: K) {
  if (lane.offers.length === 0) return undefined;
  const { timeZone } = shop.market;
  return lane.offers.findLast((one) => one[what] !== undefined && localDate(timeZone, one.at) < day)?.[what];
}

/**
 * Offer price on a business day, minor units; it changes at most every four weeks, at local midnight, until the seller
 * sets one himself.
 */
export function priceOn(shop: Shop, lane: Lane, day: string): number {
  const own = saidBefore(shop, lane, day, 'price');
  if (own !== undefined) return own;
  const period = periodOf(lane, day);
  const known = priceCache.get(lane);
  if (known?.period === period) return known.price;
  const price = priceInPeriod(shop, lane, period);
  priceCache.set(lane, { period, price });
  return price;
}

/** Offer price at an instant and since when it holds (not before the listing was opened). */
export function offerAt(shop: Shop, lane: Lane, now: number): { price: number; since: number } {
  const own = lane.offers.findLast((one) => one.price !== undefined && one.at <= now);
  if (own?.price !== undefined) return { price: own.price, since: own.at };
  const { timeZone } = shop.market;
  let period = periodOf(lane, localDate(timeZone, now));
  const price = priceInPeriod(shop, lane, period);
  // Unchanged periods are one offer; half a year back is far enough to look.
  for (let back = 0; back < 6 && priceInPeriod(shop, lane, period - 1) === price; back += 1) period -= 1;
  const since = localMidnight(timeZone, dayOfNumber(period * PRICE_PERIOD_DAYS - lane.pricePhase));
  return { price, since: Math.max(since, lane.product.openedAt) };
}
