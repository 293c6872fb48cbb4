/** Ending operations whose time has come. */
import { unitDraw } from '../random.ts';
import type { World } from '../world.ts';
import { judgePreview, judgePreviewChoice } from './content-updates.ts';
import { failed, newId, type PlanJudge, refused, type Work } from './desk.ts';
import { judgePacking, judgePackingChoice, judgePackingOptions } from './packing.ts';
import { judgePlacementChoice, judgePlacementOptions } from './placement.ts';
import { judgeCancellation, judgeCreation } from './plans.ts';
import { judgeCompliance, judgePrep } from './prep.ts';
import { judgeSourceAddress, judgeTracking } from './shipments.ts';
import { judgeTransportationChoice } from './transport-choice.ts';
import { judgeTransportationOptions } from './transport-offers.ts';
import type { KnownOperation, Outcome } from './types.ts';
import { judgeWindowChoice, judgeWindows } from './windows.ts';

const OF_PLANS: Readonly<Record<string, PlanJudge>> = {
  createInboundPlan: judgeCreation,
  cancelInboundPlan: judgeCancellation,
  generatePackingOptions: judgePackingOptions,
  confirmPackingOption: judgePackingChoice,
  setPackingInformation: judgePacking,
  generatePlacementOptions: judgePlacementOptions,
  confirmPlacementOption: judgePlacementChoice,
  generateTransportationOptions: judgeTransportationOptions,
  confirmTransportationOptions: judgeTransportationChoice,
  generateDeliveryWindowOptions: judgeWindows,
  confirmDeliveryWindowOptions: judgeWindowChoice,
  updateShipmentTrackingDetails: judgeTracking,
  updateShipmentSourceAddress: judgeSourceAddress,
  generateShipmentContentUpdatePreviews: judgePreview,
  confirmShipmentContentUpdatePreview: judgePreviewChoice,
};
const OF_PRODUCTS: Readonly<Record<string, (work: Work) => Outcome>> = {
  setPrepDetails: judgePrep,
  updateItemComplianceDetails: judgeCompliance,
};

/** So long an operation takes, ms of the throttle clock. */
function delayOf(world: World, { operationId, fate }: KnownOperation): number {
  if (fate?.stuckMs !== undefined) return fate.stuckMs;
  const [low, high] = world.inbound.settings.operationMs ?? world.settings.reportDelayMs;
  return Math.round(low + (high - low) * unitDraw('inbound delay', world.seed, operationId));
}

/**
 * Ends every operation whose time has come, in the order in which they were asked for. What came of it is written down as
 * a command, so that a sandbox that starts again finds the same.
 */
export function settleInbound(world: World): void {
  for (const asked of world.inbound.open()) {
    if (world.throttleClock.now() - asked.askedAt >= delayOf(world, asked)) settle(world, asked);
  }
}

function settle(world: World, asked: KnownOperation): void {
  const { operationId, sellingPartnerId, region } = asked;
  const owner = { sellingPartnerId, region };
  const now = world.now();
  const { problems = [], change } = outcomeOf(world, asked, now);
  const isFailed = problems.some(({ severity }) => severity === 'ERROR');
  const effect = isFailed ? afterFailure(asked) : change;
  const done = { type: 'inboundDone' as const, operationId, ...owner, at: now, problems };
  world.command(effect ? { ...done, change: { ...owner, ...effect } } : done);
}

/** What fails changes nothing, but for a plan that could not be made: it is there, and good for nothing. */
function afterFailure({ operation, planId }: KnownOperation): Outcome['change'] {
  if (operation !== 'createInboundPlan' || planId === undefined) return undefined;
  return { planId, plan: { status: 'ERRORED' } };
}

function outcomeOf(world: World, asked: KnownOperation, now: number): Outcome {
  const account = world.account(asked.sellingPartnerId, asked.region);
  if (asked.fate?.problem) return { problems: [asked.fate.problem] };
  if (!account) return failed('Something went wrong. Please try again later.', { code: 'InternalServerError' });
  const id = (prefix: string, ...parts: (string | number)[]): string =>
    newId(world, prefix, asked.operationId, ...parts);
  const work: Work = { world, asked, account, now, id };
  const judge = OF_PLANS[asked.operation];
  if (!judge) return OF_PRODUCTS[asked.operation]?.(work) ?? {};
  const plan = world.inbound.plan(asked, asked.planId ?? '');
  if (!plan) return failed('The requested inbound plan does not exist.');
  if (asked.operation !== 'createInboundPlan' && isBeingMade(world, plan.planId)) {
    return refused(work, 'the inbound plan is not in a valid state');
  }
  // Cancelled while the operation was waiting.
  if (plan.status === 'VOIDED' && asked.operation !== 'cancelInboundPlan') {
    return failed(`Operation ${asked.operation} can not be processed on a cancelled inbound plan.`);
  }
  return judge(work, plan);
}

function isBeingMade(world: World, planId: string): boolean {
  return world.inbound.open().some((one) => one.operation === 'createInboundPlan' && one.planId === planId);
}
