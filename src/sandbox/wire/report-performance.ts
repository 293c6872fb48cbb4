import type { SimAccount, SimOrder } from '../business/types.ts';
import { iso } from './clock.ts';
import { unitDraw } from './random.ts';
import { accountKey, type World } from './world.ts';

const DAY_MS = 86_400_000;

/** How the marketplace stands to an account in one marketplace. */
export type AccountStanding = 'NORMAL' | 'AT_RISK' | 'DEACTIVATED';

interface Span {
  from: number;
  to: number;
}

const spanOf = (asOf: number, days: number): Span => ({ from: asOf - days * DAY_MS, to: asOf });
const rangeOf = ({ from, to }: Span) => ({ reportingDateFrom: iso(from), reportingDateTo: iso(to) });
const rateOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;

function inSpan(orders: readonly SimOrder[], { from, to }: Span): SimOrder[] {
  return orders.filter((order) => order.purchasedAt >= from && order.purchasedAt < to);
}

interface Target {
  targetValue: number;
  targetCondition: 'LESS_THAN' | 'GREATER_THAN';
}

const below = (targetValue: number): Target => ({ targetValue, targetCondition: 'LESS_THAN' });
const above = (targetValue: number): Target => ({ targetValue, targetCondition: 'GREATER_THAN' });

/** GOOD or BAD by the target; nothing to judge where there was no order. */
function verdict(rate: number, count: number, { targetValue, targetCondition }: Target): string {
  if (count === 0) return 'NONE';
  return (targetCondition === 'LESS_THAN' ? rate < targetValue : rate > targetValue) ? 'GOOD' : 'BAD';
}

function judged(span: Span, part: number, count: number, target: Target) {
  const rate = rateOf(part, count);
  return { reportingDateRange: rangeOf(span), status: verdict(rate, count, target), ...target, rate };
}

/** Whether a buyer complained about an order; drawn per order, so that a later report says the same of it. */
function complaints(world: World, orders: readonly SimOrder[], kind: string, share: number): number {
  return orders.filter((order) => unitDraw('complaint', kind, world.seed, order.orderId) < share).length;
}

function defects(world: World, orders: readonly SimOrder[], fulfillmentType: 'AFN' | 'MFN', span: Span) {
  const own = orders.filter((order) => order.fulfilment === fulfillmentType && order.status !== 'CANCELLED');
  const claims = complaints(world, own, 'claim', 0.003);
  const feedback = complaints(world, own, 'feedback', 0.002);
  const chargebacks = complaints(world, own, 'chargeback', 0.0008);
  const bad = Math.min(own.length, claims + feedback + chargebacks);
  const target = below(0.01);
  const { status, ...rest } = judged(span, bad, own.length, target);
  const counted = (count: number) => ({ status, count });
  return {
    ...rest,
    status,
    fulfillmentType,
    orderCount: own.length,
    orderWithDefects: counted(bad),
    claims: counted(claims),
    chargebacks: counted(chargebacks),
    negativeFeedback: counted(feedback),
  };
}

function shipping(orders: readonly SimOrder[], asOf: number) {
  const month = spanOf(asOf, 30);
  const shipped = inSpan(orders, month).filter((order) => order.fulfilment === 'MFN' && order.shippedAt !== undefined);
  const late = shipped.filter((order) => (order.shippedAt ?? 0) > order.latestShipAt).length;
  const tracked = shipped.filter((order) => order.trackingNumber !== undefined);
  const due = tracked.filter((order) => order.latestDeliverAt < asOf);
  const inTime = due.filter((order) => (order.deliveredAt ?? Number.POSITIVE_INFINITY) <= order.latestDeliverAt).length;
  const week = spanOf(asOf, 7);
  const recent = inSpan(orders, week).filter((order) => order.fulfilment === 'MFN');
  const cancelled = recent.filter((order) => order.status === 'CANCELLED').length;
  return {
    lateShipmentRate: {
      ...judged(month, late, shipped.length, below(0.04)),
      orderCount: shipped.length,
      lateShipmentCount: late,
    },
    preFulfillmentCancellationRate: {
      ...judged(week, cancelled, recent.length, below(0.025)),
      orderCount: recent.length,
      cancellationCount: cancelled,
    },
    validTrackingRate: {
      ...judged(month, tracked.length, shipped.length, above(0.95)),
      shipmentCount: shipped.length,
      validTrackingCount: tracked.length,
    },
    onTimeDeliveryRate: {
      ...judged(spanOf(asOf, 14), inTime, due.length, above(0.9)),
      shipmentCountWithValidTracking: due.length,
      onTimeDeliveryCount: inTime,
    },
    unitOnTimeDeliveryRate: {
      ...judged(spanOf(asOf, 14), inTime, due.length, above(0.9)),
      totalUnitCount: due.length,
      unitOnTimeDeliveryCount: inTime,
    },
  };
}

