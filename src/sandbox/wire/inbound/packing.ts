/** Which products may go together into a box, and what is in the boxes. */
import type { SimProduct } from '../../business/types.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { type BoxInput, badRequest, type ItemInput, packingBody, read } from './bodies.ts';
import { isTold, kilograms, unlike } from './contents.ts';
import { accepted, checkAlive, failed, offersOf, type PlanJudge, pageOf, planOf, refused, type Work } from './desk.ts';
import { boxShape, itemShape, packingShape, weightRange } from './shapes.ts';
import type { Box, Outcome, PackingGroup, PackingOption, Plan } from './types.ts';

const HOUR_MS = 3_600_000;

/** Products beyond these sides and weights are oversize: they are packed and received apart from the others. */
function isOversize({ lengthCm, widthCm, heightCm, weightKg }: SimProduct): boolean {
  return Math.max(lengthCm, widthCm, heightCm) > 45.7 || weightKg > 9.07;
}

/** Standard products and oversize ones, each a group; the finer option splits both once more. */
export const judgePackingOptions: PlanJudge = (work, plan) => {
  const { world, account, now } = work;
  if (plan.status === 'ERRORED') return refused(work, 'the inbound plan does not support packing options');
  if (plan.placementOptions.some((option) => option.accepted)) {
    return refused(work, 'a placement option is already confirmed');
  }
  if (plan.packingOptions.some((option) => option.accepted && option.expiresAt > now)) {
    return refused(work, 'a packing option is already confirmed');
  }
  const offers = offersOf(world, account, plan.marketplaceId, now);
  const sizes = Map.groupBy(plan.items, ({ msku }) => {
    const product = offers.get(msku)?.product;
    return product !== undefined && isOversize(product);
  });
  const coarse = [...sizes.values()];
  const fine = coarse.flatMap((items) => {
    const half = Math.ceil(items.length / 2);
    return [items.slice(0, half), items.slice(half)].filter((part) => part.length > 0);
  });
  const options = [
    option(work, 'coarse', coarse),
    ...(fine.length > coarse.length ? [option(work, 'fine', fine)] : []),
  ];
  return {
    change: { planId: plan.planId, plan: { packingOptions: options, placementOptions: [], transportationOptions: [] } },
  };
};

function option(work: Work, name: string, groups: ItemInput[][]): PackingOption {
  const hours = work.asked.fate?.expired ? 0 : work.world.inbound.settings.offerHours.packing;
  return {
    optionId: work.id('po', name),
    accepted: false,
    expiresAt: work.now + hours * HOUR_MS,
    discounts: [],
    groups: groups.map((items, index) => ({ groupId: work.id('pg', name, index), items, boxes: [] })),
  };
}

/** Takes one of the packing options that still stand; there is no second choice. */
export const judgePackingChoice: PlanJudge = (work, plan) => {
  if (plan.packingOptions.some((one) => one.accepted)) return refused(work, 'a packing option is already confirmed');
  const chosen = plan.packingOptions.find(({ optionId }) => optionId === work.asked.optionId);
  if (!chosen || chosen.expiresAt <= work.now) return refused(work, 'the requested packing option is expired');
  const packingOptions = plan.packingOptions.map((one) => (one === chosen ? { ...one, accepted: true } : one));
  return { change: { planId: plan.planId, plan: { packingOptions } } };
};

/** Groups of the packing option that was confirmed. */
export function confirmedGroups(plan: Plan): PackingGroup[] {
  return plan.packingOptions.find((one) => one.accepted)?.groups ?? [];
}

function tooHeavy(boxes: readonly BoxInput[], countryCode: string): Outcome | undefined {
  const { maximum, unit } = weightRange(countryCode);
  const most = unit === 'LB' ? maximum * 0.45359237 : maximum;
  const heavy = boxes.find((box) => kilograms(box) > most + 1e-9);
  return (
    heavy && failed(`Box weight ${heavy.weight.value} ${heavy.weight.unit} exceeds the maximum of ${maximum} ${unit}.`)
  );
}

/** Boxes under ids of their own. */
function named(work: Work, home: string, boxes: readonly BoxInput[]): Box[] {
  return boxes.map((box, index) => ({ ...box, packageId: work.id('pk', home, index) }));
}

/**
 * Before the placement boxes are told by packing group, after it by shipment. What is told has to be all of it and no
 * more; boxes whose contents stand on a barcode or are counted by hand are taken on trust.
 */
