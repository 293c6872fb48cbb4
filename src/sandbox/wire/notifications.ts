import { createHash } from 'node:crypto';
import { invalidInput, notFound, SpApiError } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import {
  type Destination,
  goesByBus,
  notificationTypes,
  payloadVersionOf,
  type Subscription,
} from './subscriptions.ts';
import type { World } from './world.ts';

const PLAN = { rate: 1, burst: 5 };

function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidInput('body: an object is expected');
  return Object.fromEntries(Object.entries(body));
}

function idOf(prefix: string, ...parts: string[]): string {
  const hex = createHash('sha256').update(parts.join('|')).digest('hex');
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
  return `${prefix}${uuid}`;
}

const destinationShape = ({ destinationId, name, arn, bus }: Destination): object => ({
  name,
  destinationId,
  resource: bus
    ? { eventBridge: { name: `aws.partner/sellingpartnerapi.amazon.com/${bus.accountId}/${destinationId}`, ...bus } }
    : { sqs: { arn } },
});

const subscriptionShape = ({ subscriptionId, payloadVersion, destinationId }: Subscription): object => ({
  subscriptionId,
  payloadVersion,
  destinationId,
});

function getDestinations({ world, clientId }: Call): Answer {
  return { body: { payload: world.subscriptions.destinationsOf(clientId).map(destinationShape) } };
}

/** An event bus: Amazon makes a partner event source in the account that is named. */
function createBus(
  world: World,
  clientId: string,
  name: string,
  { region, accountId }: Record<string, unknown>,
): Answer {
  if (typeof region !== 'string' || !/^[a-z]{2}(-[a-z]+)+-\d$/.test(region))
    throw invalidInput('resourceSpecification.eventBridge.region: is not a region');
  if (typeof accountId !== 'string' || !/^\d{12}$/.test(accountId))
    throw invalidInput('resourceSpecification.eventBridge.accountId: is not an account');
  const known = world.subscriptions
    .destinationsOf(clientId)
    .find(({ bus }) => bus?.region === region && bus.accountId === accountId);
  if (known) throw new SpApiError(409, 'Conflict', 'A destination for this account exists.', known.destinationId);
  const destinationId = idOf('', 'destination', clientId, region, accountId);
  const destination: Destination = { destinationId, name, arn: '', bus: { region, accountId }, clientId };
  world.command({ type: 'destination', destination });
  return { body: { payload: destinationShape(destination) } };
}

function createDestination({ world, clientId, body }: Call): Answer {
  const { name, resourceSpecification } = fieldsOf(body);
  if (typeof name !== 'string' || name === '' || name.length > 256) throw invalidInput('name: is required');
  const specification = fieldsOf(resourceSpecification ?? {});
  if (specification.eventBridge !== undefined)
    return createBus(world, clientId, name, fieldsOf(specification.eventBridge));
  const sqs = fieldsOf(specification.sqs ?? {});
  const arn = String(sqs.arn ?? '');
  if (!/^arn:aws:sqs:\S+:\S+:\S+$/.test(arn))
    throw invalidInput('resourceSpecification.sqs.arn: is not the name of a queue');
  const known = world.subscriptions.destinationsOf(clientId).find((one) => one.arn === arn);
  if (known) throw new SpApiError(409, 'Conflict', 'A destination for this queue exists.', known.destinationId);
  const destination = { destinationId: idOf('', 'destination', clientId, arn), name, arn, clientId };
  world.command({ type: 'destination', destination });
  return { body: { payload: destinationShape(destination) } };
}

function ownDestination({ world, clientId, params }: Call): Destination {
  const id = params.destinationId ?? '';
  const found = world.subscriptions.destinationsOf(clientId).find((one) => one.destinationId === id);
  if (!found) throw notFound(`destination ${id}`);
  return found;
}

function deleteDestination(call: Call): Answer {
  const { destinationId } = ownDestination(call);
  if (call.world.subscriptions.all().some((one) => one.destinationId === destinationId)) {
    throw invalidInput('The destination has subscriptions');
  }
  call.world.command({ type: 'dropDestination', destinationId });
  return { body: {} };
}

function typeOf({ params }: Call): string {
  const type = params.notificationType ?? '';
  if (!notificationTypes.some((one) => one === type))
    throw invalidInput(`notificationType: '${type}' is not simulated`);
  return type;
}

