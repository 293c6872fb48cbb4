/** Finance transactions: the postings of the money ledger as they become known, with deferral and release. */
import { formatMinor } from './amounts.ts';
import { opaqueId } from './draws.ts';
import type { Order, Shop } from './model.ts';
import { eventsBetween, type MoneyEvent, type Posting, saleEvent, sumOf } from './money.ts';
import { boughtBetween, ORDER_LIFE } from './queries.ts';
import {
  adjustmentId,
  carriedIn,
  eventGroupId,
  heldBack,
  periodNumber,
  settle,
  settlementId,
  shipmentId,
} from './settlements.ts';
import type { SimTransaction } from './types.ts';

/** Leaf of the breakdown tree for each name of the settlement file. Names not listed are fees. */
const LEAVES: Record<string, readonly string[]> = {
  'ItemPrice/Principal': ['Sales', 'Product Charges'],
  'ItemPrice/Tax': ['Sales', 'Product Tax'],
  'ItemPrice/Shipping': ['Sales', 'Shipping Charges'],
  'ItemPrice/ShippingTax': ['Sales', 'Shipping Tax'],
  'ItemPrice/GiftWrap': ['Sales', 'Gift Wrap Charges'],
  'ItemPrice/GiftWrapTax': ['Sales', 'Gift Wrap Tax'],
  'Promotion/Principal': ['Sales', 'Promo Rebates', 'Product'],
  'Promotion/Shipping': ['Sales', 'Promo Rebates', 'Shipping'],
  'Cost of Advertising/TransactionTotalAmount': ['Expenses', 'Cost of Advertising'],
  'FBA Inventory Reimbursement/WAREHOUSE_LOST': ['Reimbursements', 'WAREHOUSE_LOST'],
  'FBA Inventory Reimbursement/MISSING_FROM_INBOUND': ['Reimbursements', 'MISSING_FROM_INBOUND'],
  'other-transaction/Previous Reserve Amount Balance': ['Balances', 'Previous Reserve Amount Balance'],
  'other-transaction/Current Reserve Amount': ['Balances', 'Current Reserve Amount'],
  'other-transaction/Payable to Amazon': ['Balances', 'Payable to Amazon'],
  'other-transaction/Successful charge': ['Balances', 'Successful charge'],
};

/** Path of an amount in the breakdown tree, root first. */
export function leafPath(amountType: string, amountDescription: string): string[] {
  const known = LEAVES[`${amountType}/${amountDescription}`];
  if (known) return [...known];
  if (amountType === 'ItemWithheldTax') return ['Sales', 'Tax Withheld', amountDescription];
  return ['Expenses', 'Amazon Fees', amountDescription];
}

/** Transactions posted in [from, to) and by `now`, oldest first. The shop must be walked up to `now`. */
export function transactionsOf(shop: Shop, from: number, to: number, now: number): SimTransaction[] {
  const end = Math.min(to, now + 1);
  const closed = settle(shop, now);
  const list = deferredSales(shop, from, end).map((order) => deferred(shop, order, now));
  for (const event of eventsBetween(shop, from, end)) list.push(released(shop, event, now));
  for (const number of [...closed.keys(), closed.length]) {
    const period = closed[number];
    for (const event of [...carriedIn(shop, number), ...(period ? heldBack(period) : [])]) {
      if (event.postedAt >= from && event.postedAt < end) list.push(released(shop, event, now));
    }
  }
  return list.sort((a, b) => a.postedAt - b.postedAt || (a.transactionId < b.transactionId ? -1 : 1));
}

/** Orders shipped in [from, end): their money is known but deferred. */
function deferredSales(shop: Shop, from: number, end: number): Order[] {
  return boughtBetween(shop, from - ORDER_LIFE, end).filter(
    ({ shippedAt, cancelledAt, replacedOrderId }) =>
      cancelledAt === undefined && replacedOrderId === undefined && shippedAt >= from && shippedAt < end,
  );
}

