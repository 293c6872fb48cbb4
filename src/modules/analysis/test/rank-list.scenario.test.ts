import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter, dayIn } from '#kit/contract/day.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { landOffers } from '#test/support/books.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { JP, makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { careListings, carePeople } from '../contract/care.ts';
import { countRanks, exportRanks, listRanks, type RankFilter, type RankRow, rankDetail } from '../contract/ranks.ts';
import { refresh } from '../server/refresh.ts';

const ZONE = 'Asia/Tokyo';
const HOUR = 3_600_000;
let world: World;
let owner: Person;
let account: AccountRef;
let other: AccountRef;
let today: string;
/** When the present day of the site began. */
let midnight: number;

const list = async (filter: RankFilter = {}, more: object = {}) =>
  (await owner.call(listRanks, { body: { pagesize: 100, filter, ...more } })).records;
const codes = async (filter: RankFilter = {}, more: object = {}) =>
  (await list(filter, more)).map((row) => row.product.code);
const rowOf = async (code: string, filter: RankFilter = {}): Promise<RankRow> => {
  const row = (await list(filter)).find((one) => one.product.code === code);
  if (!row) throw new Error(`${code} is not there`);
  return row;
};
/** A share as people read it, of two decimals. */
const percent = (share: string | null) => (Number(share) * 100).toFixed(2);
const run = (text: ReturnType<typeof sql>) => world.as(owner, (ctx) => text.execute(ctx.db));

const sells = (of: AccountRef, skus: readonly string[], status = 'ACTIVE') =>
  run(sql`
    INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, status, price,
                                 fulfilled_by, quantity, source, as_of, first_seen_at)
    SELECT ${owner.companyId}, ${of.id}, ${JP}, s, 'B0' || s, '椅子 ' || s, 'JPY', ${status}, 2000, 'MERCHANT', 5, 'api', kit.now(), kit.now()
      FROM unnest(${[...skus]}::text[]) AS s`);

const ranked = (code: string, daysAgo: number, groupRank: number | null, classRank: number | null, title = '椅子') =>
  run(sql`
    INSERT INTO listing.rank_day (company_id, account_id, marketplace_id, asin, day, group_title, group_rank, class_title, class_rank, as_of)
    VALUES (${owner.companyId}, ${account.id}, ${JP}, ${`B0${code}`}, ${dayAfter(today, -daysAgo)}::date, '家居', ${groupRank}, ${title},
            ${classRank}, kit.now())`);

/** Offers as they were read at an hour of yesterday: who is featured, at which price; ours is 2,000 landed and 1,900 without shipping. */
async function offers(code: string, hour: number, featured: 'own' | 'rival' | 'nobody' | 'absent', price = '1950') {
  const offer = { fba: true, positive: null, ratings: null };
  const own = {
    ...offer,
    sellerId: account.sellingPartnerId,
    landed: '2000',
    price: '1900',
    shipping: '100',
    own: true,
  };
  const rival = { ...offer, sellerId: 'ARIVAL', landed: price, price, shipping: '0', own: false };
  const all = [
    { ...rival, featured: featured === 'rival' || featured === 'absent' },
    ...(featured === 'absent' ? [] : [{ ...own, featured: featured === 'own' }]),
  ];
  const asOf = new Date(midnight - 24 * HOUR + hour * HOUR).toISOString();
  const book = { asin: `B0${code}`, marketplaceId: JP, asOf, currency: 'JPY', offers: all, count: all.length };
  await landOffers(world, owner, account.id, [book]);
}