function ownSubscription(call: Call): Subscription | undefined {
  const { world, account, clientId } = call;
  const type = typeOf(call);
  return world.subscriptions
    .all()
    .find(
      (one) =>
        one.type === type &&
        one.clientId === clientId &&
        one.sellingPartnerId === account.sellingPartnerId &&
        one.region === account.region,
    );
}

function getSubscription(call: Call): Answer {
  const found = ownSubscription(call);
  if (!found) throw notFound(`subscription to ${call.params.notificationType}`);
  return { body: { payload: subscriptionShape(found) } };
}

function createSubscription(call: Call): Answer {
  const { world, account, clientId, body } = call;
  const type = typeOf(call);
  const { destinationId, payloadVersion } = fieldsOf(body);
  const version = payloadVersionOf(type);
  if (payloadVersion !== version) throw invalidInput(`payloadVersion: only ${version} is published`);
  const destination = world.subscriptions.destinationsOf(clientId).find((one) => one.destinationId === destinationId);
  if (!destination) throw invalidInput('destinationId: no such destination');
  if ((destination.bus !== undefined) !== goesByBus(type)) {
    throw invalidInput(`destinationId: ${type} goes to ${goesByBus(type) ? 'EventBridge' : 'SQS'}`);
  }
  if (ownSubscription(call)) throw new SpApiError(409, 'Conflict', 'The subscription exists.');
  const { sellingPartnerId, region } = account;
  const subscription: Subscription = {
    subscriptionId: idOf('', 'subscription', clientId, sellingPartnerId, region, type, String(call.now)),
    payloadVersion: version,
    destinationId: String(destinationId),
    type,
    clientId,
    sellingPartnerId,
    region,
    since: call.now,
  };
  world.command({ type: 'subscribe', subscription });
  return { body: { payload: subscriptionShape(subscription) } };
}

function subscriptionById({ world, clientId, params }: Call): Subscription {
  const id = params.subscriptionId ?? '';
  const found = world.subscriptions.all().find((one) => one.subscriptionId === id && one.clientId === clientId);
  if (!found || found.type !== params.notificationType) throw notFound(`subscription ${id}`);
  return found;
}

function deleteSubscriptionById(call: Call): Answer {
  const { subscriptionId } = subscriptionById(call);
  call.world.command({ type: 'unsubscribe', subscriptionId });
  return { body: {} };
}

const DESTINATIONS = '/notifications/v1/destinations';
const SUBSCRIPTION = '/notifications/v1/subscriptions/:notificationType';
const grantless = 'notifications';

/** Notifications API v1. Destinations are the application's, subscriptions a seller's. */
export const notificationOperations: Operation[] = [
  { name: 'getDestinations', method: 'GET', path: DESTINATIONS, plan: PLAN, grantless, handle: getDestinations },
  { name: 'createDestination', method: 'POST', path: DESTINATIONS, plan: PLAN, grantless, handle: createDestination },
  {
    name: 'getDestination',
    method: 'GET',
    path: `${DESTINATIONS}/:destinationId`,
    plan: PLAN,
    grantless,
    handle: (call) => ({ body: { payload: destinationShape(ownDestination(call)) } }),
  },
  {
    name: 'deleteDestination',
    method: 'DELETE',
    path: `${DESTINATIONS}/:destinationId`,
    plan: PLAN,
    grantless,
    handle: deleteDestination,
  },
  { name: 'getSubscription', method: 'GET', path: SUBSCRIPTION, plan: PLAN, handle: getSubscription },
  { name: 'createSubscription', method: 'POST', path: SUBSCRIPTION, plan: PLAN, handle: createSubscription },
  {
    name: 'getSubscriptionById',
    method: 'GET',
    path: `${SUBSCRIPTION}/:subscriptionId`,
    plan: PLAN,
    grantless,
    handle: (call) => ({ body: { payload: subscriptionShape(subscriptionById(call)) } }),
  },
  {
    name: 'deleteSubscriptionById',
    method: 'DELETE',
    path: `${SUBSCRIPTION}/:subscriptionId`,
    plan: PLAN,
    grantless,
    handle: deleteSubscriptionById,
  },
];
