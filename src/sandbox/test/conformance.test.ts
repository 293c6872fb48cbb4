import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { conformance, modelOf, replyProblems, requestProblems } from '../conformance/check.ts';
import { schemaChecker } from '../conformance/model.ts';
import { aplusOperations } from '../wire/aplus/operations.ts';
import { uploadOperations } from '../wire/aplus/uploads.ts';
import { inboundOperations } from '../wire/inbound/operations.ts';
import { merchantOperations } from '../wire/merchant/operations.ts';
import { outboundOperations } from '../wire/outbound/operations.ts';
import { QUEUE_ARN } from '../wire/queue.ts';
import { operations } from '../wire/server.ts';
import { APLUS, aplusAndBack } from './aplus-support.ts';
import { callEveryInbound } from './inbound-every.ts';
import { Inbounder } from './inbound-support.ts';
import { labelAndBack } from './merchant-support.ts';
import { callEveryOutbound } from './outbound-support.ts';
import { type ConsentedSeller, consentedSeller, SELLER_NOW as NOW } from './seller-support.ts';
import { DAY, type Json, listOf, START } from './wire-support.ts';

const models = conformance();
let seller: ConsentedSeller;
let sandbox: ConsentedSeller['sandbox'];
/** Whose token the calls carry. */
let token: string;
let sellerId: string;
let marketplaceIds: string[];

beforeAll(async () => {
  seller = await consentedSeller({ watch: models.watch, scenario: 'demo' });
  ({ sandbox, sellerId, marketplaceIds } = seller);
  token = seller.accessToken;
});
afterAll(() => sandbox.close());

type Call = [method: string, path: string, query?: Record<string, unknown>, body?: unknown];

const send = (...[method, path, query, body]: Call) => seller.send({ method, path, query, body }, token);
const good = (...[method, path, query, body]: Call) => seller.good({ method, path, query, body }, token);

const iso = (at: number): string => new Date(at).toISOString();
const ORDER_DATA = 'BUYER,RECIPIENT,PROCEEDS,EXPENSE,PROMOTION,CANCELLATION,FULFILLMENT,PACKAGES';
const ITEM_DATA = 'summaries,attributes,issues,offers,fulfillmentAvailability,procurement';
const LISTINGS = 'GET_MERCHANT_LISTINGS_ALL_DATA';