const visits = (code: string, daysAgo: number, views: number, featured: number) =>
  run(sql`
    INSERT INTO report.traffic (company_id, account_id, day, row_id, stock, marketplace_id, document_id, seller_sku, asin, level,
      parent_asin, currency, sales, sales_b2b, units, units_b2b, items, items_b2b, refunded, shipped, sessions, browser_sessions,
      page_views, browser_page_views, featured)
    VALUES (${owner.companyId}, ${account.id}, ${dayAfter(today, -daysAgo)}::date, uuidv7(), 'JP', ${JP}, ${randomUUID()}, ${code},
            ${`B0${code}`}, 'sku', '', 'JPY', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ${views}, ${views}, ${featured})`);

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { region: 'fe', marketplaceIds: [JP] });
  other = await makeSellerAccount(world, owner, { region: 'fe', marketplaceIds: [JP] });
  today = dayIn(ZONE, worldClock().ms());
  midnight = Date.parse(`${today}T00:00:00+09:00`);
  await sells(account, ['BOX', 'LOST', 'FELL', 'ROSE', 'GONE-BOX', 'QUIET']);
  await sells(account, ['ENDED'], 'INACTIVE');
  await sells(other, ['OTHER']);
  for (const [days, rank] of [
    [7, 900],
    [3, 480],
    [1, 500],
    [0, 450],
  ] as const)
    await ranked('ROSE', days, rank, rank / 10);
  await ranked('ROSE', 5, 1, 1, '凳子');
  await ranked('FELL', 7, 1000, 100);
  await ranked('FELL', 0, 1301, 100);
  await ranked('BOX', 7, 1000, 100);
  await ranked('BOX', 0, 1300, 99);
  for (const [hour, state] of [
    [-2, 'own'],
    [6, 'own'],
    [12, 'own'],
    [18, 'own'],
    [20, 'rival'],
    [24, 'own'],
  ] as const)
    await offers('BOX', hour, state);
  await offers('LOST', 2, 'own');
  await offers('LOST', 5, 'rival', '1900');
  await offers('LOST', 6, 'nobody');
  await offers('LOST', 8, 'own');
  await offers('LOST', 13, 'rival', '1980');
  await offers('GONE-BOX', 1, 'rival');
  await offers('GONE-BOX', 2, 'absent');
  await visits('BOX', 2, 100, 90);
  await visits('BOX', 3, 300, 50);
  await visits('BOX', 8, 900, 1);
  for (const { id: accountId } of [account, other]) await world.as(owner, (ctx) => refresh(ctx, { accountId }));
});
afterAll(() => world.close());

test('E8: the sampled share of the Buy Box is what was owned of what was observed, with how much that is', async () => {
  const row = await rowOf('BOX');
  expect(row).toMatchObject({
    holder: '自己',
    lost: false,
    ownPrice: '2000',
    rivals: 1,
    currency: 'JPY',
  });
  // Fourteen hours of the eighteen that were seen, of seven days.
  expect([percent(row.share), percent(row.coverage)]).toEqual(['77.78', '10.71']);
  expect(Number(row.lowestPrice)).toBe(1950);
  // (100 · 90 % + 300 · 50 %) ÷ 400, without the day that lies before.
  expect(row.official).toBe('0.6000');
  expect(Date.parse(row.offersAt ?? '')).toBe(midnight);
  expect((await rowOf('BOX', { period: 'days30' })).official).toBe('0.1915');
  // Of the day that is not over nothing was read yet.
  expect(await rowOf('BOX', { period: 'today' })).toMatchObject({ share: null, official: null });
  expect(await rowOf('QUIET')).toMatchObject({
    holder: null,
    share: null,
    coverage: null,
    rivals: null,
    offersAt: null,
  });
});

test('ranks stand with the best and the median of their week, of the same class alone', async () => {
  expect(await rowOf('ROSE')).toMatchObject({
    groupRank: 450,
    groupBest7: 1,
    groupMedian7: 450,
    classRank: 45,
    classBest7: 45,
    classMedian7: 48,
    groupMove7: -450,
    classMove1: -5,
    fall: '-0.5000',
  });
  expect(await rowOf('FELL')).toMatchObject({ groupMove7: 301, classMove7: 0, fall: '0.3010' });
});

test('what is without its Buy Box and what fell by more than a percentage are found and counted', async () => {
  expect(await codes({ tab: 'lost' })).toEqual(['LOST']);
  expect(await codes({ lost: true })).toEqual(['LOST']);
  expect(await codes({ lost: false })).not.toContain('LOST');
  // A fall of exactly 30 % is none of more than that.
  expect(await codes({ tab: 'fallen' })).toEqual(['FELL']);
  expect((await codes({ tab: 'fallen', fall: 29 })).sort()).toEqual(['BOX', 'FELL']);
  expect(await codes({ fall: 31 })).toEqual([]);
  const counts = (filter: RankFilter) => owner.call(countRanks, { body: { filter } });
  expect(await counts({})).toEqual({ all: 7, lost: 1, fallen: 1 });
  expect(await counts({ tab: 'lost' })).toEqual({ all: 7, lost: 1, fallen: 1 });
  expect(await counts({ keyword: 'lost' })).toEqual({ all: 1, lost: 1, fallen: 0 });
  // What is not on sale is not shown.
  expect(await codes()).not.toContain('ENDED');
});

