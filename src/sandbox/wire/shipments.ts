import type { PackageSaid, SimOrder } from '../business/types.ts';
import { notFound, SpApiError } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { parseInstant } from './query.ts';

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});

/** Unlike other operations this one says in the message itself which field is wrong. */
function wrong(field: string, why: string): SpApiError {
  return new SpApiError(400, 'InvalidInput', `${field} ${why}`);
}

function textOf(of: Fields, name: string): string {
  const value = of[name];
  if (value !== undefined && typeof value !== 'string') throw wrong(`[packageDetail.${name}]`, 'has an invalid type.');
  return value?.trim() ?? '';
}

function required(of: Fields, name: string): string {
  const value = textOf(of, name);
  if (value === '') throw wrong(name, 'is required.');
  return value;
}

/** The clocks of a seller and of the marketplace need not agree to the second. */
const SLACK_MS = 5 * 60_000;

function shipDateOf(of: Fields): number {
  const value = required(of, 'shipDate');
  try {
    return parseInstant('shipDate', value);
  } catch {
    throw wrong('shipDate', 'is invalid: an ISO 8601 date time is expected.');
  }
}

function sentAt(at: number, order: SimOrder, now: number): number {
  if (at > now + SLACK_MS) throw wrong('shipDate', 'is invalid: it must not lie in the future.');
  if (at < order.purchasedAt) throw wrong('shipDate', 'is invalid: it must not lie before the purchase.');
  return at;
}

/** Pieces of an item that no package but the one of this reference holds. */
function leftOf(order: SimOrder, orderItemId: string, reference: string): number {
  const item = order.items.find((one) => one.orderItemId === orderItemId);
  const elsewhere = (order.packages ?? [])
    .filter((one) => one.reference !== reference)
    .flatMap(({ items }) => items)
    .reduce((sum, one) => sum + (one.orderItemId === orderItemId ? one.quantity : 0), 0);
  return (item?.quantityOrdered ?? 0) - elsewhere;
}

function itemsOf(of: Fields, order: SimOrder, reference: string): PackageSaid['items'] {
  const { orderItems } = of;
  if (!Array.isArray(orderItems) || orderItems.length === 0) throw wrong('orderItems', 'is required.');
  const items = orderItems.map((raw) => {
    const { orderItemId, quantity } = fieldsOf(raw);
    if (typeof orderItemId !== 'string' || !order.items.some((item) => item.orderItemId === orderItemId)) {
      throw wrong('OrderItemId', 'is invalid, use the item numbers that the Orders API gives.');
    }
    if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1) {
      throw wrong('quantity', 'is invalid, it must be a positive whole number.');
    }
    return { orderItemId, quantity };
  });
  if (new Set(items.map(({ orderItemId }) => orderItemId)).size < items.length) {
    throw wrong('OrderItemId', 'is invalid, every item may be named once.');
  }
  const over = items.find(({ orderItemId, quantity }) => quantity > leftOf(order, orderItemId, reference));
  if (over) throw wrong('quantity', `is invalid, more than what is left to ship of item ${over.orderItemId}.`);
  return items;
}

function orderOf(call: Call, marketplaceId: unknown): SimOrder {
  const orderId = call.params.orderId ?? '';
  if (!/^\d{3}-\d{7}-\d{7}$/.test(orderId)) throw wrong('orderId', 'is not an order number.');
  const order = call.world.business.order(call.account, orderId, call.now);
  if (!order) throw notFound(`order ${orderId}`);
  if (order.marketplaceId !== marketplaceId) throw wrong('marketplaceId', 'is not where the order was placed.');
  if (order.fulfilment === 'AFN') throw wrong('orderId', 'is invalid: the order is fulfilled by Amazon.');
  if (order.status === 'PENDING') throw wrong('orderId', 'is invalid: the order is pending.');
  if (order.status === 'CANCELLED') throw wrong('orderId', 'is invalid: the order was cancelled.');
  return order;
}

function confirmShipment(call: Call): Answer {
  const { marketplaceId, packageDetail, codCollectionMethod } = fieldsOf(call.body);
  const said = fieldsOf(packageDetail);
  // What is no date is refused before the order is looked for.
  const sent = shipDateOf(said);
  const order = orderOf(call, marketplaceId);
  if (codCollectionMethod !== undefined && call.world.marketplace(order.marketplaceId).countryCode !== 'JP') {
    throw wrong('codCollectionMethod', 'is only supported in Japan.');
  }
  const reference = required(said, 'packageReferenceId');
  if (!/^\d{1,18}$/.test(reference) || Number(reference) < 1) {
    throw wrong('PackageReferenceId', 'is invalid, it must be a positive numeric value.');
  }
  const code = required(said, 'carrierCode');
  const name = textOf(said, 'carrierName');
  if (/^other$/i.test(code) && name === '') throw wrong('carrierName', 'is required where carrierCode is Other.');
  const isKnown = order.packages?.some((one) => one.reference === reference);
  if (order.status === 'SHIPPED' && !isKnown) {
    throw new SpApiError(400, 'InvalidInput', 'Found no package to update, or the order is already fulfilled.');
  }
  const service = textOf(said, 'shippingMethod');
  const { sellingPartnerId, region } = call.account;
  call.world.command({
    type: 'packageConfirmed',
    sellingPartnerId,
    region,
    orderId: order.orderId,
    at: call.now,
    said: {
      reference: String(Number(reference)),
      carrier: /^other$/i.test(code) ? name : code,
      ...(service === '' ? {} : { service }),
      trackingNumber: required(said, 'trackingNumber'),
      shippedAt: sentAt(sent, order, call.now),
      items: itemsOf(said, order, reference),
    },
  });
  return { status: 204, body: undefined };
}

/** What remains of Orders API v0: telling that a package was sent. */
export const shipmentOperations: Operation[] = [
  {
    name: 'confirmShipment',
    method: 'POST',
    path: '/orders/v0/orders/:orderId/shipmentConfirmation',
    plan: { rate: 2, burst: 10 },
    handle: confirmShipment,
  },
];
