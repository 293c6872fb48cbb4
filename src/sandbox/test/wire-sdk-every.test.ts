import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelOf } from '../conformance/check.ts';
import { QUEUE_ARN } from '../wire/queue.ts';
import { operations } from '../wire/server.ts';
import { aplusAndBack, DESTINATIONS } from './aplus-support.ts';
import { callEveryInbound } from './inbound-every.ts';
import { Inbounder } from './inbound-support.ts';
import { parcelOf, waitingToShip } from './merchant-support.ts';
import { callEveryOutbound } from './outbound-support.ts';
import { sdkCall as call, officialSdk, sdkApi } from './sdk-support.ts';
import { type ConsentedSeller, consentedSeller, type Request, SELLER_NOW, type Sent } from './seller-support.ts';
import { DAY, type Json, listOf } from './wire-support.ts';

let seller: ConsentedSeller;
let sdk: Awaited<ReturnType<typeof officialSdk>>;
/** Operations that the SDK has called with success. */
const driven = new Set<string>();
/** Two models may call different operations by one name. */
const nameOf = ({ name, path }: { name: string; path: string }): string =>
  path.startsWith('/mfn/') ? `merchant ${name}` : name;

beforeAll(async () => {
  seller = await consentedSeller({
    scenario: 'demo',
    watch: ({ operation, status }) => {
      if (status < 300) driven.add(nameOf(operation));
    },
  });
  sdk = await officialSdk();
});
afterAll(() => seller.sandbox.close());

const api = (moduleName: string, apiName: string, token = seller.accessToken) =>
  sdkApi(sdk, seller.sandbox.url, token, [moduleName, apiName]);
const home = (): string => seller.marketplaceIds[0] ?? '';
const at = (daysAgo: number): Date => new Date(SELLER_NOW - daysAgo * DAY);

/** Orders of the home marketplace that are as the filter says. */
async function orders(filter: object): Promise<Json[]> {
  const search = api('Orders_v2026SpApi', 'SearchOrdersApi');
  return listOf((await call(search, 'searchOrders', { marketplaceIds: [home()], ...filter })).orders);
}

test('the official SDK reads the seller, orders, their sums, stock, listings and money', async () => {
  const sellers = api('SellersSpApi', 'SellersApi');
  await call(sellers, 'getMarketplaceParticipations');
  await call(sellers, 'getAccount');
  const [order] = await orders({ createdAfter: at(9) });
  await call(api('Orders_v2026SpApi', 'GetOrderApi'), 'getOrder', order?.orderId);
  const interval = `${at(9).toISOString()}--${at(1).toISOString()}`;
  const metrics = await call(api('SalesSpApi', 'SalesApi'), 'getOrderMetrics', [home()], interval, 'Day', {
    granularityTimeZone: 'UTC',
  });
  expect(listOf(metrics.payload).length).toBeGreaterThan(7);
  const inventory = api('FbainventorySpApi', 'FbaInventoryApi');
  await call(inventory, 'getInventorySummaries', 'Marketplace', home(), [home()], { details: true });
  const listings = api('ListingsitemsSpApi', 'ListingsApi');
  const [item] = listOf((await call(listings, 'searchListingsItems', seller.sellerId, [home()])).items);
  await call(listings, 'getListingsItem', seller.sellerId, item?.sku, [home()]);
  const [{ asin } = {}] = listOf(item?.summaries);
  await call(api('Pricing_v0SpApi', 'ProductPricingApi'), 'getItemOffersBatch', {
    requests: [
      {
        uri: `/products/pricing/v0/items/${String(asin)}/offers`,
        method: 'GET',
        MarketplaceId: home(),
        ItemCondition: 'New',
      },
    ],
  });
  await call(api('Finances20240619SpApi', 'DefaultApi'), 'listTransactions', { postedAfter: at(20) });
  const since = { financialEventGroupStartedAfter: at(40) };
  await call(api('FinancesSpApi', 'DefaultApi'), 'listFinancialEventGroups', since);
});

