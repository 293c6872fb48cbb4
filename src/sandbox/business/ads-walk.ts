/** One day of advertising: what each ad was shown and clicked for, and which orders followed from clicks. */
import { changeAds } from './ads-changes.ts';
import { CLICKS_PER_ORDER, planAds } from './ads-plan.ts';
import type { SimAdPlacement } from './ads-types.ts';
import { expectedOrders } from './demand.ts';
import { Dice, poisson } from './draws.ts';
import { DAY, HOUR, localDate } from './marketplaces.ts';
import type { AdCell, AdLine, AdPlan, Lane, Order, Shop } from './model.ts';

/** Clicks of a thousand showings, about; fewer where showings are paid. */
const CLICK_RATE = 0.004;
const DISPLAY_RATE = 0.0015;
const INVALID = 0.06;
/** So many orders follow from a click on an ad. */
const FROM_ADS = 0.25;
/** And so many of the others followed from a showing that was paid. */
const FROM_VIEWS = 0.08;

/** The shop's campaigns; made when first asked for. */
export function adPlan(shop: Shop): AdPlan {
  shop.ads.plan ??= planAds(shop);
  return shop.ads.plan;
}

/** What a cell costs, minor units: its clicks, with the invalid ones until they are found out, or its views. */
export function costOf({ line, clicks, invalidClicks, views, price }: AdCell, settled: boolean): number {
  if (line.campaign.costType === 'VCPM') return Math.round((views * price) / 1000);
  return (clicks + (settled ? 0 : invalidClicks)) * price;
}

/** Where it is shown: keywords in search, products on their pages, each now and then elsewhere. */
function placeOf(shop: Shop, { ad, target }: AdLine, day: string): SimAdPlacement {
  const u = new Dice(shop.seed, shop.account.sellingPartnerId, `place:${target.targetId}:${ad.adId}`, day).next();
  if (target.clause === 'ASIN_SAME_AS') return u < 0.85 ? 'Detail Page on-Amazon' : 'Other on-Amazon';
  if (u < 0.4) return 'Top of Search on-Amazon';
  return u < 0.8 ? 'Other on-Amazon' : 'Detail Page on-Amazon';
}

interface Draw {
  day: string;
  /** Orders that the day brings of what the ad shows. */
  orders: number;
  /** Price of a click or of a thousand views at most, the campaign's budget and what is left of it, minor units. */
  bid: number;
  budget: number;
  left: number;
}

/** Showings paid by the thousand: as many as the budget reaches. */
function viewCells(line: AdLine, dice: Dice, { day, orders, bid, budget, left }: Draw): AdCell[] {
  const expected = orders * CLICKS_PER_ORDER * line.weight;
  const drawn = poisson(dice.next(), expected);
  const price = Math.max(1, Math.round(bid * dice.between(0.55, 0.95)));
  const seen = dice.between(0.55, 0.85);
  const wanted = Math.max(drawn * 6, Math.round((expected / DISPLAY_RATE) * dice.between(0.7, 1.3)));
  const views = Math.min(Math.round(wanted * seen), Math.floor((left * 1000) / price));
  if (views === 0) return [];
  const impressions = Math.ceil(views / seen);
  const clicks = Math.min(drawn, Math.floor(views / 6));
  const place = { placement: 'Other on-Amazon', term: '' } as const;
  return [{ day, line, ...place, impressions, views, clicks, invalidClicks: 0, price, budget, sales: [] }];
}

