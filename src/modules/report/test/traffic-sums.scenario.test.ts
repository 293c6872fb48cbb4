import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef, ReportSource } from '#modules/marketplace/server/index.ts';
import { DE, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { type TrafficSumFilter, trafficSums } from '../contract/reports.ts';
import { trafficLoader } from '../server/traffic.ts';

let world: World;
let owner: Person;
let account: AccountRef;

type Figures = [sku: string, sessions: number, units: number, views: number, featured: number, sales: number];

/** The report of a site's day, as Amazon writes it. */
async function load(site: string, day: string, products: readonly Figures[]): Promise<void> {
  const currencyCode = site === US ? 'USD' : 'EUR';
  const parts = (sessions: number, units: number, views: number, featured: number, sales: number) => [
    {
      orderedProductSales: { amount: sales, currencyCode },
      unitsOrdered: units,
      totalOrderItems: units,
      unitsRefunded: 0,
      unitsShipped: units,
    },
    { browserPageViews: views, pageViews: views, browserSessions: sessions, sessions, buyBoxPercentage: featured },
  ];
  const total = (at: 1 | 2 | 3 | 5) => products.reduce((sum, one) => sum + one[at], 0);
  const [salesByDate, trafficByDate] = parts(total(1), total(2), total(3), 100, total(5));
  const report = {
    reportSpecification: {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
      dataStartTime: day,
      dataEndTime: day,
      marketplaceIds: [site],
    },
    salesAndTrafficByDate: [{ date: day, salesByDate, trafficByDate }],
    salesAndTrafficByAsin: products.map(([sku, ...figures]) => {
      const [salesByAsin, trafficByAsin] = parts(...figures);
      return { parentAsin: `P-${sku}`, childAsin: `B-${sku}`, sku, salesByAsin, trafficByAsin };
    }),
  };
  const bytes = Buffer.from(JSON.stringify(report));
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const source: ReportSource = {
    account,
    reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
    marketplaceIds: [site],
    open: async function* () {
      yield bytes;
    },
    charset: 'UTF-8',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'traffic.json',
    asked: {
      from: `${day}T08:00:00.000Z`,
      to: `${next}T08:00:00.000Z`,
      at: '2026-07-01T10:00:00.000Z',
      wholeDays: true,
    },
  };
  await world.as(owner, (ctx) => trafficLoader.load(ctx, source));
}

const list = (filter: TrafficSumFilter, more: object = {}) =>
  owner.call(trafficSums.list, { body: { filter, pagesize: 100, ...more } });
const percent = (value: unknown): string | null =>
  value === null || value === undefined ? null : new Decimal(String(value)).times(100).toFixed(2);
const PERIOD = { dates: { from: '2026-06-10', to: '2026-06-11' } };

beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 6, 1, 2) - Date.now() });
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { marketplaceIds: [US, DE] });
  // The two days before: worked examples 4 and 5 of the handbook; and the two days themselves.
  await load(US, '2026-06-08', [
    ['A', 1000, 30, 1000, 90, 300],
    ['GONE', 10, 1, 10, 100, 5.5],
  ]);
  await load(US, '2026-06-09', [['A', 100, 10, 100, 50, 100]]);
  await load(US, '2026-06-10', [
    ['A', 500, 30, 600, 80, 330.3],
    ['NEW', 40, 4, 50, 100, 40],
  ]);
  await load(US, '2026-06-11', [['A', 600, 30, 400, 95, 269.7]]);
  // Germany told nothing before.
  await load(DE, '2026-06-10', [['A', 70, 7, 80, 60, 70]]);
  // A year ago, a day is missing.
  await load(US, '2025-06-11', [['A', 400, 20, 500, 70, 200]]);
}, 120_000);
afterAll(() => world.close());

