import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emit } from '#kit/server/events.ts';
import { ranksTouched } from '#modules/listing/server/index.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { DE, makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listWall, type WallFilter } from '../contract/wall.ts';
import { refreshMarked } from '../server/job.ts';

let world: World;
let owner: Person;
let account: AccountRef;

const wall = (filter: WallFilter, more: object = {}) => owner.call(listWall, { body: { filter, ...more } });
const skus = async (filter: WallFilter, more: object = {}) =>
  (await wall(filter, more)).records.map((row) => row.sellerSku);

/** Listings without sales; `parent` where they are variations. */
async function sells(list: readonly { msku: string; asin: string; parent?: string; title?: string }[]): Promise<void> {
  await world.as(owner, (ctx) =>
    sql`
      INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, parent_asin, title, currency, status,
                                   fulfilled_by, quantity, source, as_of, first_seen_at)
      SELECT ${ctx.companyId}, ${account.id}, ${DE}, o.msku, o.asin, o.parent, coalesce(o.title, o.msku), 'EUR', 'ACTIVE',
             'MERCHANT', 5, 'api', kit.now(), kit.now()
        FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS o(msku text, asin text, parent text, title text)`.execute(
      ctx.db,
    ),
  );
}

/** A reading some days ago; `title` of the class. */
async function read(daysAgo: number, asin: string, groupRank: number, classRank: number | null, title = 'Chairs') {
  await world.as(owner, async (ctx) => {
    await sql`
      INSERT INTO listing.rank_day (company_id, account_id, marketplace_id, asin, day, group_title, group_rank, class_title, class_rank, as_of)
      VALUES (${ctx.companyId}, ${account.id}, ${DE}, ${asin}, kit.now()::date - ${daysAgo}::int, 'Home', ${groupRank}, ${title}, ${classRank}, kit.now())`.execute(
      ctx.db,
    );
    await emit(ctx, ranksTouched, { accountId: account.id });
  });
}

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { region: 'eu', marketplaceIds: [DE] });
  await sells([
    { msku: 'UP', asin: 'B000000001', parent: 'P000000001' },
    { msku: 'UP-TWIN', asin: 'B000000001', parent: 'P000000001' },
    { msku: 'DOWN', asin: 'B000000002', parent: 'P000000001', title: '100% Cotton_Cover \\ Blue' },
    { msku: 'MOVED', asin: 'B000000003' },
    { msku: 'STALE', asin: 'B000000004' },
    { msku: 'NEVER', asin: 'B000000005', title: '1000 Cotton-Cover' },
  ]);
  for (const [days, rank] of [
    [7, 900],
    [1, 500],
    [0, 450],
  ] as const) {
    await read(days, 'B000000001', rank, rank / 10);
  }
  await read(1, 'B000000002', 200, 20);
  await read(0, 'B000000002', 260, null);
  await read(1, 'B000000003', 70, 7, 'Stools');
  await read(0, 'B000000003', 80, 3, 'Chairs');
  await read(9, 'B000000004', 1, 1);
  // A reading marks the rows: nothing else has to ask for it.
  expect(await world.as(owner, (ctx) => refreshMarked(ctx, account.id))).toBe(6);
});
afterAll(() => world.close());

test('ranks stand beside those of the day before and a week before; below zero is better', async () => {
  const { records } = await wall({});
  const of = (msku: string) => {
    const row = records.find((one) => one.sellerSku === msku);
    return row && [row.groupRank, row.groupMove1, row.groupMove7, row.classRank, row.classMove1, row.classMove7];
  };
  expect(of('UP')).toEqual([450, -50, -450, 45, -5, -45]);
  expect(of('UP-TWIN')).toEqual(of('UP'));
  // A week ago nothing was read, and today there is no rank in the class.
  expect(of('DOWN')).toEqual([260, 60, null, null, null, null]);
  // The class is another one than yesterday: its ranks do not compare.
  expect(of('MOVED')).toEqual([80, 10, null, 3, null, null]);
  expect(of('STALE')).toEqual([null, null, null, null, null, null]);
  expect(of('NEVER')).toEqual(of('STALE'));
});

test('the wall is ordered by them, what has none behind all others either way', async () => {
  const asc = await skus({}, { sort: 'groupRank', order: 'asc' });
  expect(asc.slice(0, 2)).toEqual(['MOVED', 'DOWN']);
  expect(new Set(asc.slice(2, 4))).toEqual(new Set(['UP', 'UP-TWIN']));
  expect(new Set(asc.slice(4))).toEqual(new Set(['STALE', 'NEVER']));
  const desc = await skus({}, { sort: 'groupRank', order: 'desc' });
  // The same with the id the other way round among those that are equal.
  expect(desc).toEqual([...asc.slice(0, 4).reverse(), ...asc.slice(4).reverse()]);
  expect((await skus({}, { sort: 'groupMove7', order: 'asc' })).slice(0, 2).sort()).toEqual(['UP', 'UP-TWIN']);
});

test('an ASIN or a parent shows the best ranks of its products, never their sum', async () => {
  const asins = (await wall({ view: 'asin' }, { sort: 'groupRank', order: 'asc' })).records;
  expect(asins.map((row) => [row.asin, row.groupRank]).slice(0, 3)).toEqual([
    ['B000000003', 80],
    ['B000000002', 260],
    ['B000000001', 450],
  ]);
  const parents = (await wall({ view: 'parent', keyword: 'p000000001' })).records;
  expect(parents).toMatchObject([{ listings: 3, groupRank: 260, groupMove1: 60, classRank: 45, classMove1: -5 }]);
});

test('what is typed means itself, whatever its case', async () => {
  expect(await skus({ keyword: '100%' })).toEqual(['DOWN']);
  expect(await skus({ keyword: 'cotton_cover' })).toEqual(['DOWN']);
  expect(await skus({ keyword: ' \\ BLUE' })).toEqual(['DOWN']);
  expect((await skus({ keyword: 'COTTON' })).sort()).toEqual(['DOWN', 'NEVER']);
});

test('days of cover are narrowed to the tenth, both ends included; unknown ones are in no range', async () => {
  await world.as(owner, (ctx) =>
    sql`
      UPDATE analysis.listing_metric SET pool_daily = 1, sellable = CASE seller_sku WHEN 'UP' THEN 30 WHEN 'DOWN' THEN 31 END
       WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
  );
  expect(await skus({ coverDays: { to: 30 } })).toEqual(['UP']);
  expect(await skus({ coverDays: { to: 29.9 } })).toEqual([]);
  expect(await skus({ coverDays: { from: 30.05, to: 31 } })).toEqual(['DOWN']);
  expect((await skus({ coverDays: { from: -1e300 } })).sort()).toEqual(['DOWN', 'UP']);
  expect(await skus({ coverDays: { from: 0, to: 1e300 } }, { sort: 'coverDays', order: 'desc' })).toEqual([
    'DOWN',
    'UP',
  ]);
});
