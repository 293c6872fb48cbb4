import { Decimal, sum } from '#kit/contract/decimal.ts';
import { OrderStatus } from '../../contract/status.ts';
import type { FactRow, LineFact, OrderHead, PackageFact, Refused } from '../landing/fact.ts';

// The parts of Orders 2026-01-01 that we read; everything about the buyer is left where it is, and of the recipient all but
// the country and the state, which Amazon counts to nobody's personal data.
interface ApiMoney {
  amount: string;
  currencyCode: string;
}
interface ApiBreakdown {
  type: string;
  subtotal?: ApiMoney;
  detailedBreakdowns?: { subtype?: string; value?: ApiMoney }[];
}
interface ApiWindow {
  earliestDateTime?: string;
  latestDateTime?: string;
}
export interface ApiItem {
  orderItemId: string;
  quantityOrdered: number;
  product?: {
    asin?: string;
    title?: string;
    sellerSku?: string;
    price?: { unitPrice?: ApiMoney };
  };
  proceeds?: { proceedsTotal?: ApiMoney; breakdowns?: ApiBreakdown[] };
  promotion?: { breakdowns?: { promotionId?: string }[] };
  cancellation?: {
    cancellationRequest?: { requester?: string; cancelReason?: string };
    cancellationExecution?: { cancelledBy?: string; cancelReason?: string };
  };
  fulfillment?: { quantityFulfilled?: number; quantityUnfulfilled?: number };
}
export interface ApiOrder {
  orderId: string;
  orderAliases?: { aliasId?: string; aliasType?: string }[];
  createdTime: string;
  lastUpdatedTime: string;
  programs?: string[];
  associatedOrders?: { orderId?: string; associationType?: string }[];
  salesChannel?: { channelName?: string; marketplaceId?: string; marketplaceName?: string };
  proceeds?: { grandTotal?: ApiMoney };
  recipient?: { deliveryAddress?: { countryCode?: string; stateOrRegion?: string } };
  fulfillment?: {
    fulfillmentStatus?: string;
    fulfilledBy?: string;
    fulfillmentServiceLevel?: string;
    shipByWindow?: ApiWindow;
    deliverByWindow?: ApiWindow;
  };
  orderItems?: ApiItem[];
  packages?: {
    packageReferenceId: string;
    packageStatus?: { status?: string };
    carrier?: string;
    shipTime?: string;
    shippingService?: string;
    trackingNumber?: string;
    packageItems?: { orderItemId: string; quantity: number }[];
  }[];
}

const positive = (amount: string): string => new Decimal(amount).abs().toFixed();

/** Amount of one kind; null where the order shows no money at all yet, 0 is left out by Amazon and stays null. */
function kind(breakdowns: readonly ApiBreakdown[], ...types: string[]): string | null {
  const found = breakdowns.filter((part) => types.includes(part.type) && part.subtotal);
  return found.length === 0 ? null : sum(found.map((part) => part.subtotal?.amount ?? '0'));
}

/**
 * Splits the subtotal of a kind over its subtypes: `named` of them each, the rest to the first of them. Nothing is lost
 * where Amazon gives no details.
 */
function detailed(breakdowns: readonly ApiBreakdown[], type: string, named: readonly string[]): (string | null)[] {
  const total = kind(breakdowns, type);
  if (total === null) return named.map(() => null);
  const details = breakdowns.filter((part) => part.type === type).flatMap((part) => part.detailedBreakdowns ?? []);
  const amounts = named.map((name) =>
    sum(details.filter((part) => part.subtype === name).map((part) => part.value?.amount ?? '0')),
  );
  const rest = new Decimal(total).minus(sum(amounts.slice(1)));
  return [rest.toFixed(), ...amounts.slice(1)].map((amount, at) =>
    at > 0 && new Decimal(amount).isZero() ? null : amount,
  );
}

function lineOf(item: ApiItem): LineFact {
  const parts = item.proceeds?.breakdowns ?? [];
  const [itemTax = null, shippingTax = null, giftWrapTax = null] = detailed(parts, 'TAX', [
    'ITEM',
    'SHIPPING',
    'GIFT_WRAP',
  ]);
  const [itemDiscount = null, shippingDiscount = null] = detailed(parts, 'DISCOUNT', ['ITEM', 'SHIPPING']);
  const cancellation = item.cancellation;
  return {
    orderItemId: item.orderItemId,
    sku: item.product?.sellerSku ?? '',
    asin: item.product?.asin ?? null,
    title: item.product?.title ?? null,
    quantity: item.quantityOrdered,
    shippedQuantity: item.fulfillment?.quantityFulfilled ?? 0,
    unitPrice: item.product?.price?.unitPrice?.amount ?? null,
    itemPrice: kind(parts, 'ITEM'),
    shippingPrice: kind(parts, 'SHIPPING'),
    giftWrapPrice: kind(parts, 'GIFT_WRAP'),
    otherPrice: kind(parts, 'COD_FEE', 'OTHER'),
    itemTax,
    shippingTax,
    giftWrapTax,
    itemDiscount: itemDiscount === null ? null : positive(itemDiscount),
    shippingDiscount: shippingDiscount === null ? null : positive(shippingDiscount),
    promotionIds: (item.promotion?.breakdowns ?? []).flatMap((part) => part.promotionId ?? []),
    cancelReason:
      cancellation?.cancellationExecution?.cancelReason ?? cancellation?.cancellationRequest?.cancelReason ?? null,
  };
}

