/** When a shipment that the seller's own carrier brings is to arrive. */

import type { Operation } from '../operation.ts';
import { unitDraw } from '../random.ts';
import { badRequest } from './bodies.ts';
import { accepted, checkAlive, failed, newId, type PlanJudge, pageOf, refused, shipmentOf } from './desk.ts';
import { windowShape } from './shapes.ts';
import type { DeliveryWindow } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_OFFERED = 30;
const DAYS_LONG = 7;

/** Until when a window that was chosen may be changed for another one. */
export const editableUntil = ({ from }: DeliveryWindow): number => from - DAY_MS;

/**
 * A window begins on each of thirty days from the one on which the goods are ready; some days are busy or full. Made
 * again they are the same ones, valid for longer, as callers report.
 */
export const judgeWindows: PlanJudge = (work, plan) => {
  const { world, asked, now } = work;
  const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === asked.shipmentId);
  if (!shipment) return refused(work, 'the shipment does not exist');
  const first = Math.floor(Math.max(now, shipment.readyAt ?? now) / DAY_MS + 1) * DAY_MS;
  const hours = asked.fate?.expired ? 0 : world.inbound.settings.offerHours.window;
  const windows = Array.from({ length: DAYS_OFFERED }, (_, day): DeliveryWindow => {
    const from = first + day * DAY_MS;
    const draw = unitDraw('inbound window', world.seed, shipment.warehouse, from);
    const availability = draw < 0.06 ? 'BLOCKED' : draw < 0.16 ? 'CONGESTED' : draw < 0.26 ? 'DISCOUNTED' : 'AVAILABLE';
    return {
      optionId: newId(world, 'dw', shipment.shipmentId, from),
      availability,
      from,
      to: from + DAYS_LONG * DAY_MS,
      validUntil: now + hours * HOUR_MS,
    };
  });
  return { change: { planId: plan.planId, shipments: [{ shipmentId: shipment.shipmentId, windows }] } };
};

/** Takes a window, or another one for as long as the first may be edited. */
export const judgeWindowChoice: PlanJudge = (work, plan) => {
  const { asked, now } = work;
  const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === asked.shipmentId);
  const window = shipment?.windows.find(({ optionId }) => optionId === asked.optionId);
  if (!shipment?.confirmationId) return failed('No placement option was confirmed.', { code: 'FBA_INB_0344' });
  if (!window || window.validUntil <= now) {
    return failed('Delivery window options are expired, please regenerate them.', { code: 'FBA_INB_0469' });
  }
  if (window.availability === 'BLOCKED') return refused(work, 'the requested delivery window is blocked');
  if (shipment.window && editableUntil(shipment.window) <= now) {
    return refused(work, 'the confirmed delivery window can no longer be edited');
  }
  return { change: { planId: plan.planId, shipments: [{ shipmentId: shipment.shipmentId, window }] } };
};

const PATH = '/inbound/fba/2024-03-20/inboundPlans/:inboundPlanId/shipments/:shipmentId/deliveryWindowOptions';
const PLAN = { rate: 2, burst: 30 };

/** Delivery windows. */
export const windowOperations: Operation[] = [
  {
    name: 'generateDeliveryWindowOptions',
    method: 'POST',
    path: PATH,
    plan: PLAN,
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId, shipmentId: shipment.shipmentId });
    },
  },
  {
    name: 'listDeliveryWindowOptions',
    method: 'GET',
    path: PATH,
    plan: PLAN,
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      const { currency } = call.world.marketplace(plan.marketplaceId);
      return pageOf(call, 'deliveryWindowOptions', shipment.windows, 100, (one) => windowShape(one, currency));
    },
  },
  {
    name: 'confirmDeliveryWindowOptions',
    method: 'POST',
    path: `${PATH}/:deliveryWindowOptionId/confirmation`,
    plan: PLAN,
    handle(call) {
      const { plan, shipment } = shipmentOf(call);
      const optionId = call.params.deliveryWindowOptionId ?? '';
      if (!shipment.windows.some((one) => one.optionId === optionId)) {
        throw badRequest('The requested deliveryWindowOptionId does not exist for the given shipment.');
      }
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId, shipmentId: shipment.shipmentId, optionId });
    },
  },
];
