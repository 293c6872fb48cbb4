import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { putGoods } from '#test/support/goods.ts';
import { deliver, foldAll, makeSeller, type Order, type Seller, US } from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { chartReport, exportReport, listReport, type ReportFilter } from '../contract/report.ts';
import {
  chartSummary,
  exportSummary,
  listSummary,
  type SummaryFilter,
  type SummaryGroup,
} from '../contract/summary.ts';

let world: World;
let owner: Person;
let seller: Seller;

/** The day that is running at the site. */
const TODAY = '2026-11-17';
const order = (id: string, day: string, sku: string, quantity: number, more: Partial<Order> = {}): Order => ({
  id,
  at: `${day}T19:00:00Z`,
  lines: [{ sku, quantity, shipped: quantity, price: String(quantity * 20), discount: '1.00' }],
  ...more,
});
const summary = (filter: SummaryFilter) => owner.call(listSummary, { body: { pagesize: 100, filter } });
const report = (filter: ReportFilter) => owner.call(listReport, { body: { pagesize: 100, filter } });
const added = (values: readonly unknown[]) => Decimal.sum(0, ...values.map((value) => String(value ?? 0))).toFixed();

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  seller = await makeSeller(world, owner, [US]);
  const of = (sku: string, more: object) => ({ accountId: seller.accountId, site: US, sku, ...more });
  await putGoods(world, owner, [
    of('A', { asin: 'B0A', parent: 'B0P', owner: owner.userId, local: 'A', category: '水杯' }),
    of('B', { asin: 'B0B', parent: 'B0P' }),
  ]);
  const days = Array.from({ length: 48 }, (_, ago) => dayAfter(TODAY, -ago));
  await world.as(owner, (ctx) =>
    deliver(ctx, seller, [
      // June: 500 units.
      ...Array.from({ length: 10 }, (_, n) => order(`J${n}`, `2026-06-${String(n + 10)}`, 'A', 50)),
      order('OLD', '2026-05-20', 'A', 20),
      // Two a day since October, three in November; one order of both SKUs each day.
      ...days.map((day) => order(`A${day}`, day, 'A', day >= '2026-11-01' ? 3 : 2)),
      ...days.map((day) => ({
        ...order(`B${day}`, day, 'B', 1),
        lines: ['A', 'B'].map((sku) => ({ sku, quantity: 1, price: '10.00' })),
      })),
      order('FIRST', '2025-10-20', 'A', 1),
      order('LAST-YEAR', '2025-11-10', 'A', 8),
      order('GONE', '2026-11-03', 'B', 0, { status: 'CANCELLED', lines: [{ sku: 'B', quantity: 0, first: 4 }] }),
    ]),
  );
  await foldAll(world, owner, seller);
  await world.as(owner, async (ctx) => {
    // 42 come back in June, 30 of them of orders of June; 12 of May's.
    for (const [id, quantity] of [
      ['J0', 30],
      ['OLD', 12],
    ] as const) {
      await sql`
        INSERT INTO inventory.customer_return (company_id, account_id, day, row_id, stock, marketplace_id, document_id, returned_at, order_id,
          seller_sku, fnsku, asin, title, quantity, centre, disposition, reason, status, plate, comments)
        VALUES (${ctx.companyId}, ${seller.accountId}, '2026-06-28', gen_random_uuid(), 'US', ${US}, gen_random_uuid(), '2026-06-28T10:00:00Z', ${id},
          'A', '', '', '', ${quantity}, '', 'SELLABLE', '', '', '', '')`.execute(ctx.db);
    }
  });
});
afterAll(() => world.close());

test('E7: what comes back in a month is held against what was sold in it', async () => {
  const { records, totals } = await summary({ grain: 'month', dates: { from: '2026-06-01', to: '2026-06-30' } });
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({
    period: '2026-06',
    fullness: 'full',
    units: 500,
    orders: 10,
    returnedUnits: 42,
    returnRate: '0.084',
  });
  // 500 pieces at 20.00 with 1.00 off each of ten orders.
  expect(totals).toMatchObject({ productSales: '10000', discount: '10', netSales: '9990', asp: '20', aov: '999' });
});

