import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { couponSums, coupons, promotionSums, promotions } from '../contract/promotions.ts';

let world: World;
let owner: Person;
let account: AccountRef;

interface Sold {
  asin: string;
  views: number;
  units: number;
  sales: string;
}

const promotion = (name: string, day: string, products: readonly Sold[]) =>
  world.as(owner, (ctx) =>
    sql`
      INSERT INTO report.promotion (company_id, account_id, day, row_id, stock, marketplace_id, document_id, promotion_id, title,
        kind, status, channel, start_at, end_at, views, units, sales, currency, products)
      VALUES (${ctx.companyId}, ${account.id}, ${day}, gen_random_uuid(), ${US}, ${US}, gen_random_uuid(), ${name}, ${name},
        'BEST_DEAL', 'APPROVED', '', ${day}, ${day}, 0, 0, 0, 'USD',
        ${JSON.stringify(products.map((one) => ({ ...one, title: `Title of ${one.asin}` })))}::jsonb)`.execute(ctx.db),
  );
const coupon = (name: string, day: string, clips: number, redemptions: number, spent: string, sales: string) =>
  world.as(owner, (ctx) =>
    sql`
      INSERT INTO report.coupon (company_id, account_id, day, row_id, stock, marketplace_id, document_id, coupon_id, title, message,
        start_at, end_at, segment, discount_type, clips, redemptions, total_discount, spent, sales, currency, asins)
      VALUES (${ctx.companyId}, ${account.id}, ${day}, gen_random_uuid(), ${US}, ${US}, gen_random_uuid(), ${name}, ${name}, '',
        ${day}, ${day}, '', '', ${clips}, ${redemptions}, ${spent}, ${spent}, ${sales}, 'USD', '["B1"]'::jsonb)`.execute(
      ctx.db,
    ),
  );
const plain = (value: unknown) => (value == null ? null : plainDecimal(String(value)));
const MAY = { dates: { from: '2026-05-01', to: '2026-05-31' } };

beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 6, 1, 2) - Date.now() });
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { marketplaceIds: [US] });
  const b1 = { asin: 'B1', views: 100, units: 10, sales: '99.50' };
  await promotion('P-OLD', '2026-03-02', [b1]);
  await promotion('P-APRIL', '2026-04-10', [b1, { asin: 'B2', views: 50, units: 1, sales: '9.99' }]);
  await promotion('P-MAY', '2026-05-03', [{ ...b1, views: 300, units: 45, sales: '447.75' }]);
  await promotion('P-MAY-2', '2026-05-20', [{ asin: 'B3', views: 10, units: 2, sales: '20.00' }]);
  await coupon('C-APRIL', '2026-04-05', 100, 10, '20.00', '180.00');
  await coupon('C-MAY', '2026-05-05', 100, 30, '45.50', '500.25');
  await coupon('C-MAY-2', '2026-05-25', 100, 20, '30.00', '300.00');
});
afterAll(() => world.close());

it('holds each product in the promotions of a month against the month before', async () => {
  const { records, totals, total } = await owner.call(promotionSums.list, { body: { filter: MAY } });
  expect(total).toBe(3);
  expect(
    records.map((row) => [
      row.asin,
      row.promotions,
      row.promotionsBefore,
      row.units,
      row.unitsBefore,
      plain(row.promotionSales),
      plain(row.promotionSalesBefore),
    ]),
  ).toEqual([
    ['B1', 1, 1, 45, 10, '447.75', '99.5'],
    ['B3', 1, 0, 2, 0, '20', '0'],
    ['B2', 0, 1, 0, 1, '0', '9.99'],
  ]);
  // 45 of 300 after 10 of 100.
  expect([records[0]?.conversion, records[0]?.conversionBefore, records[0]?.conversionChange].map(plain)).toEqual([
    '0.15',
    '0.1',
    '0.5',
  ]);
  expect([plain(totals?.promotionSales), plain(totals?.promotionSalesBefore), totals?.promotions]).toEqual([
    '467.75',
    '109.49',
    2,
  ]);
  expect(records[0]?.product.name).toBe('Title of B1');
});

it('draws its days, opens the promotions of a product and is a file', async () => {
  const { points } = await owner.call(promotionSums.trend, { body: { filter: MAY } });
  expect(points.filter(({ now }) => now.promotions).map(({ day, now }) => [day, now.units])).toEqual([
    ['2026-05-03', 45],
    ['2026-05-20', 2],
  ]);
  const behind = await owner.call(promotions.list, { body: { filter: { asin: 'B1' } } });
  expect(behind.records.map((row) => row.name)).toEqual(['P-MAY', 'P-APRIL', 'P-OLD']);
  const one = await owner.call(promotionSums.list, { body: { filter: { ...MAY, asin: 'b1' } } });
  expect(one.records.map((row) => row.asin)).toEqual(['B1']);
  const file = await owner.send(promotionSums.export, { body: { format: 'csv', filter: MAY } });
  expect(file.raw.toString('utf8')).toContain('对比期销量');
});

it('holds the coupons of a site against those of the month before, and opens them', async () => {
  const { records } = await owner.call(couponSums.list, { body: { filter: MAY } });
  expect(records).toHaveLength(1);
  const [row] = records;
  expect([row?.coupons, row?.couponsBefore, row?.redemptions, row?.redemptionsBefore]).toEqual([2, 1, 50, 10]);
  expect([row?.redeemed, row?.redeemedBefore, row?.spent, row?.couponSales, row?.couponSalesBefore].map(plain)).toEqual(
    ['0.25', '0.1', '75.5', '800.25', '180'],
  );
  const behind = await owner.call(coupons.list, { body: { filter: { ...MAY, sites: [row?.site ?? ''] } } });
  expect(behind.total).toBe(2);
  const stranger = await world.owner();
  expect((await stranger.call(couponSums.list, { body: { filter: MAY } })).total).toBe(0);
});
