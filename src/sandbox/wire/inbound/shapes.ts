/** Plans and what belongs to them in the shape of the API. */
import { iso } from '../clock.ts';
import type { Call } from '../operation.ts';
import type { ItemInput } from './bodies.ts';
import { confirmedShipments, offersOf } from './desk.ts';
import { boxNumber } from './ids.ts';
import { needsPrep, prepOf } from './prep-rules.ts';
import { isBeforeDispatch, lastMoveOf, statusOf, voidableUntil } from './status.ts';
import type {
  Box,
  ContentPreview,
  DeliveryWindow,
  Incentive,
  PackingOption,
  Pallet,
  PlacementOption,
  Plan,
  Shipment,
  TransportationOption,
} from './types.ts';

/** VOIDED once cancelled, SHIPPED once every shipment has left. */
export function planStatus(plan: Plan, now: number): string {
  if (plan.status !== 'ACTIVE') return plan.status;
  const shipments = confirmedShipments(plan);
  const isGone = shipments.length > 0 && shipments.every((shipment) => !isBeforeDispatch(shipment, now));
  return isGone ? 'SHIPPED' : 'ACTIVE';
}

/** A plan as lists show it. */
export function planSummary(plan: Plan, now: number): object {
  return {
    inboundPlanId: plan.planId,
    name: plan.name,
    marketplaceIds: [plan.marketplaceId],
    sourceAddress: plan.sourceAddress,
    createdAt: iso(plan.createdAt),
    lastUpdatedAt: iso(lastMoveOf(plan, now)),
    status: planStatus(plan, now),
  };
}

/** Whether an offer was taken, still stands, or does no more. */
export function offerStatus({ accepted, expiresAt }: { accepted: boolean; expiresAt: number }, now: number): string {
  if (accepted) return 'ACCEPTED';
  return expiresAt <= now ? 'EXPIRED' : 'OFFERED';
}

/** A plan with its offers and shipments by their numbers; once a placement is chosen only that one and its shipments. */
export function planShape(plan: Plan, now: number): object {
  const chosen = plan.placementOptions.filter((option) => option.accepted);
  const placements = chosen.length > 0 ? chosen : plan.placementOptions;
  return {
    ...planSummary(plan, now),
    packingOptions: plan.packingOptions.map((option) => ({
      packingOptionId: option.optionId,
      status: offerStatus(option, now),
    })),
    placementOptions: placements.map((option) => ({
      placementOptionId: option.optionId,
      status: offerStatus(option, now),
    })),
    shipments: confirmedShipments(plan).map((shipment) => ({
      shipmentId: shipment.shipmentId,
      status: statusOf(shipment, now),
    })),
  };
}

/** Items of a marketplace with what Amazon knows of the products; one that it does not know has no numbers to show. */
export function itemShape(call: Call, marketplaceId: string): (item: ItemInput) => object {
  const offers = offersOf(call.world, call.account, marketplaceId, call.now);
  const { currency } = call.world.marketplace(marketplaceId);
  return (item) => {
    const { msku, quantity, labelOwner, prepOwner, expiration, manufacturingLotCode } = item;
    const product = offers.get(msku)?.product;
    const prep = prepOf(call.world, call.account, marketplaceId, msku);
    return {
      msku,
      asin: product?.asin ?? 'UNKNOWN',
      fnsku: product?.fnsku ?? 'UNKNOWN',
      quantity,
      labelOwner,
      prepInstructions: prep.types.map((prepType) => ({
        prepType,
        prepOwner: prepType === 'ITEM_LABELING' ? labelOwner : needsPrep(prep) ? prepOwner : 'NONE',
        fee: { amount: 0, code: currency },
      })),
      ...(expiration === undefined ? {} : { expiration }),
      ...(manufacturingLotCode === undefined ? {} : { manufacturingLotCode }),
    };
  };
}

/** Boxes of a plan. Numbers exist once the transport of their shipment is confirmed; alike boxes show the first. */
export function boxShape(call: Call, plan: Plan): (box: Box) => object {
  const items = itemShape(call, plan.marketplaceId);
  const numbers = new Map(plan.shipments.flatMap((shipment) => numberedBoxes(shipment)));
  const { countryCode } = call.world.marketplace(plan.marketplaceId);
  return (box) => {
    const boxId = numbers.get(box.packageId);
    const home = plan.shipments.find(({ boxes }) => boxes.includes(box));
    return {
      packageId: box.packageId,
      quantity: box.quantity,
      templateName: box.packageId.slice(-6),
      weight: box.weight,
      dimensions: box.dimensions,
      contentInformationSource: box.contentInformationSource,
      items: (box.items ?? []).map(items),
      destinationRegion: { countryCode, ...(home ? { warehouseId: home.warehouse } : {}) },
      ...(boxId === undefined
        ? {}
        : { boxId, externalContainerIdentifier: boxId, externalContainerIdentifierType: 'AMAZON' }),
    };
  };
}

/** The first number of each of a shipment's boxes by package; empty before its transport is confirmed. */
function numberedBoxes({ confirmationId, transportation, boxes }: Shipment): [packageId: string, boxId: string][] {
  if (confirmationId === undefined || !transportation) return [];
  let place = 1;
  return boxes.map(({ packageId, quantity }) => {
    const boxId = boxNumber(confirmationId, place);
    place += quantity;
    return [packageId, boxId];
  });
}

