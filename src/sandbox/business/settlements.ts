/**
 * Settlements: every two weeks one account and marketplace is closed. Each period begins where the one before ended;
 * part of the proceeds is held back and given back in the next; a negative balance is charged to the seller's card.
 */
import { formatMinor, share } from './amounts.ts';
import { code, draw, opaqueId } from './draws.ts';
import { DAY } from './marketplaces.ts';
import type { SettledPeriod, Shop } from './model.ts';
import { balanceEvent, eventsBetween, type MoneyEvent, type Posting, sumOf } from './money.ts';
import type { SimMoneyLine, SimSettlement } from './types.ts';

const PERIOD = 14 * DAY;
const RESERVE_PERCENT = 10;
/** Line lists kept per shop; the totals are kept for ever, lines are cheap to make again. */
const KEPT_LINE_LISTS = 2;

/** End of the first period: 8 to 21 days after the start, so that the shops do not all close together. */
function firstEnd(shop: Shop): number {
  const u = draw(shop.seed, shop.account.sellingPartnerId, `settlement:${shop.market.countryCode}`);
  return shop.startAt + 8 * DAY + Math.floor((u * 13 * DAY) / 1000) * 1000;
}

/** Number of the period that an instant belongs to, from 0. */
export function periodNumber(shop: Shop, at: number): number {
  return Math.max(0, Math.floor((at - firstEnd(shop)) / PERIOD) + 1);
}

/** Start and end of a period: [startAt, endAt). */
export function periodBounds(shop: Shop, number: number): { startAt: number; endAt: number } {
  const endAt = firstEnd(shop) + number * PERIOD;
  return { startAt: number === 0 ? shop.startAt : endAt - PERIOD, endAt };
}

/** Settlement id of a period: eleven digits, unique over all shops. */
export function settlementId(shop: Shop, number: number): string {
  return String(12_000_000_000 + (((shop.index * 100_003 + number * 7 + 1) * 1_299_709) % 80_000_000_000));
}

/** Id of the group of financial events that a settlement pays out. */
export function eventGroupId(shop: Shop, number: number): string {
  return opaqueId(shop.seed, 'event-group', settlementId(shop, number));
}

/** Closes every period that ended by `now` and is not closed yet. The shop must be walked up to `now`. */
export function settle(shop: Shop, now: number): SettledPeriod[] {
  for (;;) {
    const number = shop.settled.length;
    const { startAt, endAt } = periodBounds(shop, number);
    if (endAt > now) break;
    const events = [...carriedIn(shop, number), ...eventsBetween(shop, startAt, endAt)];
    const proceeds = events.reduce((sum, event) => sum + sumOf(event), 0);
    const reserve = proceeds > 0 ? share(proceeds, RESERVE_PERCENT, 100) : 0;
    shop.settled.push({ number, startAt, endAt, reserve, total: proceeds - reserve });
  }
  return shop.settled.filter((period) => period.endAt <= now);
}

/** What the period before hands over: its reserve, or its debt together with the card payment for it. */
export function carriedIn(shop: Shop, number: number): MoneyEvent[] {
  const before = number > 0 ? shop.settled[number - 1] : undefined;
  if (!before) return [];
  const events: MoneyEvent[] = [];
  if (before.reserve > 0) {
    events.push(balanceEvent('Previous Reserve Amount Balance', before.reserve, before.endAt));
  }
  if (before.total < 0) {
    events.push(balanceEvent('Payable to Amazon', before.total, before.endAt));
    events.push(balanceEvent('Successful charge', -before.total, before.endAt));
  }
  return events;
}

/** The amount held back at the end of a closed period; none when nothing is held back. */
export function heldBack(period: SettledPeriod): MoneyEvent[] {
  if (period.reserve === 0) return [];
  return [balanceEvent('Current Reserve Amount', -period.reserve, period.endAt - 1000)];
}

/** All events of a closed period in the order of its file. */
export function eventsOf(shop: Shop, period: SettledPeriod): MoneyEvent[] {
  return [...carriedIn(shop, period.number), ...eventsBetween(shop, period.startAt, period.endAt), ...heldBack(period)];
}

const lineLists = new WeakMap<Shop, Map<number, SimMoneyLine[]>>();

function linesOf(shop: Shop, period: SettledPeriod): SimMoneyLine[] {
  const lists = lineLists.get(shop) ?? new Map<number, SimMoneyLine[]>();
  lineLists.set(shop, lists);
  const known = lists.get(period.number);
  if (known) return known;
  const lines = eventsOf(shop, period).flatMap((event) => event.postings.map((one) => moneyLine(shop, event, one)));
  const [oldest] = lists.keys();
  if (oldest !== undefined && lists.size >= KEPT_LINE_LISTS) lists.delete(oldest);
  lists.set(period.number, lines);
  return lines;
}

function moneyLine(shop: Shop, event: MoneyEvent, posting: Posting): SimMoneyLine {
  const { order, charge } = event;
  const sku = posting.lane?.product.sku;
  return {
    transactionType: event.transactionType,
    amountType: posting.amountType,
    amountDescription: posting.amountDescription,
    amount: formatMinor(posting.amount, shop.market.currency),
    postedAt: event.postedAt,
    ...(order ? { orderId: order.id, merchantOrderId: order.id, fulfillmentId: order.fulfilment } : {}),
    ...(order && event.kind === 'sale' ? { shipmentId: shipmentId(order.id) } : {}),
    ...(order && event.kind === 'refund' ? { adjustmentId: adjustmentId(order.id) } : {}),
    ...(charge?.reference === undefined ? {} : { adjustmentId: charge.reference }),
    ...(order || charge?.lane ? { marketplaceName: shop.market.salesChannel } : {}),
    ...(posting.line ? { orderItemCode: posting.line.itemId } : {}),
    ...(sku === undefined ? {} : { sku }),
    ...(posting.quantity === undefined ? {} : { quantity: posting.quantity }),
    ...(posting.promotionId === undefined ? {} : { promotionId: posting.promotionId }),
  };
}

/** Shipment id of an order, as fulfilment reports spell it. */
export function shipmentId(orderId: string): string {
  return code(9, '0123456789BCDFGHJKLMNPQRSTVWXZ', 'shipment', orderId);
}

/** Adjustment id of an order's refund. */
export function adjustmentId(orderId: string): string {
  return `amzn1:crow:${opaqueId('refund', orderId).slice(0, 22)}`;
}

/** A closed settlement. Its lines are made when they are first read. */
export function settlementView(shop: Shop, period: SettledPeriod): SimSettlement {
  const id = settlementId(shop, period.number);
  return {
    account: shop.account,
    marketplaceId: shop.market.marketplaceId,
    settlementId: id,
    reportId: `5${id}`,
    financialEventGroupId: eventGroupId(shop, period.number),
    currency: shop.market.currency,
    startAt: period.startAt,
    endAt: period.endAt,
    depositAt: period.endAt + 2 * DAY,
    total: formatMinor(period.total, shop.market.currency),
    get lines() {
      return linesOf(shop, period);
    },
  };
}
