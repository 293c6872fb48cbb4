import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelOf, replyProblems } from '../conformance/check.ts';
import type { ModelOperation } from '../conformance/model.ts';
import { inboundOperations } from '../wire/inbound/operations.ts';
import { QUEUE_ARN } from '../wire/queue.ts';
import { operations } from '../wire/server.ts';
import { inboundOwn } from './inbound-examples.ts';
import { boughtLabel, waitingToShip } from './merchant-support.ts';
import { type ConsentedSeller, consentedSeller, SELLER_NOW as NOW } from './seller-support.ts';
import { DAY, listOf, postJson } from './wire-support.ts';

// Amazon's static examples name orders, reports and marketplaces of a seller who exists in its own sandbox only. Here each of
// them is replayed for a seller of ours: what the example names is replaced by something of the same kind that this seller
// has, everything else is sent as it is written, and the answer has the status that the example names.

let seller: ConsentedSeller;
beforeAll(async () => {
  seller = await consentedSeller({ scenario: 'demo' });
});
afterAll(() => seller.sandbox.close());

type Values = Readonly<Record<string, unknown>>;
const home = (): string => seller.marketplaceIds[0] ?? '';
const iso = (at: number): string => new Date(at).toISOString();

async function orders(filter: Values) {
  const query = { marketplaceIds: home(), ...filter };
  return listOf((await seller.good({ method: 'GET', path: '/orders/2026-01-01/orders', query })).orders);
}
const REPORTS = '/reports/2021-06-30';
async function newReport(): Promise<string> {
  const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [home()] };
  return String((await seller.good({ method: 'POST', path: `${REPORTS}/reports`, body })).reportId);
}
const FEEDS = '/feeds/2021-06-30';
async function feedDocument(): Promise<string> {
  const request = { method: 'POST', path: `${FEEDS}/documents`, body: { contentType: 'application/json' } };
  const { feedDocumentId, url } = await seller.good(request);
  const content = { header: { sellerId: seller.sellerId, version: '2.0', issueLocale: 'en_US' }, messages: [] };
  await fetch(String(url), { ...postJson(content), method: 'PUT' });
  return String(feedDocumentId);
}
async function newFeed(): Promise<string> {
  const inputFeedDocumentId = await feedDocument();
  const body = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [home()], inputFeedDocumentId };
  return String((await seller.good({ method: 'POST', path: `${FEEDS}/feeds`, body })).feedId);
}

const NOTICES = '/notifications/v1';
const QUEUE = { name: 'erp', resourceSpecification: { sqs: { arn: QUEUE_ARN } } };

/** The registered queue, registered now if it is not yet. */
async function destination(): Promise<unknown> {
  const own = await seller.ownToken();
  const path = `${NOTICES}/destinations`;
  const [known] = listOf((await seller.good({ method: 'GET', path }, own)).payload);
  const made = known ?? (await seller.good({ method: 'POST', path, body: QUEUE }, own)).payload;
  return made?.destinationId;
}

/** The subscription to changes of orders, made now if there is none yet. */
async function subscription(): Promise<unknown> {
  const path = `${NOTICES}/subscriptions/ORDER_CHANGE`;
  const known = await seller.send({ method: 'GET', path });
  if (known.status < 300) return known.body.payload?.subscriptionId;
  const body = { payloadVersion: '1.0', destinationId: await destination() };
  return (await seller.good({ method: 'POST', path, body })).payload?.subscriptionId;
}

/** Makes what `made` makes while reports and feeds take a minute, so that it can still be called back. */
async function waiting(made: () => Promise<string>): Promise<string> {
  seller.sandbox.world.settings.reportDelayMs = [60_000, 60_000];
  return made();
}

/** A parcel of an order that waits to be sent; the offer of the example is gone, and so is its own. */
async function ownParcel(given: Values): Promise<Values> {
  const { orderId, items } = await waitingToShip(seller);
  const body = given.body as { ShipmentRequestDetails: object };
  const details = { ...body.ShipmentRequestDetails, AmazonOrderId: orderId, ItemList: items };
  return { body: { ...body, ShipmentRequestDetails: details, ShippingServiceOfferId: undefined } };
}

