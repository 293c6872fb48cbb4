/** Single shipments: what they are, where they stand, how they are followed. */
import { iso } from '../clock.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { badRequest, read, shipmentNameBody, sourceAddressBody, trackingBody } from './bodies.ts';
import { accepted, changed, checkAlive, failed, type PlanJudge, pageOf, refused, shipmentOf } from './desk.ts';
import { dispatchAt } from './journey.ts';
import { boxNumbers, boxShape, itemShape, palletShape } from './shapes.ts';
import { statusOf } from './status.ts';
import type { Shipment, Tracking } from './types.ts';
import { addressOf } from './warehouses.ts';
import { editableUntil } from './windows.ts';

const HOUR_MS = 3_600_000;
/** So long Amazon takes to look a tracking number up. */
const VALIDATION_MS = 6 * HOUR_MS;

function trackingShape(tracking: Tracking, now: number): object {
  const { parcels, freightBills, billOfLading } = tracking;
  return {
    ...(parcels.length > 0
      ? {
          spdTrackingDetail: {
            spdTrackingItems: parcels.map(({ boxId, trackingId, at }) => ({
              boxId,
              trackingId,
              trackingNumberValidationStatus: now - at >= VALIDATION_MS ? 'VALIDATED' : 'NOT_VALIDATED',
            })),
          },
        }
      : {}),
    ...(freightBills.length > 0
      ? {
          ltlTrackingDetail: {
            freightBillNumber: freightBills,
            ...(billOfLading === undefined ? {} : { billOfLadingNumber: billOfLading }),
          },
        }
      : {}),
  };
}

function shipmentShape(shipment: Shipment, countryCode: string, now: number): object {
  const { transportation, window, tracking, readyAt, confirmationId } = shipment;
  const isFreight = transportation?.mode === 'FREIGHT_LTL' && transportation.partnered;
  return {
    shipmentId: shipment.shipmentId,
    placementOptionId: shipment.placementOptionId,
    name: shipment.name,
    status: statusOf(shipment, now),
    source: { sourceType: 'SELLER_FACILITY', address: shipment.sourceAddress },
    destination: {
      destinationType: 'AMAZON_WAREHOUSE',
      warehouseId: shipment.warehouse,
      address: addressOf(countryCode, shipment.warehouse),
    },
    ...(confirmationId === undefined ? {} : { shipmentConfirmationId: confirmationId }),
    ...(isFreight ? { amazonReferenceId: `AR${confirmationId?.slice(-7)}` } : {}),
    ...(shipment.contact ? { contactInformation: shipment.contact } : {}),
    ...(shipment.freight ? { freightInformation: shipment.freight } : {}),
    ...(readyAt === undefined
      ? {}
      : { dates: { readyToShipWindow: { start: iso(readyAt), end: iso(readyAt + 24 * HOUR_MS) } } }),
    ...(transportation ? { selectedTransportationOptionId: transportation.optionId } : {}),
    ...(window
      ? {
          selectedDeliveryWindow: {
            deliveryWindowOptionId: window.optionId,
            availabilityType: window.availability,
            startDate: iso(window.from),
            endDate: iso(window.to),
            editableUntil: iso(editableUntil(window)),
          },
        }
      : {}),
    ...(tracking ? { trackingDetails: trackingShape(tracking, now) } : {}),
  };
}

/** Tracking numbers of a seller's own carrier. With the first of them the goods are on their way. */
export const judgeTracking: PlanJudge = (work, plan) => {
  const { world, asked, now } = work;
  const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === asked.shipmentId);
  const { spdTrackingDetail: spd, ltlTrackingDetail: ltl } = read(trackingBody, asked.input).trackingDetails;
  if (!shipment?.transportation) return refused(work, 'the transportation is not confirmed');
  const { partnered, mode } = shipment.transportation;
  if (partnered) return refused(work, 'tracking of an Amazon-partnered carrier cannot be provided by the seller');
  if (['CANCELLED', 'CLOSED'].includes(statusOf(shipment, now))) return refused(work, 'the shipment is closed');
  if (mode === 'GROUND_SMALL_PARCEL' ? !spd : !ltl) {
    return refused(work, `the shipping mode of the shipment is ${mode}`);
  }
  const numbers = new Set(boxNumbers(shipment));
  const foreign = spd?.spdTrackingItems.find(({ boxId }) => !numbers.has(boxId));
  if (foreign) return failed(`Box ${foreign.boxId} does not belong to shipment ${shipment.confirmationId}`);
  const said = new Map((shipment.tracking?.parcels ?? []).map((one) => [one.boxId, one]));
  for (const one of spd?.spdTrackingItems ?? []) {
    if (said.get(one.boxId)?.trackingId !== one.trackingId) said.set(one.boxId, { ...one, at: now });
  }
  const tracking: Tracking = {
    parcels: [...said.values()],
    freightBills: ltl?.freightBillNumber ?? [],
    ...(ltl?.billOfLadingNumber === undefined ? {} : { billOfLading: ltl.billOfLadingNumber }),
  };
  const hasLeft = shipment.phases.some(({ status }) => status === 'SHIPPED');
  const way = hasLeft ? {} : dispatchAt(world, shipment, now);
  return { change: { planId: plan.planId, shipments: [{ shipmentId: shipment.shipmentId, tracking, ...way }] } };
};

