import type { SpApi } from '#modules/marketplace/server/index.ts';
import type { Recipient } from '../../contract/create.ts';
import type { McfState, Policy, Speed } from '../../contract/states.ts';
import { type ApiAddress, ORDERS, pathOf, recipientOf, speedOf } from './words.ts';

const STATES: Readonly<Record<string, McfState>> = {
  New: 'RECEIVED',
  Received: 'RECEIVED',
  Planning: 'PLANNING',
  Processing: 'PROCESSING',
  Cancelled: 'CANCELLED',
  Complete: 'COMPLETE',
  CompletePartialled: 'PARTIAL',
  Unfulfillable: 'UNFULFILLABLE',
  Invalid: 'INVALID',
};

interface ApiOrder {
  sellerFulfillmentOrderId: string;
  marketplaceId: string;
  displayableOrderId?: string;
  displayableOrderDate?: string;
  displayableOrderComment?: string;
  shippingSpeedCategory?: string;
  fulfillmentAction?: string;
  fulfillmentPolicy?: string;
  receivedDate?: string;
  fulfillmentOrderStatus: string;
  statusUpdatedDate: string;
  destinationAddress?: ApiAddress;
  featureConstraints?: { featureName?: string; featureFulfillmentPolicy?: string }[];
}

/** Of an order what the list tells. */
export interface OrderHead {
  number: string;
  status: string;
  statusAt: string;
}

/** One page of the orders whose status changed at or after an instant. */
export async function listPage(
  api: SpApi,
  of: { since: string; token: string | undefined },
): Promise<{ heads: OrderHead[]; token: string | undefined }> {
  const { body } = await api.call<{ payload?: { nextToken?: string; fulfillmentOrders?: ApiOrder[] } }>({
    operation: 'listAllFulfillmentOrders',
    method: 'GET',
    path: ORDERS,
    query: of.token === undefined ? { queryStartDate: of.since } : { nextToken: of.token },
  });
  const heads = (body.payload?.fulfillmentOrders ?? []).map((one) => ({
    number: one.sellerFulfillmentOrderId,
    status: one.fulfillmentOrderStatus,
    statusAt: one.statusUpdatedDate,
  }));
  return { heads, token: body.payload?.nextToken || undefined };
}

interface ApiShipment {
  amazonShipmentId?: string;
  fulfillmentShipmentStatus?: string;
  shippingDate?: string;
  estimatedArrivalDate?: string;
  fulfillmentShipmentItem?: { quantity?: number; packageNumber?: number }[];
  fulfillmentShipmentPackage?: {
    packageNumber: number;
    carrierCode: string;
    trackingNumber?: string;
    amazonFulfillmentTrackingNumber?: string;
    estimatedArrivalDate?: string;
  }[];
}

interface ApiWhole {
  fulfillmentOrder: ApiOrder;
  fulfillmentOrderItems?: {
    sellerSku: string;
    sellerFulfillmentOrderItemId: string;
    quantity: number;
    cancelledQuantity?: number;
    unfulfillableQuantity?: number;
    estimatedArrivalDate?: string;
  }[];
  fulfillmentShipments?: ApiShipment[];
}

/** A package of an order that has left. */
export interface ReadPackage {
  packageNumber: number;
  shipmentId: string;
  carrier: string;
  trackingNumber: string | null;
  units: number;
  shippedAt: string | null;
  arrivalAt: string | null;
}

/** An order as Amazon has it. Who gets it is only handed out by `readRecipient`. */
export interface ReadOrder extends OrderHead {
  marketplaceId: string;
  state: McfState;
  orderNo: string;
  orderedAt: string;
  comment: string;
  speed: Speed;
  policy: Policy;
  hold: boolean;
  blankBox: boolean;
  country: string;
  region: string;
  postalCode: string;
  arrivalAt: string | null;
  lines: { itemId: string; sku: string; quantity: number; cancelled: number; unfulfillable: number }[];
  packages: ReadPackage[];
}

