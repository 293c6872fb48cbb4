import type { SimOrder } from '../business/types.ts';
import { invalidInput, notFound, SpApiError } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { list } from './query.ts';

const DAY_MS = 86_400_000;
const ACTION = 'productReviewAndSellerFeedback';
const OPENS_AFTER_DAYS = 5;
const CLOSES_AFTER_DAYS = 30;

function orderOf(call: Call): SimOrder {
  const orderId = call.params.amazonOrderId ?? '';
  const marketplaceIds = list(call.query, 'marketplaceIds', 50);
  if (marketplaceIds.length !== 1) throw invalidInput('marketplaceIds: exactly one marketplace is required');
  const order = call.world.business.order(call.account, orderId, call.now);
  if (!order || order.marketplaceId !== marketplaceIds[0]) throw notFound(`order ${orderId}`);
  return order;
}

/** Five days after the earliest delivery promised to thirty days after the latest one, of an order that is shipped. */
function isInTime(order: SimOrder, now: number): boolean {
  const from = order.earliestDeliverAt + OPENS_AFTER_DAYS * DAY_MS;
  const to = order.latestDeliverAt + CLOSES_AFTER_DAYS * DAY_MS;
  return order.status === 'SHIPPED' && now >= from && now <= to;
}

const wasAsked = ({ world, account }: Call, { orderId }: SimOrder): boolean =>
  world.acts.wasAsked({ sellingPartnerId: account.sellingPartnerId, region: account.region, orderId });

function actions(call: Call): Answer {
  const order = orderOf(call);
  const self = `/solicitations/v1/orders/${order.orderId}`;
  const query = `?marketplaceIds=${order.marketplaceId}`;
  const mayAsk = isInTime(order, call.now) && !wasAsked(call, order);
  const link = { href: `${self}/solicitations/${ACTION}${query}`, name: ACTION };
  const schema = { href: `${self}/solicitations/${ACTION}/schema`, name: ACTION };
  return {
    body: {
      _links: { actions: mayAsk ? [link] : [], self: { href: `${self}${query}` } },
      _embedded: { actions: mayAsk ? [{ _links: { schema, self: link }, payload: { name: ACTION } }] : [] },
    },
  };
}

function ask(call: Call): Answer {
  const order = orderOf(call);
  if (!isInTime(order, call.now)) {
    throw new SpApiError(403, 'Unauthorized', 'A review can only be requested 5 to 30 days after the delivery date.');
  }
  if (wasAsked(call, order)) {
    throw new SpApiError(403, 'Unauthorized', 'The solicitation is not available for this amazonOrderId.');
  }
  const { sellingPartnerId, region } = call.account;
  const { orderId } = order;
  call.world.command({ type: 'reviewRequested', sellingPartnerId, region, orderId, at: call.now });
  return { status: 201, body: {} };
}

/** Solicitations API v1: a buyer may be asked once for a review of the product and feedback for the seller. */
export const solicitationOperations: Operation[] = [
  {
    name: 'getSolicitationActionsForOrder',
    method: 'GET',
    path: '/solicitations/v1/orders/:amazonOrderId',
    plan: { rate: 1, burst: 5 },
    handle: actions,
  },
  {
    name: 'createProductReviewAndSellerFeedbackSolicitation',
    method: 'POST',
    path: `/solicitations/v1/orders/:amazonOrderId/solicitations/${ACTION}`,
    plan: { rate: 1, burst: 5 },
    handle: ask,
  },
];
