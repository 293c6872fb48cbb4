import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DE,
  deliver,
  foldAll,
  IN,
  JP,
  makeSeller,
  type Order,
  rowsOf,
  type Seller,
  tableRows,
  US,
} from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { compareMonth, rebuild } from '../server/rebuild.ts';

let world: World;
let owner: Person;
let seller: Seller;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  seller = await makeSeller(world, owner, [US, JP, DE, IN]);
});
afterAll(() => world.close());

const NOON = '2026-07-15T19:00:00Z';
const O1: Order = {
  id: 'O1',
  at: NOON,
  lines: [
    { sku: 'A', quantity: 2, shipped: 2, price: '40.00', discount: '4.00' },
    { sku: 'B', quantity: 1, shipped: 1, price: '15.00' },
  ],
};
const DAY: Order[] = [
  O1,
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

const SUM = `sum(orders)::int AS orders, sum(units)::int AS units, sum(gross_units)::int AS gross,
  sum(cancelled_units)::int AS cancelled, sum(product_sales) AS sales, sum(estimated_sales) AS estimated,
  sum(discount) AS discount, sum(replacement_units)::int AS replacement, sum(mcf_units)::int AS mcf`;

const day = (table = 'store_day', where = '') =>
  world.as(owner, (ctx) =>
    rowsOf(ctx, `SELECT ${SUM} FROM sales.${table} WHERE company_id = $company AND local_date = '2026-07-15' ${where}`),
  );

describe('worked example E2: one day of the American site', () => {
  beforeAll(async () => {
    await world.as(owner, (ctx) => deliver(ctx, seller, DAY));
    await foldAll(world, owner, seller);
  });

  it('counts what the definitions say, by day and by slot', async () => {
    const expected = {
      orders: 3,
      units: 6,
      gross: 9,
      cancelled: 3,
      sales: '115.0000',
      estimated: '20.0000',
      discount: '4.0000',
      replacement: 1,
      mcf: 4,
    };
    expect(await day()).toEqual([expected]);
    expect(await day('slot')).toEqual([expected]);
  });

  it('counts an order once for each of its SKUs', async () => {
    const [a] = await day('sku_day', "AND seller_sku = 'A'");
    const [b] = await day('sku_day', "AND seller_sku = 'B'");
    expect([a?.units, a?.orders, Number(a?.units) + Number(a?.mcf)]).toEqual([5, 3, 9]);
    expect([b?.units, b?.orders]).toEqual([1, 1]);
    expect((await day('sku_day'))[0]?.orders).toBe(4);
  });

  it('keeps business customers apart', async () => {
    expect(await day('store_day', 'AND is_business')).toMatchObject([{ orders: 1, units: 2, sales: '40.0000' }]);
  });
});

describe('worked example E3: a line is cancelled and a pending order clears', () => {
  it('makes only the touched buckets again and equals a rebuild', async () => {
    const other: Order = { id: 'O9', at: NOON, lines: [{ sku: 'C', quantity: 1, price: '1.00' }] };
    await world.as(owner, (ctx) => deliver(ctx, seller, [{ ...other, at: '2026-07-16T19:00:00Z' }]));
    await foldAll(world, owner, seller);
    const stamp = () =>
      world.as(owner, (ctx) =>
        rowsOf(
          ctx,
          "SELECT seller_sku, local_date, xmin::text FROM sales.sku_day WHERE company_id = $company AND seller_sku = 'C'",
        ),
      );
    const before = await stamp();
    await world.as(owner, (ctx) =>
      deliver(ctx, seller, [
        { ...O1, lines: [O1.lines[0] as never, { sku: 'B', quantity: 0, first: 1, price: '15.00' }] },
        { id: 'O2', at: NOON, lines: [{ sku: 'A', quantity: 1, price: '19.00' }] },
      ]),
    );
    const marks = await world.as(owner, (ctx) =>
      rowsOf(ctx, 'SELECT DISTINCT seller_sku, slot_start FROM sales.dirty WHERE company_id = $company ORDER BY 1'),
    );
    expect(marks).toEqual([
      { seller_sku: 'A', slot_start: null },
      { seller_sku: 'B', slot_start: null },
      { seller_sku: null, slot_start: '2026-07-15T19:00:00.000Z' },
    ]);
    await foldAll(world, owner, seller);
    expect(await day()).toMatchObject([{ units: 5, orders: 3, sales: '99.0000', estimated: '0.0000', cancelled: 4 }]);
    expect(await stamp()).toEqual(before);
    expect(await world.as(owner, (ctx) => rebuild(ctx, seller.accountId, US, '2026-07'))).toEqual([]);
  });

  it('finds and heals a figure that somebody changed behind its back', async () => {
    await world.as(owner, (ctx) =>
      sql`UPDATE sales.sku_day SET units = units + 1 WHERE company_id = ${ctx.companyId} AND seller_sku = 'C'`.execute(
        ctx.db,
      ),
    );
    const drift = [{ table: 'sku_day', localDate: '2026-07-16', rows: 1, marked: false }];
    expect(await world.as(owner, (ctx) => compareMonth(ctx, seller.accountId, US, '2026-07'))).toMatchObject(drift);
    expect(await world.as(owner, (ctx) => rebuild(ctx, seller.accountId, US, '2026-07'))).toMatchObject(drift);
    expect(await world.as(owner, (ctx) => compareMonth(ctx, seller.accountId, US, '2026-07'))).toEqual([]);
  });
});

describe('worked example E1: the marketplace day', () => {
  it('begins and ends at local midnight, over changes of the clock too', async () => {
    const owner2 = await world.owner();
    const shop = await makeSeller(world, owner2, [US, JP, DE, IN]);
    const cases: [string, string, string][] = [
      [US, '2026-03-08T07:59:59Z', '2026-03-07'],
      [US, '2026-03-08T08:00:00Z', '2026-03-08'],
      [US, '2026-03-09T06:59:59Z', '2026-03-08'],
      [US, '2026-03-09T07:00:00Z', '2026-03-09'],
      [US, '2026-11-01T07:00:00Z', '2026-11-01'],
      [US, '2026-11-02T07:59:59Z', '2026-11-01'],
      [JP, '2026-03-08T07:59:59Z', '2026-03-08'],
      [DE, '2026-03-08T07:59:59Z', '2026-03-08'],
      [IN, '2026-03-08T07:59:59Z', '2026-03-08'],
    ];
    await world.as(owner2, (ctx) =>
      deliver(
        ctx,
        shop,
        cases.map(([marketplaceId, at], index) => ({
          id: `D${index}`,
          at,
          marketplaceId,
          lines: [{ sku: `S${index}`, quantity: 1, price: '1' }],
        })),
      ),
    );
    await foldAll(world, owner2, shop);
    const rows = await world.as(owner2, (ctx) => tableRows(ctx, 'sku_day'));
    const found = rows.map((row) => [row.seller_sku, row.local_date]).sort();
    expect(found).toEqual(cases.map(([, , date], index) => [`S${index}`, date]));
  });
});
