import type { SimOrder } from '../business/types.ts';
import { iso } from './clock.ts';
import { invalidInput, notFound, unauthorized } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { type OrderDataSet, orderDataSets, orderShape } from './order-shape.ts';
import { cutPage, openPage } from './paging.ts';
import { instant, integer, list, listOf, text } from './query.ts';

const SAFETY_MS = 2 * 60_000;
const TOKEN_LIFE_MS = 24 * 3_600_000;
const STATUSES = [
  'PENDING_AVAILABILITY',
  'PENDING',
  'UNSHIPPED',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'CANCELLED',
  'UNFULFILLABLE',
] as const;

interface Search {
  by: 'created' | 'updated';
  from: number;
  /** Inclusive, as the API words it ("at or before"). */
  until: number;
}

/**
 * The time window of a search. Exactly one of createdAfter and lastUpdatedAfter; an end must belong to the same kind,
 * lie at or after the start and at least two minutes before `asOf` (data clock); without one, it is that limit.
 */
function windowOf(call: Call, asOf: number): Search {
  const createdAfter = instant(call.query, 'createdAfter');
  const updatedAfter = instant(call.query, 'lastUpdatedAfter');
  if ((createdAfter === undefined) === (updatedAfter === undefined)) {
    throw invalidInput('Exactly one of createdAfter and lastUpdatedAfter must be provided');
  }
  const by = createdAfter === undefined ? 'updated' : 'created';
  const [own, foreign] =
    by === 'created' ? ['createdBefore', 'lastUpdatedBefore'] : ['lastUpdatedBefore', 'createdBefore'];
  if (text(call.query, foreign) !== undefined) {
    throw invalidInput(`${foreign} may not be combined with ${by === 'created' ? 'createdAfter' : 'lastUpdatedAfter'}`);
  }
  const from = createdAfter ?? updatedAfter ?? 0;
  const latest = asOf - SAFETY_MS;
  const until = instant(call.query, own) ?? latest;
  if (until > latest) throw invalidInput(`${own} must be at least two minutes before the time of the request`);
  // A start inside the last two minutes without an end is an empty window, not a mistake of the caller.
  if (until < from && text(call.query, own) !== undefined) throw invalidInput(`${own} must not be before the start`);
  return { by, from, until };
}

function marketplacesOf(call: Call): string[] {
  const asked = list(call.query, 'marketplaceIds', 50);
  const foreign = asked.find((id) => !call.account.marketplaceIds.includes(id));
  if (foreign !== undefined) throw unauthorized(`The seller does not sell in marketplace ${foreign}`);
  return asked.length > 0 ? asked : call.account.marketplaceIds;
}

function found(call: Call, search: Search, asOf: number): readonly SimOrder[] {
  const marketplaceIds = marketplacesOf(call);
  const statuses = new Set<string>(listOf(call.query, 'fulfillmentStatuses', STATUSES));
  const fulfilledBy = listOf(call.query, 'fulfilledBy', ['AMAZON', 'MERCHANT']);
  const { by, from, until } = search;
  const { sellingPartnerId, region } = call.account;
  const key = ['orders', sellingPartnerId, region, ...marketplaceIds, by, from, until, ...statuses, fulfilledBy, asOf];
  return call.world.cachedList(key.join('|'), () => {
    const orders = call.world.business.orders(call.account, { marketplaceIds, by, from, to: until + 1 }, asOf);
    return orders.filter(
      (order) =>
        (statuses.size === 0 || statuses.has(order.status)) &&
        (fulfilledBy.length === 0 || fulfilledBy.includes(order.fulfilment === 'AFN' ? 'AMAZON' : 'MERCHANT')),
    );
  });
}

function searchOrders(call: Call): Answer {
  const size = integer(call.query, 'maxResultsPerPage', { min: 1, max: 100, fallback: 100 });
  const wanted = new Set<OrderDataSet>(listOf(call.query, 'includedData', orderDataSets));
  const open = openPage(call, 'paginationToken', text(call.query, 'paginationToken'), TOKEN_LIFE_MS);
  const search = windowOf(call, open.asOf);
  const { page, nextToken } = cutPage(call, open, found(call, search, open.asOf), size);
  return {
    body: {
      orders: page.map((order) => orderShape(order, call.world.marketplace(order.marketplaceId), wanted)),
      ...(nextToken === undefined ? {} : { pagination: { nextToken } }),
      [search.by === 'created' ? 'createdBefore' : 'lastUpdatedBefore']: iso(search.until),
    },
  };
}

function getOrder(call: Call): Answer {
  const orderId = call.params.orderId ?? '';
  if (!/^\d{3}-\d{7}-\d{7}$/.test(orderId)) throw invalidInput(`orderId: '${orderId}' is not an order number`);
  const wanted = new Set<OrderDataSet>(listOf(call.query, 'includedData', orderDataSets));
  const order = call.world.business.order(call.account, orderId, call.now);
  if (!order) throw notFound(`order ${orderId}`);
  return { body: { order: orderShape(order, call.world.marketplace(order.marketplaceId), wanted) } };
}

/** Orders API 2026-01-01. */
export const orderOperations: Operation[] = [
  {
    name: 'searchOrders',
    method: 'GET',
    path: '/orders/2026-01-01/orders',
    plan: { rate: 0.0056, burst: 20 },
    handle: searchOrders,
  },
  {
    name: 'getOrder',
    method: 'GET',
    path: '/orders/2026-01-01/orders/:orderId',
    plan: { rate: 0.5, burst: 30 },
    handle: getOrder,
  },
];