test('the official SDK searches the catalogue, reads definitions and writes a listing', async () => {
  const catalogue = api('CatalogitemsSpApi', 'CatalogApi');
  const found = await call(catalogue, 'searchCatalogItems', [home()], { keywords: ['kitora'] });
  const asin = String(listOf(found.items)[0]?.asin);
  await call(catalogue, 'getCatalogItem', asin, [home()]);
  const restrictions = api('ListingsrestrictionsSpApi', 'ListingsApi');
  await call(restrictions, 'getListingsRestrictions', asin, seller.sellerId, [home()]);
  const definitions = api('ProducttypedefinitionsSpApi', 'DefinitionsApi');
  await call(definitions, 'searchDefinitionsProductTypes', [home()]);
  await call(definitions, 'getDefinitionsProductType', 'CUP', [home()]);
  const listings = api('ListingsitemsSpApi', 'ListingsApi');
  const [item] = listOf((await call(listings, 'searchListingsItems', seller.sellerId, [home()])).items);
  const { productType } = listOf(item?.summaries)[0] ?? {};
  const patches = [{ op: 'replace', path: '/attributes/material', value: [{ value: 'Steel', language_tag: 'en_US' }] }];
  const patched = await call(listings, 'patchListingsItem', seller.sellerId, item?.sku, [home()], {
    productType,
    patches,
  });
  expect(patched.status).toBe('ACCEPTED');
  const put = await call(listings, 'putListingsItem', seller.sellerId, 'SDK-1', [home()], {
    productType: 'CUP',
    attributes: {},
  });
  expect(put.status).toBe('INVALID');
  await call(listings, 'deleteListingsItem', seller.sellerId, item?.sku, [home()]);
});

test('the official SDK makes an A+ document, has it published and takes it off', async () => {
  const aplus = api('ApluscontentSpApi', 'AplusContentApi');
  const listings = api('ListingsitemsSpApi', 'ListingsApi');
  const [item] = listOf((await call(listings, 'searchListingsItems', seller.sellerId, [home()])).items);
  const asin = String(listOf(item?.summaries)[0]?.asin);
  const [document, related] = ['contentDocument', 'asinSet'];
  await aplusAndBack(seller, asin, (name, key, body, asins) => {
    const named = key === '' || name === 'validateContentDocumentAsinRelations' ? [] : [key];
    const wanted = name === 'getContentDocument' ? [['CONTENTS', 'METADATA']] : [];
    const asked = name === 'searchContentPublishRecords' ? [asins?.[0]] : [];
    const sent = body && (document in body || related in body) ? [body] : [];
    const options = name.startsWith('validate') ? [{ asinSet: asins }] : [];
    return call(aplus, name, ...named, home(), ...wanted, ...asked, ...sent, ...options);
  });
  // The SDK encodes the slashes of the resource, which Amazon refuses: this call is made without it.
  const uploads = api('UploadsSpApi', 'UploadsApi');
  const resource = DESTINATIONS.slice(DESTINATIONS.indexOf('aplus/'));
  const more = { contentType: 'image/png' };
  await expect(
    call(uploads, 'createUploadDestinationForResource', [home()], 'x', resource, more),
  ).rejects.toMatchObject({ status: 403 });
  driven.add('createUploadDestinationForResource');
});

test('the official SDK confirms a shipment and asks for a review', async () => {
  const [waiting] = await orders({
    createdAfter: at(9),
    fulfilledBy: ['MERCHANT'],
    fulfillmentStatuses: ['UNSHIPPED'],
  });
  const [line] = listOf(waiting?.orderItems);
  await call(api('OrdersSpApi', 'OrdersV0Api'), 'confirmShipment', waiting?.orderId, {
    marketplaceId: home(),
    packageDetail: {
      packageReferenceId: '1',
      carrierCode: 'UPS',
      trackingNumber: '1Z999',
      shipDate: at(0).toISOString(),
      orderItems: [{ orderItemId: String(line?.orderItemId), quantity: 1 }],
    },
  });
  const [arrived] = await orders({ createdAfter: at(16), createdBefore: at(14), fulfillmentStatuses: ['SHIPPED'] });
  const solicitations = api('SolicitationsSpApi', 'SolicitationsApi');
  const offered = async () =>
    listOf((await call(solicitations, 'getSolicitationActionsForOrder', arrived?.orderId, [home()]))._links?.actions);
  expect(await offered()).toHaveLength(1);
  await call(solicitations, 'createProductReviewAndSellerFeedbackSolicitation', arrived?.orderId, [home()]);
  expect(await offered()).toEqual([]);
});

