import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountRef, feePreviews } from '#modules/marketplace/server/index.ts';
import { saveProduct } from '#modules/product/contract/material.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { feeImpact } from '../contract/fee-impact.ts';
import { refreshFeeAudit } from '../server/fee-audit/refresh.ts';
import { type Load, loading, tsv } from './facts-support.ts';
import { makeAccount, US } from './support.ts';

const COLUMNS = [
  'sku',
  'fnsku',
  'asin',
  'your-price',
  'longest-side',
  'median-side',
  'shortest-side',
  'unit-of-dimension',
  'item-package-weight',
  'unit-of-weight',
  'product-size-tier',
  'currency',
  'estimated-fee-total',
  'estimated-referral-fee-per-unit',
  'expected-fulfillment-fee-per-unit',
];
const preview = (sku: string, price: string, [a, b, c, pounds]: readonly [number, number, number, number]) => ({
  sku,
  fnsku: `X-${sku}`,
  asin: 'B000000001',
  'your-price': price,
  'longest-side': a,
  'median-side': b,
  'shortest-side': c,
  'unit-of-dimension': 'inches',
  'item-package-weight': pounds,
  'unit-of-weight': 'pounds',
  'product-size-tier': 'Large standard-size',
  currency: 'USD',
  'estimated-fee-total': '9.00',
  'estimated-referral-fee-per-unit': '3.00',
  'expected-fulfillment-fee-per-unit': '6.10',
});

let world: World;
let owner: Person;
let account: AccountRef;
let load: Load;

const impact = (from: string, to: string, by = owner, country: 'US' | 'MX' = 'US') =>
  by.call(feeImpact, { body: { country, from, to } });

beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 2, 10, 2) - Date.now() });
  owner = await world.owner();
  load = loading(world, owner);
  account = await makeAccount(world, owner);
  // Ours is smaller than Amazon's: 14 × 10 × 0.7 in, 0.7 lb.
  const dimensions = [
    { role: 'packed' as const, length: '35.56', width: '25.4', height: '1.77', weight: '0.317', unitsPerCarton: null },
  ];
  await owner.call(saveProduct, { body: { sku: 'OURS', name: 'OURS', dimensions } });
  await world.as(owner, async (ctx) => {
    await ctx.db
      .insertInto('marketplace.seller_marketplace')
      .values({ company_id: ctx.companyId, account_id: account.id, marketplace_id: US })
      .execute();
    for (const [sku, units] of [
      ['OURS', 100],
      ['BOX', 40],
    ] as const)
      await sql`
        INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by,
          is_business, currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales,
          estimated_sales, discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, kit.day(kit.now()) - 3, ${sku}, '', 'AMAZON', false, 'USD', ${units}::int,
          ${units}::int, ${units}::int, ${units}::int, 0, ${units}::int, 10, 0, 0, 0, 0, 0, 0, 0, 0)`.execute(ctx.db);
  });
  const rows = [
    preview('OURS', '19.99', [14, 10, 3, 0.7]),
    preview('BOX', '24.99', [12, 9, 3, 1.4]),
    preview('BARE', '24.99', [0, 0, 0, 0]),
  ].map((row) =>
    row.sku === 'BARE'
      ? { ...row, 'longest-side': '--', 'median-side': '--', 'shortest-side': '--', 'item-package-weight': '--' }
      : row,
  );
  await load(account, feePreviews.type, tsv(COLUMNS, rows), {
    from: '2026-03-08T08:00:00.000Z',
    to: '2026-03-08T20:00:00.000Z',
    at: '2026-03-08T20:00:00.000Z',
    wholeDays: false,
  });
  await world.as(owner, (ctx) => refreshFeeAudit(ctx, account.id));
}, 120_000);
afterAll(() => world.close());

it('reckons both days by our measurement, or else by Amazon’s, the most money first', async () => {
  const { rows, ...sums } = await impact('2026-04-16', '2026-04-17');
  // 3.78 × 3.5 % = 0.13 on 100 pieces; 6.10 × 3.5 % = 0.21 on 40.
  expect(
    rows.map((row) => [row.product.code, row.by, row.before, row.after, row.diff, row.units30, row.monthly]),
  ).toEqual([
    ['OURS', 'OWN', '3.78', '3.91', '0.13', 100, '13.00'],
    ['BOX', 'AMAZON', '6.10', '6.31', '0.21', 40, '8.40'],
  ]);
  expect(sums).toEqual({ compared: 2, changed: 2, unknown: 1, sum: '21.40', currency: 'USD' });
});

it('leaves out what stays as it was, and counts what cannot be told apart', async () => {
  expect(await impact('2026-02-01', '2026-03-01')).toEqual({
    rows: [],
    compared: 2,
    changed: 0,
    unknown: 1,
    sum: '0.00',
    currency: 'USD',
  });
  // There was no card in 2024.
  expect(await impact('2024-06-01', '2026-03-01')).toMatchObject({ compared: 0, changed: 0, unknown: 3 });
  expect(await impact('2026-03-01', '2026-06-15', owner, 'MX')).toMatchObject({ rows: [], compared: 0, unknown: 0 });
});

it('is of the caller’s own listings, and tells no amounts to those who may not see them', async () => {
  expect(await impact('2026-04-16', '2026-04-17', await world.owner())).toMatchObject({ rows: [], compared: 0 });
  const clerk = await world.member(owner, ['amz:inventory:view']);
  const seen = await impact('2026-04-16', '2026-04-17', clerk);
  expect(seen.sum).toBeNull();
  expect(seen.rows).toHaveLength(2);
  for (const row of seen.rows) expect(row).not.toHaveProperty('monthly');
});
