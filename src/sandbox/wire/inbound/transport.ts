/** Who brings the shipments to the warehouses. */
import type { Answer, Call, Operation } from '../operation.ts';
import { text } from '../query.ts';
import { badRequest, read, selectionBody, transportationBody } from './bodies.ts';
import { accepted, checkAlive, pageOf, planOf } from './desk.ts';
import { transportationShape } from './shapes.ts';

function generateTransportationOptions(call: Call): Answer {
  const plan = planOf(call);
  const input = read(transportationBody, call.body);
  checkAlive(plan, call.operation);
  const placement = plan.placementOptions.find(({ optionId }) => optionId === input.placementOptionId);
  if (!placement) throw badRequest('The requested placementOptionId does not exist for the given inbound plan.');
  if (
    input.shipmentTransportationConfigurations.some(({ shipmentId }) => !placement.shipmentIds.includes(shipmentId))
  ) {
    throw badRequest('The requested shipmentId does not exist under the provided placement option.');
  }
  return accepted(call, { planId: plan.planId, input });
}

function confirmTransportationOptions(call: Call): Answer {
  const plan = planOf(call);
  const input = read(selectionBody, call.body);
  checkAlive(plan, call.operation);
  const known = new Set(plan.transportationOptions.map(({ optionId }) => optionId));
  if (input.transportationSelections.some((one) => !known.has(one.transportationOptionId))) {
    throw badRequest('The requested transportationOptionId does not exist under the associated shipment.');
  }
  return accepted(call, { planId: plan.planId, input });
}

function listTransportationOptions(call: Call): Answer {
  const plan = planOf(call);
  const placementId = text(call.query, 'placementOptionId');
  const shipmentId = text(call.query, 'shipmentId');
  if (placementId === undefined && shipmentId === undefined) {
    throw badRequest('Either placementOptionId or shipmentId must be specified.');
  }
  const placement = plan.placementOptions.find(({ optionId }) => optionId === placementId);
  if (placementId !== undefined && !placement) {
    throw badRequest('The requested placementOptionId does not exist for the specified inbound plan.');
  }
  if (shipmentId !== undefined && !plan.shipments.some((one) => one.shipmentId === shipmentId)) {
    throw badRequest('The requested shipmentId does not exist for the specified inbound plan.');
  }
  const wanted = plan.transportationOptions.filter(
    (one) =>
      (shipmentId === undefined || one.shipmentId === shipmentId) &&
      (placement === undefined || placement.shipmentIds.includes(one.shipmentId)),
  );
  return pageOf(call, 'transportationOptions', wanted, 20, (one) =>
    transportationShape(
      one,
      plan.shipments.find((shipment) => shipment.shipmentId === one.shipmentId),
    ),
  );
}

const PATH = '/inbound/fba/2024-03-20/inboundPlans/:inboundPlanId/transportationOptions';
const SELDOM = { rate: 2, burst: 2 };

/** Transportation options. */
export const transportOperations: Operation[] = [
  {
    name: 'generateTransportationOptions',
    method: 'POST',
    path: PATH,
    plan: SELDOM,
    handle: generateTransportationOptions,
  },
  {
    name: 'listTransportationOptions',
    method: 'GET',
    path: PATH,
    plan: { rate: 2, burst: 6 },
    handle: listTransportationOptions,
  },
  {
    name: 'confirmTransportationOptions',
    method: 'POST',
    path: `${PATH}/confirmation`,
    plan: SELDOM,
    handle: confirmTransportationOptions,
  },
];
