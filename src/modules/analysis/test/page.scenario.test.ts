import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { receiveNow, subscribeTo } from '#modules/marketplace/contract/notifications.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { setRivals, US } from '#test/support/rivals.ts';
import type { Person } from '#test/support/world.ts';
import { careListings, carePeople } from '../contract/care.ts';
import { countIssues, type IssueFilter, ignoreListingIssues, listIssues } from '../contract/issues.ts';
import { listingTimeline, listingTrend } from '../contract/trend.ts';
import { listWall, type WallRow } from '../contract/wall.ts';

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let row: WallRow;

const trend = () => owner.call(listingTrend, { params: { id: row.id }, query: { days: '30' } });
const timeline = async () => (await owner.call(listingTimeline, { params: { id: row.id }, query: {} })).events;
const issues = (filter: IssueFilter = {}) => owner.call(listIssues, { body: { pagesize: 50, filter } });

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  ({ accountId } = await connectStore(owner));
  await untilSynced(owner, accountId);
});
afterAll(() => world.close());

test('has its row on the wall soon after the facts', async () => {
  const wall = () => owner.call(listWall, { body: { pagesize: 100, filter: { sites: [`${US}-${accountId}`] } } });
  await expect.poll(async () => (await wall()).total, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  const found = (await wall()).records.find((one) => one.fulfilledBy === 'AMAZON' && one.state === 'ACTIVE');
  expect(found).toBeDefined();
  row = found as WallRow;
});

test('ranks come twice a day from the catalogue, named as Amazon names them', async () => {
  await expect.poll(async () => (await trend()).groupTitle, { timeout: PATIENCE_MS }).toBe('Home');
  const { days, classTitle, sources } = await trend();
  const told = days.filter((one) => one.groupRank !== null);
  expect(told).toHaveLength(1);
  expect(told[0]?.classRank).toBeGreaterThan(0);
  expect(classTitle).not.toBeNull();
  expect(sources.find(({ figure }) => figure === '排名')?.to).toBe(told[0]?.day);
});

test('who takes the Buy Box shows in the trend and in what happened', async () => {
  await owner.call(subscribeTo, { body: { authid: accountId, type: 'ANY_OFFER_CHANGED' } });
  const price = new Decimal(row.price ?? 0);
  const rival = async (by: number) => {
    world.sandbox.world.commandClock({ advanceMs: 1_000 });
    await setRivals(world, row.asin ?? '', [
      { sellerId: 'ARIVALONE', price: price.plus(by).toFixed(2), positive: 96, ratings: 800 },
    ]);
    await owner.call(receiveNow, { body: {} });
  };
  const buyBox = async () => (await timeline()).filter(({ kind }) => kind === 'featured').map(({ text }) => text);
  await rival(5);
  await rival(-2);
  const lost = expect.stringContaining('失去购物车，被 ARIVALONE');
  await expect.poll(buyBox, { timeout: PATIENCE_MS }).toEqual(expect.arrayContaining([lost]));
  const { days } = await trend();
  expect(plainDecimal(days.at(-1)?.featuredPrice ?? days.at(-2)?.featuredPrice ?? '')).toBe(price.minus(2).toFixed());
  await rival(9);
  await expect.poll(async () => (await buyBox())[0], { timeout: PATIENCE_MS }).toBe('获得购物车');
});

test('what Amazon finds wrong waits in one list until it is mended or put off', async () => {
  expect((await issues()).total).toBe(0);
  await world.as(owner, (ctx) =>
    sql`
      INSERT INTO listing.issue (company_id, account_id, marketplace_id, seller_sku, fault, code, message, severity, categories,
             attributes, actions, first_seen_at, last_seen_at)
      SELECT ${ctx.companyId}, ${accountId}, ${US}, sku, code, code, text, severity, ARRAY['INVALID_IMAGE'], '{}', actions::text[],
             kit.now() - interval '3 days', kit.now()
        FROM (VALUES (${row.sellerSku}, '1', 'A note', 'WARNING', '{}'),
                     (${row.sellerSku}, '2', 'The image is bad', 'ERROR', '{SEARCH_SUPPRESSED}'))
             AS v (sku, code, text, severity, actions)`.execute(ctx.db),
  );
  const [me] = await owner.call(carePeople, {});
  await owner.call(careListings, { body: { ids: [row.id], set: { ownerId: me?.id ?? null } } });
  const found = (await issues({ tab: 'standing', owners: [me?.id ?? ''] })).records;
  expect(found.map(({ code, action, days, owner: who }) => [code, action, days, who])).toEqual([
    ['2', 'SEARCH_SUPPRESSED', 3, me?.name],
    ['1', null, 3, me?.name],
  ]);
  expect(found[0]).toMatchObject({ listingId: row.id, units30: row.units30, product: { code: row.sellerSku } });
  expect((await issues({ actions: ['SEARCH_SUPPRESSED'] })).total).toBe(1);
  expect((await issues({ keyword: 'the image' })).total).toBe(1);

  const ids = [found[1]?.id ?? ''];
  const ignore = (until: string | null, reason = '') =>
    owner.call(ignoreListingIssues, { body: { ids, until, reason } });
  await expect(ignore('2020-01-01', '换图中')).rejects.toThrow('忽略至：不能早于今天');
  await expect(ignore('2099-01-01')).rejects.toThrow('原因：请填写');
  const thief = await world.owner('别家');
  await expect(thief.call(ignoreListingIssues, { body: { ids, until: '2099-01-01', reason: '我的' } })).rejects.toThrow(
    '不存在',
  );
  await ignore('2099-01-01', '换图中');
  expect(await owner.call(countIssues, { body: { filter: {} } })).toEqual({
    all: 2,
    standing: 1,
    ignored: 1,
    resolved: 0,
  });
  expect((await issues({ tab: 'ignored' })).records[0]).toMatchObject({
    ignoredReason: '换图中',
    ignoredUntil: '2099-01-01',
  });
  await ignore(null);
  expect((await issues({ tab: 'standing' })).total).toBe(2);
  expect((await timeline()).filter(({ kind }) => kind === 'issue').map(({ text }) => text)).toEqual(
    expect.arrayContaining(['出现问题：The image is bad', '出现问题：A note']),
  );
});

test("another company's listing has no page", async () => {
  const thief = await world.owner('又一家');
  const asked = { params: { id: row.id }, query: {} };
  await expect(thief.call(listingTimeline, asked)).rejects.toThrow('商品不存在');
  await expect(thief.call(listingTrend, asked)).rejects.toThrow('商品不存在');
});
