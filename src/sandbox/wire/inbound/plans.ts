/** Making, naming, listing and cancelling inbound plans. */
import type { SimMarketplace } from '../../business/types.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { integer, listOf } from '../query.ts';
import { badRequest, type ItemInput, planBody, planNameBody, read, several } from './bodies.ts';
import {
  accepted,
  changed,
  checkAlive,
  confirmedShipments,
  newId,
  offersHere,
  offersOf,
  type PlanJudge,
  pageOf,
  planOf,
  refused,
  takeIn,
} from './desk.ts';
import { ownerComplaints, prepOf } from './prep-rules.ts';
import { boxShape, itemShape, palletShape, planShape, planStatus, planSummary } from './shapes.ts';
import { isBeforeDispatch, lastMoveOf, voidableUntil } from './status.ts';
import type { Box, Plan, Problem, Shipment } from './types.ts';

/** Pieces of a whole plan: refused since June 2026, as is reported; the reference names a limit per item only. */
const MOST_PIECES = 10_000;
/** Complaints of one operation are told up to here, as is reported; who mends them meets the next ones. */
const MOST_PROBLEMS = 50;
/** Shelf life that goods need on arrival. */
const SHELF_LIFE_MS = 105 * 86_400_000;

const resource = (msku: string): string => `There's an input error with the resource '${msku}'.`;

function createInboundPlan(call: Call): Answer {
  const body = read(planBody, call.body);
  const [marketplaceId = ''] = body.destinationMarketplaces;
  if (!call.account.marketplaceIds.includes(marketplaceId))
    throw badRequest('Invalid destinationMarketplace provided.');
  const { market, offers } = offersHere(call, marketplaceId);
  const mskus = body.items.map(({ msku }) => msku);
  const twice = mskus.find((msku, index) => mskus.indexOf(msku) !== index);
  if (twice !== undefined) throw badRequest(`ERROR: Duplicate MSKU ${twice} in the items of the inbound plan.`);
  const known = body.items.filter(({ msku }) => offers.has(msku));
  const complaints = known.flatMap((item) => ownerComplaints(call.world, call.account, market, item));
  if (complaints.length > 0) throw several(complaints);
  const planId = newId(call.world, 'wf', call.account.sellingPartnerId, call.account.region, call.world.inbound.next());
  const name = body.name ?? defaultName(call.now);
  const { items, sourceAddress } = body;
  const plan = { marketplaceId, name, items, sourceAddress, createdAt: call.now };
  const operationId = takeIn(call, { planId, input: body, change: { planId, plan } });
  return { status: 202, body: { inboundPlanId: planId, operationId } };
}