export const judgePacking: PlanJudge = (work, plan) => {
  const { packageGroupings } = read(packingBody, work.asked.input);
  const { countryCode } = work.world.marketplace(plan.marketplaceId);
  const isPlaced = plan.placementOptions.some((one) => one.accepted);
  const chosen = plan.packingOptions.find((one) => one.accepted);
  // As is reported: a day after the groups were offered nothing can be packed into them any more.
  if (!isPlaced && (chosen?.expiresAt ?? 0) <= work.now) {
    return failed('Something went wrong with placement. Please regenerate the packing options.', {
      code: 'FBA_INB_0364',
    });
  }
  const boxesOf = new Map<string, Box[]>();
  for (const { packingGroupId, shipmentId, boxes } of packageGroupings) {
    const id = (isPlaced ? shipmentId : packingGroupId) ?? '';
    const group = confirmedGroups(plan).find(({ groupId }) => groupId === id);
    const shipment = plan.shipments.find((one) => one.shipmentId === id);
    const items = isPlaced ? shipment?.items : group?.items;
    if (!items)
      return refused(
        work,
        `a ${isPlaced ? 'shipmentId' : 'packingGroupId'} is required ${isPlaced ? 'after' : 'before'} placement confirmation`,
      );
    // Who packs late tells his boxes once, after everything else; from then on contents are updated by previews.
    if (isPlaced && shipment?.transportation && shipment.boxes.length > 0) {
      return refused(work, 'the transportation is already confirmed');
    }
    const heavy = tooHeavy(boxes, countryCode);
    if (heavy) return heavy;
    const expected = isTold(boxes) ? unlike(items, boxes) : undefined;
    if (expected !== undefined) {
      const what = isPlaced ? 'Shipment' : 'Package group';
      return failed(`${what} ${id} did not contain expected items and/or quantities`, { details: expected });
    }
    boxesOf.set(id, named(work, id, boxes));
  }
  const { planId } = plan;
  if (isPlaced) {
    return { change: { planId, shipments: [...boxesOf].map(([shipmentId, boxes]) => ({ shipmentId, boxes })) } };
  }
  const packed = plan.packingOptions.map((one) =>
    one.accepted
      ? { ...one, groups: one.groups.map((group) => ({ ...group, boxes: boxesOf.get(group.groupId) ?? group.boxes })) }
      : one,
  );
  // Offers that were made for other boxes are worth nothing.
  return { change: { planId, plan: { packingOptions: packed, placementOptions: [], transportationOptions: [] } } };
};

function setPackingInformation(call: Call): Answer {
  const plan = planOf(call);
  const body = read(packingBody, call.body);
  checkAlive(plan, call.operation);
  const groups = plan.packingOptions.flatMap((one) => one.groups.map(({ groupId }) => groupId));
  for (const { packingGroupId, shipmentId } of body.packageGroupings) {
    if (packingGroupId === undefined && shipmentId === undefined) {
      throw badRequest('Either packingGroupId or shipmentId must be provided.');
    }
    if (packingGroupId !== undefined && !groups.includes(packingGroupId)) {
      throw badRequest('The requested packingGroupId does not exist for the specified inbound plan.');
    }
    if (shipmentId !== undefined && !plan.shipments.some((one) => one.shipmentId === shipmentId)) {
      throw badRequest('The requested shipmentId does not exist for the specified inbound plan.');
    }
  }
  return accepted(call, { planId: plan.planId, input: body });
}

function groupOf(call: Call): { plan: Plan; group: PackingGroup } {
  const plan = planOf(call);
  const group = plan.packingOptions
    .flatMap(({ groups }) => groups)
    .find(({ groupId }) => groupId === call.params.packingGroupId);
  if (!group) throw badRequest('The requested packingGroupId does not exist for the specified inbound plan.');
  return { plan, group };
}

const PLAN = '/inbound/fba/2024-03-20/inboundPlans/:inboundPlanId';
const SELDOM = { rate: 2, burst: 2 };

/** Packing options, groups and boxes. */
export const packingOperations: Operation[] = [
  {
    name: 'generatePackingOptions',
    method: 'POST',
    path: `${PLAN}/packingOptions`,
    plan: SELDOM,
    handle(call) {
      const plan = planOf(call);
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId });
    },
  },
  {
    name: 'listPackingOptions',
    method: 'GET',
    path: `${PLAN}/packingOptions`,
    plan: { rate: 2, burst: 6 },
    handle(call) {
      const plan = planOf(call);
      return pageOf(call, 'packingOptions', plan.packingOptions, 20, packingShape(call, plan));
    },
  },
  {
    name: 'confirmPackingOption',
    method: 'POST',
    path: `${PLAN}/packingOptions/:packingOptionId/confirmation`,
    plan: SELDOM,
    handle(call) {
      const plan = planOf(call);
      const optionId = call.params.packingOptionId ?? '';
      if (!plan.packingOptions.some((one) => one.optionId === optionId)) {
        throw badRequest('The requested packingOptionId does not exist for the given inbound plan.');
      }
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId, optionId });
    },
  },
  {
    name: 'listPackingGroupItems',
    method: 'GET',
    path: `${PLAN}/packingGroups/:packingGroupId/items`,
    plan: { rate: 2, burst: 30 },
    handle(call) {
      const { plan, group } = groupOf(call);
      return pageOf(call, 'items', group.items, 100, itemShape(call, plan.marketplaceId));
    },
  },
  {
    name: 'listPackingGroupBoxes',
    method: 'GET',
    path: `${PLAN}/packingGroups/:packingGroupId/boxes`,
    plan: { rate: 2, burst: 30 },
    handle(call) {
      const { plan, group } = groupOf(call);
      return pageOf(call, 'boxes', group.boxes, 100, boxShape(call, plan));
    },
  },
  {
    name: 'setPackingInformation',
    method: 'POST',
    path: `${PLAN}/packingInformation`,
    plan: SELDOM,
    handle: setPackingInformation,
  },
];