/** One good call of every operation, as rich as it can be. */
const CALLS: Record<string, () => Promise<unknown>> = {
  getMarketplaceParticipations: () => good('GET', '/sellers/v1/marketplaceParticipations'),
  getAccount: () => good('GET', '/sellers/v1/account'),
  searchOrders: async () => {
    const query = { createdAfter: iso(NOW - 9 * DAY), includedData: ORDER_DATA, maxResultsPerPage: 50 };
    const { pagination } = await good('GET', '/orders/2026-01-01/orders', query);
    const paginationToken = pagination?.nextToken;
    expect(paginationToken).toBeDefined();
    return good('GET', '/orders/2026-01-01/orders', { ...query, paginationToken });
  },
  getOrder: async () => {
    const { orders } = await good('GET', '/orders/2026-01-01/orders', { createdAfter: iso(NOW - 9 * DAY) });
    for (const order of Object.values(orders ?? {}).slice(0, 20)) {
      await good('GET', `/orders/2026-01-01/orders/${order.orderId}`, { includedData: ORDER_DATA });
    }
  },
  createReport: () =>
    good('POST', '/reports/2021-06-30/reports', {}, { reportType: LISTINGS, marketplaceIds: [home()] }),
  getReports: async () => {
    const types = ['GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2', LISTINGS].join();
    const { nextToken } = await good('GET', '/reports/2021-06-30/reports', { reportTypes: types, pageSize: 1 });
    expect(nextToken).toBeDefined();
    return good('GET', '/reports/2021-06-30/reports', { nextToken });
  },
  getReport: async () => good('GET', `/reports/2021-06-30/reports/${await newReport()}`),
  getReportDocument: async () => {
    const { reportDocumentId } = await good('GET', `/reports/2021-06-30/reports/${await newReport()}`);
    return good('GET', `/reports/2021-06-30/documents/${reportDocumentId}`);
  },
  cancelReport: async () => {
    sandbox.world.settings.reportDelayMs = [60_000, 60_000];
    const reportId = await newReport();
    await good('DELETE', `/reports/2021-06-30/reports/${reportId}`);
    sandbox.world.settings.reportDelayMs = [0, 0];
  },
  getInventorySummaries: async () => {
    const query = { granularityType: 'Marketplace', granularityId: home(), marketplaceIds: home() };
    await good('GET', '/fba/inventory/v1/summaries', query);
    return good('GET', '/fba/inventory/v1/summaries', { ...query, details: true });
  },
  searchListingsItems: () =>
    good('GET', `/listings/2021-08-01/items/${sellerId}`, {
      marketplaceIds: home(),
      includedData: ITEM_DATA,
      pageSize: 20,
    }),
  getListingsItem: async () => {
    const { items } = await good('GET', `/listings/2021-08-01/items/${sellerId}`, { marketplaceIds: home() });
    const sku = encodeURIComponent(String(items?.[0]?.sku));
    return good('GET', `/listings/2021-08-01/items/${sellerId}/${sku}`, {
      marketplaceIds: home(),
      includedData: ITEM_DATA,
    });
  },
  ...Object.fromEntries(
    [
      'putListingsItem',
      'patchListingsItem',
      'deleteListingsItem',
      'getListingsRestrictions',
      'searchCatalogItems',
      'getCatalogItem',
      'searchDefinitionsProductTypes',
      'getDefinitionsProductType',
    ].map((name) => [name, () => (listed ??= listAndBack())]),
  ),
  ...Object.fromEntries(
    [...aplusOperations, ...uploadOperations].map(({ name }) => [name, () => (published ??= publishAndBack())]),
  ),
  getItemOffersBatch: async () => {
    const { items } = await good('GET', `/listings/2021-08-01/items/${sellerId}`, { marketplaceIds: home() });
    const asins = listOf(items).map((item) => String(listOf(item.summaries)[0]?.asin));
    return good(
      'POST',
      '/batches/products/pricing/v0/itemOffers',
      {},
      {
        requests: [...asins, 'B0NOBODYHAS', 'B0NOBODY00'].map((asin) => ({
          uri: `/products/pricing/v0/items/${asin}/offers`,
          method: 'GET',
          MarketplaceId: home(),
          ItemCondition: 'New',
        })),
      },
    );
  },
  listTransactions: () => good('GET', '/finances/2024-06-19/transactions', { postedAfter: iso(NOW - 20 * DAY) }),
  listFinancialEventGroups: () =>
    good('GET', '/finances/v0/financialEventGroups', { FinancialEventGroupStartedAfter: iso(START - 2 * DAY) }),
  ...Object.fromEntries(
    [
      'getDestinations',
      'createDestination',
      'getDestination',
      'deleteDestination',
      'getSubscription',
      'createSubscription',
      'getSubscriptionById',
      'deleteSubscriptionById',
    ].map((name) => [name, () => (told ??= subscribeAndBack())]),
  ),
  ...Object.fromEntries(
    ['createFeedDocument', 'createFeed', 'getFeed', 'getFeeds', 'cancelFeed', 'getFeedDocument'].map((name) => [
      name,
      () => (fed ??= feedAndBack()),
    ]),
  ),
  confirmShipment: async () => {
    const { orderId, item } = await waitingOrder();
    return good('POST', `/orders/v0/orders/${orderId}/shipmentConfirmation`, {}, parcel(item, 1));
  },
  ...Object.fromEntries(merchantOperations.map(({ name }) => [name, () => (labelled ??= labelAndBack(seller))])),
  getSolicitationActionsForOrder: () => (asked ??= askAndBack()),
  createProductReviewAndSellerFeedbackSolicitation: () => (asked ??= askAndBack()),
  rotateApplicationClientSecret: async () => {
    const own = await seller.ownToken('client_credential:rotation');
    await seller.good({ method: 'POST', path: '/applications/2023-11-30/clientSecret' }, own);
  },
  ...Object.fromEntries(
    inboundOperations.map(({ name }) => [name, () => (sentIn ??= callEveryInbound(new Inbounder(seller)))]),
  ),
  ...Object.fromEntries(outboundOperations.map(({ name }) => [name, () => (sentOut ??= callEveryOutbound(seller))])),
  getOrderMetrics: async () => {
    const units: Record<string, number> = {};
    for (const granularity of ['Hour', 'Day', 'Week', 'Month', 'Year', 'Total']) {
      const interval = `${iso(NOW - 29 * DAY)}--${iso(NOW - DAY)}`;
      const query = { marketplaceIds: home(), interval, granularity, granularityTimeZone: 'UTC' };
      const { payload } = await good('GET', '/sales/v1/orderMetrics', query);
      units[granularity] = listOf(payload).reduce((sum, piece) => sum + Number(piece.unitCount), 0);
    }
    // However an interval is cut, its pieces hold the same units.
    expect(new Set(Object.values(units)).size).toBe(1);
    expect(units.Total).toBeGreaterThan(100);
  },
};

