/** What is known of advertising at an instant: entities, and a day's figures that are restated as time goes on. */
import { AD_WINDOWS, type SimAdBook, type SimAdRow, type SimAdSales, type TruthCampaign } from './ads-types.ts';
import { adPlan, attributeOrders } from './ads-walk.ts';
import { formatMinor, parseMinor } from './amounts.ts';
import { DAY, localMidnight, nextDay } from './marketplaces.ts';
import type { AdCell, Shop } from './model.ts';

/** Invalid clicks are found out and taken back when a day is so old. */
const CLICKS_SETTLE = 3 * DAY;

/** Everything set up in a shop's profile. */
export function adBook(shop: Shop): SimAdBook {
  const { campaigns, adGroups, ads, targets, negatives } = adPlan(shop);
  return { campaigns, adGroups, ads, targets, negatives };
}

function salesOf(shop: Shop, cell: AdCell, days: number, now: number): SimAdSales {
  const sums = { purchases: 0, units: 0, sales: 0, samePurchases: 0, sameUnits: 0, sameSales: 0 };
  for (const { order, lag } of cell.sales) {
    const { purchasedAt, cancelledAt } = order;
    if (lag > days * DAY || purchasedAt > now || (cancelledAt !== undefined && cancelledAt <= now)) continue;
    sums.purchases += 1;
    const same = order.lines.filter((line) => line.lane === cell.line.lane);
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

function rowOf(shop: Shop, cell: AdCell, settled: boolean, now: number): SimAdRow {
  const { day, term, impressions, price, line } = cell;
  const { campaign, adGroup, ad, target } = line;
  const clicks = cell.clicks + (settled ? 0 : cell.invalidClicks);
  const cost = formatMinor(clicks * price, shop.market.currency);
  const within = Object.fromEntries(AD_WINDOWS.map((days) => [days, salesOf(shop, cell, days, now)]));
  return { day, campaign, adGroup, ad, target, term, impressions, clicks, cost, within } as SimAdRow;
}

/** Figures of the business days from..to (both included) that are over at `now`. */
export function adRows(shop: Shop, from: string, to: string, now: number): SimAdRow[] {
  attributeOrders(shop);
  const { timeZone } = shop.market;
  return [...shop.ads.days].flatMap(([day, cells]) => {
    if (day < from || day > to) return [];
    const end = localMidnight(timeZone, nextDay(day));
    return end > now ? [] : cells.map((cell) => rowOf(shop, cell, now >= end + CLICKS_SETTLE, now));
  });
}

/** Sums by campaign, counted apart from any report. */
export function adTruth(rows: readonly SimAdRow[], currency: string): TruthCampaign[] {
  const groups = Map.groupBy(rows, (row) => row.campaign.campaignId);
  const list = [...groups].map(([campaignId, own]) => {
    const sum = (of: (row: SimAdRow) => number): number => own.reduce((total, row) => total + of(row), 0);
    return {
      campaignId,
      name: own[0]?.campaign.name ?? '',
      impressions: sum((row) => row.impressions),
      clicks: sum((row) => row.clicks),
      cost: formatMinor(
        sum((row) => parseMinor(row.cost)),
        currency,
      ),
      purchases: sum((row) => row.within[7].purchases),
      sales: formatMinor(
        sum((row) => parseMinor(row.within[7].sales)),
        currency,
      ),
    };
  });
  return list.sort((a, b) => (a.campaignId < b.campaignId ? -1 : 1));
}

/** Budgets hold (a quarter more at most), and what settlements charge is what the valid clicks of those days cost. */
export function auditAds(shop: Shop): string[] {
  const { budgets } = adPlan(shop);
  const messages: string[] = [];
  for (const [day, cells] of shop.ads.days) {
    for (const [campaignId, own] of Map.groupBy(cells, (cell) => cell.line.campaign.campaignId)) {
      const cost = own.reduce((sum, cell) => sum + (cell.clicks + cell.invalidClicks) * cell.price, 0);
      if (cost > (budgets.get(campaignId) ?? 0) * 1.25)
        messages.push(`${campaignId}: ${cost} on ${day} is over budget`);
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
