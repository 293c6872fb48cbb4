/** What every operation about inbound plans does alike: finding what a path names, taking work in, cutting pages. */
import type { SimAccount, SimListing, SimMarketplace } from '../../business/types.ts';
import type { Answer, Call } from '../operation.ts';
import { cutPage, openPage } from '../paging.ts';
import { integer, text } from '../query.ts';
import type { World } from '../world.ts';
import { badRequest } from './bodies.ts';
import { uuid } from './ids.ts';
import type { InboundAsked, InboundChange, KnownOperation, Outcome, Owned, Plan, Problem, Shipment } from './types.ts';

const TOKEN_LIFE_MS = 24 * 3_600_000;
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

const ownerOf = ({ sellingPartnerId, region }: SimAccount): Owned => ({ sellingPartnerId, region });

/** The plan that the path names. Throws 400, as the model's examples do for ids that nobody has. */
export function planOf(call: Call): Plan {
  const plan = call.world.inbound.plan(call.account, call.params.inboundPlanId ?? '');
  if (!plan) throw badRequest('The requested inbound plan does not exist.');
  return plan;
}

/** The shipment that the path names, of the plan that it names. Throws 400. */
export function shipmentOf(call: Call): { plan: Plan; shipment: Shipment } {
  const plan = planOf(call);
  const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === call.params.shipmentId);
  if (!shipment) throw badRequest('The requested shipmentId does not exist for the specified inbound plan.');
  return { plan, shipment };
}

/** Refuses work on a plan that was cancelled: at once, as is reported of the real service. Throws 400. */
export function checkAlive(plan: Plan, operation: string): void {
  if (plan.status !== 'VOIDED') return;
  const name = operation[0]?.toUpperCase() + operation.slice(1);
  throw badRequest(`ERROR: Operation ${name} can not be processed on a cancelled inbound plan.`);
}

/** What faults make of an operation, decided when it is asked for. */
function fateOf(call: Call): InboundAsked['fate'] {
  const stuck = call.strike('inboundStuck');
  const failed = call.strike('inboundFailed');
  const problem: Problem | undefined = failed && {
    code: failed.code ?? 'InternalServerError',
    message: failed.message ?? 'ERROR: Something went wrong. Please try again later.',
    severity: 'ERROR',
  };
  const fate = {
    ...(stuck ? { stuckMs: stuck.ms ?? FOREVER_MS } : {}),
    ...(problem ? { problem } : {}),
    ...(call.operation.startsWith('generate') && call.strike('inboundExpired') ? { expired: true as const } : {}),
    ...(call.operation === 'generateTransportationOptions' && call.strike('transportationEmpty')
      ? { empty: true as const }
      : {}),
  };
  return Object.keys(fate).length > 0 ? fate : undefined;
}

/** An id of its kind, "wf…", "pl…": 38 characters. */
export function newId(world: World, prefix: string, ...parts: (string | number)[]): string {
  return `${prefix}${uuid(world.seed, prefix, ...parts)}`;
}

type Asking = Pick<InboundAsked, 'planId' | 'shipmentId' | 'optionId'> & {
  input?: unknown;
  change?: Omit<InboundChange, keyof Owned>;
};

/** Takes an operation in; returns its number, and begins a plan where the asking does so at once. */
export function takeIn(call: Call, { input = {}, change, ...about }: Asking): string {
  const { world, account } = call;
  const owner = ownerOf(account);
  const operationId = uuid(world.seed, 'operation', account.sellingPartnerId, account.region, world.inbound.next());
  const fate = fateOf(call);
  world.command({
    type: 'inboundAsked',
    asked: {
      ...owner,
      ...about,
      operationId,
      operation: call.operation,
      input,
      at: call.now,
      askedAt: world.throttleClock.now(),
      ...(fate ? { fate } : {}),
    },
    ...(change ? { change: { ...owner, ...change } } : {}),
  });
  return operationId;
}

/** 202 with the number of the operation that was taken in. */
export function accepted(call: Call, asking: Asking): Answer {
  return { status: 202, body: { operationId: takeIn(call, asking) } };
}

/** Changes what needs no working on: 204. */
export function changed(call: Call, change: Omit<InboundChange, keyof Owned>): Answer {
  call.world.command({ type: 'inboundChanged', at: call.now, change: { ...ownerOf(call.account), ...change } });
  return { status: 204, body: undefined };
}

/** One page of a list as this API pages: pageSize (10 unless told otherwise) and paginationToken. */
export function pageOf<T>(call: Call, key: string, all: readonly T[], max: number, shape: (one: T) => object): Answer {
  const size = integer(call.query, 'pageSize', { min: 1, max, fallback: Math.min(10, max) });
  const open = openPage(call, 'paginationToken', text(call.query, 'paginationToken'), TOKEN_LIFE_MS);
  const { page, nextToken } = cutPage(call, open, all, size);
  return { body: { [key]: page.map(shape), pagination: nextToken === undefined ? {} : { nextToken } } };
}

/** An operation that is being worked on, and what that needs. */
export interface Work {
  world: World;
  asked: KnownOperation;
  account: SimAccount;
  /** Data time at which it ends. */
  now: number;
  /** An id that only this operation gives. */
  id(prefix: string, ...parts: (string | number)[]): string;
}

/** Works on an operation about a plan. */
export type PlanJudge = (work: Work, plan: Plan) => Outcome;

/** An outcome that is a failure. */
export function failed(
  message: string,
  { code = 'BadRequest', details }: { code?: string; details?: string } = {},
): Outcome {
  const problem: Problem = { code, message: `ERROR: ${message}`, severity: 'ERROR' };
  return { problems: [details === undefined ? problem : { ...problem, details }] };
}

/** As the service words what a plan's state does not allow. */
export function refused(work: Work, because: string): Outcome {
  const name = `${work.asked.operation[0]?.toUpperCase()}${work.asked.operation.slice(1)}`;
  return failed(`Operation ${name} cannot be processed because ${because}.`);
}

/** Products that Amazon keeps for this seller in a marketplace, by merchant SKU. */
export function offersOf(
  world: World,
  account: SimAccount,
  marketplaceId: string,
  now: number,
): Map<string, SimListing> {
  const key = ['inbound offers', account.sellingPartnerId, account.region, marketplaceId, now].join('|');
  const listings = world.cachedList(key, () => world.business.listings(account, marketplaceId, now));
  return new Map(listings.filter(({ product }) => product.fulfilment === 'AFN').map((one) => [one.product.sku, one]));
}

/** Offers of a marketplace of the caller. Throws 400. */
export function offersHere(
  call: Call,
  marketplaceId: string,
): { market: SimMarketplace; offers: Map<string, SimListing> } {
  if (!call.account.marketplaceIds.includes(marketplaceId)) throw badRequest('Invalid marketplaceId provided.');
  return {
    market: call.world.marketplace(marketplaceId),
    offers: offersOf(call.world, call.account, marketplaceId, call.now),
  };
}

/** The shipments of the placement that was confirmed; empty before. */
export function confirmedShipments(plan: Plan): Shipment[] {
  const placement = plan.placementOptions.find(({ accepted: isAccepted }) => isAccepted);
  return plan.shipments.filter(({ placementOptionId }) => placementOptionId === placement?.optionId);
}