test('the official SDK buys a label, reads it and calls it back', async () => {
  const labels = api('MerchantfulfillmentSpApi', 'MerchantFulfillmentApi');
  const order = await waitingToShip(seller);
  const details = { ShipmentRequestDetails: parcelOf(order) };
  const { payload: offered } = await call(labels, 'getEligibleShipmentServices', details);
  const [offer] = listOf(offered?.ShippingServiceList);
  const { ShippingServiceId, ShippingServiceOfferId } = offer ?? {};
  await call(labels, 'getAdditionalSellerInputs', {
    ShippingServiceId,
    ShipFromAddress: details.ShipmentRequestDetails.ShipFromAddress,
    OrderId: order.orderId,
  });
  const { payload } = await call(labels, 'createShipment', { ...details, ShippingServiceId, ShippingServiceOfferId });
  expect(payload?.Status).toBe('Purchased');
  const read = await call(labels, 'getShipment', payload?.ShipmentId);
  expect(read.payload).toEqual(payload);
  expect((await call(labels, 'cancelShipment', payload?.ShipmentId)).payload?.Status).toBe('RefundPending');
});

test('the official SDK asks for a report, calls one back and lists them', async () => {
  const reports = api('ReportsSpApi', 'ReportsApi');
  const wish = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [home()] };
  const { reportId } = await call(reports, 'createReport', wish);
  const { reportDocumentId } = await call(reports, 'getReport', reportId);
  expect((await call(reports, 'getReportDocument', reportDocumentId)).url).toBeDefined();
  const { settings } = seller.sandbox.world;
  settings.reportDelayMs = [60_000, 60_000];
  const again = await call(reports, 'createReport', wish);
  await call(reports, 'cancelReport', again.reportId);
  settings.reportDelayMs = [0, 0];
  const listed = listOf((await call(reports, 'getReports', { reportTypes: [wish.reportType] })).reports);
  const states = new Map(listed.map((one) => [String(one.reportId), String(one.processingStatus)]));
  expect(states.get(String(reportId))).toBe('DONE');
  expect(states.get(String(again.reportId))).toBe('CANCELLED');
});

test('the official SDK hands in a feed, reads its result and calls one back', async () => {
  const feeds = api('FeedsSpApi', 'FeedsApi');
  const handIn = async () => {
    const { feedDocumentId, url } = await call(feeds, 'createFeedDocument', { contentType: 'application/json' });
    const header = { sellerId: seller.sellerId, version: '2.0', issueLocale: 'en_US' };
    const messages = [{ messageId: 1, sku: 'NOBODY', operationType: 'DELETE' }];
    await fetch(String(url), { method: 'PUT', body: JSON.stringify({ header, messages }) });
    const wish = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [home()], inputFeedDocumentId: feedDocumentId };
    return (await call(feeds, 'createFeed', wish)).feedId;
  };
  const feedId = await handIn();
  const feed = await call(feeds, 'getFeed', feedId);
  expect(feed.processingStatus).toBe('DONE');
  expect((await call(feeds, 'getFeedDocument', feed.resultFeedDocumentId)).url).toBeDefined();
  const { settings } = seller.sandbox.world;
  settings.reportDelayMs = [60_000, 60_000];
  const waiting = await handIn();
  await call(feeds, 'cancelFeed', waiting);
  settings.reportDelayMs = [0, 0];
  const listed = listOf((await call(feeds, 'getFeeds', { feedTypes: ['JSON_LISTINGS_FEED'] })).feeds);
  expect(listed.map((one) => String(one.processingStatus))).toEqual(['CANCELLED', 'DONE']);
});

