import { createHash } from 'node:crypto';
import type { SimAccount, SimOrder } from '../business/types.ts';
import { iso } from './clock.ts';
import { outboundEvents, standingEvents } from './notices-account.ts';
import { issueEvents, pricingEvents, statusEvents } from './notices-listing.ts';
import { offerEvents } from './notices-offers.ts';
import { feedEvents, stockEvents } from './notices-shop.ts';
import { reportsOf } from './report-desk.ts';
import { reportTypes, SETTLEMENT_TYPE } from './report-types.ts';
import { payloadVersionOf, type Subscription } from './subscriptions.ts';
import type { World } from './world.ts';

/** One event as it is told, in the published shape of its kind. */
export interface Notice {
  /** The same event of the same subscription has the same id for ever. */
  id: string;
  at: number;
  body: object;
}

const WORDS: Record<SimOrder['status'], string> = {
  PENDING: 'Pending',
  UNSHIPPED: 'Unshipped',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
  SHIPPED: 'Shipped',
  CANCELLED: 'Canceled',
  UNFULFILLABLE: 'Unfulfillable',
};

/** An id in the form of a UUID; the same parts make the same one. */
export function idOf(...parts: (string | number)[]): string {
  const hex = createHash('sha256').update(parts.join('|')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function orderPayload(order: SimOrder): object {
  const shipped = order.items.reduce((sum, item) => sum + item.quantityShipped, 0);
  const ordered = order.items.reduce((sum, item) => sum + item.quantityOrdered, 0);
  return {
    OrderChangeNotification: {
      NotificationLevel: 'OrderLevel',
      SellerId: order.account.sellingPartnerId,
      AmazonOrderId: order.orderId,
      OrderChangeType: 'OrderStatusChange',
      OrderChangeTrigger: { TimeOfOrderChange: iso(order.lastUpdatedAt), ChangeReason: 'Status changed' },
      Summary: {
        MarketplaceId: order.marketplaceId,
        OrderStatus: WORDS[order.status],
        PurchaseDate: iso(order.purchasedAt),
        DestinationPostalCode: order.shipTo.postalCode,
        FulfillmentType: order.fulfilment,
        OrderType: 'StandardOrder',
        NumberOfItemsShipped: shipped,
        NumberOfItemsUnshipped: ordered - shipped,
        EarliestDeliveryDate: iso(order.earliestDeliverAt),
        LatestDeliveryDate: iso(order.latestDeliverAt),
        EarliestShipDate: iso(order.earliestShipAt),
        LatestShipDate: iso(order.latestShipAt),
        OrderPrograms: order.isBusiness ? ['Business'] : [],
        ShippingPrograms: [],
        OrderItems: order.items.map((item) => ({
          OrderItemId: item.orderItemId,
          SellerSKU: item.sku,
          SupplySourceId: null,
          Quantity: item.quantityOrdered,
          QuantityShipped: item.quantityShipped,
          IsBuyerRequestedCancel: false,
          ItemEarliestDeliveryDate: iso(order.earliestDeliverAt),
          ItemLatestDeliveryDate: iso(order.latestDeliverAt),
        })),
      },
    },
  };
}

/** An event of a kind of notification, before it is put into its envelope. */
export interface Told {
  key: string;
  at: number;
  payload: object;
}

function orderEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  const query = { marketplaceIds: account.marketplaceIds, by: 'updated' as const, from, to };
  return world.business.orders(account, query, world.now()).map((order) => ({
    key: `${order.orderId}|${order.lastUpdatedAt}`,
    at: order.lastUpdatedAt,
    payload: orderPayload(order),
  }));
}

/** Reports that ended: told once each, whenever they did, as they take real time and the business may stand still. */
function reportEvents(world: World, account: SimAccount, since: number): Told[] {
  const types = [...Object.keys(reportTypes), SETTLEMENT_TYPE];
  return reportsOf(world, account, { types, since, until: world.now() })
    .filter(({ status }) => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS')
    .map((report) => ({
      key: report.reportId,
      at: report.endedAt ?? report.createdAt,
      payload: {
        reportProcessingFinishedNotification: {
          sellerId: account.sellingPartnerId,
          accountId: `amzn1.merchant.o.${account.sellingPartnerId}`,
          reportId: report.reportId,
          reportType: report.reportType,
          processingStatus: report.status,
          ...(report.documentId === undefined ? {} : { reportDocumentId: report.documentId }),
        },
      },
    }));
}

type Events = (world: World, account: SimAccount, from: number, to: number) => Told[];

/** What happens in a span of time, by kind. */
const EVENTS: Readonly<Record<string, Events>> = {
  ORDER_CHANGE: orderEvents,
  ANY_OFFER_CHANGED: offerEvents,
  FBA_INVENTORY_AVAILABILITY_CHANGES: stockEvents,
  LISTINGS_ITEM_STATUS_CHANGE: statusEvents,
  LISTINGS_ITEM_ISSUES_CHANGE: issueEvents,
  PRICING_HEALTH: pricingEvents,
  ACCOUNT_STATUS_CHANGED: standingEvents,
  FBA_OUTBOUND_SHIPMENT_STATUS: outboundEvents,
};

/** Kinds that spell their names with a small first letter, and the version of their envelope. */
const SMALL_LETTERS: Readonly<Record<string, string>> = {
  REPORT_PROCESSING_FINISHED: '2020-09-04',
  FEED_PROCESSING_FINISHED: '2020-09-04',
  PRICING_HEALTH: '1.0',
  ACCOUNT_STATUS_CHANGED: '1.0',
};

function eventsOf(world: World, account: SimAccount, { type, since }: Subscription, from: number, to: number): Told[] {
  if (type === 'REPORT_PROCESSING_FINISHED') return reportEvents(world, account, since);
  if (type === 'FEED_PROCESSING_FINISHED') return feedEvents(world, account, since);
  return EVENTS[type]?.(world, account, from, to) ?? [];
}

/** What one subscription is told of [from, to), as of now; see `Notice.id`. */
export function noticesOf(world: World, subscription: Subscription, from: number, to: number): Notice[] {
  const { sellingPartnerId, region, subscriptionId, type } = subscription;
  const account = world.account(sellingPartnerId, region);
  const app = world.appByClientId(subscription.clientId);
  if (!account || !app) return [];
  const version = SMALL_LETTERS[type];
  const told = eventsOf(world, account, subscription, from, to);
  return told.map(({ key, at, payload }) => {
    const id = idOf('notice', subscriptionId, type, key);
    const [applicationId, publishTime] = [app.applicationId, iso(world.now())];
    const body = version
      ? {
          notificationVersion: version,
          notificationType: type,
          payloadVersion: version === '2020-09-04' ? version : payloadVersionOf(type),
          eventTime: iso(at),
          payload,
          notificationMetadata: { applicationId, subscriptionId, publishTime, notificationId: id },
        }
      : {
          NotificationVersion: '1.0',
          NotificationType: type,
          PayloadVersion: '1.0',
          EventTime: iso(at),
          Payload: payload,
          NotificationMetadata: {
            ApplicationId: applicationId,
            SubscriptionId: subscriptionId,
            PublishTime: publishTime,
            NotificationId: id,
          },
        };
    return { id, at, body };
  });
}
