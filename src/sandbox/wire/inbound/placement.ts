/** Which warehouses the goods of a plan go to, and what the choice costs. */
import type { SimMarketplace } from '../../business/types.ts';
import type { Operation } from '../operation.ts';
import { badRequest, placementBody, read } from './bodies.ts';
import { summed } from './contents.ts';
import { accepted, checkAlive, type PlanJudge, pageOf, planOf, refused, type Work } from './desk.ts';
import { labelNumber } from './ids.ts';
import { confirmedGroups } from './packing.ts';
import { type Load, split } from './placement-split.ts';
import { placementShape } from './shapes.ts';
import type { Incentive, PlacementOption, Plan, Shipment } from './types.ts';
import { warehousesOf } from './warehouses.ts';

const HOUR_MS = 3_600_000;
/** What the United States charge for a piece that is sent to one warehouse only, and to a few, in cents. */
const ONE_WAREHOUSE_CENTS = 30;
const FEW_WAREHOUSES_CENTS = 14;

function incentivesOf(
  market: SimMarketplace,
  pieces: number,
  places: number,
  most: number,
): Pick<PlacementOption, 'fees' | 'discounts'> {
  const incentive = (type: Incentive['type'], target: Incentive['target'], description: string, cents: number) => ({
    type,
    target,
    description,
    value: { amount: (cents * pieces) / 100, code: market.currency },
  });
  // Only the United States charge for keeping goods together; there whoever spreads them most pays nothing.
  if (market.countryCode !== 'US') return { fees: [], discounts: [] };
  if (places === most && places > 1) {
    return {
      fees: [],
      discounts: [
        incentive('DISCOUNT', 'Fulfillment Fee Discount', 'Fulfillment fee discount for an optimized placement', 5),
      ],
    };
  }
  const cents = places === 1 ? ONE_WAREHOUSE_CENTS : FEW_WAREHOUSES_CENTS;
  return {
    fees: [
      incentive(
        'FEE',
        'Placement Services',
        'Placement service fee represents service to inbound with minimal shipment splits and destinations of skus',
        cents,
      ),
    ],
    discounts: [],
  };
}

/** Offers to keep the goods together, to halve them, and to spread them over up to four warehouses. */
export const judgePlacementOptions: PlanJudge = (work, plan) => {
  const { world, asked, now } = work;
  const market = world.marketplace(plan.marketplaceId);
  if (plan.status === 'ERRORED') return refused(work, 'the inbound plan is not in a valid state');
  if (plan.placementOptions.some((one) => one.accepted))
    return refused(work, 'a placement option is already confirmed');
  if (read(placementBody, asked.input).customPlacement) {
    return refused(work, 'custom placement is only supported for sellers in India');
  }
  const unpacked = confirmedGroups(plan).find(({ boxes }) => boxes.length === 0);
  if (unpacked) return refused(work, `packing information is missing for packing group ${unpacked.groupId}`);
  const warehouses = warehousesOf(market.countryCode);
  const counts = [...new Set([1, 2, Math.min(4, warehouses.length)])];
  const loads = counts.flatMap((places) => {
    const parts = split(work, plan, places);
    return parts ? [{ places, parts }] : [];
  });
  const most = Math.max(...loads.map(({ places }) => places));
  const pieces = plan.items.reduce((sum, { quantity }) => sum + quantity, 0);
  const hours = asked.fate?.expired ? 0 : world.inbound.settings.offerHours.placement;
  const options = loads.map(({ places, parts }) => {
    const optionId = work.id('pl', places);
    const shipments = parts.map((load, place) => shipmentOf(work, plan, optionId, warehouses[place] ?? '', load));
    return {
      optionId,
      accepted: false,
      expiresAt: now + hours * HOUR_MS,
      ...incentivesOf(market, pieces, places, most),
      shipments,
    };
  });
  return {
    change: {
      planId: plan.planId,
      plan: {
        placementOptions: options.map(({ shipments, ...option }) => ({
          ...option,
          shipmentIds: shipments.map(({ shipmentId }) => shipmentId),
        })),
        transportationOptions: [],
      },
      shipments: options.flatMap(({ shipments }) => shipments),
    },
  };
};

function shipmentOf(
  work: Work,
  plan: Plan,
  optionId: string,
  warehouse: string,
  { items, boxes }: Load,
): Partial<Shipment> & { shipmentId: string } {
  return {
    shipmentId: work.id('sh', optionId, warehouse),
    placementOptionId: optionId,
    name: `${plan.name}-${warehouse}`,
    warehouse,
    sourceAddress: plan.sourceAddress,
    items: summed(items),
    boxes,
    phases: [{ status: 'UNCONFIRMED', at: work.now }],
  };
}

/** From here on warehouses and shipments are fixed, and the shipments have the numbers that stand on labels. */
export const judgePlacementChoice: PlanJudge = (work, plan) => {
  const { asked, now, world } = work;
  if (plan.placementOptions.some((one) => one.accepted))
    return refused(work, 'a placement option is already confirmed');
  const chosen = plan.placementOptions.find(({ optionId }) => optionId === asked.optionId);
  if (!chosen || chosen.expiresAt <= now) return refused(work, 'the requested placement option is expired');
  const placementOptions = plan.placementOptions.map((one) => (one === chosen ? { ...one, accepted: true } : one));
  const shipments = plan.shipments
    .filter(({ shipmentId }) => chosen.shipmentIds.includes(shipmentId))
    .map(({ shipmentId, phases }) => ({
      shipmentId,
      confirmationId: labelNumber(world.seed, shipmentId),
      phases: [...phases, { status: 'WORKING', at: now }],
    }));
  return { change: { planId: plan.planId, plan: { placementOptions }, shipments } };
};

const PLAN = '/inbound/fba/2024-03-20/inboundPlans/:inboundPlanId';
const SELDOM = { rate: 2, burst: 2 };

/** Placement options. */
export const placementOperations: Operation[] = [
  {
    name: 'generatePlacementOptions',
    method: 'POST',
    path: `${PLAN}/placementOptions`,
    plan: SELDOM,
    handle(call) {
      const plan = planOf(call);
      const input = read(placementBody, call.body);
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId, input });
    },
  },
  {
    name: 'listPlacementOptions',
    method: 'GET',
    path: `${PLAN}/placementOptions`,
    plan: { rate: 2, burst: 6 },
    handle(call) {
      const options = planOf(call).placementOptions;
      const chosen = options.filter((one) => one.accepted);
      const shown = chosen.length > 0 ? chosen : options;
      return pageOf(call, 'placementOptions', shown, 20, (one) => placementShape(one, call.now));
    },
  },
  {
    name: 'confirmPlacementOption',
    method: 'POST',
    path: `${PLAN}/placementOptions/:placementOptionId/confirmation`,
    plan: SELDOM,
    handle(call) {
      const plan = planOf(call);
      const optionId = call.params.placementOptionId ?? '';
      if (!plan.placementOptions.some((one) => one.optionId === optionId)) {
        throw badRequest('The requested placementOptionId does not exist for the given inbound plan.');
      }
      checkAlive(plan, call.operation);
      return accepted(call, { planId: plan.planId, optionId });
    },
  },
];
