/** What is shown of the books as of an instant: orders, offers and stock in the shapes of types.ts. */
import { formatMinor } from './amounts.ts';
import { offerAt } from './demand.ts';
import { lastMoveOf } from './inbound.ts';
import { DAY } from './marketplaces.ts';
import type { Lane, Order, OrderLine, Shop } from './model.ts';
import { confirmedBy, packagesOf, sentOf } from './packages.ts';
import { placeOf } from './places.ts';
import { inboundAt, stockAt } from './stock.ts';
import type { SimIssue, SimListing, SimOrder, SimOrderItem, SimOrderStatus, SimStock } from './types.ts';

/** State of an order as of `now`; call it only for orders bought by then. */
export function statusAt(order: Order, now: number): SimOrderStatus {
  if (order.cancelledAt !== undefined && order.cancelledAt <= now) return 'CANCELLED';
  if (now < order.verifiedAt) return 'PENDING';
  if (now >= order.shippedAt && order.cancelledAt === undefined) return 'SHIPPED';
  return confirmedBy(order, now).length > 0 ? 'PARTIALLY_SHIPPED' : 'UNSHIPPED';
}

/** Instant of the last step that happened by `now`: purchase, payment, cancellation, dispatch, delivery, refund. */
export function updatedAt(order: Order, now: number): number {
  let last = order.purchasedAt;
  const step = (at: number | undefined): void => {
    if (at !== undefined && at <= now && at > last) last = at;
  };
  if (order.cancelledAt === undefined || order.cancelledAt > order.verifiedAt) step(order.verifiedAt);
  step(order.cancelledAt);
  if (order.cancelledAt === undefined) {
    step(order.shippedAt);
    step(order.deliveredAt);
    step(order.refund?.at);
    for (const { at, changedAt } of order.confirmed ?? []) {
      step(at);
      step(changedAt);
    }
  }
  return last;
}

/** The order as the marketplace shows it at `now`. */
export function orderView(order: Order, now: number): SimOrder {
  const { shop } = order;
  const status = statusAt(order, now);
  const shipped = status === 'SHIPPED';
  const delivered = shipped && order.deliveredAt <= now;
  // A cancelled order was priced only if its payment had been verified before.
  const priced = order.cancelledAt === undefined ? now >= order.verifiedAt : order.cancelledAt > order.verifiedAt;
  const shipWithin = order.fulfilment === 'AFN' ? 2 * DAY : 3 * DAY;
  return {
    account: shop.account,
    orderId: order.id,
    marketplaceId: shop.market.marketplaceId,
    purchasedAt: order.purchasedAt,
    lastUpdatedAt: updatedAt(order, now),
    status,
    fulfilment: order.fulfilment,
    isBusiness: order.isBusiness,
    isReplacement: order.replacedOrderId !== undefined,
    ...(order.replacedOrderId === undefined ? {} : { replacedOrderId: order.replacedOrderId }),
    serviceLevel: order.expedited ? 'Expedited' : 'Standard',
    earliestShipAt: order.purchasedAt,
    latestShipAt: order.purchasedAt + shipWithin,
    earliestDeliverAt: order.purchasedAt + 2 * DAY,
    latestDeliverAt: order.purchasedAt + shipWithin + 6 * DAY,
    ...(shipped ? { shippedAt: order.shippedAt, ...parcel(order) } : {}),
    ...(order.fulfilment === 'MFN' ? packagesShown(order, now, shipped) : {}),
    ...(delivered ? { deliveredAt: order.deliveredAt } : {}),
    buyer: { name: `Buyer ${order.buyer}`, email: `buyer-${order.buyer}@example.com` },
    shipTo: addressOf(order),
    items: order.lines.map((line) => {
      const sent = shipped ? line.quantity : sentOf(line, confirmedBy(order, now));
      return itemView(line, shop, priced && now >= order.verifiedAt, sent);
    }),
  };
}

function packagesShown(order: Order, now: number, shipped: boolean): Pick<SimOrder, 'packages'> {
  const { carrier, trackingNumber } = parcel(order);
  const packages = packagesOf(order, now, shipped, { carrier, trackingNumber });
  return packages.length > 0 ? { packages } : {};
}

function parcel(order: Order): { carrier: string; trackingNumber: string } {
  const digits = order.id.replaceAll('-', '').slice(-12);
  if (order.fulfilment === 'AFN') return { carrier: 'AMZN_LOGISTICS', trackingNumber: `TBA${digits}` };
  return { carrier: 'UPS', trackingNumber: `1ZSANDBOX${digits}` };
}