/** Served, but only to say that the sandbox has no schedules: 501 is no answer of the model. */
const NOT_SIMULATED = ['getReportSchedules', 'createReportSchedule'];

/** An order that the merchant has yet to send, with its first item. */
async function waitingOrder(): Promise<{ orderId: string; item: string }> {
  const query = { createdAfter: iso(NOW - 9 * DAY), fulfilledBy: 'MERCHANT', fulfillmentStatuses: 'UNSHIPPED' };
  const { orders } = await good('GET', '/orders/2026-01-01/orders', { ...query, marketplaceIds: home() });
  const [order] = listOf(orders);
  return { orderId: String(order?.orderId), item: String(listOf(order?.orderItems)[0]?.orderItemId) };
}

const parcel = (orderItemId: string, quantity: number) => ({
  marketplaceId: home(),
  packageDetail: {
    packageReferenceId: '1',
    carrierCode: 'UPS',
    shippingMethod: 'Ground',
    trackingNumber: '1Z999',
    shipDate: iso(NOW),
    orderItems: [{ orderItemId, quantity }],
  },
});

let published: Promise<void> | undefined;

/** Makes an A+ document, has it published and takes it off. */
async function publishAndBack(): Promise<void> {
  const path = `/listings/2021-08-01/items/${sellerId}`;
  const { items } = await good('GET', path, { marketplaceIds: home() });
  const asin = String(listOf(listOf(items)[0]?.summaries)[0]?.asin);
  await aplusAndBack(seller, asin, (name, key, body, asins) => {
    const operation = aplusOperations.find((one) => one.name === name);
    const query = {
      marketplaceId: home(),
      ...(name === 'getContentDocument' ? { includedDataSet: 'CONTENTS,METADATA' } : {}),
      ...(name === 'listContentDocumentAsinRelations' ? { includedDataSet: 'METADATA' } : {}),
      ...(name === 'searchContentPublishRecords' ? { asin: asins?.[0] } : asins ? { asinSet: asins.join() } : {}),
    };
    const at = String(operation?.path).replace(':contentReferenceKey', key);
    return good(String(operation?.method), at, query, body);
  });
  expect((await send('GET', `${APLUS}/nobody`, { marketplaceId: home(), includedDataSet: 'METADATA' })).status).toBe(
    404,
  );
}

let listed: Promise<void> | undefined;

