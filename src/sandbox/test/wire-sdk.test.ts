import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumMoney } from '../wire/money.ts';
import { sdkCall as call, officialSdk, sdkApi } from './sdk-support.ts';
import { type ConsentedSeller, consentedSeller, SELLER_NOW as NOW } from './seller-support.ts';
import { DAY, HOUR, type Json, listOf, rowsOf, START } from './wire-support.ts';

let seller: ConsentedSeller;
let sdk: Awaited<ReturnType<typeof officialSdk>>;
let sandbox: ConsentedSeller['sandbox'];
let sellerId: string;
let marketplaceIds: string[];

const api = (moduleName: string, apiName: string) =>
  sdkApi(sdk, sandbox.url, seller.accessToken, [moduleName, apiName]);

beforeAll(async () => {
  seller = await consentedSeller();
  ({ sandbox, sellerId, marketplaceIds } = seller);
  sdk = await officialSdk();
});
afterAll(() => sandbox.close());

describe('the official SDK', () => {
  it('reads the seller', async () => {
    const sellers = api('SellersSpApi', 'SellersApi');
    const { payload } = await call(sellers, 'getMarketplaceParticipations');
    // The last one is where orders of other shops are fulfilled.
    expect(listOf(payload).map((one) => one.marketplace?.id)).toEqual([...marketplaceIds, 'A2ZV50J4W1RKNI']);
    expect((await call(sellers, 'getAccount')).payload).toMatchObject({ sellingPlan: 'PROFESSIONAL' });
  });

  it('reads every order of a fortnight, the same ones that the business holds', async () => {
    const search = api('Orders_v2026SpApi', 'SearchOrdersApi');
    const [from, to] = [NOW - 14 * DAY, NOW - HOUR];
    const ids: string[] = [];
    let token: unknown;
    do {
      const page = await call(search, 'searchOrders', {
        createdAfter: new Date(from),
        createdBefore: new Date(to),
        includedData: ['BUYER', 'PROCEEDS', 'FULFILLMENT', 'PROMOTION', 'CANCELLATION', 'PACKAGES', 'RECIPIENT'],
        ...(token === undefined ? {} : { paginationToken: token }),
      });
      ids.push(...listOf(page.orders).map((order) => String(order.orderId)));
      token = page.pagination?.nextToken;
    } while (token !== undefined);
    const account = sandbox.business.accounts.find((one) => one.sellingPartnerId === sellerId && one.region === 'na');
    if (!account) throw new Error('lost account');
    const held = sandbox.business.orders(account, { marketplaceIds, by: 'created', from, to: to + 1 }, NOW);
    expect(ids.toSorted()).toEqual(held.map((order) => order.orderId).toSorted());
    expect(ids.length).toBeGreaterThan(100);
    const one = await call(api('Orders_v2026SpApi', 'GetOrderApi'), 'getOrder', ids[0]);
    expect(one.order?.orderId).toBe(ids[0]);
  });

  it('asks for reports and reads settlements whose header equals their lines', async () => {
    const reports = api('ReportsSpApi', 'ReportsApi');
    const document = async (id: unknown): Promise<string> => {
      const { url } = await call(reports, 'getReportDocument', id);
      return gunzipSync(Buffer.from(await (await fetch(String(url))).arrayBuffer())).toString();
    };
    const reportType = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
    const window = { dataStartTime: new Date(NOW - 7 * DAY), dataEndTime: new Date(NOW) };
    const { reportId } = await call(reports, 'createReport', { reportType, marketplaceIds, ...window });
    const report = await call(reports, 'getReport', reportId);
    expect(report.processingStatus).toBe('DONE');
    expect(rowsOf(await document(report.reportDocumentId)).length).toBeGreaterThan(50);

    const settlementType = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
    const listed = listOf(
      (await call(reports, 'getReports', { reportTypes: [settlementType], pageSize: 100 })).reports,
    );
    expect(listed.length).toBeGreaterThanOrEqual(4);
    let lineCount = 0;
    for (const settlement of listed) {
      const [head, ...lines] = rowsOf(await document(settlement.reportDocumentId));
      lineCount += lines.length;
      expect(sumMoney(lines.map((line) => line.amount ?? ''))).toBe(head?.['total-amount']);
    }
    expect(lineCount).toBeGreaterThan(1000);
  });

  it('reads stock, listings and finances', async () => {
    const [marketplaceId] = marketplaceIds;
    const inventory = api('FbainventorySpApi', 'FbaInventoryApi');
    const stock = await call(inventory, 'getInventorySummaries', 'Marketplace', marketplaceId, [marketplaceId], {
      details: true,
    });
    expect(listOf(stock.payload?.inventorySummaries).length).toBeGreaterThan(0);

    const listings = api('ListingsitemsSpApi', 'ListingsApi');
    const found = await call(listings, 'searchListingsItems', sellerId, [marketplaceId], {
      includedData: ['summaries', 'offers', 'issues', 'fulfillmentAvailability', 'attributes'],
      pageSize: 20,
    });
    const [first] = listOf(found.items);
    expect((await call(listings, 'getListingsItem', sellerId, first?.sku, [marketplaceId])).sku).toBe(first?.sku);

    const finances = api('Finances20240619SpApi', 'DefaultApi');
    const { payload } = await call(finances, 'listTransactions', { postedAfter: new Date(NOW - 20 * DAY) });
    for (const transaction of listOf(payload?.transactions)) {
      const roots = listOf(transaction.breakdowns).map((node) =>
        Number(node.breakdownAmount?.currencyAmount).toFixed(2),
      );
      expect(sumMoney(roots)).toBe(Number(transaction.totalAmount?.currencyAmount).toFixed(2));
    }
    expect(listOf(payload?.transactions).length).toBeGreaterThan(100);

    const groups = await call(api('FinancesSpApi', 'DefaultApi'), 'listFinancialEventGroups', {
      financialEventGroupStartedAfter: new Date(START),
      maxResultsPerPage: 100,
    });
    const states = listOf(groups.payload?.FinancialEventGroupList).map((group) => group.ProcessingStatus);
    expect(states.filter((state) => String(state) === 'Open')).toHaveLength(marketplaceIds.length);
    expect(states.length).toBeGreaterThan(2 * marketplaceIds.length);
  });

  it('shows over the wire exactly what the sandbox calls the truth', async () => {
    const search = api('Orders_v2026SpApi', 'SearchOrdersApi');
    for (const marketplaceId of marketplaceIds) {
      const [from, to] = [START, NOW - DAY];
      const counted: { orderId: string; units: number; price: string }[] = [];
      let token: unknown;
      do {
        const page = await call(search, 'searchOrders', {
          createdAfter: new Date(from),
          createdBefore: new Date(to - 1),
          marketplaceIds: [marketplaceId],
          includedData: ['PROCEEDS', 'FULFILLMENT'],
          ...(token === undefined ? {} : { paginationToken: token }),
        });
        for (const order of listOf(page.orders)) {
          const isOut = ['CANCELLED', 'UNFULFILLABLE'].includes(String(order.fulfillment?.fulfillmentStatus));
          if (isOut || order.associatedOrders !== undefined) continue;
          for (const item of listOf(order.orderItems)) {
            const priced = listOf(item.proceeds?.breakdowns).find((part) => String(part.type) === 'ITEM');
            counted.push({
              orderId: String(order.orderId),
              units: Number(item.quantityOrdered),
              price: String(priced?.subtotal?.amount),
            });
          }
        }
        token = page.pagination?.nextToken;
      } while (token !== undefined);
      const query = new URLSearchParams({
        sellingPartnerId: sellerId,
        region: 'na',
        marketplaceId,
        from: String(from),
        to: String(to),
      });
      const truth = (await (await fetch(`${sandbox.url}/control/truth?${query}`)).json()) as Json;
      expect({
        orders: new Set(counted.map((line) => line.orderId)).size,
        units: counted.reduce((sum, line) => sum + line.units, 0),
        productSales: sumMoney(counted.map((line) => line.price)),
      }).toEqual({ orders: truth.orders, units: truth.units, productSales: truth.productSales });
      expect(counted.length).toBeGreaterThan(50);
    }
  });
});