const POLICIES = [
  'listingPolicyViolations',
  'productAuthenticityCustomerComplaints',
  'productConditionCustomerComplaints',
  'productSafetyCustomerComplaints',
  'receivedIntellectualPropertyComplaints',
  'restrictedProductPolicyViolations',
  'suspectedIntellectualPropertyViolations',
  'foodAndProductSafetyIssues',
  'customerProductReviewsPolicyViolations',
  'otherPolicyViolations',
  'documentRequests',
] as const;

function policies(world: World, account: SimAccount, marketplaceId: string, asOf: number) {
  const range = rangeOf(spanOf(asOf, 180));
  const month = Math.floor(asOf / (30 * DAY_MS));
  return Object.fromEntries(
    POLICIES.map((policy) => {
      const draw = unitDraw('policy', world.seed, account.sellingPartnerId, marketplaceId, policy, month);
      const defectsCount = draw < 0.06 ? 1 : 0;
      const status = defectsCount > 0 ? 'BAD' : 'GOOD';
      return [policy, { reportingDateRange: range, status, ...below(1), defectsCount }];
    }),
  );
}

const RATING: Record<AccountStanding, [string, number]> = {
  NORMAL: ['GREAT', 1000],
  AT_RISK: ['AT_RISK', 180],
  DEACTIVATED: ['CRITICAL', 60],
};

function metricsOf(world: World, account: SimAccount, marketplaceId: string, asOf: number, standing: AccountStanding) {
  const from = asOf - 60 * DAY_MS;
  const orders = world.business.orders(
    account,
    { marketplaceIds: [marketplaceId], by: 'created', from, to: asOf },
    asOf,
  );
  const span = spanOf(asOf, 60);
  const business = inSpan(orders, spanOf(asOf, 7)).filter((order) => order.isBusiness);
  const missing = complaints(world, business, 'invoice', 0.02);
  const [ahrStatus, accountHealthRating] = RATING[standing];
  const count = (n: number) => ({ status: n > 0 ? 'BAD' : 'GOOD', count: n });
  return {
    marketplaceId,
    ...shipping(orders, asOf),
    orderDefectRate: { afn: defects(world, orders, 'AFN', span), mfn: defects(world, orders, 'MFN', span) },
    invoiceDefectRate: {
      ...judged(spanOf(asOf, 7), missing, business.length, below(0.05)),
      invoiceDefect: count(missing),
      missingInvoice: count(missing),
      lateInvoice: count(0),
      orderCount: business.length,
    },
    ...policies(world, account, marketplaceId, asOf),
    accountHealthRating: { reportingDateRange: rangeOf(spanOf(asOf, 180)), ahrStatus, ahrScore: accountHealthRating },
    policyViolationWarnings: { warningsCount: 0, reportingDateRange: rangeOf(spanOf(asOf, 180)) },
    warningStates: [],
  };
}

/**
 * GET_V2_SELLER_PERFORMANCE_REPORT: how the account stands in each marketplace, worked out from the simulated orders;
 * rates are shares (0.01 is 1 %), rounded to four places.
 */
export function performanceReport(
  world: World,
  account: SimAccount,
  scope: { marketplaceIds: readonly string[]; asOf: number },
): object {
  const standing = world.standing(accountKey(account), scope.asOf);
  return {
    accountStatuses: scope.marketplaceIds.map((marketplaceId) => ({ marketplaceId, status: standing })),
    performanceMetrics: scope.marketplaceIds.map((id) => metricsOf(world, account, id, scope.asOf, standing)),
  };
}
