import { notFound } from '../errors.ts';
import type { Answer, Call } from '../operation.ts';
import { instant, text } from '../query.ts';
import type { World } from '../world.ts';
import { orderBody, read, updateBody, wrong } from './bodies.ts';
import { checkAddress, filledLines, siteOf, verdictOf } from './judge.ts';
import { itemShapes, orderShape, shipmentShapes } from './shapes.ts';
import { HOLD_MS, isCancellable, statusAt, wayFrom } from './status.ts';
import type { OutboundOrder } from './types.ts';

const PAGE_SIZE = 30;
/** Without a date the list goes back so far. */
const RECENT_MS = 36 * 3_600_000;
const TOKEN_LIFE_MS = 24 * 3_600_000;

function put(world: World, order: OutboundOrder, at: number): void {
  world.command({ type: 'outbound', at, order });
}

/** The order that the path names. Throws 404. */
function orderOf(call: Call): OutboundOrder {
  const id = call.params.sellerFulfillmentOrderId ?? '';
  const order = call.world.outbound.order(call.account, id);
  if (!order) throw notFound(`fulfillment order ${id}`);
  return order;
}

/** createFulfillmentOrder: what cannot be right is refused, what cannot be sent is taken in and said to be so. */
export function createFulfillmentOrder(call: Call): Answer {
  const { world, account, now } = call;
  const said = read(orderBody, call.body);
  const id = said.sellerFulfillmentOrderId;
  if (said.shippingSpeedCategory === 'ScheduledDelivery') {
    throw wrong('shippingSpeedCategory', 'ScheduledDelivery is only available in Japan');
  }
  const site = siteOf(call, said.marketplaceId);
  checkAddress('destinationAddress', said.destinationAddress);
  if (world.outbound.order(account, id)) {
    throw wrong('sellerFulfillmentOrderId', `an order with the identifier ${id} already exists`);
  }
  const lines = filledLines(call, site, said.items);
  const { fulfillmentPolicy: policy, destinationAddress: destination } = said;
  const verdict = verdictOf(call, { site, to: destination, policy, items: lines });
  const order: OutboundOrder = {
    sellingPartnerId: account.sellingPartnerId,
    region: account.region,
    id,
    marketplaceId: site,
    displayableOrderId: said.displayableOrderId,
    displayableOrderDate: said.displayableOrderDate,
    displayableOrderComment: said.displayableOrderComment,
    speed: said.shippingSpeedCategory,
    policy,
    action: said.fulfillmentAction,
    destination,
    notificationEmails: said.notificationEmails,
    features: said.featureConstraints,
    items: verdict === 'GOOD' ? lines : lines.map((line) => ({ ...line, filled: 0 })),
    at: now,
    verdict,
  };
  const goes = verdict === 'GOOD' && order.action === 'Ship';
  put(world, goes ? { ...order, way: wayFrom(world, order, now) } : order, now);
  return { body: {} };
}

/** getFulfillmentOrder */
export function getFulfillmentOrder(call: Call): Answer {
  const order = orderOf(call);
  return {
    body: {
      payload: {
        fulfillmentOrder: orderShape(order, call.now),
        fulfillmentOrderItems: itemShapes(order, call.now),
        fulfillmentShipments: shipmentShapes(call.world, order, call.now),
        returnItems: [],
        returnAuthorizations: [],
      },
    },
  };
}

interface Place {
  offset: number;
  asOf: number;
  since: number;
  issuedAt: number;
}

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' && value !== null && 'offset' in value && 'asOf' in value && 'since' in value;

/** Where a page begins: a token is good by itself, whatever else is sent with it. Throws 400. */
function placeOf(call: Call): Place {
  const token = text(call.query, 'nextToken');
  const issuedAt = call.world.throttleClock.now();
  const since = instant(call.query, 'queryStartDate') ?? call.now - RECENT_MS;
  if (token === undefined) return { offset: 0, asOf: call.now, since, issuedAt };
  const place = call.world.mint.open(token);
  if (!isPlace(place) || issuedAt - place.issuedAt > TOKEN_LIFE_MS || call.strike('expiredPageToken')) {
    throw wrong('nextToken', 'the token is not valid');
  }
  return { ...place, issuedAt };
}

/** listAllFulfillmentOrders: those whose status changed at or after a time, the first change first. */
export function listAllFulfillmentOrders(call: Call): Answer {
  const place = placeOf(call);
  const { offset, asOf, since } = place;
  const found = call.world.outbound
    .of(call.account)
    .filter(({ at }) => at <= asOf)
    .map((order) => ({ order, changedAt: statusAt(order, asOf).at }))
    .filter(({ changedAt }) => changedAt >= since)
    .sort((a, b) => a.changedAt - b.changedAt || (a.order.id < b.order.id ? -1 : 1));
  const end = offset + PAGE_SIZE;
  const fulfillmentOrders = found.slice(offset, end).map(({ order }) => orderShape(order, asOf));
  if (end >= found.length) return { body: { payload: { fulfillmentOrders } } };
  return { body: { payload: { fulfillmentOrders, nextToken: call.world.mint.seal({ ...place, offset: end }) } } };
}

/** updateFulfillmentOrder: a held order is said anew, or let go. */
export function updateFulfillmentOrder(call: Call): Answer {
  const order = orderOf(call);
  const said = read(updateBody, call.body);
  const isHeld = order.action === 'Hold' && order.verdict === 'GOOD' && order.cancelledAt === undefined;
  if (!isHeld) throw wrong('sellerFulfillmentOrderId', `the order ${order.id} is not on hold`);
  if (said.destinationAddress) checkAddress('destinationAddress', said.destinationAddress);
  const changed: OutboundOrder = {
    ...order,
    action: said.fulfillmentAction ?? order.action,
    speed: said.shippingSpeedCategory ?? order.speed,
    policy: said.fulfillmentPolicy ?? order.policy,
    destination: said.destinationAddress ?? order.destination,
    displayableOrderId: said.displayableOrderId ?? order.displayableOrderId,
    displayableOrderDate: said.displayableOrderDate ?? order.displayableOrderDate,
    displayableOrderComment: said.displayableOrderComment ?? order.displayableOrderComment,
  };
  const goes = changed.action === 'Ship' ? { way: wayFrom(call.world, changed, call.now) } : {};
  put(call.world, { ...changed, ...goes }, call.now);
  return { body: {} };
}

/** cancelFulfillmentOrder: refused once picking has begun. */
export function cancelFulfillmentOrder(call: Call): Answer {
  const order = orderOf(call);
  if (!isCancellable(order, call.now)) {
    const { status } = statusAt(order, call.now);
    throw wrong('sellerFulfillmentOrderId', `an order with the status ${status} cannot be cancelled`);
  }
  put(call.world, { ...order, cancelledAt: call.now }, call.now);
  return { body: {} };
}

/** Held orders are cancelled after fourteen days, whoever looks. */
export function settleOutbound(world: World): void {
  const now = world.now();
  for (const order of world.outbound.all()) {
    const until = order.at + HOLD_MS;
    const isHeld = order.action === 'Hold' && order.verdict === 'GOOD' && order.cancelledAt === undefined;
    if (isHeld && until <= now) put(world, { ...order, cancelledAt: until }, until);
  }
}
