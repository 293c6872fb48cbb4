import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliver, foldAll, JP, makeSeller, type Order, type Seller, US } from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { type DetailFilter, detailFields, listDetails } from '../contract/details.ts';
import type { Measure } from '../contract/fields.ts';
import { listSummary } from '../contract/summary.ts';
import { putRates } from './support.ts';

let world: World;
let owner: Person;
let seller: Seller;

const NOON = '2026-07-15T19:00:00Z';
const DAY: Order[] = [
  {
    id: 'O1',
    at: NOON,
    lines: [
      { sku: 'A', quantity: 2, shipped: 2, price: '40.00', discount: '4.00' },
      { sku: 'B', quantity: 1, shipped: 1, price: '15.00' },
    ],
  },
  { id: 'O2', at: NOON, status: 'PENDING', lines: [{ sku: 'A', quantity: 1, estimate: '20.00' }] },
  { id: 'O3', at: NOON, status: 'CANCELLED', fulfilledBy: 'MERCHANT', lines: [{ sku: 'B', quantity: 0, first: 3 }] },
  {
    id: 'O4',
    at: NOON,
    business: true,
    lines: [
      { sku: 'A', quantity: 1, price: '20.00' },
      { sku: 'A', quantity: 1, price: '20.00' },
    ],
  },
  { id: 'O5', at: NOON, replacement: true, lines: [{ sku: 'A', quantity: 1, price: '0.00' }] },
  { id: 'O6', at: NOON, channel: 'NON_AMAZON', lines: [{ sku: 'A', quantity: 4, price: null }] },
];
const dates = { from: '2026-07-15', to: '2026-07-15' };

const pivot = (filter: DetailFilter) => owner.call(listDetails, { body: { filter: { dates, ...filter } } });
const MEASURES: Measure[] = ['orders', 'units', 'cancelledUnits', 'productSales', 'discount', 'netSales'];
/** Every measure of the day, of all and of SKUs A and B. */
async function figures(filter: DetailFilter = {}) {
  const all: Record<string, unknown> = {};
  for (const measure of MEASURES) {
    const { records, totals } = await pivot({ ...filter, measure });
    const of = (sku: string) => records.find(({ id }) => id.endsWith(`|${sku}`))?.total ?? 0;
    all[measure] = [totals?.total, of('A'), of('B')];
  }
  return all;
}

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  seller = await makeSeller(world, owner, [US, JP]);
  await world.as(owner, (ctx) => deliver(ctx, seller, DAY));
  await foldAll(world, owner, seller);
});
afterAll(() => world.close());

test('E2: a day of the American site, in all and by SKU', async () => {
  expect(await figures()).toEqual({
    orders: [3, 3, 1],
    units: [6, 5, 1],
    cancelledUnits: [3, 0, 3],
    productSales: ['115', '100', '15'],
    discount: ['4', '4', 0],
    netSales: ['111', '96', '15'],
  });
  const business = await pivot({ by: 'store', measure: 'units', buyer: 'business' });
  expect(business.totals?.total).toBe(2);
  expect((await pivot({ by: 'store', measure: 'orders', buyer: 'business' })).totals?.total).toBe(1);
});

test('E3: a line is cancelled and a pending order clears', async () => {
  await world.as(owner, (ctx) =>
    deliver(ctx, seller, [
      {
        ...(DAY[0] as Order),
        lines: [DAY[0]?.lines[0] as Order['lines'][0], { sku: 'B', quantity: 0, first: 1, price: '15.00' }],
      },
      { id: 'O2', at: NOON, lines: [{ sku: 'A', quantity: 1, price: '19.00' }] },
    ]),
  );
  await foldAll(world, owner, seller);
  expect(await figures()).toMatchObject({
    orders: [3, 3, 0],
    units: [5, 5, 0],
    cancelledUnits: [4, 0, 4],
    productSales: ['99', '99', 0],
  });
});

test('E4: sales of two sites are converted by the rate of their day, and added up before anything is rounded', async () => {
  const at = { from: '2026-07-20', to: '2026-07-20' };
  const order = (id: string, marketplaceId: string, prices: string[]): Order => ({
    id,
    marketplaceId,
    at: '2026-07-20T14:00:00Z',
    lines: prices.map((price) => ({ sku: 'X', quantity: 1, price })),
  });
  await world.as(owner, (ctx) => deliver(ctx, seller, [order('E4-JP', JP, ['3200']), order('E4-US', US, ['59.97'])]));
  await foldAll(world, owner, seller);
  const ask = (more: DetailFilter = {}) => pivot({ dates: at, by: 'site', measure: 'productSales', ...more });
  const fields = async (more: DetailFilter = {}) =>
    owner.call(detailFields, { body: { filter: { dates: at, by: 'site', measure: 'productSales', ...more } } });
  // No rate at all is no 0: nothing is known but the amounts that need none.
  expect((await fields()).missingRates).toEqual(
    ['JPY 2026-07-20', 'USD 2026-07-15', 'USD 2026-07-20'].filter((one) => !one.includes('07-15')),
  );
  expect((await ask()).totals).toMatchObject({ total: null, share: null });
  const weeks = await owner.call(listSummary, { body: { filter: { dates: at, grain: 'week' } } });
  const unknown = { productSales: null, netSales: null, asp: null, aov: null };
  expect(weeks.totals).toMatchObject({ units: 2, ...unknown });
  await putRates(world, owner, [
    { currency: 'JPY', day: '2026-07-20', rate: '0.0465' },
    // Of the last day before, within a week.
    { currency: 'USD', day: '2026-07-17', rate: '7.1034' },
  ]);
  const { records, totals } = await ask();
  const site = (id: string) => records.find((row) => row.id === id)?.total;
  expect([site(JP), site(US), totals?.total]).toEqual(['148.8', '425.990898', '574.790898']);
  expect(await fields()).toMatchObject({ currency: 'CNY', converted: true, missingRates: [] });
  // One currency stays as it is.
  const us = [`${US}-${seller.accountId}`];
  expect((await ask({ sites: us })).totals).toMatchObject({ total: '59.97', currency: 'USD' });
  expect(await fields({ sites: us })).toMatchObject({ currency: 'USD', converted: false });
  await world.as(owner, (ctx) => deliver(ctx, seller, [order('E4-TWO', US, ['0.335', '0.335'])]));
  await foldAll(world, owner, seller);
  expect((await ask({ sites: us })).totals?.total).toBe('60.64');
});
