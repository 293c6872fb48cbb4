/** One order out of one draw key: its lines, its prices, its way from basket to doorstep and perhaps back. */
import { share } from './amounts.ts';
import { priceOn } from './demand.ts';
import { type Dice, draw, uniqueDigits } from './draws.ts';
import { DAY, HOUR } from './marketplaces.ts';
import type { Lane, Order, OrderLine, Refund, Shop } from './model.ts';
import { placeOf, placesOf } from './places.ts';

const MINUTE = 60_000;
const ORDERS_PER_SHOP = 100_000_000;
const LINES_PER_ORDER = 8;
/** Delivery + 7 days: until then the money of a sale is deferred. */
const DEFERRAL = 7 * DAY;

/** First block of an order number, by country. */
const ORDER_BLOCKS: Record<string, readonly string[]> = {
  US: ['111', '112', '113', '114'],
  CA: ['701', '702'],
  GB: ['026', '202', '203', '206'],
  DE: ['302', '303', '304', '305', '306'],
  FR: ['402', '403', '404', '405', '408'],
  JP: ['249', '250', '503'],
};

/** A wish of a buyer: so many pieces of one SKU on one line. */
export interface Wish {
  lane: Lane;
  quantity: number;
}

/** What a buyer wants: one line, sometimes two, and then sometimes the same SKU on both. */
export function wishes(shop: Shop, lane: Lane, dice: Dice, isBusiness: boolean): Wish[] {
  const quantity = (): number => {
    const u = dice.next();
    if (isBusiness) return u < 0.45 ? 1 : u < 0.7 ? 2 : u < 0.85 ? 3 : 4;
    return u < 0.82 ? 1 : u < 0.95 ? 2 : u < 0.985 ? 3 : 4;
  };
  const list = [{ lane, quantity: quantity() }];
  if (!dice.chance(0.06)) return list;
  const other = dice.chance(0.3) ? lane : dice.pick(shop.lanes);
  // Merchant and Amazon never ship one order together here.
  if (other.product.fulfilment === lane.product.fulfilment) list.push({ lane: other, quantity: quantity() });
  return list;
}

/** The order number that comes next in this shop, and the numbers of its lines. */
function numbers(shop: Shop): { orderId: string; itemId: (line: number) => string } {
  const n = shop.index * ORDERS_PER_SHOP + shop.orders.length;
  const shift = Math.floor(draw(shop.seed, 'order-numbers') * 1e14);
  const digits = uniqueDigits(n, shift, 'order');
  const blocks = ORDER_BLOCKS[shop.market.countryCode] ?? ['114'];
  const block = blocks[Number(digits.slice(-3)) % blocks.length];
  return {
    orderId: `${block}-${digits.slice(0, 7)}-${digits.slice(7)}`,
    itemId: (line) => uniqueDigits(n * LINES_PER_ORDER + line, shift, 'item'),
  };
}

/** The order of `taken` wishes (stock is reserved by the caller). Consumes the dice in a fixed order. */
export function makeOrder(shop: Shop, taken: Wish[], at: number, day: string, isBusiness: boolean, dice: Dice): Order {
  const { orderId, itemId } = numbers(shop);
  const fulfilment = taken[0]?.lane.product.fulfilment ?? 'AFN';
  const place = dice.int(0, placesOf(shop.market.countryCode).length - 1);
  const lines = taken.map((wish, position) => ({
    ...priceLine(shop, wish, day, place, fulfilment, dice),
    itemId: itemId(position),
  }));
  const order: Order = {
    id: orderId,
    shop,
    purchasedAt: at,
    ...journey(at, fulfilment, dice),
    cancelledAt: undefined,
    refund: undefined,
    fulfilment,
    isBusiness,
    replacedOrderId: undefined,
    expedited: dice.chance(0.4),
    buyer: dice.int(10_000, 99_999),
    place,
    lines,
  };
  order.cancelledAt = cancellation(order, dice);
  if (order.cancelledAt === undefined) order.refund = refundOf(order, dice);
  return order;
}

/** A free second parcel for an order that went wrong: one piece of its first line. */
export function makeReplacement(shop: Shop, original: Order, at: number, dice: Dice): Order | undefined {
  const first = original.lines[0];
  if (!first) return undefined;
  const { orderId, itemId } = numbers(shop);
  const nothing = { itemPrice: 0, itemTax: 0, shipping: 0, shippingTax: 0, giftWrap: 0, giftWrapTax: 0 };
  return {
    ...original,
    ...journey(at, original.fulfilment, dice),
    id: orderId,
    purchasedAt: at,
    verifiedAt: at,
    refund: undefined,
    replacedOrderId: original.id,
    lines: [
      {
        ...nothing,
        lane: first.lane,
        itemId: itemId(0),
        quantity: 1,
        unitPrice: 0,
        discount: 0,
        shippingDiscount: 0,
        promotionIds: [],
        coupon: false,
      },
    ],
  };
}

