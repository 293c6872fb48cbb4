/** Orders and packages as the API shows them. */
import { iso } from '../clock.ts';
import { unitDraw } from '../random.ts';
import type { World } from '../world.ts';
import { hasLeft, statusAt } from './status.ts';
import type { OutboundOrder } from './types.ts';

/** So many pieces fit into a package. */
const PIECES = 10;
const CARRIERS = ['AMZN_US', 'UPS', 'USPS', 'FEDEX'] as const;
const LETTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const numberOf = (world: World, { sellingPartnerId, id }: OutboundOrder, what: string, size: number): number =>
  Math.floor(unitDraw('outbound number', world.seed, sellingPartnerId, id, what) * size);
const codeOf = (world: World, order: OutboundOrder, what: string, length: number, letters = LETTERS): string =>
  Array.from({ length }, (_, at) => letters[numberOf(world, order, `${what} ${at}`, letters.length)]).join('');

/** A package with what is in it. */
export interface OutboundPackage {
  packageNumber: number;
  carrierCode: string;
  trackingNumber: string;
  items: { sellerSku: string; sellerFulfillmentOrderItemId: string; quantity: number }[];
}

/** The packages that an order is sent in; how they are cut depends on nothing but the order. */
export function packagesOf(world: World, order: OutboundOrder): OutboundPackage[] {
  const pieces = order.items.flatMap(({ sku, itemId, filled }) =>
    Array.from({ length: filled }, () => ({ sellerSku: sku, sellerFulfillmentOrderItemId: itemId })),
  );
  const isBlocked = order.features.some(
    (one) => one.featureName === 'BLOCK_AMZL' && one.featureFulfillmentPolicy === 'Required',
  );
  const carriers = isBlocked ? CARRIERS.slice(1) : CARRIERS;
  const carrierCode = carriers[numberOf(world, order, 'carrier', carriers.length)] ?? 'UPS';
  return Array.from({ length: Math.ceil(pieces.length / PIECES) }, (_, index) => {
    const inside = Map.groupBy(
      pieces.slice(index * PIECES, (index + 1) * PIECES),
      (one) => one.sellerFulfillmentOrderItemId,
    );
    const own = `package ${index}`;
    const digits = codeOf(world, order, own, 12, '0123456789');
    const numbers = {
      AMZN_US: `TBA${digits}`,
      UPS: `1Z${codeOf(world, order, own, 16)}`,
      USPS: `9400${digits}${digits.slice(0, 6)}`,
    };
    return {
      packageNumber: 100_000_000 + numberOf(world, order, own, 899_999_999),
      carrierCode,
      trackingNumber: { ...numbers, FEDEX: digits }[carrierCode],
      items: [...inside.values()].flatMap(([one, ...more]) => (one ? [{ ...one, quantity: 1 + more.length }] : [])),
    };
  });
}

/** The head of an order, as lists show it. */
export function orderShape(order: OutboundOrder, now: number): object {
  const { status, at } = statusAt(order, now);
  return {
    sellerFulfillmentOrderId: order.id,
    marketplaceId: order.marketplaceId,
    displayableOrderId: order.displayableOrderId,
    displayableOrderDate: order.displayableOrderDate,
    displayableOrderComment: order.displayableOrderComment,
    shippingSpeedCategory: order.speed,
    destinationAddress: order.destination,
    fulfillmentAction: order.action,
    fulfillmentPolicy: order.policy,
    receivedDate: iso(order.at),
    fulfillmentOrderStatus: status,
    statusUpdatedDate: iso(at),
    notificationEmails: order.notificationEmails,
    featureConstraints: order.features,
  };
}

/** Pieces of each line by what became of them. */
export function itemShapes(order: OutboundOrder, now: number): object[] {
  const { status } = statusAt(order, now);
  const isOver = ['CompletePartialled', 'Unfulfillable', 'Invalid'].includes(status);
  const way = status === 'Cancelled' ? undefined : order.way;
  return order.items.map(({ sku, itemId, quantity, filled, displayableComment }) => ({
    sellerSku: sku,
    sellerFulfillmentOrderItemId: itemId,
    quantity,
    ...(displayableComment === undefined ? {} : { displayableComment }),
    cancelledQuantity: status === 'Cancelled' ? quantity : 0,
    unfulfillableQuantity: isOver ? quantity - (order.verdict === 'GOOD' ? filled : 0) : 0,
    ...(way ? { estimatedShipDate: iso(way.shippedAt), estimatedArrivalDate: iso(way.deliveredAt) } : {}),
  }));
}

/** What leaves the warehouse together: nothing before picking begins, packages once they have left. */
export function shipmentShapes(world: World, order: OutboundOrder, now: number): object[] {
  const { way, cancelledAt } = order;
  if (order.verdict !== 'GOOD' || cancelledAt !== undefined || !way || way.processingAt > now) return [];
  const packages = packagesOf(world, order);
  const left = hasLeft(order, now);
  return [
    {
      amazonShipmentId: `D${codeOf(world, order, 'shipment', 8)}`,
      fulfillmentCenterId: 'PHX7',
      fulfillmentShipmentStatus: left ? 'SHIPPED' : 'PENDING',
      shippingDate: iso(way.shippedAt),
      estimatedArrivalDate: iso(way.deliveredAt),
      fulfillmentShipmentItem: packages.flatMap(({ items, packageNumber }) =>
        items.map((item) => ({ ...item, ...(left ? { packageNumber } : {}) })),
      ),
      ...(left
        ? {
            fulfillmentShipmentPackage: packages.map(({ packageNumber, carrierCode, trackingNumber }) => ({
              packageNumber,
              carrierCode,
              trackingNumber,
              estimatedArrivalDate: iso(way.deliveredAt),
            })),
          }
        : {}),
    },
  ];
}