function packagesOf({ amazonShipmentId = '', fulfillmentShipmentStatus, ...shipment }: ApiShipment): ReadPackage[] {
  if (fulfillmentShipmentStatus !== 'SHIPPED') return [];
  return (shipment.fulfillmentShipmentPackage ?? []).map((one) => ({
    packageNumber: one.packageNumber,
    shipmentId: amazonShipmentId,
    carrier: one.carrierCode,
    trackingNumber: one.trackingNumber ?? one.amazonFulfillmentTrackingNumber ?? null,
    units: (shipment.fulfillmentShipmentItem ?? [])
      .filter(({ packageNumber }) => packageNumber === one.packageNumber)
      .reduce((sum, { quantity = 0 }) => sum + quantity, 0),
    shippedAt: shipment.shippingDate ?? null,
    arrivalAt: one.estimatedArrivalDate ?? shipment.estimatedArrivalDate ?? null,
  }));
}

const whole = async (api: SpApi, number: string): Promise<ApiWhole | undefined> => {
  const request = { operation: 'getFulfillmentOrder', method: 'GET' as const, path: pathOf(number) };
  return (await api.call<{ payload?: ApiWhole }>(request)).body.payload;
};

/** Reads one order; undefined where Amazon answers without one. @throws ApiRefused 404 where there is none */
export async function readOrder(api: SpApi, number: string): Promise<ReadOrder | undefined> {
  const found = await whole(api, number);
  if (!found) return undefined;
  const { fulfillmentOrder: order, fulfillmentOrderItems: items = [], fulfillmentShipments: shipments = [] } = found;
  const { destinationAddress: to = {}, fulfillmentPolicy } = order;
  const hold = order.fulfillmentAction === 'Hold';
  const state = STATES[order.fulfillmentOrderStatus] ?? 'RECEIVED';
  const arrivals = items.flatMap(({ estimatedArrivalDate }) => estimatedArrivalDate ?? []).sort();
  return {
    number: order.sellerFulfillmentOrderId,
    status: order.fulfillmentOrderStatus,
    statusAt: order.statusUpdatedDate,
    marketplaceId: order.marketplaceId,
    state: hold && state === 'RECEIVED' ? 'HELD' : state,
    orderNo: order.displayableOrderId ?? order.sellerFulfillmentOrderId,
    orderedAt: order.displayableOrderDate ?? order.receivedDate ?? order.statusUpdatedDate,
    comment: order.displayableOrderComment ?? '',
    speed: speedOf(order.shippingSpeedCategory),
    policy:
      fulfillmentPolicy === 'FillAll' || fulfillmentPolicy === 'FillAllAvailable' ? fulfillmentPolicy : 'FillOrKill',
    hold,
    blankBox: (order.featureConstraints ?? []).some(
      (one) => one.featureName === 'BLANK_BOX' && one.featureFulfillmentPolicy === 'Required',
    ),
    country: /^[A-Z]{2}$/.test(to.countryCode ?? '') ? (to.countryCode ?? '') : 'XX',
    region: to.stateOrRegion ?? '',
    postalCode: to.postalCode ?? '',
    arrivalAt: arrivals.at(-1) ?? null,
    lines: items.map((one) => ({
      itemId: one.sellerFulfillmentOrderItemId,
      sku: one.sellerSku,
      quantity: one.quantity,
      cancelled: one.cancelledQuantity ?? 0,
      unfulfillable: one.unfulfillableQuantity ?? 0,
    })),
    packages: shipments.flatMap(packagesOf),
  };
}

/** Who gets an order, as Amazon has it: for whoever asks, kept nowhere. */
export async function readRecipient(api: SpApi, number: string): Promise<Partial<Recipient>> {
  const found = await whole(api, number);
  return recipientOf(found?.fulfillmentOrder.destinationAddress ?? {});
}