/** Another address of dispatch: what was offered for the old one is worth nothing. */
export const judgeSourceAddress: PlanJudge = (work, plan) => {
  const { address } = read(sourceAddressBody, work.asked.input);
  const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === work.asked.shipmentId);
  if (!shipment || shipment.transportation) return refused(work, 'the transportation is already confirmed');
  const { shipmentId } = shipment;
  const transportationOptions = plan.transportationOptions.filter((one) => one.shipmentId !== shipmentId);
  return {
    change: {
      planId: plan.planId,
      plan: { transportationOptions },
      shipments: [{ shipmentId, sourceAddress: address }],
    },
  };
};

function updateShipmentTrackingDetails(call: Call): Answer {
  const { plan, shipment } = shipmentOf(call);
  const input = read(trackingBody, call.body);
  const { spdTrackingDetail, ltlTrackingDetail } = input.trackingDetails;
  if (!spdTrackingDetail && !ltlTrackingDetail)
    throw badRequest('trackingDetails: spdTrackingDetail or ltlTrackingDetail is required');
  checkAlive(plan, call.operation);
  return accepted(call, { planId: plan.planId, shipmentId: shipment.shipmentId, input });
}

const SHIPMENT = '/inbound/fba/2024-03-20/inboundPlans/:inboundPlanId/shipments/:shipmentId';
const SHOWN = { rate: 2, burst: 30 };

/** Single shipments. */
export const shipmentOperations: Operation[] = [
  {
    name: 'getShipment',
    method: 'GET',
    path: SHIPMENT,
    plan: { rate: 2, burst: 6 },
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      return { body: shipmentShape(shipment, call.world.marketplace(plan.marketplaceId).countryCode, call.now) };
    },
  },
  {
    name: 'listShipmentItems',
    method: 'GET',
    path: `${SHIPMENT}/items`,
    plan: SHOWN,
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      return pageOf(call, 'items', shipment.items, 1000, itemShape(call, plan.marketplaceId));
    },
  },
  {
    name: 'listShipmentBoxes',
    method: 'GET',
    path: `${SHIPMENT}/boxes`,
    plan: SHOWN,
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      return pageOf(call, 'boxes', shipment.boxes, 1000, boxShape(call, plan));
    },
  },
  {
    name: 'listShipmentPallets',
    method: 'GET',
    path: `${SHIPMENT}/pallets`,
    plan: SHOWN,
    handle: (call) => pageOf(call, 'pallets', shipmentOf(call).shipment.pallets, 1000, palletShape),
  },
  {
    name: 'updateShipmentName',
    method: 'PUT',
    path: `${SHIPMENT}/name`,
    plan: SHOWN,
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      const { name } = read(shipmentNameBody, call.body);
      checkAlive(plan, call.operation);
      return changed(call, { planId: plan.planId, shipments: [{ shipmentId: shipment.shipmentId, name }] });
    },
  },
  {
    name: 'updateShipmentSourceAddress',
    method: 'PUT',
    path: `${SHIPMENT}/sourceAddress`,
    plan: SHOWN,
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      const input = read(sourceAddressBody, call.body);
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId, shipmentId: shipment.shipmentId, input });
    },
  },
  {
    name: 'updateShipmentTrackingDetails',
    method: 'PUT',
    path: `${SHIPMENT}/trackingDetails`,
    plan: { rate: 2, burst: 2 },
    handle: updateShipmentTrackingDetails,
  },
];
