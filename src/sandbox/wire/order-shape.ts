import type { SimMarketplace, SimOrder, SimOrderItem, SimPackage } from '../business/types.ts';
import { iso } from './clock.ts';
import { isZero, negate, sumMoney } from './money.ts';

/** The data sets of Orders 2026-01-01 that a caller can ask for on top of the bare order. */
export const orderDataSets = [
  'BUYER',
  'RECIPIENT',
  'PROCEEDS',
  'EXPENSE',
  'PROMOTION',
  'CANCELLATION',
  'FULFILLMENT',
  'PACKAGES',
  'TAX',
  'PAYMENT',
  'FULFILLMENT_ORDERS',
] as const;
export type OrderDataSet = (typeof orderDataSets)[number];

interface Breakdown {
  type: string;
  subtotal: Money;
  detailedBreakdowns?: { subtype: string; value: Money }[];
}
interface Money {
  amount: string;
  currencyCode: string;
}

/**
 * An order as Orders 2026-01-01 shows it, with the data sets asked for. A pending order has no prices yet. Money is
 * the business's own decimal text; totals are exact sums of it, a discount is a negative subtotal.
 */
export function orderShape(order: SimOrder, marketplace: SimMarketplace, wanted: ReadonlySet<OrderDataSet>): object {
  const items = order.items.map((item) => itemShape(order, item, marketplace.currency, wanted));
  return {
    orderId: order.orderId,
    createdTime: iso(order.purchasedAt),
    lastUpdatedTime: iso(order.lastUpdatedAt),
    programs: [...(order.fulfilment === 'AFN' ? ['PRIME'] : []), ...(order.isBusiness ? ['AMAZON_BUSINESS'] : [])],
    ...(order.isReplacement && order.replacedOrderId !== undefined
      ? { associatedOrders: [{ orderId: order.replacedOrderId, associationType: 'REPLACEMENT_ORIGINAL_ID' }] }
      : {}),
    salesChannel: {
      channelName: 'AMAZON',
      marketplaceId: order.marketplaceId,
      marketplaceName: marketplace.salesChannel,
    },
    ...(wanted.has('BUYER') ? { buyer: buyerOf(order) } : {}),
    ...(wanted.has('RECIPIENT') ? { recipient: { deliveryAddress: addressOf(order) } } : {}),
    ...(wanted.has('PROCEEDS') && isPriced(order) ? { proceeds: orderProceeds(order, marketplace.currency) } : {}),
    ...(wanted.has('FULFILLMENT') ? { fulfillment: fulfillmentOf(order) } : {}),
    orderItems: items,
    ...(wanted.has('PACKAGES') && order.packages
      ? { packages: order.packages.map((one) => packageOf(order, one)) }
      : {}),
  };
}

function isPriced(order: SimOrder): boolean {
  return order.items.every((item) => item.itemPrice !== '');
}

function buyerOf(order: SimOrder): object {
  // The real API hides the address of an FBA buyer even from callers that may see personal data.
  return {
    buyerName: order.buyer.name,
    ...(order.fulfilment === 'MFN' ? { buyerEmail: order.buyer.email } : {}),
  };
}

function addressOf(order: SimOrder): object {
  const { name, line1, city, state, postalCode, countryCode, phone } = order.shipTo;
  return {
    name,
    addressLine1: line1,
    city,
    stateOrRegion: state,
    postalCode,
    countryCode,
    ...(order.fulfilment === 'MFN' ? { phone } : {}),
    addressType: order.isBusiness ? 'COMMERCIAL' : 'RESIDENTIAL',
  };
}

function fulfillmentOf(order: SimOrder): object {
  return {
    fulfillmentStatus: order.status,
    fulfilledBy: order.fulfilment === 'AFN' ? 'AMAZON' : 'MERCHANT',
    fulfillmentServiceLevel: order.serviceLevel.toUpperCase().replaceAll(/[^A-Z]+/g, '_'),
    shipByWindow: { earliestDateTime: iso(order.earliestShipAt), latestDateTime: iso(order.latestShipAt) },
    deliverByWindow: { earliestDateTime: iso(order.earliestDeliverAt), latestDateTime: iso(order.latestDeliverAt) },
  };
}