/** Finds what others sell, lists it too, changes the listing and takes it away. */
async function listAndBack(): Promise<void> {
  const site = { marketplaceIds: home() };
  const data =
    'summaries,attributes,classifications,dimensions,identifiers,images,productTypes,relationships,salesRanks';
  const found = await good('GET', '/catalog/2022-04-01/items', { ...site, keywords: 'kitora', includedData: data });
  const more = { ...site, keywords: 'kitora', includedData: data, pageToken: found.pagination?.nextToken };
  const asin = String(listOf((await good('GET', '/catalog/2022-04-01/items', more)).items)[0]?.asin);
  await good('GET', '/catalog/2022-04-01/items', { ...site, identifiers: asin, identifiersType: 'ASIN' });
  await good('GET', `/catalog/2022-04-01/items/${asin}`, { ...site, includedData: data });
  await good('GET', '/listings/2021-08-01/restrictions', { ...site, asin, sellerId, conditionType: 'new_new' });
  await good('GET', '/definitions/2020-09-01/productTypes', { ...site, keywords: 'CUP', locale: 'zh_CN' });
  const definition = '/definitions/2020-09-01/productTypes/CUP';
  const { schema } = await good('GET', definition, { ...site, sellerId, requirements: 'LISTING_OFFER_ONLY' });
  expect((await fetch(String(schema?.link?.resource))).status).toBe(200);
  const path = `/listings/2021-08-01/items/${sellerId}/NEW-1`;
  const offer = { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 9.5 }] }], marketplace_id: home() };
  const attributes = {
    condition_type: [{ value: 'new_new', marketplace_id: home() }],
    merchant_suggested_asin: [{ value: asin, marketplace_id: home() }],
    purchasable_offer: [offer],
    fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 5 }],
  };
  const body = { productType: 'CUP', requirements: 'LISTING_OFFER_ONLY', attributes };
  expect((await good('PUT', path, { ...site, mode: 'VALIDATION_PREVIEW' }, body)).status).toBe('VALID');
  expect((await good('PUT', path, site, { ...body, productType: 'NOTHING' })).status).toBe('INVALID');
  expect((await good('PUT', path, site, body)).status).toBe('ACCEPTED');
  const patches = [{ op: 'replace', path: '/attributes/condition_type', value: [{ value: 'used_good' }] }];
  expect((await good('PATCH', path, site, { productType: 'CUP', patches })).status).toBe('ACCEPTED');
  const shown = await good('GET', path, { ...site, includedData: ITEM_DATA });
  expect(shown.attributes).toMatchObject({ condition_type: [{ value: 'used_good' }] });
  expect((await good('DELETE', path, site)).status).toBe('ACCEPTED');
  expect((await send('GET', path, site)).status).toBe(404);
}

let sentIn: Promise<void> | undefined;
let sentOut: Promise<void> | undefined;
let asked: Promise<void> | undefined;
let labelled: Promise<void> | undefined;

/** Asks the buyer of an order that arrived for a review, which is offered before and not after. */
async function askAndBack(): Promise<void> {
  const query = {
    createdAfter: iso(NOW - 16 * DAY),
    createdBefore: iso(NOW - 14 * DAY),
    fulfillmentStatuses: 'SHIPPED',
  };
  const { orders } = await good('GET', '/orders/2026-01-01/orders', { ...query, marketplaceIds: home() });
  const path = `/solicitations/v1/orders/${String(listOf(orders)[0]?.orderId)}`;
  const site = { marketplaceIds: home() };
  const offered = async () => listOf((await good('GET', path, site))._links?.actions).length;
  expect(await offered()).toBe(1);
  await good('POST', `${path}/solicitations/productReviewAndSellerFeedback`, site);
  expect(await offered()).toBe(0);
  expect((await send('POST', `${path}/solicitations/productReviewAndSellerFeedback`, site)).status).toBe(403);
}

let told: Promise<void> | undefined;

/** Registers a queue, subscribes to it, looks at both and takes both back. */
async function subscribeAndBack(): Promise<void> {
  const own = await seller.ownToken();
  const base = '/notifications/v1';
  token = own;
  const body = { name: 'erp', resourceSpecification: { sqs: { arn: QUEUE_ARN } } };
  const { payload: made } = await good('POST', `${base}/destinations`, {}, body);
  const id = String(made?.destinationId);
  expect(listOf((await good('GET', `${base}/destinations`)).payload)).toHaveLength(1);
  await good('GET', `${base}/destinations/${id}`);
  token = seller.accessToken;
  const wish = { payloadVersion: '1.0', destinationId: id };
  const { payload } = await good('POST', `${base}/subscriptions/ORDER_CHANGE`, {}, wish);
  expect((await send('POST', `${base}/subscriptions/ORDER_CHANGE`, {}, wish)).status).toBe(409);
  await good('GET', `${base}/subscriptions/ORDER_CHANGE`);
  token = own;
  const subscription = `${base}/subscriptions/ORDER_CHANGE/${payload?.subscriptionId}`;
  await good('GET', subscription);
  expect((await send('DELETE', `${base}/destinations/${id}`)).status).toBe(400);
  await good('DELETE', subscription);
  await good('DELETE', `${base}/destinations/${id}`);
  token = seller.accessToken;
}