function journey(
  at: number,
  fulfilment: 'AFN' | 'MFN',
  dice: Dice,
): Pick<Order, 'verifiedAt' | 'shippedAt' | 'deliveredAt' | 'releasedAt'> {
  const seconds = (value: number): number => Math.floor(value / 1000) * 1000;
  const verifiedAt = at + seconds(dice.next() < 0.3 ? 0 : dice.between(0, 40 * MINUTE));
  const handling = fulfilment === 'AFN' ? dice.between(2, 36) : dice.between(6, 40);
  const shippedAt = verifiedAt + seconds(handling * HOUR);
  const deliveredAt = shippedAt + seconds(dice.between(2, 6) * DAY);
  return { verifiedAt, shippedAt, deliveredAt, releasedAt: deliveredAt + DEFERRAL };
}

/** 2.5 % are cancelled, half of them before the payment is verified. */
function cancellation(order: Order, dice: Dice): number | undefined {
  if (!dice.chance(0.025)) return undefined;
  const from = dice.chance(0.5) ? order.purchasedAt : order.verifiedAt;
  const to = from === order.purchasedAt && order.verifiedAt > from ? order.verifiedAt : order.shippedAt;
  return from + Math.floor((dice.next() * 0.9 * (to - from)) / 1000) * 1000 + 1000;
}

/** Refund 5 to 40 days after delivery, at the rate of the line's SKU; at most one per order. */
function refundOf(order: Order, dice: Dice): Refund | undefined {
  for (const line of order.lines) {
    if (!dice.chance(line.lane.refundRate)) continue;
    const fate = dice.next();
    return {
      at: order.deliveredAt + Math.floor(dice.between(5, 40) * 86_400) * 1000,
      line,
      quantity: dice.chance(0.85) ? line.quantity : dice.int(1, line.quantity),
      fate: fate < 0.72 ? 'SELLABLE' : fate < 0.9 ? 'UNSELLABLE' : 'KEPT',
    };
  }
  return undefined;
}

/** About the value of so many US dollars in a currency's minor units, as shops price shipping and wrapping. */
function extra(usdCents: number, currency: string): number {
  if (currency === 'JPY') return Math.round((usdCents * 1.5) / 10) * 10;
  return usdCents;
}

function priceLine(
  shop: Shop,
  wish: Wish,
  day: string,
  place: number,
  fulfilment: 'AFN' | 'MFN',
  dice: Dice,
): Omit<OrderLine, 'itemId'> {
  const { currency, countryCode } = shop.market;
  const unitPrice = priceOn(shop, wish.lane, day);
  const itemPrice = unitPrice * wish.quantity;
  const promoted = dice.chance(0.08);
  const coupon = promoted && dice.chance(0.6);
  const percent = dice.pick([5, 8, 10, 15, 20]);
  const discount = promoted ? share(itemPrice, percent, 100) : 0;
  const charged = dice.chance(fulfilment === 'AFN' ? 0.12 : 0.5);
  const shipping = charged ? extra(fulfilment === 'AFN' ? 599 : 499, currency) : 0;
  const shippingDiscount = shipping > 0 && dice.chance(0.5) ? shipping : 0;
  const giftWrap = dice.chance(0.01) ? extra(399, currency) : 0;
  const tax = placeOf(countryCode, place).taxBasisPoints;
  const promotionIds: string[] = [];
  const promotion = String(dice.int(10_000_000, 99_999_999));
  if (promoted) promotionIds.push(coupon ? `PLM-${promotion}-${percent}PCT` : `PAWS-V2-${promotion}`);
  if (shippingDiscount > 0) promotionIds.push(`Core Free Shipping ${countryCode}-${promotion}`);
  return {
    lane: wish.lane,
    quantity: wish.quantity,
    unitPrice,
    itemPrice,
    itemTax: share(itemPrice - discount, tax, 10_000),
    shipping,
    shippingTax: share(shipping - shippingDiscount, tax, 10_000),
    giftWrap,
    giftWrapTax: share(giftWrap, tax, 10_000),
    discount,
    shippingDiscount,
    promotionIds,
    coupon,
  };
}