function addressOf(order: Order): SimOrder['shipTo'] {
  const { countryCode } = order.shop.market;
  const { city, state, postalCode } = placeOf(countryCode, order.place);
  const name = `Buyer ${order.buyer}`;
  const line1 = `${(order.buyer % 180) + 1} Sample Street`;
  return { name, line1, city, state, postalCode, countryCode, phone: '000-000-0000' };
}

function itemView(line: OrderLine, shop: Shop, priced: boolean, sent: number): SimOrderItem {
  const { currency, language } = shop.market;
  const { product } = line.lane;
  const amount = (minor: number): string => formatMinor(priced ? minor : 0, currency);
  return {
    orderItemId: line.itemId,
    sku: product.sku,
    asin: product.asin,
    title: product.titles[language] ?? product.titles.en ?? product.sku,
    quantityOrdered: line.quantity,
    quantityShipped: sent,
    unitPrice: formatMinor(line.unitPrice, currency),
    itemPrice: priced ? formatMinor(line.itemPrice, currency) : '',
    itemTax: amount(line.itemTax),
    shippingPrice: amount(line.shipping),
    shippingTax: amount(line.shippingTax),
    giftWrapPrice: amount(line.giftWrap),
    giftWrapTax: amount(line.giftWrapTax),
    itemDiscount: amount(line.discount),
    shippingDiscount: amount(line.shippingDiscount),
    promotionIds: priced ? [...line.promotionIds] : [],
  };
}

const SUPPRESSED = {
  code: '18027',
  message: 'The main image does not meet the image standards; the listing is suppressed from search.',
  severity: 'ERROR',
  categories: ['INVALID_IMAGE'],
  attributeNames: ['main_product_image_locator'],
  actions: ['SEARCH_SUPPRESSED'],
} satisfies SimIssue;

/** Pieces for sale: the books', or what the merchant said last with what the books moved since. */
function forSale(lane: Lane, booked: number, now: number): number {
  const said = lane.offers.findLast(({ quantity, at }) => quantity !== undefined && at <= now)?.quantity;
  return said === undefined ? booked : Math.max(0, said.stated + Math.min(0, booked - said.booked));
}

/** One offer as of `now`. Sold-out offers are inactive, as are suppressed ones. */
export function listingView(shop: Shop, lane: Lane, now: number): SimListing {
  const { price, since } = offerAt(shop, lane, now);
  const { books, flippedAt, fulfillableAt } = stockAt(lane, now);
  const fulfillable = forSale(lane, books.fulfillable, now);
  const { suppressed, product } = lane;
  const hidden = suppressed !== undefined && now >= suppressed.from && now < suppressed.to;
  const edges = suppressed ? [suppressed.from, suppressed.to].filter((edge) => edge <= now) : [];
  // A listing changes when it sells out or comes back; one that the merchant ships, with every piece.
  const stockedAt = product.fulfilment === 'MFN' ? fulfillableAt : flippedAt;
  return {
    account: shop.account,
    marketplaceId: shop.market.marketplaceId,
    product,
    listingId: lane.listingId,
    price: formatMinor(price, shop.market.currency),
    ...(product.fulfilment === 'MFN' ? { quantity: fulfillable } : {}),
    status: hidden || fulfillable === 0 ? 'INACTIVE' : 'ACTIVE',
    issues: hidden ? [SUPPRESSED] : [],
    lastUpdatedAt: Math.max(since, stockedAt, ...edges, ...lane.offers.map(({ at }) => at).filter((at) => at <= now)),
  };
}

/** Stock of one SKU that Amazon keeps, as of `now`. */
export function stockView(shop: Shop, lane: Lane, now: number): SimStock {
  const { books, lastAt } = stockAt(lane, now);
  const inbound = inboundAt(lane, now);
  return {
    account: shop.account,
    marketplaceId: shop.market.marketplaceId,
    product: lane.product,
    fulfillable: books.fulfillable,
    unsellable: books.unsellable,
    reservedCustomerOrders: books.reserved,
    reservedTransfers: books.transfers,
    reservedProcessing: books.processing,
    researching: books.researching,
    inboundWorking: inbound.working,
    inboundShipped: inbound.shipped,
    inboundReceiving: inbound.receiving,
    lastUpdatedAt: Math.max(lastAt, lastMoveOf(lane, now)),
  };
}
