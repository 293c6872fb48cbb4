import { formatMinor, parseMinor, share } from '../business/amounts.ts';
import { code } from '../business/draws.ts';
import type { FbaMovement, SimOrder, SimOrderItem } from '../business/index.ts';
import { DAY } from '../business/marketplaces.ts';
import { type Asked, type Cells, fbaTable, stamp } from './report-fba.ts';
import type { ReportType } from './report-types.ts';

const SHIPMENTS = [
  'amazon-order-id',
  'merchant-order-id',
  'shipment-id',
  'shipment-item-id',
  'amazon-order-item-id',
  'merchant-order-item-id',
  'purchase-date',
  'payments-date',
  'shipment-date',
  'reporting-date',
  'buyer-email',
  'buyer-name',
  'buyer-phone-number',
  'sku',
  'product-name',
  'quantity-shipped',
  'currency',
  'item-price',
  'item-tax',
  'shipping-price',
  'shipping-tax',
  'gift-wrap-price',
  'gift-wrap-tax',
  'ship-service-level',
  'recipient-name',
  'ship-address-1',
  'ship-address-2',
  'ship-address-3',
  'ship-city',
  'ship-state',
  'ship-postal-code',
  'ship-country',
  'ship-phone-number',
  'bill-address-1',
  'bill-address-2',
  'bill-address-3',
  'bill-city',
  'bill-state',
  'bill-postal-code',
  'bill-country',
  'item-promotion-discount',
  'ship-promotion-discount',
  'carrier',
  'tracking-number',
  'estimated-arrival-date',
  'fulfillment-center-id',
  'fulfillment-channel',
  'sales-channel',
];

/** Nobody here waits longer for a parcel to leave. */
const LONGEST = 5 * DAY;
const SHIPMENT = 'BCDFGHJKLMNPQRSTVWXZ0123456789';

/** Amounts of an order line by the column that carries them. */
const AMOUNTS: readonly [column: string, field: keyof SimOrderItem][] = [
  ['item-price', 'itemPrice'],
  ['item-tax', 'itemTax'],
  ['shipping-price', 'shippingPrice'],
  ['shipping-tax', 'shippingTax'],
  ['gift-wrap-price', 'giftWrapPrice'],
  ['gift-wrap-tax', 'giftWrapTax'],
  ['item-promotion-discount', 'itemDiscount'],
  ['ship-promotion-discount', 'shippingDiscount'],
];

/** The part of a line's amounts that goes with `pieces` of it, after `before` others; all parts are the whole. */
function partOf(item: SimOrderItem, currency: string, before: number, pieces: number): Cells {
  return Object.fromEntries(
    AMOUNTS.map(([column, field]) => {
      const minor = parseMinor(String(item[field]));
      const upTo = (count: number): number => share(minor, count, item.quantityOrdered);
      return [column, formatMinor(upTo(before + pieces) - upTo(before), currency)];
    }),
  );
}

/** What all parcels of an order say. Buyers' addresses stand in it as far as Amazon tells them without a special right. */
function orderCells(order: SimOrder, { market }: Asked): Cells {
  const shippedAt = order.shippedAt ?? 0;
  return {
    'amazon-order-id': order.orderId,
    'merchant-order-id': order.orderId,
    'purchase-date': stamp(order.purchasedAt),
    'payments-date': stamp(order.purchasedAt),
    'shipment-date': stamp(shippedAt),
    'reporting-date': stamp(shippedAt),
    'buyer-email': order.buyer.email,
    currency: market.currency,
    'ship-service-level': order.serviceLevel,
    'ship-city': order.shipTo.city,
    'ship-state': order.shipTo.state,
    'ship-postal-code': order.shipTo.postalCode,
    'ship-country': order.shipTo.countryCode,
    carrier: order.carrier,
    'estimated-arrival-date': stamp(order.latestDeliverAt),
    'fulfillment-channel': 'AFN',
    'sales-channel': market.salesChannel,
  };
}

/** Parcels of an order: one per warehouse that pieces of it left, as the stock ledger tells it. */
function parcelsOf(asked: Asked, order: SimOrder, moves: ReadonlyMap<string, readonly FbaMovement[]>): Cells[] {
  const centres: string[] = [];
  return order.items.flatMap((item) => {
    let before = 0;
    return (moves.get(item.orderItemId) ?? []).map((move, part): Cells => {
      if (!centres.includes(move.centre)) centres.push(move.centre);
      const parcel = centres.indexOf(move.centre);
      const pieces = -move.quantity;
      const cells = {
        ...orderCells(order, asked),
        ...partOf(item, asked.market.currency, before, pieces),
        'shipment-id': `D${code(8, SHIPMENT, asked.world.seed, 'shipment', order.orderId, move.centre)}`,
        'shipment-item-id': `D${code(12, SHIPMENT, asked.world.seed, 'shipment-item', item.orderItemId, part)}`,
        'amazon-order-item-id': item.orderItemId,
        sku: item.sku,
        'product-name': item.title,
        'quantity-shipped': pieces,
        'tracking-number': parcel === 0 ? order.trackingNumber : `${order.trackingNumber}${parcel}`,
        'fulfillment-center-id': move.centre,
      };
      before += pieces;
      return cells;
    });
  });
}

/** What left Amazon's warehouses for buyers in the period, by the moment of its leaving. */
const shipments = fbaTable(SHIPMENTS, (asked) => {
  const { world, account, market, books, from, until } = asked;
  const left = books.movements.filter(({ event, at }) => event === 'Shipments' && at >= from);
  const moves = Map.groupBy(left, ({ reference }) => reference);
  const query = {
    marketplaceIds: [market.marketplaceId],
    by: 'created' as const,
    from: from - LONGEST,
    to: until + 1,
  };
  return world.business
    .orders(account, query, until)
    .filter(({ fulfilment, shippedAt }) => fulfilment === 'AFN' && shippedAt !== undefined && shippedAt >= from)
    .toSorted((a, b) => (a.shippedAt ?? 0) - (b.shippedAt ?? 0))
    .flatMap((order) => parcelsOf(asked, order, moves));
});

/** Parcels to buyers, near real time: thirty days at most, and no more often than every half hour. */
export const shipmentTypes: Readonly<Record<string, ReportType>> = {
  GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL: { maxDays: 30, singleMarketplace: false, table: shipments },
};
