/** One day of advertising: what each ad was shown and clicked for, and which orders followed from clicks. */
import { CLICKS_PER_ORDER, planAds } from './ads-plan.ts';
import { expectedOrders } from './demand.ts';
import { Dice, poisson } from './draws.ts';
import { DAY, HOUR, localDate } from './marketplaces.ts';
import type { AdCell, AdLine, AdPlan, Lane, Order, Shop } from './model.ts';

/** Clicks of a thousand showings, about. */
const CLICK_RATE = 0.004;
const INVALID = 0.06;
/** So many orders follow from a click on an ad. */
const FROM_ADS = 0.25;

/** The shop's campaigns; made when first asked for. */
export function adPlan(shop: Shop): AdPlan {
  shop.ads.plan ??= planAds(shop);
  return shop.ads.plan;
}

function cellsOf(shop: Shop, line: AdLine, day: string, orders: number, left: number): AdCell[] {
  const { seed, account } = shop;
  const dice = new Dice(seed, account.sellingPartnerId, `click:${line.target.targetId}:${line.ad.sku}`, day);
  const expected = orders * CLICKS_PER_ORDER * line.weight;
  const drawn = poisson(dice.next(), expected);
  const price = Math.max(1, Math.round(line.bid * dice.between(0.55, 0.95)));
  const invalid = drawn > 0 && dice.chance(INVALID) ? 1 : 0;
  // The budget ends the day: clicks that it does not reach never happen, and neither do the showings.
  const clicks = Math.min(drawn, Math.max(0, Math.floor(left / price) - invalid));
  const shown = Math.max(clicks * 6, Math.round((expected / CLICK_RATE) * dice.between(0.7, 1.3)));
  const impressions = clicks < drawn ? Math.ceil((shown * (clicks + 1)) / (drawn + 1)) : shown;
  if (impressions === 0) return [];
  const first = dice.int(0, line.terms.length - 1);
  const second = clicks >= 3 && line.terms.length > 1 ? Math.floor(clicks / 3) : 0;
  const cell = { day, line, price, sales: [] };
  const term = (index: number) => line.terms[index % line.terms.length] ?? '';
  const rest = second > 0 ? Math.floor(impressions / 3) : 0;
  const invalidClicks = clicks === drawn ? invalid : 0;
  const main = { ...cell, term: term(first), impressions: impressions - rest, clicks: clicks - second, invalidClicks };
  if (second === 0) return [main];
  return [main, { ...cell, sales: [], term: term(first + 1), impressions: rest, clicks: second, invalidClicks: 0 }];
}

/**
 * Draws the clicks of a business day. Call it once a day, in order, when the day's stock is known and before its orders:
 * what is sold out is not advertised, and the day's clicks do not depend on orders still to come.
 */
export function advertise(shop: Shop, day: string): void {
  const { lines, budgets } = adPlan(shop);
  const orders = new Map<Lane, number>();
  const left = new Map(budgets);
  const cells: AdCell[] = [];
  let spend = 0;
  for (const line of lines) {
    const { lane } = line;
    if (lane.fulfillable === 0) continue;
    let expected = orders.get(lane);
    if (expected === undefined) {
      expected = expectedOrders(shop, lane, day, shop.dayCount);
      orders.set(lane, expected);
    }
    const { campaignId } = line.campaign;
    for (const cell of cellsOf(shop, line, day, expected, left.get(campaignId) ?? 0)) {
      cells.push(cell);
      spend += cell.clicks * cell.price;
      left.set(campaignId, (left.get(campaignId) ?? 0) - (cell.clicks + cell.invalidClicks) * cell.price);
    }
  }
  shop.ads.days.set(day, cells);
  shop.ads.spend.push(spend);
}

/** Most buy at once; some come back after days. */
function lagOf(dice: Dice): number {
  const u = dice.next();
  if (u < 0.72) return Math.floor(dice.between(0.1, 20) * HOUR);
  if (u < 0.92) return Math.floor(dice.between(1, 7) * DAY);
  return Math.floor(u < 0.98 ? dice.between(7, 14) * DAY : dice.between(14, 29) * DAY);
}

function attribute(shop: Shop, order: Order): void {
  const lane = order.lines[0]?.lane;
  if (!lane || order.replacedOrderId !== undefined) return;
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `adsale:${order.id}`);
  if (!dice.chance(FROM_ADS)) return;
  const lag = lagOf(dice);
  const day = localDate(shop.market.timeZone, order.purchasedAt - lag);
  const clicked = (shop.ads.days.get(day) ?? []).filter((cell) => cell.line.lane === lane && cell.clicks > 0);
  if (clicked.length === 0) return;
  let at = dice.next() * clicked.reduce((sum, cell) => sum + cell.clicks, 0);
  const cell = clicked.find((one) => {
    at -= one.clicks;
    return at < 0;
  });
  (cell ?? clicked[0])?.sales.push({ order, lag });
}

/** Finds the click behind every order in the book that has one; cheap when called again. */
export function attributeOrders(shop: Shop): void {
  for (const order of shop.orders.slice(shop.ads.attributed)) attribute(shop, order);
  shop.ads.attributed = shop.orders.length;
}
