import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awkwardSku } from './fake-business.ts';
import { type Bench, bench, HOUR, type Json, listOf, NOW, START } from './wire-support.ts';

let shop: Bench;
beforeAll(async () => {
  shop = await bench();
});
afterAll(() => shop.close());

const at = (time: number): string => new Date(time).toISOString();
const summaries =
  '/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=ATVPDKIKX0DER&marketplaceIds=ATVPDKIKX0DER';

describe('FBA inventory', () => {
  it('tiles by pages of fifty and leaves out what the merchant ships himself', async () => {
    const skus: string[] = [];
    let token: string | undefined;
    do {
      const more: string = token === undefined ? '' : `&nextToken=${encodeURIComponent(token)}`;
      const body: Json = await shop.json(summaries + more);
      skus.push(...listOf(body.payload?.inventorySummaries).map((one) => String(one.sellerSku)));
      token = body.pagination === undefined ? undefined : String(body.pagination.nextToken);
    } while (token !== undefined);
    expect(skus.length).toBe(119);
    expect(new Set(skus).size).toBe(119);
    expect(skus).not.toContain('FK-001');
  });

  it('gives details only on request, and quantities that add up', async () => {
    const one = async (query: string): Promise<Json | undefined> =>
      listOf(
        (await shop.json(`${summaries}&sellerSkus=${encodeURIComponent(awkwardSku)}${query}`)).payload
          ?.inventorySummaries,
      )[0];
    expect((await one(''))?.inventoryDetails).toBeUndefined();
    expect(await one('&details=true')).toMatchObject({
      sellerSku: awkwardSku,
      totalQuantity: 175,
      inventoryDetails: {
        fulfillableQuantity: 100,
        inboundWorkingQuantity: 10,
        inboundShippedQuantity: 20,
        inboundReceivingQuantity: 30,
        reservedQuantity: { totalReservedQuantity: 12, pendingCustomerOrderQuantity: 3 },
        researchingQuantity: { totalResearchingQuantity: 1 },
        unfulfillableQuantity: { totalUnfulfillableQuantity: 2 },
      },
    });
  });

  it('narrows to what changed, and lets a token die after half a minute', async () => {
    const changed = await shop.json(`${summaries}&startDateTime=${at(START + 110 * HOUR)}`);
    expect(listOf(changed.payload?.inventorySummaries).length).toBe(10);
    const first = await shop.json(summaries);
    const token = encodeURIComponent(String(first.pagination?.nextToken));
    expect((await shop.call(`${summaries}&nextToken=${token}`)).status).toBe(200);
    // The token travels with the very arguments that produced it.
    expect((await shop.call(`${summaries}&startDateTime=${at(START)}&nextToken=${token}`)).status).toBe(400);
    shop.throttle.advance(30_001);
    expect((await shop.call(`${summaries}&nextToken=${token}`)).status).toBe(400);
  });

  it('refuses a foreign marketplace and another granularity', async () => {
    const foreign = summaries.replaceAll('ATVPDKIKX0DER', 'A1PA6795UKMFR9');
    expect((await shop.call(foreign)).status).toBe(403);
    expect((await shop.call(summaries.replace('=Marketplace', '=Planet'))).status).toBe(400);
  });
});

