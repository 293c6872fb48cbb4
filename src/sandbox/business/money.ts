/**
 * The money ledger: every posting of a sale, a refund or a charge, once. Settlement files and finance transactions are
 * two readings of these postings, so they cannot disagree.
 */
import { share } from './amounts.ts';
import { digitalServicesFee, fulfilmentFee, referralFee, refundAdminFee } from './fees.ts';
import { measuredAt } from './measured.ts';
import type { Charge, Lane, Order, OrderLine, Shop } from './model.ts';
import { boughtBetween, ORDER_LIFE } from './queries.ts';

/** One amount under the three names of a V2 settlement file. Minor units, signed from the seller's side. */
export interface Posting {
  amountType: string;
  amountDescription: string;
  amount: number;
  line: OrderLine | undefined;
  lane: Lane | undefined;
  quantity: number | undefined;
  promotionId: string | undefined;
}

/** Postings that belong together and happen at one instant: one transaction, several settlement lines. */
export interface MoneyEvent {
  kind: 'sale' | 'refund' | 'charge' | 'balance';
  /** When the money counts: for a sale the end of its deferral. */
  postedAt: number;
  transactionType: string;
  description: string;
  order: Order | undefined;
  charge: Charge | undefined;
  postings: Posting[];
}

class Sheet {
  readonly postings: Posting[] = [];
  private readonly line: OrderLine;

  constructor(line: OrderLine) {
    this.line = line;
  }

  add(amountType: string, amountDescription: string, amount: number, more: Partial<Posting> = {}): void {
    if (amount === 0) return;
    const { line } = this;
    const base = { quantity: undefined, promotionId: undefined, line, lane: line.lane };
    this.postings.push({ ...base, amountType, amountDescription, amount, ...more });
  }
}

/** Commission of a line, positive. The merchant's own shipping income is part of its base, Amazon's is not. */
function commissionOf(order: Order, line: OrderLine): number {
  const shipping = order.fulfilment === 'MFN' ? line.shipping - line.shippingDiscount : 0;
  const base = line.itemPrice - line.discount + line.giftWrap + shipping;
  return referralFee(order.shop.market.countryCode, base, line.quantity, order.shippedAt);
}

function isPaid(order: Order): boolean {
  return order.cancelledAt === undefined && order.replacedOrderId === undefined;
}

/** Postings of a shipped order; none for cancelled orders and for replacements. */
export function salePostings(order: Order): Posting[] {
  return isPaid(order) ? order.lines.flatMap((line) => saleOfLine(order, line)) : [];
}

function saleOfLine(order: Order, line: OrderLine): Posting[] {
  const sheet = new Sheet(line);
  const { market } = order.shop;
  sheet.add('ItemPrice', 'Principal', line.itemPrice, { quantity: line.quantity });
  sheet.add('ItemPrice', 'Tax', line.itemTax);
  sheet.add('ItemPrice', 'Shipping', line.shipping);
  sheet.add('ItemPrice', 'ShippingTax', line.shippingTax);
  sheet.add('ItemPrice', 'GiftWrap', line.giftWrap);
  sheet.add('ItemPrice', 'GiftWrapTax', line.giftWrapTax);
  sheet.add('ItemWithheldTax', 'MarketplaceFacilitatorTax-Principal', -line.itemTax);
  sheet.add('ItemWithheldTax', 'MarketplaceFacilitatorTax-Shipping', -line.shippingTax);
  sheet.add('ItemWithheldTax', 'MarketplaceFacilitatorTax-Other', -line.giftWrapTax);
  const [promotionId] = line.promotionIds;
  sheet.add('Promotion', 'Principal', -line.discount, { promotionId });
  sheet.add('Promotion', 'Shipping', -line.shippingDiscount, { promotionId: line.promotionIds.at(-1) });
  const commission = commissionOf(order, line);
  sheet.add('ItemFees', 'Commission', -commission);
  let fulfilment = 0;
  if (order.fulfilment === 'AFN') {
    fulfilment =
      fulfilmentFee(market, measuredAt(line.lane, order.shippedAt), line.unitPrice, order.shippedAt) * line.quantity;
    sheet.add('ItemFees', 'FBAPerUnitFulfillmentFee', -fulfilment);
    // What the buyer paid for Amazon's own shipping and wrapping goes back to Amazon.
    sheet.add('ItemFees', 'ShippingChargeback', line.shippingDiscount - line.shipping);
    sheet.add('ItemFees', 'GiftwrapChargeback', -line.giftWrap);
  }
  sheet.add('ItemFees', 'DigitalServicesFee', -digitalServicesFee(market.countryCode, commission + fulfilment));
  return sheet.postings;
}

