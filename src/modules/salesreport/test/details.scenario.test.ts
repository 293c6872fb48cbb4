import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { putGoods } from '#test/support/goods.ts';
import { deliver, foldAll, JP, makeSeller, type Order, type Seller, US } from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { type DetailFilter, detailFields, detailSeries, exportDetails, listDetails } from '../contract/details.ts';
import { DIMENSIONS, type Dimension, type Measure } from '../contract/fields.ts';
import { putRates } from './support.ts';

let world: World;
let owner: Person;
let seller: Seller;

const pivot = (filter: DetailFilter, more: object = {}) =>
  owner.call(listDetails, { body: { pagesize: 100, filter, ...more } });
const added = (values: readonly unknown[]) => Decimal.sum(0, ...values.map((value) => String(value ?? 0))).toFixed();

const NOON = 'T19:00:00Z';
const SKUS = ['A-1', 'A-2', 'B-1', 'C-1', 'D-1'];
/** Forty days of orders at two sites, the same for the same numbers: some cancelled, some of businesses, some by other ways. */
const ORDERS: Order[] = fc
  .sample(
    fc.record({
      ago: fc.integer({ min: 0, max: 120 }),
      site: fc.constantFrom(US, US, JP),
      status: fc.constantFrom('SHIPPED', 'SHIPPED', 'PENDING', 'CANCELLED'),
      fulfilledBy: fc.constantFrom('AMAZON' as const, 'MERCHANT' as const),
      business: fc.boolean(),
      lines: fc.array(
        fc.record({
          sku: fc.constantFrom(...SKUS),
          quantity: fc.integer({ min: 1, max: 5 }),
          cents: fc.integer({ min: 1, max: 9999 }),
          off: fc.constantFrom(null, '0.35'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { numRuns: 250, seed: 7 },
  )
  .map(({ ago, site, lines, ...order }, index) => ({
    ...order,
    id: `R${index}`,
    marketplaceId: site,
    at: new Date(Date.parse(`2026-11-17${NOON}`) - ago * 86_400_000).toISOString(),
    lines: lines.map(({ cents, off, ...line }) => ({ ...line, price: (cents / 100).toFixed(2), discount: off })),
  }));

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  seller = await makeSeller(world, owner, [US, JP]);
  const accountId = seller.accountId;
  const of = (site: string, sku: string, more: object) => ({ accountId, site, sku, ...more });
  await putGoods(world, owner, [
    of(US, 'A-1', {
      asin: 'B0A1',
      parent: 'B0FAMILY',
      owner: owner.userId,
      local: 'LOC-A',
      brand: 'Nuvia',
      category: '水杯',
    }),
    of(US, 'A-2', { asin: 'B0A2', parent: 'B0FAMILY', local: 'LOC-A', brand: 'Nuvia', category: '水杯' }),
    of(JP, 'A-1', { asin: 'B0A1', parent: 'B0FAMILY', local: 'LOC-A', brand: 'Nuvia', category: '水杯' }),
    // Named as its product: nobody has to pair it.
    of(US, 'B-1', { asin: 'B0B1', owner: owner.userId, local: 'B-1', brand: 'Kari' }),
    of(US, 'C-1', { asin: 'B0C1' }),
  ]);
  await world.as(owner, (ctx) => deliver(ctx, seller, ORDERS));
  await foldAll(world, owner, seller);
  await putRates(
    world,
    owner,
    Array.from({ length: 80 }, (_, week) => new Date(Date.parse('2026-11-18') - week * 5 * 86_400_000))
      .map((at) => at.toISOString().slice(0, 10))
      .flatMap((day) => [
        { currency: 'USD', day, rate: '7.1034' },
        { currency: 'JPY', day, rate: '0.0465' },
      ]),
  );
});
afterAll(() => world.close());

const ADDITIVE: Measure[] = ['units', 'productSales', 'netSales', 'discount', 'cancelledUnits'];
const filters = fc.record(
  {
    dates: fc
      .tuple(fc.integer({ min: 0, max: 130 }), fc.integer({ min: 0, max: 130 }))
      .map((ends) =>
        ends.map((ago) => new Date(Date.parse('2026-11-18') - ago * 86_400_000).toISOString().slice(0, 10)).sort(),
      )
      .map(([from, to]) => ({ from, to })),
    fulfilledBy: fc.constantFrom('AMAZON' as const, 'MERCHANT' as const),
    buyer: fc.constantFrom('business' as const, 'person' as const),
    keyword: fc.constantFrom('A-', '商品', 'b0c1'),
    currency: fc.constantFrom('auto' as const, 'CNY' as const, 'USD' as const),
    compare: fc.constantFrom('previous' as const, 'year' as const),
    sequence: fc.constantFrom('newest' as const, 'oldest' as const),
  },
  { requiredKeys: ['dates'] },
);

test('what adds up adds up to the same over every split, at every grain, for whatever filter', async () => {
  const any = fc.record({
    filter: filters,
    measure: fc.constantFrom(...ADDITIVE),
    grain: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
    by: fc.constantFrom(...(Object.keys(DIMENSIONS) as Dimension[])),
  });
  await fc.assert(
    fc.asyncProperty(any, async ({ filter, measure, grain, by }) => {
      const asked = { ...filter, measure, grain, by };
      const { records, totals, total } = await pivot(asked);
      const { columns } = await owner.call(detailFields, { body: { filter: asked } });
      const whole = (await pivot({ ...asked, by: 'site', grain: 'day' })).totals;
      expect(records).toHaveLength(total);
      expect(added(records.map((row) => row.total))).toBe(added([totals?.total]));
      expect(added([totals?.total])).toBe(added([whole?.total]));
      expect(added(records.map((row) => row.totalBefore))).toBe(added([totals?.totalBefore]));
      for (const { key } of columns) expect(added(records.map((row) => row[key]))).toBe(added([totals?.[key]]));
      for (const row of [...records, totals ?? {}]) {
        expect(added(columns.map(({ key }) => row[key]))).toBe(added([row.total]));
      }
    }),
    { numRuns: 40 },
  );
});

/** Distinct orders of a day and a condition, straight from what was delivered. */
function ordersOf(day: string, of: (order: Order, sku: string) => boolean): number {
  const counted = ORDERS.filter(
    (order) =>
      order.status !== 'CANCELLED' && order.at.startsWith(day) && order.lines.some(({ sku }) => of(order, sku)),
  );
  return new Set(counted.map(({ id }) => id)).size;
}

test('orders are distinct at the grain asked for: a footer is never the sum of its rows', async () => {
  // 19:00 in Greenwich is the same day in America; in Japan it is the next.
  const us = [`${US}-${seller.accountId}`];
  const day = { from: '2026-09-01', to: '2026-11-16' };
  const family = await pivot({ by: 'parent', measure: 'orders', dates: day, sites: us });
  const { columns } = await owner.call(detailFields, { body: { filter: { measure: 'orders', dates: day } } });
  expect(columns).toHaveLength(77);
  const row = family.records.find(({ id }) => id === 'B0FAMILY');
  for (const { key, from } of columns) {
    const isUs = ({ marketplaceId }: Order) => marketplaceId === US;
    expect([from, row?.[key]]).toEqual([from, ordersOf(from, (order, sku) => isUs(order) && sku.startsWith('A-'))]);
    expect([from, family.totals?.[key]]).toEqual([from, ordersOf(from, isUs)]);
  }
  expect(Number(added(family.records.map(({ total }) => total)))).toBeGreaterThan(Number(family.totals?.total));
  const msku = await pivot({ by: 'msku', measure: 'orders', dates: day, sites: us });
  expect(msku.totals?.total).toBe(family.totals?.total);
});

test('what a day totals is what its orders hold', async () => {
  const dates = { from: '2026-09-01', to: '2026-11-16' };
  const sites = [`${US}-${seller.accountId}`];
  const { columns } = await owner.call(detailFields, { body: { filter: { dates, sites } } });
  const of = async (measure: Measure) => (await pivot({ by: 'brand', measure, dates, sites })).totals;
  const [units, netSales] = [await of('units'), await of('netSales')];
  for (const { key, from } of columns) {
    const lines = ORDERS.filter(
      ({ marketplaceId, status, at }) => marketplaceId === US && status !== 'CANCELLED' && at.startsWith(from),
    ).flatMap((order) => order.lines);
    expect([from, units?.[key]]).toEqual([from, Number(added(lines.map(({ quantity }) => quantity)))]);
    const net = lines.map(({ price, discount }) => new Decimal(price ?? 0).minus(discount ?? 0).toFixed());
    expect([from, netSales?.[key]]).toEqual([from, added(net)]);
  }
});

test('beyond 92 days goods have order lines, and their column says so', async () => {
  const dates = { from: '2026-08-01', to: '2026-11-16' };
  const title = async (by: Dimension) =>
    (await owner.call(detailFields, { body: { filter: { by, measure: 'orders', dates } } })).measure;
  expect([await title('brand'), await title('msku'), await title('store')]).toEqual(['订单行', '订单数', '订单数']);
  const lines = await pivot({ by: 'brand', measure: 'orders', dates });
  expect(added(lines.records.map(({ total }) => total))).toBe(added([lines.totals?.total]));
});

test('a file holds the whole filter with a column for each period', async () => {
  const filter: DetailFilter = {
    by: 'msku',
    measure: 'netSales',
    grain: 'week',
    currency: 'CNY',
    dates: { from: '2026-09-01', to: '2026-11-16' },
  };
  const { raw } = await owner.send(exportDetails, { body: { filter, format: 'csv' } });
  const [head = '', ...lines] = raw
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const { records } = await pivot(filter);
  const { columns } = await owner.call(detailFields, { body: { filter } });
  expect(lines).toHaveLength(records.length);
  for (const { title } of columns) expect(head).toContain(title);
  const sold = columns.find(({ key }) => Number(records[0]?.[key]) > 0)?.key ?? '';
  expect(lines[0]?.split(',')).toContain(String(records[0]?.[sold]));
});

test('a row is followed by period beside what it is held against', async () => {
  const filter: DetailFilter = { by: 'asin', grain: 'week', dates: { from: '2026-10-05', to: '2026-11-15' } };
  const { records } = await pivot(filter);
  const [row] = records;
  const { points, kind } = await owner.call(detailSeries, { body: { filter, key: row?.id ?? '' } });
  expect([points.length, kind]).toEqual([6, 'integer']);
  expect(added(points.map(({ now }) => now))).toBe(added([row?.total]));
  expect(added(points.map(({ before }) => before))).toBe(added([row?.totalBefore]));
});

test('amounts need the right to see amounts, units do not', async () => {
  const colleague = await world.member(owner, ['amz:sales:view']);
  expect((await colleague.send(listDetails, { body: { filter: {} } })).code).toBe(201);
  expect((await colleague.send(listDetails, { body: { filter: { measure: 'netSales' } } })).status).toBe(403);
  expect(
    (await owner.send(listDetails, { body: { filter: { dates: { from: '2020-01-01', to: '2026-11-01' } } } })).data,
  ).toMatchObject({
    code: 'B0950',
  });
});