/** All numbers of a shipment's boxes, each of those that are alike by itself. */
export function boxNumbers({ confirmationId, transportation, boxes }: Shipment): string[] {
  if (confirmationId === undefined || !transportation) return [];
  const count = boxes.reduce((sum, { quantity }) => sum + quantity, 0);
  return Array.from({ length: count }, (_, index) => boxNumber(confirmationId, index + 1));
}

/** A pallet goes out as it came in. */
export const palletShape = (pallet: Pallet): object => pallet;
const incentives = (list: readonly Incentive[]): object[] => list.map((one) => ({ ...one }));

/** A packing option; weights that a box may have are the marketplace's. */
export function packingShape(call: Call, plan: Plan): (option: PackingOption) => object {
  const { countryCode } = call.world.marketplace(plan.marketplaceId);
  const solutions = [
    { shippingMode: 'GROUND_SMALL_PARCEL', shippingSolution: 'AMAZON_PARTNERED_CARRIER' },
    { shippingMode: 'GROUND_SMALL_PARCEL', shippingSolution: 'USE_YOUR_OWN_CARRIER' },
    { shippingMode: 'FREIGHT_LTL', shippingSolution: 'AMAZON_PARTNERED_CARRIER' },
    { shippingMode: 'FREIGHT_LTL', shippingSolution: 'USE_YOUR_OWN_CARRIER' },
  ];
  return (option) => ({
    packingOptionId: option.optionId,
    status: offerStatus(option, call.now),
    expiration: iso(option.expiresAt),
    packingGroups: option.groups.map(({ groupId }) => groupId),
    fees: [],
    discounts: incentives(option.discounts),
    supportedShippingConfigurations: solutions,
    supportedConfigurations: [
      {
        boxPackingMethods: ['BOX_CONTENT_PROVIDED', 'BARCODE_2D', 'MANUAL_PROCESS'],
        boxRequirements: { weight: weightRange(countryCode) },
        shippingRequirements: ['AMAZON_PARTNERED_CARRIER', 'USE_YOUR_OWN_CARRIER'].map((solution) => ({
          solution,
          modes: ['GROUND_SMALL_PARCEL', 'FREIGHT_LTL'],
        })),
      },
    ],
  });
}

/** What one box may weigh: 50 lb in North America, 23 kg in Europe, 15 kg and more with a label in Japan up to 40 kg. */
export function weightRange(countryCode: string): { minimum: number; maximum: number; unit: 'LB' | 'KG' } {
  if (countryCode === 'US' || countryCode === 'CA') return { minimum: 0, maximum: 50, unit: 'LB' };
  return { minimum: 0, maximum: countryCode === 'JP' ? 40 : 23, unit: 'KG' };
}

/** A placement option with its fees, discounts and shipments. */
export function placementShape(option: PlacementOption, now: number): object {
  return {
    placementOptionId: option.optionId,
    status: offerStatus(option, now),
    expiration: iso(option.expiresAt),
    fees: incentives(option.fees),
    discounts: incentives(option.discounts),
    shipmentIds: option.shipmentIds,
  };
}

/** A way of transport; one that the seller arranges himself waits for a confirmed delivery window. */
export function transportationShape(option: TransportationOption, shipment?: Shipment): object {
  const { appointment, cost } = option;
  const isChosen = shipment?.transportation?.optionId === option.optionId;
  const voidable = isChosen && shipment ? voidableUntil(shipment) : undefined;
  return {
    transportationOptionId: option.optionId,
    shipmentId: option.shipmentId,
    shippingMode: option.mode,
    shippingSolution: option.partnered ? 'AMAZON_PARTNERED_CARRIER' : 'USE_YOUR_OWN_CARRIER',
    carrier: option.carrier,
    preconditions: option.partnered ? [] : ['CONFIRMED_DELIVERY_WINDOW'],
    ...(appointment ? { carrierAppointment: { startTime: iso(appointment[0]), endTime: iso(appointment[1]) } } : {}),
    ...(cost
      ? {
          quote: {
            cost,
            expiration: iso(option.expiresAt),
            ...(voidable === undefined ? {} : { voidableUntil: iso(voidable) }),
          },
        }
      : {}),
  };
}

/** A delivery window; its discount in the currency of the marketplace. */
export function windowShape(window: DeliveryWindow, currency: string): object {
  return {
    deliveryWindowOptionId: window.optionId,
    availabilityType: window.availability,
    startDate: iso(window.from),
    endDate: iso(window.to),
    validUntil: iso(window.validUntil),
    ...(window.availability === 'DISCOUNTED'
      ? {
          discounts: [
            {
              type: 'DISCOUNT',
              target: 'Placement Services',
              description: 'Discount for a delivery outside of busy days',
              value: { amount: 5, code: currency },
            },
          ],
        }
      : {}),
  };
}

/** A content update preview. */
export function previewShape(preview: ContentPreview): object {
  return {
    contentUpdatePreviewId: preview.previewId,
    expiration: iso(preview.expiresAt),
    requestedUpdates: { boxes: preview.boxes, items: preview.items },
    transportationOption: transportationShape(preview.transportation),
  };
}