test('it is narrowed by store, person and words, and ordered either way with what is unknown behind', async () => {
  expect(await codes({ sites: [`${JP}-${other.id}`] })).toEqual(['OTHER']);
  expect(await codes({ keyword: '椅子 fell' })).toEqual(['FELL']);
  expect(await codes({ skus: ['B0LOST', 'ROSE'] }, { sort: 'product', order: 'asc' })).toEqual(['LOST', 'ROSE']);
  const [person] = await owner.call(carePeople, {});
  const { id } = await rowOf('QUIET');
  await owner.call(careListings, { body: { ids: [id], set: { ownerId: person?.id ?? '' } } });
  expect(await codes({ owners: [person?.id ?? ''] })).toEqual(['QUIET']);
  const first = async (sort: string, order: string, count: number) =>
    (await codes({}, { sort, order })).slice(0, count);
  expect(await first('groupRank', 'asc', 3)).toEqual(['ROSE', 'BOX', 'FELL']);
  expect(await first('fall', 'desc', 3)).toEqual(['FELL', 'BOX', 'ROSE']);
  // LOST had it 3 h and 5 h of the 11 h that were seen.
  expect(await first('share', 'desc', 2)).toEqual(['BOX', 'LOST']);
  expect(await first('share', 'asc', 3)).toEqual(['GONE-BOX', 'LOST', 'BOX']);
  expect(percent((await rowOf('LOST')).share)).toBe('72.73');
});

test('a listing tells its days, and when it lost the Buy Box to whom at which price', async () => {
  const { id } = await rowOf('LOST');
  const detail = await owner.call(rankDetail, { params: { id }, query: { days: '30' } });
  expect(detail.days).toHaveLength(30);
  expect(detail.days.at(-1)?.day).toBe(today);
  expect(detail.days.at(-2)).toMatchObject({ day: dayAfter(today, -1), share: '0.7273', coverage: '1.0000' });
  const at = (hour: number) => midnight - 24 * HOUR + hour * HOUR;
  expect(
    detail.lost.map(({ from, to, holder, featuredPrice, ownPrice }) => [
      Date.parse(from),
      to && Date.parse(to),
      holder,
      featuredPrice,
      ownPrice,
    ]),
  ).toEqual([
    [at(13), null, 'ARIVAL', '1980', '2000'],
    [at(6), at(8), '无', null, '2000'],
    [at(5), at(6), 'ARIVAL', '1900', '2000'],
  ]);
  // Nobody has lost what he does not offer.
  const absent = await owner.call(rankDetail, { params: { id: (await rowOf('GONE-BOX')).id }, query: {} });
  expect(absent.lost.map(({ to }) => to && Date.parse(to))).toEqual([at(2)]);
});

test('the file has the rows of the filter', async () => {
  const file = await owner.send(exportRanks, {
    body: { format: 'csv', columns: ['product', 'holder', 'share', 'coverage'], filter: { tab: 'lost' } },
  });
  const lines = file.raw.toString('utf8').replace('\uFEFF', '').trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('ARIVAL');
});

test('nobody sees listings of another company, or of stores that are not his', async () => {
  const thief = await world.owner('别家');
  expect((await thief.call(listRanks, { body: { filter: {} } })).records).toEqual([]);
  expect(await thief.call(countRanks, { body: { filter: {} } })).toEqual({ all: 0, lost: 0, fallen: 0 });
  const { id } = await rowOf('LOST');
  await expect(thief.call(rankDetail, { params: { id }, query: {} })).rejects.toThrow('不存在');
  const member = await world.member(owner, ['amz:analysis:view']);
  await run(sql`INSERT INTO identity.member_scope (company_id, member_id, dimension, mode)
                VALUES (${owner.companyId}, ${member.userId}, 'store', 'LIST')`);
  const seen = async () => (await member.call(countRanks, { body: { filter: {} } })).all;
  await expect.poll(seen, { timeout: PATIENCE_MS }).toBe(0);
  await run(sql`UPDATE identity.member_scope SET ids = ARRAY[${other.storeId}]::uuid[]
                 WHERE company_id = ${owner.companyId} AND member_id = ${member.userId}`);
  await expect.poll(seen, { timeout: PATIENCE_MS }).toBe(1);
  expect((await member.send(rankDetail, { params: { id }, query: {} })).status).toBe(404);
});
