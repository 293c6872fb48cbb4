/** Changing what is in a shipment after its transport was confirmed: first a preview, then its confirmation. */
import type { Answer, Call, Operation } from '../operation.ts';
import { badRequest, contentBody, type ItemInput, read } from './bodies.ts';
import { isTold, unlike } from './contents.ts';
import { accepted, checkAlive, failed, type PlanJudge, pageOf, refused, shipmentOf } from './desk.ts';
import { recount } from './journey.ts';
import { previewShape } from './shapes.ts';
import { statusOf } from './status.ts';
import type { Outcome, Shipment } from './types.ts';

const HOUR_MS = 3_600_000;
/** A product's pieces may change by the larger of these, as Seller Central has always allowed. */
const MOST_SHARE = 0.05;
const MOST_PIECES = 6;
const STATUSES = ['WORKING', 'READY_TO_SHIP', 'SHIPPED', 'IN_TRANSIT'];

function piecesOf(items: readonly ItemInput[]): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const { msku, quantity } of items) pieces.set(msku, (pieces.get(msku) ?? 0) + quantity);
  return pieces;
}

function beyond(shipment: Shipment, items: readonly ItemInput[]): Outcome | undefined {
  const [before, after] = [piecesOf(shipment.items), piecesOf(items)];
  for (const msku of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(msku) ?? 0, after.get(msku) ?? 0];
    if (was === 0) return failed(`MSKU ${msku} is not part of the shipment and cannot be added.`);
    const most = Math.max(Math.floor(was * MOST_SHARE), MOST_PIECES);
    if (Math.abs(is - was) > most) {
      return failed(`The quantity of MSKU ${msku} can be changed by ${most} units at most.`, {
        details: `Shipment quantity ${was}, requested quantity ${is}`,
      });
    }
  }
  return undefined;
}

/** Looks a change of contents through: what it leaves is all that the shipment will hold. */
export const judgePreview: PlanJudge = (work, plan) => {
  const { world, asked, now } = work;
  const { items, boxes } = read(contentBody, asked.input);
  const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === asked.shipmentId);
  if (!shipment?.transportation) return refused(work, 'the transportation is not confirmed');
  const status = statusOf(shipment, now);
  if (!STATUSES.includes(status)) return refused(work, `the shipment is ${status}`);
  const known = new Set(shipment.boxes.map(({ packageId }) => packageId));
  const foreign = boxes.find(({ packageId }) => packageId !== undefined && !known.has(packageId));
  if (foreign) return failed(`Package ${foreign.packageId} does not belong to the shipment.`);
  const expected = isTold(boxes) ? unlike(items, boxes) : undefined;
  if (expected !== undefined) {
    return failed(`Shipment ${shipment.shipmentId} did not contain expected items and/or quantities`, {
      details: expected,
    });
  }
  const tooMuch = beyond(shipment, items);
  if (tooMuch) return tooMuch;
  const hours = asked.fate?.expired ? 0 : world.inbound.settings.offerHours.transportation;
  const preview = {
    previewId: work.id('cu', 'preview'),
    expiresAt: now + hours * HOUR_MS,
    items,
    boxes,
    transportation: shipment.transportation,
  };
  const { shipmentId } = shipment;
  return { change: { planId: plan.planId, shipments: [{ shipmentId, previews: [...shipment.previews, preview] }] } };
};

/** The whole contents are those of the preview from now on; boxes that it does not name are gone. */
export const judgePreviewChoice: PlanJudge = (work, plan) => {
  const { asked, now } = work;
  const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === asked.shipmentId);
  const preview = shipment?.previews.find(({ previewId }) => previewId === asked.optionId);
  if (!shipment || !preview || preview.expiresAt <= now) return refused(work, 'the content update preview is expired');
  const boxes = preview.boxes.map(({ packageId, ...box }, index) => ({
    ...box,
    packageId: packageId ?? work.id('pk', shipment.shipmentId, 'added', index),
  }));
  const { shipmentId, found } = shipment;
  const { items } = preview;
  const counted = recount(work.world, { ...shipment, items }, found);
  return { change: { planId: plan.planId, shipments: [{ shipmentId, items, boxes, previews: [], ...counted }] } };
};

function generateShipmentContentUpdatePreviews(call: Call): Answer {
  const { plan, shipment } = shipmentOf(call);
  const input = read(contentBody, call.body);
  checkAlive(plan, call.operation);
  return accepted(call, { planId: plan.planId, shipmentId: shipment.shipmentId, input });
}

function previewOf(call: Call) {
  const { plan, shipment } = shipmentOf(call);
  const preview = shipment.previews.find(({ previewId }) => previewId === call.params.contentUpdatePreviewId);
  if (!preview) throw badRequest('The requested contentUpdatePreviewId does not exist for the given shipment.');
  return { plan, shipment, preview };
}

const PATH = '/inbound/fba/2024-03-20/inboundPlans/:inboundPlanId/shipments/:shipmentId/contentUpdatePreviews';
const PLAN = { rate: 2, burst: 30 };

/** Content update previews. */
export const contentOperations: Operation[] = [
  {
    name: 'generateShipmentContentUpdatePreviews',
    method: 'POST',
    path: PATH,
    plan: PLAN,
    handle: generateShipmentContentUpdatePreviews,
  },
  {
    name: 'listShipmentContentUpdatePreviews',
    method: 'GET',
    path: PATH,
    plan: PLAN,
    handle: (call) => pageOf(call, 'contentUpdatePreviews', shipmentOf(call).shipment.previews, 20, previewShape),
  },
  {
    name: 'getShipmentContentUpdatePreview',
    method: 'GET',
    path: `${PATH}/:contentUpdatePreviewId`,
    plan: PLAN,
    handle: (call) => ({ body: previewShape(previewOf(call).preview) }),
  },
  {
    name: 'confirmShipmentContentUpdatePreview',
    method: 'POST',
    path: `${PATH}/:contentUpdatePreviewId/confirmation`,
    plan: PLAN,
    handle(call) {
      const { plan, shipment, preview } = previewOf(call);
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId, shipmentId: shipment.shipmentId, optionId: preview.previewId });
    },
  },
];
