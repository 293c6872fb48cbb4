import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { adjustOffers, listOfferChanges } from '#modules/listing/contract/offers.ts';
import { type ListingRow, listListings } from '#modules/listing/contract.ts';
import { cancelFeed, countFeeds, feedDetail, listFeeds, retryFeed } from '#modules/marketplace/contract/feeds.ts';
import type { FaultRule } from '#sandbox/wire/faults.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { PATIENCE_MS } from '../support/patience.ts';

let world: MarketplaceWorld;
let owner: Person;
let rows: ListingRow[];

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  await connectStore(owner);
  // Nothing here needs the rest of the first synchronisation.
  rows = await vi.waitFor(
    async () => {
      const found = await priced();
      expect(found.length).toBeGreaterThan(1);
      return found;
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
});
afterAll(() => world.close());

/** Active listings of the United States with a price. */
async function priced(): Promise<ListingRow[]> {
  const { records } = await owner.call(listListings, { body: { pagesize: 100, filter: { state: ['ACTIVE'] } } });
  return records.filter(({ price, marketplaceId }) => price !== null && marketplaceId === 'ATVPDKIKX0DER');
}

/** Another price for two listings while the marketplace has a fault; the feed once it is in one of the states. */
async function sent(price: string, fault: FaultRule, ...states: string[]) {
  const { id } = world.sandbox.world.faults.add(fault);
  const changes = rows.slice(0, 2).map((row) => ({ id: row.id, price }));
  await owner.call(adjustOffers, { body: { changes, confirmed: true } });
  const newest = async () => (await owner.call(listFeeds, { body: { filter: {} } })).records[0];
  await expect.poll(async () => states.includes((await newest())?.status ?? ''), { timeout: PATIENCE_MS }).toBe(true);
  world.sandbox.world.faults.clear(id);
  return owner.call(feedDetail, { params: { id: (await newest())?.id ?? '' } });
}

const handedIn = () => world.sandbox.world.feeds.all().length;

it.each<[string, string, FaultRule]>([
  ['the answer is lost', '11.11', { kind: 'connectionReset', operation: 'createFeed', count: 1 }],
  ['the marketplace fails', '12.12', { kind: 'serverError', operation: 'createFeed', count: 1 }],
  ['the storage is away', '13.13', { kind: 'serverError', operation: 'uploadFeedDocument', count: 1 }],
  ['calls are refused for being too many', '14.14', { kind: 'throttleStorm', operation: 'createFeed', count: 1 }],
  ['the report breaks on its way', '15.15', { kind: 'truncatedGzip', operation: 'downloadFeedDocument', count: 1 }],
])('a feed is handed in exactly once when %s', async (_, price, fault) => {
  const before = handedIn();
  const feed = await sent(price, fault, 'done');
  expect([feed.accepted, feed.refused, handedIn() - before]).toEqual([2, 0, 1]);
});

it('a feed that broke in the middle is read back: what took effect is confirmed, the rest can be sent again', async () => {
  const feed = await sent('21.21', { kind: 'feedFatal', operation: 'createFeed', count: 1 }, 'failed');
  expect(feed.lines.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
  const states = async () =>
    (await owner.call(listOfferChanges, { body: { filter: {} } })).records.slice(0, 2).map(({ status }) => status);
  await expect
    .poll(async () => (await states()).filter((state) => state === 'confirmed').length, { timeout: PATIENCE_MS })
    .toBe(1);
  await owner.call(retryFeed, { params: { id: feed.id } });
  await expect.poll(states, { timeout: PATIENCE_MS }).toEqual(['confirmed', 'confirmed']);
  expect((await owner.send(retryFeed, { params: { id: feed.id } })).status).toBe(409);
});

it('what was refused says why, and is not sent again once a newer price has taken its place', async () => {
  const [row] = rows;
  const change = (price: string) =>
    owner.call(adjustOffers, { body: { changes: [{ id: row?.id ?? '', price }], confirmed: true } });
  const newest = async () => (await owner.call(listFeeds, { body: { filter: {} } })).records[0];
  const ended = () => expect.poll(async () => (await newest())?.status, { timeout: PATIENCE_MS });
  await change('1000001');
  await ended().toBe('done');
  const refused = await owner.call(feedDetail, { params: { id: (await newest())?.id ?? '' } });
  expect(refused.lines.map(({ state, problem }) => [state, problem?.slice(0, 13)])).toEqual([
    ['refused', '价格超出亚马逊允许的范围：'],
  ]);
  await change('31.31');
  await ended().toBe('done');
  await owner.call(retryFeed, { params: { id: refused.id } });
  await ended().toBe('cancelled');
  const { records } = await owner.call(listOfferChanges, { body: { filter: { listingId: row?.id ?? '' } } });
  expect(records.slice(0, 2).map(({ newValue }) => newValue)).toEqual(['31.31', '1000001']);
  expect(records[1]?.status).toBe('refused');
});

it('a feed that the marketplace never ends waits and is not handed in again', async () => {
  const before = handedIn();
  const feed = await sent('22.22', { kind: 'feedStuck', operation: 'createFeed', count: 1 }, 'submitted');
  await owner.call(cancelFeed, { params: { id: feed.id } });
  expect(handedIn() - before).toBe(1);
  expect((await owner.call(countFeeds, { body: { filter: {} } })).submitted).toBe(1);
  const blind = await world.member(owner, ['amz:feed:view']);
  expect((await blind.send(cancelFeed, { params: { id: feed.id } })).status).toBe(403);
});
