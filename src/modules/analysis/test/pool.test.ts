import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { DE, makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listWall, type WallFilter } from '../contract/wall.ts';
import { refreshMarked } from '../server/job.ts';
import { markAccount } from '../server/mark.ts';
import { refresh } from '../server/refresh.ts';

const FR = 'A13V1IB3VIYZZH';
const IT = 'APJ6JRA9NG5V4';
let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { region: 'eu', marketplaceIds: [DE, FR, IT] });
});
afterAll(() => world.close());

/** So many units on each of the last thirty days of a site, all of which share one stock of 960 sellable pieces. */
async function sells(site: string, msku: string, daily: number, fulfillable: number): Promise<void> {
  await world.as(owner, async (ctx) => {
    await sql`
      INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, status,
                                   fulfilled_by, source, as_of, first_seen_at)
      VALUES (${ctx.companyId}, ${account.id}, ${site}, ${msku}, ${`B0${msku}`}, ${msku}, 'EUR', 'ACTIVE', 'AMAZON', 'api',
              kit.now(), kit.now())`.execute(ctx.db);
    await sql`
      INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by,
        is_business, currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales,
        estimated_sales, discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
      SELECT ${ctx.companyId}, ${account.id}, ${site}, (kit.now() AT TIME ZONE 'Europe/Berlin')::date - n, ${msku}, '',
        'AMAZON', false, 'EUR', 1, 1, ${daily}::int, ${daily}::int, 0, ${daily}::int, 10, 0, 0, 0, 0, 0, 0, 0, 0
        FROM generate_series(1, 30) AS n WHERE ${daily}::int > 0`.execute(ctx.db);
    await sql`
      INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, reserved,
        reserved_customer, reserved_transfer, reserved_processing, inbound_shipped, source, as_of)
      VALUES (${ctx.companyId}, ${account.id}, ${site}, ${msku}, 'New', ${fulfillable}, ${fulfillable > 0 ? 190 : 0},
        ${fulfillable > 0 ? 70 : 0}, ${fulfillable > 0 ? 80 : 0}, ${fulfillable > 0 ? 40 : 0},
        ${fulfillable > 0 ? 120 : 0}, 'api', kit.now())`.execute(ctx.db);
  });
}

const wall = (filter: WallFilter = {}) => owner.call(listWall, { body: { filter } });

test('example 3, doubled: three sites sell out of one stock, which lasts 80 days and is counted once', async () => {
  await sells(DE, 'EU-1', 6, 840);
  await sells(FR, 'EU-1', 3, 840);
  await sells(IT, 'EU-1', 3, 840);
  await world.as(owner, (ctx) => refresh(ctx, { accountId: account.id }));
  const { records, totals } = await wall();
  expect(records.map((row) => [row.store.country, row.avgDaily, row.coverDays, row.transitDays, row.sharedBy])).toEqual(
    [
      ['DE', '6.0000', '80.0', '10.0', 3],
      ...records.slice(1).map((row) => [row.store.country, '3.0000', '80.0', '10.0', 3]),
    ],
  );
  expect(records.filter((row) => row.leads).map((row) => row.store.country)).toEqual(['DE']);
  expect(totals).toMatchObject({ fulfillable: 840, sellable: 960, inbound: 120, units30: 360 });
  // Whoever looks at one site only sees its stock, once.
  const french = await wall({ sites: [`${FR}-${account.id}`] });
  expect(french.totals).toMatchObject({ fulfillable: 840, units30: 90 });
});

test('out of stock, hardly selling and unsold are told apart; what was never read is not zero', async () => {
  await sells(DE, 'OUT', 2, 0);
  await sells(DE, 'SLOW', 1, 840);
  await sells(DE, 'STILL', 0, 840);
  await world.as(owner, (ctx) => refresh(ctx, { accountId: account.id, skus: ['OUT', 'SLOW', 'STILL'] }));
  for (const [cover, sku] of [
    ['OUT', 'OUT'],
    ['SLOW', 'SLOW'],
    ['UNSOLD', 'STILL'],
  ] as const) {
    const { records } = await wall({ cover: [cover] });
    expect(records.map((row) => row.sellerSku)).toEqual([sku]);
    expect(records[0]).toMatchObject({ sessions7: null, clicks7: null, profit30: null, returns30: null });
  }
  expect((await wall({ cover: ['UNSOLD'] })).records[0]).toMatchObject({ units30: 0, coverDays: null });
});

test('marks make the rows anew once, and a listing that is gone takes its row along', async () => {
  await world.as(owner, (ctx) => markAccount(ctx, account.id));
  await world.as(owner, (ctx) =>
    sql`DELETE FROM listing.listing WHERE company_id = ${ctx.companyId} AND seller_sku = 'STILL'`.execute(ctx.db),
  );
  expect(await world.as(owner, (ctx) => refreshMarked(ctx, account.id))).toBe(0);
  const found = await wall({ skus: ['STILL', 'OUT'] });
  expect(found.records.map((row) => row.sellerSku)).toEqual(['OUT']);
  expect(found.asOf).not.toBeNull();
  expect(await world.as(owner, (ctx) => refreshMarked(ctx, account.id))).toBe(0);
});