let fed: Promise<void> | undefined;
const FEEDS = '/feeds/2021-06-30';

async function handIn(messages: object[]): Promise<string> {
  const { feedDocumentId, url } = await good('POST', `${FEEDS}/documents`, {}, { contentType: 'application/json' });
  const content = JSON.stringify({ header: { sellerId, version: '2.0', issueLocale: 'en_US' }, messages });
  expect((await fetch(String(url), { method: 'PUT', body: content })).status).toBe(200);
  const feed = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [home()], inputFeedDocumentId: feedDocumentId };
  return String((await good('POST', `${FEEDS}/feeds`, {}, feed)).feedId);
}

/** Changes a price by a feed, beside messages that are wrong; looks at it, pages through all and calls one back. */
async function feedAndBack(): Promise<void> {
  const path = `/listings/2021-08-01/items/${sellerId}`;
  const query = { marketplaceIds: home(), includedData: 'summaries,offers' };
  const [item, second] = listOf((await good('GET', path, query)).items);
  const sku = String(item?.sku);
  const patch = (messageId: number, price: number, productType: unknown = listOf(item?.summaries)[0]?.productType) => ({
    messageId,
    sku,
    operationType: 'PATCH',
    productType,
    patches: [
      {
        op: 'merge',
        path: '/attributes/purchasable_offer',
        value: [
          {
            marketplace_id: home(),
            currency: 'USD',
            audience: 'ALL',
            our_price: [{ schedule: [{ value_with_tax: price }] }],
          },
        ],
      },
    ],
  });
  const feedId = await handIn([patch(1, 77.5), patch(2, 0), { ...patch(3, 9), sku: 'NOBODY' }, patch(4, 9, 'LUGGAGE')]);
  const feed = await good('GET', `${FEEDS}/feeds/${feedId}`);
  expect(feed.processingStatus).toBe('DONE');
  const result = await good('GET', `${FEEDS}/documents/${feed.resultFeedDocumentId}`);
  const report = JSON.parse(gunzipSync(await (await fetch(String(result.url))).arrayBuffer()).toString()) as Json;
  expect(report.summary).toMatchObject({ messagesProcessed: 4, messagesAccepted: 1, messagesInvalid: 3 });
  expect(listOf(report.issues).map(({ messageId }) => messageId)).toEqual([2, 3, 4]);
  const shown = await good('GET', `${path}/${encodeURIComponent(sku)}`, query);
  expect(listOf(shown.offers)[0]?.price).toEqual({ currencyCode: 'USD', amount: '77.50' });
  expect(second?.sku).not.toBe(sku);
  sandbox.world.settings.reportDelayMs = [60_000, 60_000];
  const waiting = await handIn([patch(1, 12)]);
  await good('DELETE', `${FEEDS}/feeds/${waiting}`);
  sandbox.world.settings.reportDelayMs = [0, 0];
  const first = await good('GET', `${FEEDS}/feeds`, { feedTypes: 'JSON_LISTINGS_FEED', pageSize: 1 });
  expect(listOf(first.feeds)[0]?.processingStatus).toBe('CANCELLED');
  const rest = await good('GET', `${FEEDS}/feeds`, { nextToken: first.nextToken });
  expect(listOf(rest.feeds)[0]?.feedId).toBe(feedId);
}

const home = (): string => marketplaceIds[0] ?? '';

async function newReport(): Promise<string> {
  const body = { reportType: LISTINGS, marketplaceIds: [home()] };
  return String((await good('POST', '/reports/2021-06-30/reports', {}, body)).reportId);
}

