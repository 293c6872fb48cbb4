import type { Region } from '../business/types.ts';

/** What sellers can be told about. */
export const notificationTypes = [
  'ORDER_CHANGE',
  'REPORT_PROCESSING_FINISHED',
  'FEED_PROCESSING_FINISHED',
  'ANY_OFFER_CHANGED',
  'FBA_INVENTORY_AVAILABILITY_CHANGES',
  'FBA_OUTBOUND_SHIPMENT_STATUS',
  'PRICING_HEALTH',
  'ACCOUNT_STATUS_CHANGED',
  'LISTINGS_ITEM_STATUS_CHANGE',
  'LISTINGS_ITEM_ISSUES_CHANGE',
] as const;

/** Kinds that go over an event bus (Amazon EventBridge) instead of straight into a queue. */
export function goesByBus(type: string): boolean {
  return type.startsWith('LISTINGS_ITEM_');
}

/** The version of the payload that a subscription to a kind must name. */
export function payloadVersionOf(type: string): string {
  return type === 'ACCOUNT_STATUS_CHANGED' ? '2021-01-01' : '1.0';
}

/** A queue, or an account that has an event bus, as an application registered it. */
export interface Destination {
  destinationId: string;
  name: string;
  /** Of the queue; empty for an event bus. */
  arn: string;
  bus?: { region: string; accountId: string };
  clientId: string;
}

/** One seller's wish to be told of one kind of event. */
export interface Subscription {
  subscriptionId: string;
  payloadVersion: string;
  destinationId: string;
  type: string;
  clientId: string;
  sellingPartnerId: string;
  region: Region;
  /** Data time, epoch ms. */
  since: number;
}

/** What the command log holds of them. */
export type SubscriptionCommand =
  | { type: 'destination'; destination: Destination }
  | { type: 'dropDestination'; destinationId: string }
  | { type: 'subscribe'; subscription: Subscription }
  | { type: 'unsubscribe'; subscriptionId: string };

/** Destinations and subscriptions as the commands have left them. */
export class Subscriptions {
  readonly #destinations = new Map<string, Destination>();
  readonly #subscriptions = new Map<string, Subscription>();

  /** Applies a command that is about them; others change nothing. */
  apply(command: { type: string }): void {
    const known = command as SubscriptionCommand;
    if (known.type === 'destination') this.#destinations.set(known.destination.destinationId, known.destination);
    else if (known.type === 'dropDestination') this.#destinations.delete(known.destinationId);
    else if (known.type === 'subscribe') this.#subscriptions.set(known.subscription.subscriptionId, known.subscription);
    else if (known.type === 'unsubscribe') this.#subscriptions.delete(known.subscriptionId);
  }

  destinationsOf(clientId: string): Destination[] {
    return [...this.#destinations.values()].filter((one) => one.clientId === clientId);
  }

  destination(id: string): Destination | undefined {
    return this.#destinations.get(id);
  }

  all(): Subscription[] {
    return [...this.#subscriptions.values()];
  }
}