function packageOf(parcel: NonNullable<ApiOrder['packages']>[number]): PackageFact {
  return {
    reference: parcel.packageReferenceId,
    status: parcel.packageStatus?.status ?? null,
    carrier: parcel.carrier ?? null,
    service: parcel.shippingService ?? null,
    tracking: parcel.trackingNumber ?? null,
    shippedAt: parcel.shipTime ?? null,
    items: (parcel.packageItems ?? []).map(({ orderItemId, quantity }) => ({ orderItemId, quantity })),
  };
}

function currencyOf(order: ApiOrder): string | null {
  const items = order.orderItems ?? [];
  const moneys = [
    order.proceeds?.grandTotal,
    ...items.map((item) => item.proceeds?.proceedsTotal ?? item.product?.price?.unitPrice),
  ];
  return moneys.find((money) => money !== undefined)?.currencyCode ?? null;
}

/** An order without what it tells of people: of where it goes the country and the state remain. */
export function withoutPeople(order: ApiOrder): ApiOrder {
  const { recipient, ...rest } = order;
  const { countryCode, stateOrRegion } = recipient?.deliveryAddress ?? {};
  const place = { ...(countryCode ? { countryCode } : {}), ...(stateOrRegion ? { stateOrRegion } : {}) };
  return recipient ? { ...rest, recipient: { deliveryAddress: place } } : rest;
}

function headOf(order: ApiOrder, status: OrderStatus): OrderHead {
  const original = order.associatedOrders?.find((other) => other.associationType === 'REPLACEMENT_ORIGINAL_ID');
  const { fulfillment } = order;
  const programs = order.programs ?? [];
  return {
    amazonOrderId: order.orderId,
    marketplaceId: order.salesChannel?.marketplaceId ?? '',
    sellerOrderId: order.orderAliases?.find((alias) => alias.aliasType === 'SELLER_ORDER_ID')?.aliasId ?? null,
    salesChannel: order.salesChannel?.marketplaceName ?? null,
    channel: order.salesChannel?.channelName === 'NON_AMAZON' ? 'NON_AMAZON' : 'AMAZON',
    fulfilledBy: fulfillment?.fulfilledBy === 'MERCHANT' ? 'MERCHANT' : 'AMAZON',
    status,
    purchasedAt: order.createdTime,
    lastUpdatedAt: order.lastUpdatedTime,
    earliestShipAt: fulfillment?.shipByWindow?.earliestDateTime ?? null,
    latestShipAt: fulfillment?.shipByWindow?.latestDateTime ?? null,
    earliestDeliverAt: fulfillment?.deliverByWindow?.earliestDateTime ?? null,
    latestDeliverAt: fulfillment?.deliverByWindow?.latestDateTime ?? null,
    serviceLevel: fulfillment?.fulfillmentServiceLevel ?? null,
    programs,
    isBusiness: programs.includes('AMAZON_BUSINESS'),
    isReplacement: original !== undefined,
    originalOrderId: original?.orderId ?? null,
    buyerCancelRequested: (order.orderItems ?? []).some((item) => item.cancellation?.cancellationRequest !== undefined),
    shipCountry: order.recipient?.deliveryAddress?.countryCode ?? null,
    shipState: order.recipient?.deliveryAddress?.stateOrRegion ?? null,
    postalPrefix: null,
    currency: currencyOf(order),
    orderTotal: order.proceeds?.grandTotal?.amount ?? null,
    packages: (order.packages ?? []).map(packageOf),
  };
}

/** Why an answer cannot become an order (Chinese), or its status. */
function problemOf(order: ApiOrder): string | OrderStatus {
  const status = OrderStatus.safeParse(order.fulfillment?.fulfillmentStatus);
  if (!status.success) return `订单状态未知：${order.fulfillment?.fulfillmentStatus ?? '缺失'}`;
  if (!order.createdTime || Number.isNaN(Date.parse(order.createdTime))) return '缺少订购时间';
  if (!order.salesChannel?.marketplaceId) return '缺少站点';
  if (!order.orderItems?.length) return '缺少订单商品';
  return status.data;
}

/**
 * Rows of API orders. `firstVersion` tells deliveries of one order in several pages apart. What cannot be taken over is
 * put into `refused` with the reason; a marketplace that is not known yet is kept under its id.
 */
export function apiRows(orders: readonly ApiOrder[], firstVersion: number, refused: Refused[]): FactRow[] {
  return orders.flatMap((order, at) => {
    const outcome = problemOf(order);
    const status = OrderStatus.safeParse(outcome);
    if (!status.success) {
      refused.push({ amazonOrderId: order.orderId ?? '', reason: outcome, raw: order });
      return [];
    }
    const head = headOf(order, status.data);
    return (order.orderItems ?? []).map((item) => ({ version: firstVersion + at, head, line: lineOf(item) }));
  });
}
