import type { SimAccount, SimOrder, SimOrderItem, SimOrderStatus } from '../business/types.ts';
import { isZero } from './money.ts';
import type { ReportTable } from './report-table.ts';
import type { World } from './world.ts';

const columns = [
  'amazon-order-id',
  'merchant-order-id',
  'purchase-date',
  'last-updated-date',
  'order-status',
  'fulfillment-channel',
  'sales-channel',
  'order-channel',
  'ship-service-level',
  'product-name',
  'sku',
  'asin',
  'item-status',
  'quantity',
  'currency',
  'item-price',
  'item-tax',
  'shipping-price',
  'shipping-tax',
  'gift-wrap-price',
  'gift-wrap-tax',
  'item-promotion-discount',
  'ship-promotion-discount',
  'ship-city',
  'ship-state',
  'ship-postal-code',
  'ship-country',
  'promotion-ids',
  'cpf',
  'is-business-order',
  'purchase-order-number',
  'price-designation',
  'signature-confirmation-recommended',
  'order-item-id',
] as const;

type Cells = Partial<Record<(typeof columns)[number], string>>;

const statusWords: Record<SimOrderStatus, string> = {
  PENDING: 'Pending',
  UNSHIPPED: 'Unshipped',
  PARTIALLY_SHIPPED: 'Partially Shipped',
  SHIPPED: 'Shipped',
  CANCELLED: 'Cancelled',
  UNFULFILLABLE: 'Unfulfillable',
};

/**
 * The all-orders report: one row per order item, for orders bought (`created`) or changed (`updated`) in [from, to),
 * as they stood at `asOf`. Prices are blank while the order is pending; zero amounts of rare kinds are blank too.
 */
export function allOrdersTable(
  world: World,
  account: SimAccount,
  query: { marketplaceIds: string[]; by: 'created' | 'updated'; from: number; to: number },
  asOf: number,
): ReportTable {
  const orders = world.business.orders(account, query, asOf);
  const rows = orders.flatMap((order) => order.items.map((item) => rowOf(world, order, item)));
  return { columns, rows, pinned: 0, eol: '\n' };
}

function rowOf(world: World, order: SimOrder, item: SimOrderItem): string[] {
  const cells: Cells = { ...orderCells(world, order), ...itemCells(order, item) };
  return columns.map((column) => cells[column] ?? '');
}

function orderCells(world: World, order: SimOrder): Cells {
  const marketplace = world.marketplace(order.marketplaceId);
  const personal = order.status === 'PENDING';
  return {
    'amazon-order-id': order.orderId,
    'merchant-order-id': order.orderId,
    'purchase-date': offsetTime(order.purchasedAt),
    'last-updated-date': offsetTime(order.lastUpdatedAt),
    'order-status': statusWords[order.status],
    'fulfillment-channel': order.fulfilment === 'AFN' ? 'Amazon' : 'Merchant',
    'sales-channel': marketplace.salesChannel,
    'ship-service-level': order.serviceLevel,
    currency: marketplace.currency,
    'ship-city': personal ? '' : order.shipTo.city,
    'ship-state': personal ? '' : order.shipTo.state,
    'ship-postal-code': personal ? '' : order.shipTo.postalCode,
    'ship-country': personal ? '' : order.shipTo.countryCode,
    'is-business-order': String(order.isBusiness),
    'price-designation': order.isBusiness ? 'Business Price' : '',
    'signature-confirmation-recommended': 'false',
  };
}

function itemCells(order: SimOrder, item: SimOrderItem): Cells {
  const priced = item.itemPrice !== '';
  const orBlank = (amount: string): string => (priced && !isZero(amount) ? amount : '');
  const shipped = order.status === 'SHIPPED' || item.quantityShipped === item.quantityOrdered;
  return {
    'product-name': item.title,
    sku: item.sku,
    asin: item.asin,
    'item-status': order.status === 'CANCELLED' ? 'Cancelled' : shipped ? 'Shipped' : 'Unshipped',
    quantity: String(item.quantityOrdered),
    'item-price': item.itemPrice,
    'item-tax': priced ? item.itemTax : '',
    'shipping-price': orBlank(item.shippingPrice),
    'shipping-tax': orBlank(item.shippingTax),
    'gift-wrap-price': orBlank(item.giftWrapPrice),
    'gift-wrap-tax': orBlank(item.giftWrapTax),
    'item-promotion-discount': orBlank(item.itemDiscount),
    'ship-promotion-discount': orBlank(item.shippingDiscount),
    'promotion-ids': item.promotionIds.join(','),
    'order-item-id': item.orderItemId,
  };
}

/** "2026-01-15T23:30:00+00:00". */
function offsetTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}