/** For each operation what its good example names, as this seller has it. */
const OWN: Record<string, (given: Values) => Promise<Values>> = {
  getOrder: async () => ({ orderId: (await orders({ createdAfter: iso(NOW - 9 * DAY) }))[0]?.orderId }),
  confirmShipment: async (given) => {
    const filter = { createdAfter: iso(NOW - 9 * DAY), fulfilledBy: 'MERCHANT', fulfillmentStatuses: 'UNSHIPPED' };
    const [order] = await orders(filter);
    const body = { ...(given.body as { packageDetail: object }), marketplaceId: home() };
    const [item] = listOf(order?.orderItems);
    const orderItems = [{ orderItemId: item?.orderItemId, quantity: 1 }];
    const packageDetail = { ...body.packageDetail, shipDate: iso(NOW), orderItems };
    return { orderId: order?.orderId, body: { ...body, packageDetail } };
  },
  getEligibleShipmentServices: ownParcel,
  createShipment: ownParcel,
  // Inbound shipments are read by an operation of the same name.
  'GET /mfn/v0/shipments/:shipmentId': async () => ({ shipmentId: (await boughtLabel(seller)).ShipmentId }),
  cancelShipment: async () => ({ shipmentId: (await boughtLabel(seller)).ShipmentId }),
  getAdditionalSellerInputs: async (given) => ({
    body: { ...(given.body as object), OrderId: (await waitingToShip(seller)).orderId },
  }),
  getSolicitationActionsForOrder: arrived,
  createProductReviewAndSellerFeedbackSolicitation: arrived,
  getReport: async () => ({ reportId: await newReport() }),
  cancelReport: async () => ({ reportId: await waiting(newReport) }),
  getReportDocument: async () => {
    const report = await seller.good({ method: 'GET', path: `${REPORTS}/reports/${await newReport()}` });
    return { reportDocumentId: report.reportDocumentId };
  },
  getListingsItem: async () => {
    const query = { marketplaceIds: home() };
    const { items } = await seller.good({
      method: 'GET',
      path: `/listings/2021-08-01/items/${seller.sellerId}`,
      query,
    });
    return { sku: listOf(items)[0]?.sku };
  },
  putListingsItem: async () => {
    const { sku, productType, attributes } = await ownListing();
    return { sku, body: { productType, requirements: 'LISTING', attributes } };
  },
  patchListingsItem: async () => {
    const { sku, productType, attributes } = await ownListing();
    const patches = [{ op: 'replace', path: '/attributes/item_name', value: attributes.item_name }];
    return { sku, body: { productType, patches } };
  },
  deleteListingsItem: async () => ({ sku: (await ownListing()).sku }),
  getListingsRestrictions: async () => ({ asin: (await ownListing()).asin }),
  getCatalogItem: async () => ({ asin: (await ownListing()).asin }),
  getDefinitionsProductType: async () => ({ productType: 'CUP' }),
  // The type of the example was taken out of service in July 2025.
  createFeed: async (given) => ({
    body: { ...(given.body as object), feedType: 'JSON_LISTINGS_FEED', inputFeedDocumentId: await feedDocument() },
  }),
  getFeed: async () => ({ feedId: await newFeed() }),
  cancelFeed: async () => ({ feedId: await waiting(newFeed) }),
  getFeedDocument: async () => {
    const feed = await seller.good({ method: 'GET', path: `${FEEDS}/feeds/${await newFeed()}` });
    return { feedDocumentId: feed.resultFeedDocumentId };
  },
  // A token names a page of somebody else's answer.
  searchOrders: async () => ({ paginationToken: undefined }),
  listTransactions: async () => ({ nextToken: undefined }),
  ...inboundOwn(
    () => seller,
    inboundOperations.map(({ name }) => name),
  ),
  createDestination: async () => ({ body: QUEUE }),
  getDestination: async () => ({ destinationId: await destination() }),
  deleteDestination: async () => ({ destinationId: await destination() }),
  getSubscription: async () => ({ notificationType: 'ORDER_CHANGE', subscriptionId: await subscription() }),
  createSubscription: async () => ({
    notificationType: 'REPORT_PROCESSING_FINISHED',
    body: { payloadVersion: '1.0', destinationId: await destination() },
  }),
  getSubscriptionById: async () => ({ notificationType: 'ORDER_CHANGE', subscriptionId: await subscription() }),
  deleteSubscriptionById: async () => ({ notificationType: 'ORDER_CHANGE', subscriptionId: await subscription() }),
};