/** Postings of an order's refund; none when there is no refund. Commission comes back less the administration fee. */
export function refundPostings(order: Order): Posting[] {
  const { refund } = order;
  if (!refund || !isPaid(order)) return [];
  const { line, quantity } = refund;
  const part = (amount: number): number => share(amount, quantity, line.quantity);
  const sheet = new Sheet(line);
  sheet.add('ItemPrice', 'Principal', -part(line.itemPrice), { quantity });
  sheet.add('ItemPrice', 'Tax', -part(line.itemTax));
  sheet.add('ItemWithheldTax', 'MarketplaceFacilitatorTax-Principal', part(line.itemTax));
  sheet.add('Promotion', 'Principal', part(line.discount), { promotionId: line.promotionIds[0] });
  const commission = part(commissionOf(order, line));
  sheet.add('ItemFees', 'Commission', commission);
  sheet.add('ItemFees', 'RefundCommission', -refundAdminFee(order.shop.market.countryCode, commission));
  return sheet.postings;
}

/** The sale of an order as an event at the end of its deferral. */
export function saleEvent(order: Order): MoneyEvent {
  return {
    kind: 'sale',
    postedAt: order.releasedAt,
    transactionType: 'Order',
    description: 'Order Payment',
    order,
    charge: undefined,
    postings: salePostings(order),
  };
}

/** The refund of an order as an event. */
export function refundEvent(order: Order, at: number): MoneyEvent {
  return {
    kind: 'refund',
    postedAt: at,
    transactionType: 'Refund',
    description: 'Refund Order',
    order,
    charge: undefined,
    postings: refundPostings(order),
  };
}

/** A charge without order as an event. */
export function chargeEvent(charge: Charge): MoneyEvent {
  const { amountType, amountDescription, amount, lane, quantity } = charge;
  return {
    kind: 'charge',
    postedAt: charge.postedAt,
    transactionType: charge.transactionType,
    description: charge.description,
    order: undefined,
    charge,
    postings: [{ amountType, amountDescription, amount, lane, quantity, line: undefined, promotionId: undefined }],
  };
}

/** A movement between this settlement and its neighbours or the seller's card: never income, never cost. */
export function balanceEvent(amountDescription: string, amount: number, postedAt: number): MoneyEvent {
  const names = { amountType: 'other-transaction', amountDescription };
  const nothing = { line: undefined, lane: undefined, quantity: undefined, promotionId: undefined };
  return {
    kind: 'balance',
    postedAt,
    transactionType: 'other-transaction',
    description: amountDescription,
    order: undefined,
    charge: undefined,
    postings: [{ ...names, ...nothing, amount }],
  };
}

/** All events that count in [from, to), oldest first, without balances. The shop must be walked up to `to`. */
export function eventsBetween(shop: Shop, from: number, to: number): MoneyEvent[] {
  const inside = (at: number): boolean => at >= from && at < to;
  const events = shop.charges.filter((charge) => inside(charge.postedAt)).map(chargeEvent);
  for (const order of boughtBetween(shop, from - ORDER_LIFE, to)) {
    if (!isPaid(order)) continue;
    if (inside(order.releasedAt)) events.push(saleEvent(order));
    if (order.refund && inside(order.refund.at)) events.push(refundEvent(order, order.refund.at));
  }
  return events.sort(byTime);
}

function byTime(a: MoneyEvent, b: MoneyEvent): number {
  return a.postedAt - b.postedAt || compareText(a.order?.id, b.order?.id);
}

function compareText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sum of an event's postings, minor units. */
export function sumOf(event: MoneyEvent): number {
  let sum = 0;
  for (const { amount } of event.postings) sum += amount;
  return sum;
}