describe('every operation of the sandbox', () => {
  for (const operation of operations) {
    it(`${operation.name} is one of Amazon's, called and answered as its model says`, async () => {
      const model = modelOf(operation);
      expect(model?.name).toBe(operation.name);
      // Of two operations the model's table holds no numbers that could be read.
      if (model?.plan) expect(operation.plan).toEqual(model.plan);
      else
        expect(operation.name).toMatch(
          /^(listPrepDetails|listItemComplianceDetails|getReportSchedules|createReportSchedule)$/,
        );
      if (NOT_SIMULATED.includes(operation.name)) return;
      const call = CALLS[operation.name];
      if (!call) throw new Error(`No call of ${operation.name} is known here`);
      await call();
      expect(models.seen().get(operation.name)).toBeGreaterThan(0);
      expect(models.problems().filter((problem) => problem.startsWith(`${operation.name} `))).toEqual([]);
    });
  }
});

test('the checks do find what is wrong', () => {
  const operation = operations.find(({ name }) => name === 'getReport');
  const model = operation && modelOf(operation);
  if (!model) throw new Error('getReport is not described');
  const report = { reportId: '1', reportType: 'X', createdTime: iso(NOW), processingStatus: 'DONE' };
  expect(replyProblems(model, 200, report)).toEqual([]);
  expect(replyProblems(model, 200, { ...report, processingStatus: 'READY' })).toHaveLength(1);
  expect(replyProblems(model, 200, { ...report, createdTime: 'yesterday' })).toHaveLength(1);
  expect(replyProblems(model, 200, { ...report, reportKind: 'X' })).toHaveLength(1);
  expect(replyProblems(model, 200, { ...report, reportId: undefined })).toHaveLength(1);
  expect(replyProblems(model, 418, {})).toHaveLength(1);
  expect(requestProblems(model, { query: {}, params: {}, body: undefined })).toHaveLength(1);
  expect(requestProblems(model, { query: { page: '1' }, params: { reportId: '1' }, body: undefined })).toHaveLength(1);
});

describe('reports that are JSON documents', () => {
  const SUNDAY = Date.UTC(2026, 0, 18, 8);
  const ASINS = 'B0FAKE0003 B0FAKE0007';
  const REPORTS: [type: string, schema: string, body: object][] = [
    ['GET_V2_SELLER_PERFORMANCE_REPORT', 'accountHealthReport-2020-11-18', {}],
    [
      'GET_SALES_AND_TRAFFIC_REPORT',
      'sellerSalesAndTrafficReport',
      {
        dataStartTime: iso(NOW - 9 * DAY),
        dataEndTime: iso(NOW - 4 * DAY),
        reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
      },
    ],
    [
      'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT',
      'sellingPartnerSearchTermsReport',
      {
        dataStartTime: iso(SUNDAY),
        dataEndTime: iso(SUNDAY + 6 * DAY),
        reportOptions: { reportPeriod: 'WEEK' },
      },
    ],
    [
      'GET_COUPON_PERFORMANCE_REPORT',
      'sellerCouponReport',
      { reportOptions: { couponStartDateFrom: iso(NOW - 90 * DAY), couponStartDateTo: iso(NOW) } },
    ],
    [
      'GET_PROMOTION_PERFORMANCE_REPORT',
      'promotionReport',
      { reportOptions: { promotionStartDateFrom: iso(NOW - 90 * DAY), promotionStartDateTo: iso(NOW) } },
    ],
    [
      'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT',
      'sellingPartnerSearchQueryPerformanceReport',
      {
        dataStartTime: iso(SUNDAY),
        dataEndTime: iso(SUNDAY + 6 * DAY),
        reportOptions: { reportPeriod: 'WEEK', asin: ASINS },
      },
    ],
  ];
  for (const [reportType, schema, more] of REPORTS) {
    it(`${reportType} is as its published schema says`, async () => {
      const body = { reportType, marketplaceIds: [home()], ...more };
      const { reportId } = await good('POST', '/reports/2021-06-30/reports', {}, body);
      const { reportDocumentId } = await good('GET', `/reports/2021-06-30/reports/${reportId}`);
      const { url } = await good('GET', `/reports/2021-06-30/documents/${reportDocumentId}`);
      const bytes = await (await fetch(String(url))).arrayBuffer();
      const document: unknown = JSON.parse(gunzipSync(bytes).toString('utf8'));
      const { success, error } = schemaChecker(`reports/${schema}.json`).safeParse(document);
      expect(
        success ? [] : error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`),
      ).toEqual([]);
    });
  }
});