test('the official SDK registers a queue, subscribes to it and takes both back', async () => {
  const own = api('NotificationsSpApi', 'NotificationsApi', await seller.ownToken());
  const sellers = api('NotificationsSpApi', 'NotificationsApi');
  const { payload: made } = await call(own, 'createDestination', {
    name: 'erp',
    resourceSpecification: { sqs: { arn: QUEUE_ARN } },
  });
  expect(listOf((await call(own, 'getDestinations')).payload)).toHaveLength(1);
  await call(own, 'getDestination', made?.destinationId);
  const wish = { payloadVersion: '1.0', destinationId: made?.destinationId };
  const { payload } = await call(sellers, 'createSubscription', 'ORDER_CHANGE', wish);
  await call(sellers, 'getSubscription', 'ORDER_CHANGE');
  await call(own, 'getSubscriptionById', payload?.subscriptionId, 'ORDER_CHANGE');
  await call(own, 'deleteSubscriptionById', payload?.subscriptionId, 'ORDER_CHANGE');
  await call(own, 'deleteDestination', made?.destinationId);
});

test('the official SDK has the secret of the application changed, and the old one is good for a week beside it', async () => {
  const token = await seller.ownToken('client_credential:rotation');
  await call(api('ApplicationsSpApi', 'ApplicationsApi', token), 'rotateApplicationClientSecret');
  const { world } = seller.sandbox;
  const [app] = world.settings.apps;
  if (!app) throw new Error('the sandbox knows no application');
  expect(world.secrets.usable(app, SELLER_NOW)).toHaveLength(2);
  expect(world.secrets.usable(app, SELLER_NOW + 8 * DAY)).not.toContain(app.clientSecret);
});

/** Sends what a helper asks for through one of some clients of the SDK, by where its path begins. */
function through(clients: Readonly<Record<string, ReturnType<typeof api>>>) {
  return async ({ method, path, query = {}, body }: Request): Promise<Sent> => {
    const client = Object.entries(clients).find(([start]) => path.startsWith(start))?.[1];
    const { name, values } = operationAt(method, path);
    const parameters = listOf(modelOf({ method, path: name.path })?.parameters);
    const given = (parameter: Json): unknown =>
      String(parameter.in) === 'body' ? body : (values[String(parameter.name)] ?? query[String(parameter.name)]);
    // The SDK asks for what stands in the path first.
    const inPath = (one: Json): number => Number(String(one.in) !== 'path');
    const wanted = parameters.filter((one) => Boolean(one.required)).sort((a, b) => inPath(a) - inPath(b));
    const required = wanted.map(given);
    const more = parameters.filter((one) => !one.required && given(one) !== undefined);
    const lower = (text: string): string => `${text[0]?.toLowerCase()}${text.slice(1)}`;
    const options = Object.fromEntries(more.map((one) => [lower(String(one.name)), given(one)]));
    if (!client) throw new Error(`No client of the SDK calls ${path}`);
    return { status: 202, body: await call(client, name.name, ...required, options) };
  };
}

test('the official SDK sends goods to Amazon', async () => {
  const send = through({
    '/inbound/': api('FulfillmentinboundSpApi', 'FbaInboundApi'),
    '/fba/inbound/v0': api('Fulfillmentinbound_v0SpApi', 'FbaInboundApi'),
  });
  const good = async (request: Request): Promise<Json> => (await send(request)).body;
  await callEveryInbound(new Inbounder({ ...seller, send, good }));
});

test('the official SDK has goods sent to buyers from elsewhere', async () => {
  const outbound = api('FulfillmentoutboundSpApi', 'FbaOutboundApi');
  await callEveryOutbound({ ...seller, send: through({ '/fba/outbound/': outbound }) });
});

/** Which operation a path is one of, and what its parts are. */
function operationAt(method: string, path: string) {
  for (const name of operations) {
    if (name.method !== method) continue;
    const pattern = new RegExp(`^${name.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    const match = pattern.exec(path);
    if (match) return { name, values: match.groups ?? {} };
  }
  throw new Error(`No operation is at ${method} ${path}`);
}

/** Served only to say that the sandbox has no schedules; the product makes its own. */
const NOT_SIMULATED = ['getReportSchedules', 'createReportSchedule'];

test('no operation is left that the official SDK has not called', () => {
  const wanted = operations.filter(({ name }) => !NOT_SIMULATED.includes(name)).map(nameOf);
  expect([...driven].sort()).toEqual(wanted.sort());
});