/** "FBA (03/20/2024, 12:01 PM)". */
function defaultName(at: number): string {
  const format = { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `FBA (${new Date(at).toLocaleString('en-US', format)})`;
}

function shelfProblem({ msku, expiration }: ItemInput, now: number): Problem | undefined {
  if (expiration === undefined || Date.parse(expiration) >= now + SHELF_LIFE_MS) return undefined;
  return {
    code: 'FBA_INB_0181',
    message: 'ERROR: The expiration date is too close: products need a remaining shelf life of more than 105 days.',
    details: resource(msku),
    severity: 'ERROR',
  };
}

/** What is wrong with the items of a new plan. Codes as the published list of reasons and reports of callers name them. */
export const judgeCreation: PlanJudge = ({ world, account, now }, plan) => {
  const offers = offersOf(world, account, plan.marketplaceId, now);
  const market = world.marketplace(plan.marketplaceId);
  const problems = plan.items.flatMap((item): Problem[] => {
    const { msku } = item;
    const about = { details: resource(msku), severity: 'ERROR' as const };
    if (!offers.has(msku)) {
      return [
        { code: 'FBA_INB_0006', message: 'ERROR: The SKU for this product is unknown or cannot be found.', ...about },
      ];
    }
    const shelf = shelfProblem(item, now);
    if (prepOf(world, account, plan.marketplaceId, msku).category !== 'UNKNOWN') return shelf ? [shelf] : [];
    const message =
      'ERROR: Prep classification for this SKU was missing. Choose the prep category that applies to this SKU and apply any required prep and labeling to each sellable unit.';
    return [{ code: 'FBA_INB_0182', message, ...about }, ...(shelf ? [shelf] : [])];
  });
  const pieces = plan.items.reduce((sum, { quantity }) => sum + quantity, 0);
  if (pieces > MOST_PIECES) {
    problems.push({
      code: 'BadRequest',
      message: `ERROR: Total item quantity (${pieces}) exceeds the maximum allowed (${MOST_PIECES}). Please reduce the quantity and retry.`,
      severity: 'ERROR',
    });
  }
  if (problems.length > 0) return { problems: problems.slice(0, MOST_PROBLEMS) };
  return { problems: addressWarnings(plan, market), change: { planId: plan.planId } };
};

/** Amazon cannot look up addresses outside the country that goods are sent to; it warns and goes on. */
function addressWarnings(plan: Plan, market: SimMarketplace): Problem[] {
  if (plan.sourceAddress.countryCode === market.countryCode) return [];
  const message =
    'WARNING: Address was unable to be verified. Please ensure that this is the address you wish to use before proceeding.';
  return [{ code: 'BadRequest', message, severity: 'WARNING' }];
}

/** The shipments of a plan as they are after it was cancelled at `at`. */
export function cancelled(plan: Plan, at: number): (Partial<Shipment> & { shipmentId: string })[] {
  return plan.shipments.map(({ shipmentId, phases }) => ({
    shipmentId,
    phases: [...phases.filter((phase) => phase.at <= at), { status: 'CANCELLED', at }],
    receipts: [],
  }));
}

/** Calls a plan off, unless something of it has left or a paid transport can no longer be given back. */
export const judgeCancellation: PlanJudge = (work, plan) => {
  const { now } = work;
  if (plan.status === 'VOIDED') return refused(work, 'the inbound plan is already cancelled');
  const gone = plan.shipments.find((shipment) => !isBeforeDispatch(shipment, now));
  if (gone) return refused(work, `shipment ${gone.shipmentId} has already been shipped`);
  const late = plan.shipments.find((shipment) => (voidableUntil(shipment) ?? now) < now);
  if (late) return refused(work, `the transportation of shipment ${late.shipmentId} can no longer be voided`);
  return { change: { planId: plan.planId, plan: { status: 'VOIDED' }, shipments: cancelled(plan, now) } };
};

function listInboundPlans(call: Call): Answer {
  const [status] = listOf(call.query, 'status', ['ACTIVE', 'VOIDED', 'SHIPPED']);
  const [sortBy] = listOf(call.query, 'sortBy', ['LAST_UPDATED_TIME', 'CREATION_TIME']);
  const [order] = listOf(call.query, 'sortOrder', ['ASC', 'DESC']);
  // A size that is not allowed is refused before anything is looked for.
  integer(call.query, 'pageSize', { min: 1, max: 30, fallback: 10 });
  const at = (plan: Plan): number => (sortBy === 'CREATION_TIME' ? plan.createdAt : lastMoveOf(plan, call.now));
  const plans = call.world.inbound
    .plansOf(call.account)
    .filter((plan) => status === undefined || planStatus(plan, call.now) === status)
    .map((plan, index) => ({ plan, at: at(plan), index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ plan }) => plan);
  if (order !== 'ASC') plans.reverse();
  return pageOf(call, 'inboundPlans', plans, 30, (plan) => planSummary(plan, call.now));
}

const BASE = '/inbound/fba/2024-03-20/inboundPlans';
const PLAN = `${BASE}/:inboundPlanId`;
const OFTEN = { rate: 2, burst: 6 };
const SELDOM = { rate: 2, burst: 2 };

/** Inbound plans. */
export const planOperations: Operation[] = [
  { name: 'listInboundPlans', method: 'GET', path: BASE, plan: OFTEN, handle: listInboundPlans },
  { name: 'createInboundPlan', method: 'POST', path: BASE, plan: SELDOM, handle: createInboundPlan },
  {
    name: 'getInboundPlan',
    method: 'GET',
    path: PLAN,
    plan: OFTEN,
    handle: (call) => ({ body: planShape(planOf(call), call.now) }),
  },
  {
    name: 'cancelInboundPlan',
    method: 'PUT',
    path: `${PLAN}/cancellation`,
    plan: SELDOM,
    handle(call) {
      const plan = planOf(call);
      if (plan.status === 'VOIDED') throw badRequest('The inbound plan is already cancelled.');
      return accepted(call, { planId: plan.planId });
    },
  },
  {
    name: 'updateInboundPlanName',
    method: 'PUT',
    path: `${PLAN}/name`,
    plan: { rate: 2, burst: 30 },
    handle(call) {
      const plan = planOf(call);
      const { name } = read(planNameBody, call.body);
      checkAlive(plan, call.operation);
      return changed(call, { planId: plan.planId, plan: { name } });
    },
  },
  {
    name: 'listInboundPlanItems',
    method: 'GET',
    path: `${PLAN}/items`,
    plan: OFTEN,
    handle(call) {
      const plan = planOf(call);
      return pageOf(call, 'items', plan.items, 1000, itemShape(call, plan.marketplaceId));
    },
  },
  {
    name: 'listInboundPlanBoxes',
    method: 'GET',
    path: `${PLAN}/boxes`,
    plan: OFTEN,
    handle(call) {
      const plan = planOf(call);
      return pageOf(call, 'boxes', boxesOf(plan), 1000, boxShape(call, plan));
    },
  },
  {
    name: 'listInboundPlanPallets',
    method: 'GET',
    path: `${PLAN}/pallets`,
    plan: OFTEN,
    handle(call) {
      const pallets = confirmedShipments(planOf(call)).flatMap((shipment) => shipment.pallets);
      return pageOf(call, 'pallets', pallets, 1000, palletShape);
    },
  },
];

/** Boxes of the shipments once they are confirmed, before that those of the packing groups. */
function boxesOf(plan: Plan): Box[] {
  const shipments = confirmedShipments(plan);
  if (shipments.length > 0) return shipments.flatMap(({ boxes }) => boxes);
  return plan.packingOptions
    .filter((option) => option.accepted)
    .flatMap(({ groups }) => groups.flatMap(({ boxes }) => boxes));
}