function idOf(shop: Shop, kind: string, key: string): string {
  return opaqueId(shop.seed, shop.account.sellingPartnerId, shop.market.countryCode, kind, key);
}

/**
 * The sale at dispatch. After its release it stays under its own day, marked, and only the new transaction belongs to a
 * group and a settlement: nobody knows before which one that will be.
 */
function deferred(shop: Shop, order: Order, now: number): SimTransaction {
  const isReleased = order.releasedAt <= now;
  const { financialEventGroupId: _, ...sale } = body(shop, saleEvent(order));
  return {
    ...sale,
    transactionId: idOf(shop, 'deferred', order.id),
    status: isReleased ? 'DEFERRED_RELEASED' : 'DEFERRED',
    postedAt: order.shippedAt,
    ...(isReleased ? { releaseTransactionId: idOf(shop, 'sale', order.id) } : { maturityAt: order.releasedAt }),
  };
}

function released(shop: Shop, event: MoneyEvent, now: number): SimTransaction {
  const period = periodNumber(shop, event.postedAt);
  const closed = shop.settled[period];
  const posting = event.postings[0];
  const key = event.order?.id ?? `${event.postedAt}:${posting?.amountDescription}:${posting?.lane?.key ?? ''}`;
  return {
    ...body(shop, event),
    transactionId: idOf(shop, event.kind, key),
    status: 'RELEASED',
    ...(closed && closed.endAt <= now ? { settlementId: settlementId(shop, period) } : {}),
    ...(event.kind === 'sale' && event.order ? { deferredTransactionId: idOf(shop, 'deferred', event.order.id) } : {}),
  };
}

function typeOf(event: MoneyEvent): string {
  if (event.kind === 'sale') return 'Shipment';
  if (event.kind === 'refund') return 'Refund';
  if (event.kind === 'balance') return sumOf(event) < 0 ? 'ReserveDebit' : 'ReserveCredit';
  return event.charge?.amountType === 'FBA Inventory Reimbursement' ? 'Adjustment' : 'ServiceFee';
}

type Body = Omit<SimTransaction, 'transactionId' | 'status'>;

function body(shop: Shop, event: MoneyEvent): Body {
  const { currency, marketplaceId } = shop.market;
  const { order } = event;
  return {
    account: shop.account,
    marketplaceId,
    transactionType: typeOf(event),
    description: event.description,
    postedAt: event.postedAt,
    currency,
    total: formatMinor(sumOf(event), currency),
    ...(order ? { orderId: order.id } : {}),
    ...(order && event.kind === 'sale' ? { shipmentId: shipmentId(order.id) } : {}),
    ...(order && event.kind === 'refund' ? { refundId: adjustmentId(order.id) } : {}),
    financialEventGroupId: eventGroupId(shop, periodNumber(shop, event.postedAt)),
    items: itemsOf(event, currency),
    breakdowns: event.postings.filter((one) => !one.lane).map((one) => leaf(one, currency)),
  };
}

function leaf(posting: Posting, currency: string): { path: string[]; amount: string } {
  return {
    path: leafPath(posting.amountType, posting.amountDescription),
    amount: formatMinor(posting.amount, currency),
  };
}

/** One item per order line; a charge with a SKU is an item of its own. */
function itemsOf(event: MoneyEvent, currency: string): SimTransaction['items'] {
  const items = new Map<string, SimTransaction['items'][number]>();
  for (const posting of event.postings) {
    const { lane, line } = posting;
    if (!lane) continue;
    const key = line?.itemId ?? lane.key;
    let item = items.get(key);
    if (!item) {
      const { sku, asin } = lane.product;
      item = { sku, asin, ...(line ? { orderItemCode: line.itemId } : {}), breakdowns: [] };
      items.set(key, item);
    }
    if (posting.quantity !== undefined) item.quantity = posting.quantity;
    item.breakdowns.push(leaf(posting, currency));
  }
  return [...items.values()];
}