describe('listings', () => {
  const items = '/listings/2021-08-01/items/A1FAKE';
  const us = 'marketplaceIds=ATVPDKIKX0DER';

  it('tiles by pages of twenty', async () => {
    const skus: string[] = [];
    let token: string | undefined;
    do {
      const more: string = token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`;
      const body: Json = await shop.json(`${items}?${us}&pageSize=20${more}`);
      expect(body.numberOfResults).toBe(120);
      skus.push(...listOf(body.items).map((item) => String(item.sku)));
      token = body.pagination === undefined ? undefined : String(body.pagination.nextToken);
    } while (token !== undefined);
    expect([skus.length, new Set(skus).size]).toEqual([120, 120]);
    expect((await shop.call(`${items}?${us}&pageSize=21`)).status).toBe(400);
  });

  it('finds one by an awkward SKU, with price, state and a picture that exists', async () => {
    const data = 'includedData=summaries,offers,issues,fulfillmentAvailability,attributes';
    const item = await shop.json(`${items}/${encodeURIComponent(awkwardSku)}?${us}&${data}`);
    expect(item).toMatchObject({
      sku: awkwardSku,
      offers: [
        { offerType: 'B2C', price: { amount: '19.99', currencyCode: 'USD' } },
        { offerType: 'B2B', audience: { value: 'B2B' } },
      ],
      issues: [],
      fulfillmentAvailability: [{ fulfillmentChannelCode: 'AMAZON_NA' }],
    });
    const [summary] = listOf(item.summaries);
    expect(summary?.status).toEqual(['BUYABLE', 'DISCOVERABLE']);
    expect((await fetch(String(summary?.mainImage?.link))).status).toBe(200);
    expect((await shop.call(`${items}/nothing?${us}`)).status).toBe(404);
    expect((await shop.call(`/listings/2021-08-01/items/A2FAKE?${us}`)).status).toBe(403);
  });

  it('filters by change, identifier, state and issue', async () => {
    const count = async (query: string): Promise<unknown> =>
      (await shop.json(`${items}?${us}&${query}`)).numberOfResults;
    expect(await count(`lastUpdatedAfter=${at(START + 115 * HOUR)}`)).toBe(5);
    expect(await count('identifiersType=ASIN&identifiers=B0FAKE0004,B0FAKE0005')).toBe(2);
    expect(await count('withoutStatus=BUYABLE')).toBe(1);
    expect(await count('withIssueSeverity=ERROR')).toBe(1);
    expect((await shop.call(`${items}?${us}&identifiers=B0FAKE0004`)).status).toBe(400);
  });
});

describe('finances', () => {
  const transactions = '/finances/2024-06-19/transactions';

  it('builds the tree so that every parent is the sum of its leaves, up to the total', async () => {
    const { payload } = await shop.json(`${transactions}?postedAfter=${at(NOW - 3 * HOUR)}`);
    const [first] = listOf(payload?.transactions);
    const money = (currencyAmount: number) => ({ currencyCode: 'USD', currencyAmount });
    expect(first?.totalAmount).toEqual(money(13.99));
    expect(first?.breakdowns).toEqual([
      {
        breakdownType: 'Sales',
        breakdownAmount: money(19.99),
        breakdowns: [{ breakdownType: 'Product Charges', breakdownAmount: money(19.99), breakdowns: [] }],
      },
      {
        breakdownType: 'Expenses',
        breakdownAmount: money(-6),
        breakdowns: [
          {
            breakdownType: 'Amazon Fees',
            breakdownAmount: money(-6),
            breakdowns: [
              { breakdownType: 'Commission', breakdownAmount: money(-3), breakdowns: [] },
              { breakdownType: 'FBAPerUnitFulfillmentFee', breakdownAmount: money(-3), breakdowns: [] },
            ],
          },
        ],
      },
    ]);
  });

  it('tiles by pages of five hundred', async () => {
    const query = `${transactions}?postedAfter=${at(START)}`;
    const first = await shop.json(query);
    const ids = listOf(first.payload?.transactions).map((one) => one.transactionId);
    expect(ids.length).toBe(500);
    let token = first.payload?.nextToken;
    while (token !== undefined) {
      const next = await shop.json(`${query}&nextToken=${encodeURIComponent(String(token))}`);
      ids.push(...listOf(next.payload?.transactions).map((one) => one.transactionId));
      token = next.payload?.nextToken;
    }
    // One an hour in each of two marketplaces until two minutes ago.
    expect([ids.length, new Set(ids).size]).toEqual([1464, 1464]);
  });

  it('follows the rules of the window', async () => {
    const status = async (query: string): Promise<number> => (await shop.call(`${transactions}?${query}`)).status;
    expect(await status('')).toBe(400);
    expect(await status(`postedAfter=${at(NOW)}`)).toBe(400);
    expect(await status(`postedAfter=${at(START)}&postedBefore=${at(NOW)}`)).toBe(400);
    expect(await status(`postedAfter=${at(START)}&postedBefore=${at(START)}`)).toBe(400);
    const long = await shop.json(`${transactions}?postedAfter=${at(NOW - 181 * 24 * HOUR)}`);
    expect(long.payload?.transactions).toEqual([]);
    const one = await shop.json(
      `${transactions}?relatedIdentifierName=ORDER_ID&relatedIdentifierValue=100-0000001-0000005`,
    );
    expect(listOf(one.payload?.transactions).length).toBe(2);
  });

  it('lists groups of events by their beginning, the newest first, ten a page', async () => {
    const groups = '/finances/v0/financialEventGroups';
    const query = `${groups}?FinancialEventGroupStartedAfter=${at(START)}`;
    const { payload } = await shop.json(`${query}&MaxResultsPerPage=4`);
    const first = listOf(payload?.FinancialEventGroupList);
    expect(first.map((one) => one.ProcessingStatus)).toEqual(['Open', 'Open', 'Closed', 'Closed']);
    expect(first[0]?.FinancialEventGroupEnd).toBeUndefined();
    expect(first[2]?.FinancialEventGroupEnd).toBe(first[0]?.FinancialEventGroupStart);
    const next = await shop.json(
      `${query}&MaxResultsPerPage=4&NextToken=${encodeURIComponent(String(payload?.NextToken))}`,
    );
    expect(listOf(next.payload?.FinancialEventGroupList)).toHaveLength(2);
    expect(next.payload?.NextToken).toBeUndefined();
    const older = await shop.json(
      `${query}&FinancialEventGroupStartedBefore=${String(first[2]?.FinancialEventGroupStart)}`,
    );
    expect(listOf(older.payload?.FinancialEventGroupList)).toHaveLength(2);
    const long = await shop.json(
      `${groups}?FinancialEventGroupStartedAfter=${at(NOW - 190 * 24 * HOUR)}&FinancialEventGroupStartedBefore=${at(NOW - HOUR)}`,
    );
    expect(long.payload?.FinancialEventGroupList).toEqual([]);
    const status = async (rest: string): Promise<number> => (await shop.call(`${groups}?${rest}`)).status;
    expect(await status(`FinancialEventGroupStartedAfter=${at(NOW)}`)).toBe(400);
    expect(await status('MaxResultsPerPage=10')).toBe(400);
    expect(await status(`FinancialEventGroupStartedAfter=${at(START)}&MaxResultsPerPage=101`)).toBe(400);
    expect(await status(`FinancialEventGroupStartedAfter=${at(START)}&MaxResultsPerPage=0`)).toBe(400);
  });
});