function packageOf(order: SimOrder, one: SimPackage): object {
  const delivered = order.deliveredAt !== undefined;
  return {
    packageReferenceId: one.reference,
    createdTime: iso(one.createdAt),
    packageStatus: { status: delivered ? 'DELIVERED' : 'IN_TRANSIT' },
    carrier: one.carrier,
    shipTime: iso(one.shippedAt),
    shippingService: one.service,
    trackingNumber: one.trackingNumber,
    packageItems: one.items,
  };
}

function itemShape(
  order: SimOrder,
  item: SimOrderItem,
  currency: string,
  wanted: ReadonlySet<OrderDataSet>,
): Record<string, unknown> {
  const priced = item.itemPrice !== '';
  return {
    orderItemId: item.orderItemId,
    quantityOrdered: item.quantityOrdered,
    product: {
      asin: item.asin,
      title: item.title,
      sellerSku: item.sku,
      condition: { conditionType: 'NEW', conditionSubtype: 'NEW' },
      ...(priced
        ? {
            price: {
              unitPrice: { amount: item.unitPrice, currencyCode: currency },
              ...(order.isBusiness ? { priceDesignation: 'BUSINESS_PRICE' } : {}),
            },
          }
        : {}),
    },
    ...(wanted.has('PROCEEDS') && priced ? { proceeds: itemProceeds(item, currency) } : {}),
    ...(wanted.has('PROMOTION') && item.promotionIds.length > 0
      ? { promotion: { breakdowns: item.promotionIds.map((promotionId) => ({ promotionId })) } }
      : {}),
    ...(wanted.has('CANCELLATION') && order.status === 'CANCELLED'
      ? { cancellation: { cancellationExecution: { cancelledBy: 'BUYER', cancelReason: 'Buyer cancelled' } } }
      : {}),
    ...(wanted.has('FULFILLMENT') ? { fulfillment: quantitiesOf(order, item) } : {}),
  };
}

function quantitiesOf(order: SimOrder, item: SimOrderItem): object {
  const open = order.status === 'CANCELLED' ? 0 : item.quantityOrdered - item.quantityShipped;
  return { quantityFulfilled: item.quantityShipped, quantityUnfulfilled: Math.max(0, open) };
}

function itemBreakdowns(item: SimOrderItem, currency: string): Breakdown[] {
  const money = (amount: string): Money => ({ amount, currencyCode: currency });
  const taxes = [
    { subtype: 'ITEM', amount: item.itemTax },
    { subtype: 'SHIPPING', amount: item.shippingTax },
    { subtype: 'GIFT_WRAP', amount: item.giftWrapTax },
  ].filter(({ amount }) => !isZero(amount));
  const discounts = [
    { subtype: 'ITEM', amount: negate(item.itemDiscount) },
    { subtype: 'SHIPPING', amount: negate(item.shippingDiscount) },
  ].filter(({ amount }) => !isZero(amount));
  const grouped = (type: string, parts: { subtype: string; amount: string }[]): Breakdown[] =>
    parts.length === 0
      ? []
      : [
          {
            type,
            subtotal: money(sumMoney(parts.map((part) => part.amount))),
            detailedBreakdowns: parts.map((part) => ({ subtype: part.subtype, value: money(part.amount) })),
          },
        ];
  return [
    { type: 'ITEM', subtotal: money(item.itemPrice) },
    ...(isZero(item.shippingPrice) ? [] : [{ type: 'SHIPPING', subtotal: money(item.shippingPrice) }]),
    ...(isZero(item.giftWrapPrice) ? [] : [{ type: 'GIFT_WRAP', subtotal: money(item.giftWrapPrice) }]),
    ...grouped('TAX', taxes),
    ...grouped('DISCOUNT', discounts),
  ];
}

function itemProceeds(item: SimOrderItem, currency: string): object {
  const breakdowns = itemBreakdowns(item, currency);
  const total = sumMoney(breakdowns.map((b) => b.subtotal.amount));
  return { proceedsTotal: { amount: total, currencyCode: currency }, breakdowns };
}

function orderProceeds(order: SimOrder, currency: string): object {
  const all = order.items.flatMap((item) => itemBreakdowns(item, currency));
  const types = [...new Set(all.map((b) => b.type))];
  return {
    grandTotal: { amount: sumMoney(all.map((b) => b.subtotal.amount)), currencyCode: currency },
    breakdowns: types.map((type) => {
      const amounts = all.filter((b) => b.type === type).map((b) => b.subtotal.amount);
      return { type, subtotal: { amount: sumMoney(amounts), currencyCode: currency } };
    }),
  };
}