function cellsOf(shop: Shop, line: AdLine, draw: Draw): AdCell[] {
  const { seed, account } = shop;
  const { day, orders, bid, budget, left } = draw;
  const dice = new Dice(seed, account.sellingPartnerId, `click:${line.target.targetId}:${line.ad.sku}`, day);
  if (line.campaign.costType === 'VCPM') return viewCells(line, dice, draw);
  const expected = orders * CLICKS_PER_ORDER * line.weight;
  const drawn = poisson(dice.next(), expected);
  const price = Math.max(1, Math.round(bid * dice.between(0.55, 0.95)));
  const invalid = drawn > 0 && dice.chance(INVALID) ? 1 : 0;
  // The budget ends the day: clicks that it does not reach never happen, and neither do the showings.
  const clicks = Math.min(drawn, Math.max(0, Math.floor(left / price) - invalid));
  const shown = Math.max(clicks * 6, Math.round((expected / CLICK_RATE) * dice.between(0.7, 1.3)));
  const impressions = clicks < drawn ? Math.ceil((shown * (clicks + 1)) / (drawn + 1)) : shown;
  if (impressions === 0) return [];
  const first = dice.int(0, line.terms.length - 1);
  const second = clicks >= 3 && line.terms.length > 1 ? Math.floor(clicks / 3) : 0;
  const cell = { day, line, placement: placeOf(shop, line, day), price, budget };
  const term = (index: number) => line.terms[index % line.terms.length] ?? '';
  const seen = (count: number) => (line.campaign.adProduct === 'SP' ? 0 : Math.round(count * 0.7));
  const rest = second > 0 ? Math.floor(impressions / 3) : 0;
  const shownFirst = { impressions: impressions - rest, views: seen(impressions - rest), clicks: clicks - second };
  const invalidClicks = clicks === drawn ? invalid : 0;
  const main = { ...cell, term: term(first), ...shownFirst, invalidClicks, sales: [] };
  if (second === 0) return [main];
  const other = { impressions: rest, views: seen(rest), clicks: second, invalidClicks: 0 };
  return [main, { ...cell, term: term(first + 1), ...other, sales: [] }];
}

/**
 * Draws the clicks of a business day. Call it once a day, in order, when the day's stock is known and before its orders:
 * what is sold out is not advertised, and the day's clicks do not depend on orders still to come.
 */
export function advertise(shop: Shop, day: string, start: number): void {
  const plan = adPlan(shop);
  changeAds(shop, plan, start);
  const expected = new Map<Lane, number>();
  const ordersOf = (lane: Lane): number => {
    if (lane.fulfillable === 0) return 0;
    const known = expected.get(lane) ?? expectedOrders(shop, lane, day, shop.dayCount);
    expected.set(lane, known);
    return known;
  };
  const spent = new Map<string, number>();
  const cells: AdCell[] = [];
  let spend = 0;
  for (const line of plan.lines) {
    const { campaignId } = line.campaign;
    if (plan.paused.has(campaignId) || line.lanes.every(({ fulfillable }) => fulfillable === 0)) continue;
    const orders = line.lanes.reduce((sum, lane) => sum + ordersOf(lane), 0);
    const budget = plan.budgets.get(campaignId) ?? 0;
    const bid = plan.bids.get(line.target.targetId) ?? line.bid;
    const left = budget - (spent.get(campaignId) ?? 0);
    for (const cell of cellsOf(shop, line, { day, orders, bid, budget, left })) {
      cells.push(cell);
      spend += costOf(cell, true);
      spent.set(campaignId, (spent.get(campaignId) ?? 0) + costOf(cell, false));
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

function pick(cells: readonly AdCell[], weight: (cell: AdCell) => number, u: number): AdCell | undefined {
  let at = u * cells.reduce((sum, cell) => sum + weight(cell), 0);
  const found = cells.find((one) => {
    at -= weight(one);
    return at < 0;
  });
  return found ?? cells[0];
}

/** The click that an order came from; without one the showing, where those are paid. */
function attribute(shop: Shop, order: Order): void {
  const lane = order.lines[0]?.lane;
  if (!lane || order.replacedOrderId !== undefined) return;
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `adsale:${order.id}`);
  const clicked = dice.chance(FROM_ADS);
  if (!clicked && !dice.chance(FROM_VIEWS)) return;
  const lag = lagOf(dice);
  const day = localDate(shop.market.timeZone, order.purchasedAt - lag);
  const shown = (shop.ads.days.get(day) ?? []).filter((cell) => cell.line.lanes.includes(lane));
  if (clicked) {
    const cells = shown.filter((cell) => cell.clicks > 0);
    pick(cells, (cell) => cell.clicks, dice.next())?.sales.push({ order, lag });
    return;
  }
  const cells = shown.filter(({ line }) => line.campaign.costType === 'VCPM');
  pick(cells, (cell) => cell.views, dice.next())?.sales.push({ order, lag, viewOnly: true });
}

/** Finds the click behind every order in the book that has one; cheap when called again. */
export function attributeOrders(shop: Shop): void {
  for (const order of shop.orders.slice(shop.ads.attributed)) attribute(shop, order);
  shop.ads.attributed = shop.orders.length;
}