/** A listing of this seller, as it is written. */
async function ownListing() {
  const path = `/listings/2021-08-01/items/${seller.sellerId}`;
  const query = { marketplaceIds: home(), includedData: 'summaries,attributes' };
  const [item] = listOf((await seller.good({ method: 'GET', path, query })).items);
  const [summary] = listOf(item?.summaries);
  const attributes = (item?.attributes ?? {}) as Values;
  return { sku: item?.sku, asin: summary?.asin, productType: summary?.productType, attributes };
}

/** An order whose goods are there, and whose buyer may be asked. */
async function arrived(): Promise<Values> {
  const days = { createdAfter: iso(NOW - 16 * DAY), createdBefore: iso(NOW - 14 * DAY) };
  return { amazonOrderId: (await orders({ ...days, fulfillmentStatuses: 'SHIPPED' }))[0]?.orderId };
}

/** What an example leaves out though its model demands it. */
const demanded = (): Values => ({
  sellerId: seller.sellerId,
  marketplaceIds: home(),
  interval: `${iso(NOW - 3 * DAY)}--${iso(NOW - DAY)}`,
});

/** The same body, but for the marketplaces of this seller in place of another's. */
function atHome(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return 'marketplaceIds' in body ? { ...body, marketplaceIds: [home()] } : body;
}

async function requestOf(operation: (typeof operations)[number], model: ModelOperation, status: number, given: Values) {
  const known = OWN[`${operation.method} ${operation.path}`] ?? OWN[operation.name];
  const own = status < 400 ? await known?.(given) : undefined;
  const values: Values = { ...given, ...own };
  const query: Record<string, unknown> = {};
  let path = operation.path;
  let body: unknown;
  for (const { name, in: place, required } of model.parameters) {
    // A split by days is one of the days of some zone, which the examples do not name.
    const zone = name === 'granularityTimeZone' ? 'UTC' : undefined;
    const mine = name === 'marketplaceIds' && status < 400 ? home() : values[name];
    const value = mine ?? (required ? demanded()[name] : zone);
    // Examples call a body "body", whatever its parameter is called.
    if (place === 'body') body = status < 400 ? atHome(values.body) : values.body;
    else if (place === 'query' && value !== undefined) query[name] = value;
    else if (place === 'path') path = path.replace(`:${name}`, encodeURIComponent(String(value)));
  }
  return { method: operation.method, path, query, body };
}

/** Where the real service is known to answer otherwise than its example: an unknown SKU is not found. */
const UNLIKE: Readonly<Record<string, number>> = {
  'getListingsItem 400': 404,
  // An ASIN that nobody knows is a reason, and a word that names no product type finds none.
  'getListingsRestrictions 400': 200,
  'searchDefinitionsProductTypes 400': 200,
  // Each request of a batch is answered by itself, and an ASIN that nobody sells has no offers.
  'getItemOffersBatch 400': 200,
  // By the model's own words an unknown ASIN comes back in a list of those.
  'getPrepInstructions 400': 200,
};

/** Served, but only to say that the sandbox has no schedules: 501 is no answer of the model. */
const NOT_SIMULATED = ['getReportSchedules', 'createReportSchedule'];

for (const operation of operations.filter(({ name }) => !NOT_SIMULATED.includes(name))) {
  const model = modelOf(operation);
  for (const [index, { status, parameters }] of (model?.examples ?? []).entries()) {
    // An example of a failure that says nothing of what was wrong cannot be sent.
    if (!model || (status >= 400 && Object.keys(parameters).length === 0)) continue;
    test(`${operation.name}, example ${index + 1}: answered with ${status}`, async () => {
      const request = await requestOf(operation, model, status, parameters);
      const sent = await seller.send(
        request,
        operation.grantless ? await seller.ownToken(operation.grantless) : undefined,
      );
      seller.sandbox.world.settings.reportDelayMs = [0, 0];
      expect(replyProblems(model, sent.status, sent.body)).toEqual([]);
      expect(sent.status, JSON.stringify(sent.body)).toBe(UNLIKE[`${operation.name} ${status}`] ?? status);
    });
  }
}
