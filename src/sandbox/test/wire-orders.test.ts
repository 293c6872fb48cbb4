import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, bench, HOUR, type Json, listOf, MINUTE, NOW, START } from './wire-support.ts';

let shop: Bench;
beforeAll(async () => {
  shop = await bench();
});
afterAll(() => shop.close());

const orders = '/orders/2026-01-01/orders';
const at = (time: number): string => new Date(time).toISOString();

async function allPages(query: Record<string, string>): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = [];
  const sizes: number[] = [];
  let token: string | undefined;
  do {
    const search = new URLSearchParams({ ...query, ...(token === undefined ? {} : { paginationToken: token }) });
    const body = await shop.json(`${orders}?${search}`);
    const page = listOf(body.orders);
    ids.push(...page.map((order) => String(order.orderId)));
    sizes.push(page.length);
    token = body.pagination === undefined ? undefined : String(body.pagination.nextToken);
  } while (token !== undefined);
  return { ids, sizes };
}

describe('searchOrders', () => {
  it('tiles a window exactly: every order once, full pages but the last', async () => {
    // Two marketplaces, one order an hour each: 14 days hold 2 x 336 orders, both bounds included.
    const window = { createdAfter: at(START), createdBefore: at(START + 14 * 24 * HOUR - 1) };
    const { ids, sizes } = await allPages({ ...window, maxResultsPerPage: '50' });
    expect(sizes).toEqual([...Array(13).fill(50), 22]);
    expect(new Set(ids).size).toBe(672);
  });

  it('tiles whatever the page size and the window', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 60 }), async (size, hours) => {
        const from = NOW - 80 * HOUR;
        const query = {
          createdAfter: at(from),
          createdBefore: at(from + hours * HOUR),
          marketplaceIds: 'ATVPDKIKX0DER',
        };
        const { ids, sizes } = await allPages({ ...query, maxResultsPerPage: String(size) });
        expect(ids.length).toBe(hours + 1);
        expect(new Set(ids).size).toBe(ids.length);
        expect(sizes.slice(0, -1).every((one) => one === size)).toBe(true);
      }),
      { numRuns: 12 },
    );
  });

  it('shows all pages as of the first one, though the business goes on meanwhile', async () => {
    const moving = await bench();
    const query = `${orders}?lastUpdatedAfter=${at(NOW - 6 * HOUR)}&maxResultsPerPage=5`;
    const first = await moving.json(query);
    await moving.control('/clock', { advanceMs: 2 * HOUR });
    const token = encodeURIComponent(String(first.pagination?.nextToken));
    const second = await moving.json(`${query}&paginationToken=${token}`);
    const ids = [...listOf(first.orders), ...listOf(second.orders)].map((order) => order.orderId);
    expect(new Set(ids).size).toBe(10);
    expect(second.lastUpdatedBefore).toBe(first.lastUpdatedBefore);
    await moving.close();
  });

  it('refuses what the real API refuses', async () => {
    const now = at(NOW - 2 * MINUTE);
    const cases: [string, string][] = [
      ['', 'exactly one start'],
      [`createdAfter=${at(START)}&lastUpdatedAfter=${at(START)}`, 'exactly one start'],
      [`createdAfter=${at(START)}&lastUpdatedBefore=${now}`, 'end of the other kind'],
      [`lastUpdatedAfter=${at(START)}&lastUpdatedBefore=${at(NOW - 2 * MINUTE + 1)}`, 'end too recent'],
      [`createdAfter=${at(NOW - HOUR)}&createdBefore=${at(NOW - 2 * HOUR)}`, 'end before start'],
      ['createdAfter=yesterday', 'no date'],
      [`createdAfter=${at(START)}&maxResultsPerPage=101`, 'page too large'],
      [`createdAfter=${at(START)}&maxResultsPerPage=0`, 'page too small'],
      [`createdAfter=${at(START)}&includedData=SECRETS`, 'unknown data set'],
      [`createdAfter=${at(START)}&fulfillmentStatuses=LOST`, 'unknown status'],
      [`createdAfter=${at(START)}&paginationToken=abc.def`, 'forged token'],
    ];
    for (const [query, why] of cases) {
      const answer = await shop.call(`${orders}?${query}`);
      const code = listOf(((await answer.json()) as Json).errors)[0]?.code;
      expect([why, answer.status, code]).toEqual([why, 400, 'InvalidInput']);
    }
    expect((await shop.call(`${orders}?createdAfter=${at(START)}&marketplaceIds=A1PA6795UKMFR9`)).status).toBe(403);
    expect((await shop.call(`${orders}?createdAfter=${at(START)}&createdBefore=${now}`)).status).toBe(200);
  });

  it('binds a token to its own search', async () => {
    const query = `${orders}?createdAfter=${at(START)}&maxResultsPerPage=5`;
    const { pagination } = await shop.json(query);
    const token = encodeURIComponent(String(pagination?.nextToken));
    expect((await shop.call(`${query}&paginationToken=${token}`)).status).toBe(200);
    expect((await shop.call(`${query}&fulfilledBy=AMAZON&paginationToken=${token}`)).status).toBe(400);
  });

  it('filters by status and by who fulfils', async () => {
    const window = `createdAfter=${at(START)}&createdBefore=${at(START + 48 * HOUR)}&includedData=FULFILLMENT`;
    const cancelled = listOf((await shop.json(`${orders}?${window}&fulfillmentStatuses=CANCELLED`)).orders);
    expect(cancelled.length).toBe(8);
    const merchant = listOf((await shop.json(`${orders}?${window}&fulfilledBy=MERCHANT`)).orders);
    expect(merchant.map((order) => order.fulfillment?.fulfilledBy)).toEqual(['MERCHANT', 'MERCHANT']);
  });
});