it('holds each product against the period before: ratios are of sums, examples 4 and 5 for the compared period', async () => {
  const { records, total } = await list({ ...PERIOD, sites: [`${US}-${account.id}`] });
  expect(total).toBe(3);
  const [a] = records;
  expect(a).toMatchObject({ sessions: 1100, sessionsBefore: 1100, units: 60, unitsBefore: 40, pageViewsBefore: 1100 });
  expect([a?.conversion, a?.conversionBefore, a?.featured, a?.featuredBefore].map(percent)).toEqual([
    '5.45',
    '3.64',
    '86.00',
    '86.36',
  ]);
  expect([a?.sessionsChange, a?.unitsChange, a?.conversionChange, a?.trafficSalesChange].map(percent)).toEqual([
    '0.00',
    '50.00',
    '50.00',
    '50.00',
  ]);
  expect(
    records.map(({ product, units, unitsBefore, unitsChange }) => [
      product.code,
      units,
      unitsBefore,
      percent(unitsChange),
    ]),
  ).toEqual([
    ['A', 60, 40, '50.00'],
    // Nothing of it before: new, without a ratio; and what is gone has lost all.
    ['NEW', 4, 0, null],
    ['GONE', 0, 1, '-100.00'],
  ]);
});

it('of what was not told nothing is known: no base, and no zero either', async () => {
  const { records } = await list({ ...PERIOD, sites: [`${DE}-${account.id}`] });
  expect(records).toMatchObject([{ units: 7, unitsBefore: null, unitsChange: null, conversionBefore: null }]);
});

it('the footer holds sums of all: of one currency, and of several each by itself', async () => {
  const { totals } = await list({ ...PERIOD, sites: [`${US}-${account.id}`] });
  expect(totals).toMatchObject({ sessions: 1140, sessionsBefore: 1110, units: 64, unitsBefore: 41, currency: 'USD' });
  expect([totals?.conversion, totals?.conversionBefore, totals?.trafficSalesChange].map(percent)).toEqual([
    '5.61',
    '3.69',
    '57.83',
  ]);
  const mixed = (await list(PERIOD)).totals;
  expect(plainDecimal(String(mixed?.['trafficSales.EUR']))).toBe('70');
  expect(plainDecimal(String(mixed?.['trafficSalesBefore.USD']))).toBe('405.5');
  expect(mixed?.trafficSales).toBeNull();
});

it('the same days of last year, and a chart that leaves out what is missing', async () => {
  const filter = { ...PERIOD, compare: 'year' as const, sites: [`${US}-${account.id}`] };
  const { records } = await list(filter);
  expect(records[0]).toMatchObject({ units: 60, unitsBefore: 20 });
  const { points, before, told, currency } = await owner.call(trafficSums.trend, { body: { filter } });
  expect(before).toEqual({ from: '2025-06-10', to: '2025-06-11' });
  expect([told, currency]).toEqual([{ now: 2, before: 1 }, 'USD']);
  expect(points.map((one) => [one.day, one.now.units, one.dayBefore, one.before.units])).toEqual([
    ['2026-06-10', 34, '2025-06-10', null],
    ['2026-06-11', 30, '2025-06-11', 20],
  ]);
  expect(percent(points[1]?.before.conversion)).toBe('5.00');
  const all = await owner.call(trafficSums.trend, { body: { filter: PERIOD } });
  expect(all.currency).toBeNull();
  expect(all.points.map(({ now }) => [now.units, now.trafficSales])).toEqual([
    [41, null],
    [30, null],
  ]);
});

it('is ordered by its changes, is a file with the compared columns, and belongs to its company', async () => {
  const filter = { ...PERIOD, sites: [`${US}-${account.id}`] };
  const { records } = await list(filter, { sort: 'unitsChange', order: 'asc' });
  expect(records.map(({ product }) => product.code)).toEqual(['GONE', 'A', 'NEW']);
  const last = await list(filter, { pagesize: 10, currentpage: 2 });
  expect([last.records, last.total]).toEqual([[], 3]);
  const file = await owner.send(trafficSums.export, { body: { format: 'csv', filter } });
  const text = file.raw.toString('utf8');
  expect(text).toContain('对比期销量');
  expect(text).toContain('销量变化');
  const stranger = await world.owner();
  expect((await stranger.call(trafficSums.list, { body: { filter: PERIOD } })).total).toBe(0);
  const long = await owner.send(trafficSums.list, {
    body: { filter: { dates: { from: '2024-01-01', to: '2026-01-01' } } },
  });
  expect(long.msg).toBe('对比的日期范围不能超过 400 天');
});
