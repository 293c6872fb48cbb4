/** What is known of advertising at an instant: entities, and a day's figures that are restated as time goes on. */
import { bookAt } from './ads-changes.ts';
import {
  AD_WINDOWS,
  type SimAdBook,
  type SimAdChange,
  type SimAdPurchase,
  type SimAdRow,
  type SimAdSales,
  type TruthCampaign,
} from './ads-types.ts';
import { adPlan, attributeOrders, costOf } from './ads-walk.ts';
import { formatMinor, parseMinor } from './amounts.ts';
import { DAY, localMidnight, nextDay } from './marketplaces.ts';
import type { AdCell, AdSale, Order, Shop } from './model.ts';

/** Invalid clicks are found out and taken back when a day is so old. */
const CLICKS_SETTLE = 3 * DAY;

/** Everything set up in a shop's profile at an instant. */
export function adBook(shop: Shop, now: number): SimAdBook {
  return bookAt(adPlan(shop), now);
}

/** What was changed in [from, to], up to `now`, oldest first. */
export function adChanges(shop: Shop, from: number, to: number, now: number): SimAdChange[] {
  return adPlan(shop).changes.filter(({ at }) => at >= from && at <= Math.min(to, now));
}

/** Orders of a cell that came within so many days, without those that were cancelled by now. */
function ordersOf(sales: readonly AdSale[], days: number, now: number): Order[] {
  return sales.flatMap(({ order, lag }) => {
    const { purchasedAt, cancelledAt } = order;
    const gone = cancelledAt !== undefined && cancelledAt <= now;
    return lag > days * DAY || purchasedAt > now || gone ? [] : [order];
  });
}

function salesOf(shop: Shop, cell: AdCell, orders: readonly Order[]): SimAdSales {
  const sums = { purchases: 0, units: 0, sales: 0, samePurchases: 0, sameUnits: 0, sameSales: 0 };
  for (const order of orders) {
    sums.purchases += 1;
    const same = order.lines.filter((line) => cell.line.lanes.includes(line.lane));
    sums.samePurchases += same.length > 0 ? 1 : 0;
    for (const line of order.lines) {
      sums.units += line.quantity;
      sums.sales += line.itemPrice;
    }
    for (const line of same) {
      sums.sameUnits += line.quantity;
      sums.sameSales += line.itemPrice;
    }
  }
  const money = (minor: number): string => formatMinor(minor, shop.market.currency);
  return { ...sums, sales: money(sums.sales), sameSales: money(sums.sameSales) };
}

function purchasesOf(shop: Shop, { line }: AdCell, orders: readonly Order[]): SimAdPurchase[] {
  const lines = orders.flatMap((order) => order.lines);
  return [...Map.groupBy(lines, ({ lane }) => lane)].map(([lane, own]) => ({
    asin: lane.product.asin,
    promoted: line.lanes.includes(lane),
    orders: own.length,
    units: own.reduce((sum, { quantity }) => sum + quantity, 0),
    sales: formatMinor(
      own.reduce((sum, { itemPrice }) => sum + itemPrice, 0),
      shop.market.currency,
    ),
  }));
}

function rowOf(shop: Shop, cell: AdCell, settled: boolean, now: number): SimAdRow {
  const { day, term, placement, impressions, views, line } = cell;
  const { campaign, adGroup, ad, target } = line;
  const clicks = cell.clicks + (settled ? 0 : cell.invalidClicks);
  const cost = formatMinor(costOf(cell, settled), shop.market.currency);
  const clicked = cell.sales.filter(({ viewOnly }) => !viewOnly);
  const seen = cell.sales.filter(({ viewOnly }) => viewOnly);
  const within = Object.fromEntries(
    AD_WINDOWS.map((days) => [days, salesOf(shop, cell, ordersOf(clicked, days, now))]),
  ) as SimAdRow['within'];
  const viewed = salesOf(shop, cell, ordersOf(seen, 14, now));
  const purchased = campaign.adProduct === 'SB' ? purchasesOf(shop, cell, ordersOf(clicked, 14, now)) : [];
  const where = { day, campaign, adGroup, ad, target, term, placement };
  return { ...where, impressions, views, clicks, cost, within, viewed, purchased };
}

/** Figures of the business days from..to (both included) that are over at `now`. */
export function adRows(shop: Shop, from: string, to: string, now: number): SimAdRow[] {
  attributeOrders(shop);
  const { timeZone } = shop.market;
  const book = adBook(shop, now);
  const campaigns = new Map(book.campaigns.map((one) => [one.campaignId, one]));
  const targets = new Map(book.targets.map((one) => [one.targetId, one]));
  return [...shop.ads.days].flatMap(([day, cells]) => {
    if (day < from || day > to) return [];
    const end = localMidnight(timeZone, nextDay(day));
    if (end > now) return [];
    return cells.map((cell) => {
      const row = rowOf(shop, cell, now >= end + CLICKS_SETTLE, now);
      const campaign = campaigns.get(row.campaign.campaignId) ?? row.campaign;
      return { ...row, campaign, target: targets.get(row.target.targetId) ?? row.target };
    });
  });
}

/** What the marketplace shows first of a row's sales. */
function shownFirst({ campaign, within, viewed }: SimAdRow): readonly SimAdSales[] {
  if (campaign.adProduct === 'SP') return [within[7]];
  return campaign.costType === 'VCPM' ? [within[14], viewed] : [within[14]];
}

/** Sums by campaign, counted apart from any report. */
export function adTruth(rows: readonly SimAdRow[], currency: string): TruthCampaign[] {
  const groups = Map.groupBy(rows, (row) => row.campaign.campaignId);
  const list = [...groups].map(([campaignId, own]) => {
    const sum = (of: (row: SimAdRow) => number): number => own.reduce((total, row) => total + of(row), 0);
    const sales = (of: (one: SimAdSales) => number): number =>
      sum((row) => shownFirst(row).reduce((total, one) => total + of(one), 0));
    return {
      adProduct: own[0]?.campaign.adProduct ?? 'SP',
      campaignId,
      name: own[0]?.campaign.name ?? '',
      impressions: sum((row) => row.impressions),
      clicks: sum((row) => row.clicks),
      cost: formatMinor(
        sum((row) => parseMinor(row.cost)),
        currency,
      ),
      purchases: sales((one) => one.purchases),
      sales: formatMinor(
        sales((one) => parseMinor(one.sales)),
        currency,
      ),
    };
  });
  return list.sort((a, b) => (a.campaignId < b.campaignId ? -1 : 1));
}

/** Budgets hold (a quarter more at most), and what settlements charge is what the valid clicks and views of those days cost. */
export function auditAds(shop: Shop): string[] {
  const messages: string[] = [];
  for (const [day, cells] of shop.ads.days) {
    for (const [campaignId, own] of Map.groupBy(cells, (cell) => cell.line.campaign.campaignId)) {
      const cost = own.reduce((sum, cell) => sum + costOf(cell, false), 0);
      if (cost > (own[0]?.budget ?? 0) * 1.25) messages.push(`${campaignId}: ${cost} on ${day} is over budget`);
    }
  }
  const charged = shop.charges
    .filter((charge) => charge.amountType === 'Cost of Advertising')
    .reduce((sum, charge) => sum - charge.amount, 0);
  const weeks = Math.floor(Math.max(0, shop.dayCount - 1) / 7) * 7;
  const clicked = shop.ads.spend.slice(0, weeks).reduce((sum, spend) => sum + spend, 0);
  if (charged !== clicked) messages.push(`advertising: charged ${charged}, by its clicks ${clicked}`);
  return messages;
}