describe('an order', () => {
  const first = '100-0000001-0000000';

  it('shows only what was asked for, with totals that add up', async () => {
    const bare = (await shop.json(`${orders}/${first}`)).order;
    expect(Object.keys(bare ?? {}).sort()).toEqual([
      'createdTime',
      'lastUpdatedTime',
      'orderId',
      'orderItems',
      'programs',
      'salesChannel',
    ]);
    const full = (await shop.json(`${orders}/${first}?includedData=BUYER,RECIPIENT,PROCEEDS,PROMOTION,FULFILLMENT`))
      .order;
    // 39.98 + 3.20 tax + 5.00 shipping - 4.00 - 5.00 discounts
    expect(full?.proceeds?.grandTotal).toEqual({ amount: '39.18', currencyCode: 'USD' });
    expect(listOf(full?.orderItems)[0]).toMatchObject({
      quantityOrdered: 2,
      promotion: { breakdowns: [{ promotionId: 'PROMO-1' }] },
      fulfillment: { quantityFulfilled: 2, quantityUnfulfilled: 0 },
      proceeds: { proceedsTotal: { amount: '39.18' } },
    });
    expect(full?.buyer).toEqual({ buyerName: 'Buyer 0' });
  });

  it('has no price while it is pending', async () => {
    const pending = await bench({ clock: { mode: 'frozen', at: NOW + 10 * MINUTE } });
    const { order } = await pending.json(`${orders}/100-0000001-0000732?includedData=PROCEEDS,FULFILLMENT`);
    expect(order?.fulfillment?.fulfillmentStatus).toBe('PENDING');
    expect(order?.proceeds).toBeUndefined();
    expect(listOf(order?.orderItems)[0]?.product?.price).toBeUndefined();
    await pending.close();
  });

  it('is 404 when unknown and 400 when it is no order number', async () => {
    expect((await shop.call(`${orders}/100-0000001-9999999`)).status).toBe(404);
    expect((await shop.call(`${orders}/12345`)).status).toBe(400);
  });

  it('counts as the sales API counts', async () => {
    const day = '2026-01-02T00:00:00Z--2026-01-03T00:00:00Z';
    const query = `marketplaceIds=ATVPDKIKX0DER&granularity=Total&interval=${encodeURIComponent(day)}`;
    const { payload } = await shop.json(`/sales/v1/orderMetrics?${query}`);
    // 24 orders of two units, less the two cancelled ones (hours 29 and 39).
    expect(listOf(payload)).toMatchObject([
      { orderCount: 22, unitCount: 44, totalSales: { amount: '879.56' }, averageUnitPrice: { amount: '19.99' } },
    ]);
  });

  it('tells days of a zone only where the interval is spelled with its offset, and hours of a month at most', async () => {
    const ask = (interval: string, granularity: string, zone: string) =>
      shop.call(
        `/sales/v1/orderMetrics?marketplaceIds=ATVPDKIKX0DER&granularity=${granularity}` +
          `&granularityTimeZone=${encodeURIComponent(zone)}&interval=${encodeURIComponent(interval)}`,
      );
    const days = '2026-01-01T00:00:00-08:00--2026-01-03T00:00:00-08:00';
    const answer = await ask(days, 'Day', 'America/Los_Angeles');
    expect(answer.status).toBe(200);
    const { payload } = (await answer.json()) as { payload: { interval: string }[] };
    expect(payload.map(({ interval }) => interval)).toEqual([
      '2026-01-01T00:00-08:00--2026-01-02T00:00-08:00',
      '2026-01-02T00:00-08:00--2026-01-03T00:00-08:00',
    ]);
    expect((await ask('2026-01-01T08:00:00Z--2026-01-03T08:00:00Z', 'Day', 'America/Los_Angeles')).status).toBe(400);
    expect((await ask(days, 'Day', 'Atlantis/Capital')).status).toBe(400);
    expect((await ask('2025-11-01T00:00:00Z--2026-01-03T00:00:00Z', 'Hour', 'UTC')).status).toBe(400);
  });
});
