import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveNow, subscribeTo } from '#modules/marketplace/contract/notifications.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { SELLER, setRivals, US } from '#test/support/rivals.ts';
import type { Person } from '#test/support/world.ts';
import { lockPrices, unlockPrices } from '../contract/locks.ts';
import { adjustOffers } from '../contract/offers.ts';
import { listingOffers } from '../contract/rivals.ts';
import { type ListingRow, listingDetail, listListings } from '../contract.ts';
import { landBooks } from '../server/rivals/land.ts';

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let listing: ListingRow;

const offers = () => owner.call(listingOffers, { params: { id: listing.id }, query: { days: '30' } });

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  ({ accountId } = await connectStore(owner));
  await untilSynced(owner, accountId);
  const { records } = await owner.call(listListings, { body: { pagesize: 100, filter: { state: ['ACTIVE'] } } });
  const found = records.find((row) => row.marketplaceId === US && row.fulfilledBy === 'AMAZON' && row.price !== null);
  if (!found) throw new Error('nothing is on sale');
  listing = found;
});
afterAll(() => world.close());

test('a rival that changes his price shows soon after the notification, with its time and where it is from', async () => {
  await owner.call(subscribeTo, { body: { authid: accountId, type: 'ANY_OFFER_CHANGED' } });
  const own = Number(listing.price);
  world.sandbox.world.commandClock({ advanceMs: 1_000 });
  await setRivals(world, listing.asin ?? '', [
    { sellerId: 'ARIVALONE', price: (own - 1).toFixed(2), positive: 96, ratings: 800 },
    { sellerId: 'ARIVALTWO', price: (own - 2).toFixed(2), shipping: '3.50', fba: false, positive: 82 },
  ]);
  await owner.call(receiveNow, { body: {} });
  await expect.poll(async () => (await offers()).source, { timeout: PATIENCE_MS }).toBe('notice');
  const { offers: found, asOf, past, offerCount } = await offers();
  expect(Date.parse(asOf ?? '')).toBe(world.sandbox.world.now());
  expect(offerCount).toBe(3);
  expect(found.map(({ sellerId, featured, fba }) => [sellerId, featured, fba])).toEqual([
    ['ARIVALONE', true, true],
    [SELLER, false, true],
    ['ARIVALTWO', false, false],
  ]);
  expect(found[2]).toMatchObject({ landed: (own + 1.5).toFixed(2).replace(/\.?0+$/, ''), positive: '82' });
  expect(past.at(-1)).toMatchObject({ featuredSeller: 'ARIVALONE', ownFeatured: false, source: 'notice' });
});

test('what comes late or twice changes nothing', async () => {
  const { past, asOf, offers: now } = await offers();
  const book = { asin: listing.asin ?? '', marketplaceId: US, currency: 'USD', offers: [], count: 0 };
  const land = (at: number) =>
    world.as(owner, (ctx) =>
      landBooks(ctx, accountId, 'notice', [{ ...book, asOf: new Date(Date.parse(asOf ?? '') + at).toISOString() }]),
    );
  expect(await land(-1)).toBe(0);
  expect((await offers()).offers).toEqual(now);
  expect(await land(1)).toBe(1);
  expect(await land(2)).toBe(0);
  expect((await offers()).past).toHaveLength(past.length + 1);
});

test('a frozen price is changed by nobody until it is freed', async () => {
  const change = () =>
    owner.call(adjustOffers, { body: { changes: [{ id: listing.id, price: '23.45' }], confirmed: true } });
  await owner.call(lockPrices, { body: { ids: [listing.id], reason: '品牌方限价' } });
  await expect(change()).rejects.toThrow('该商品调价已冻结至 解除为止，请先解除冻结');
  expect((await owner.call(listingDetail, { params: { id: listing.id } })).frozenUntil).toBe('解除为止');
  await expect(owner.call(lockPrices, { body: { ids: [listing.id], until: '2020-01-01' } })).rejects.toThrow(
    '不能早于',
  );
  const thief = await world.owner('别家');
  await expect(thief.call(lockPrices, { body: { ids: [listing.id] } })).rejects.toThrow('不存在');
  await owner.call(unlockPrices, { body: { ids: [listing.id] } });
  expect(await change()).toEqual({ changes: 1, feeds: 1, requests: 0 });
});