test('E5: a month that runs is held against as many days of the last one, and says that it is not full', async () => {
  const { records } = await summary({ grain: 'month', dates: { from: '2026-10-01', to: TODAY } });
  const [november, october] = records;
  expect([november?.period, november?.fullness, october?.fullness]).toEqual(['2026-11', 'partial', 'full']);
  // Sixteen whole days of five pieces against sixteen of four; the seventeenth runs and counts on neither side.
  expect([november?.units, november?.unitsPrevious]).toEqual([17 * 5, '0.25']);
  expect([november?.unitsYear, november?.cancelledUnits]).toEqual([new Decimal(16 * 5 - 8).div(8).toFixed(), 4]);
  expect(october?.orders).toBe(62);
});

const GROUPS: SummaryGroup[] = ['all', 'store', 'site', 'owner', 'category', 'parent'];

test.each(GROUPS)('groups by %s add up to the totals in every period', async (group) => {
  const filter: SummaryFilter = { grain: 'week', dates: { from: '2026-10-01', to: TODAY } };
  const whole = await summary(filter);
  const { records, totals } = await summary({ ...filter, group });
  expect(totals).toEqual(whole.totals);
  for (const key of [
    'units',
    'cancelledUnits',
    'returnedUnits',
    'productSales',
    'discount',
    'netSales',
    'orderItems',
  ] as const) {
    for (const { period, ...one } of whole.records) {
      const parts = records.filter((row) => row.period === period);
      expect([period, key, added(parts.map((row) => row[key]))]).toEqual([period, key, added([one[key]])]);
    }
  }
  // An order of two families is one order all the same.
  for (const { period, orders } of whole.records) {
    const parts = records.filter((row) => row.period === period);
    expect(Number(added(parts.map((row) => row.orders)))).toBeGreaterThanOrEqual(Number(orders));
  }
});

test('a report has each day beside the same number of days before', async () => {
  const filter: ReportFilter = { dates: { from: '2026-11-01', to: '2026-11-10' } };
  const { records, totals } = await report(filter);
  expect(records.map(({ from }) => from)).toEqual(Array.from({ length: 10 }, (_, n) => dayAfter('2026-11-10', -n)));
  expect(records[0]).toMatchObject({
    units: 5,
    unitsBefore: 4,
    unitsChange: '0.25',
    orders: 2,
    ordersBefore: 2,
    ordersChange: '0',
  });
  expect(totals).toMatchObject({ units: 50, unitsBefore: 40, unitsChange: '0.25', orders: 20, ordersBefore: 20 });
  const chart = await owner.call(chartReport, { body: { filter } });
  expect(chart).toMatchObject({
    before: { from: '2026-10-22', to: '2026-10-31' },
    meanUnits: '5.00',
    meanOrders: '2.00',
    currency: 'USD',
  });
  expect(added(chart.points.map(({ units }) => units))).toBe('50');
  const only = await report({ ...filter, keyword: 'b0b' });
  expect(only.totals).toMatchObject({ units: 10, orders: 10 });
});

test('files hold what the screens show, and who may not see amounts gets none', async () => {
  const filter = { dates: { from: '2026-11-01', to: '2026-11-10' } };
  const months = await owner.send(exportSummary, {
    body: { filter: { ...filter, grain: 'month', group: 'parent' }, format: 'csv' },
  });
  expect(months.raw.toString('utf8')).toMatch(/2026-11.*B0P/);
  const days = await owner.send(exportReport, { body: { filter, format: 'csv' } });
  expect(days.raw.toString('utf8').trim().split('\n')).toHaveLength(11);
  const colleague = await world.member(owner, ['amz:sales:view']);
  const { records, totals } = await colleague.call(listSummary, { body: { filter } });
  expect([records[0]?.units !== undefined, records[0]?.netSales, totals?.netSales]).toEqual([
    true,
    undefined,
    undefined,
  ]);
  const { points } = await colleague.call(chartSummary, { body: { filter } });
  expect(points.every(({ netSales }) => netSales === null)).toBe(true);
});
