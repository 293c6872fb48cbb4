import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustOffers, cancelOffers, listOfferChanges } from '#modules/listing/contract/offers.ts';
import type { ListingRow } from '#modules/listing/contract.ts';
import { hurryFeed } from '#modules/marketplace/contract/feeds.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import type { Person } from '../support/world.ts';
import { detailOf, feedsOf, handedIn, listingsForSale } from './support.ts';

const PAUSE_SEC = 300;
/** What Amazon takes of an account within five minutes. */
const MOST_AT_ONCE = 5;

let world: MarketplaceWorld;
let owner: Person;
let rows: ListingRow[];
/** A listing that the merchant ships himself. */
let own: ListingRow;

beforeAll(async () => {
  world = await createMarketplaceWorld({}, { feedPauseSec: PAUSE_SEC });
  owner = await world.owner();
  await world.work();
  const found = await listingsForSale(owner);
  const merchant = found.find(({ fulfilledBy }) => fulfilledBy === 'MERCHANT');
  if (!merchant) throw new Error('the seller ships nothing himself');
  own = merchant;
  rows = found.filter(({ id }) => id !== own.id);
});
afterAll(() => world.close());

const at = (index: number): ListingRow => {
  const row = rows[index];
  if (!row) throw new Error(`no listing ${index}`);
  return row;
};

const change = (row: ListingRow, to: { price?: string; quantity?: number }) =>
  owner.call(adjustOffers, { body: { changes: [{ id: row.id, ...to }], confirmed: true } });

/** Waits until so many feeds are over, and nothing else has been begun. */
const untilDone = (count: number) =>
  expect
    .poll(
      // What a feed waits for is told with it, where the wait is in vain.
      async () => (await feedsOf(owner)).map(({ status, error }) => (error ? `${status}: ${error}` : status)),
      { timeout: PATIENCE_MS, interval: 250 },
    )
    .toEqual(Array.from({ length: count }, () => 'done'));

/** Seconds between the handing in of neighbouring feeds. */
async function pauses(): Promise<number[]> {
  const times = (await feedsOf(owner)).flatMap(({ submittedAt }) => (submittedAt ? [Date.parse(submittedAt)] : []));
  return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
}

test('what is changed one after the other goes together; what comes later waits for the pause, the newest value alone', async () => {
  const first = ['11.01', '11.02', '11.03'];
  for (const [index, price] of first.entries()) await change(at(index), { price });
  // A breath is a twentieth of the pause.
  await world.advance((PAUSE_SEC / 20) * 1000);
  await untilDone(1);
  expect(handedIn(world)).toEqual([first.map((price, index) => `${at(index).sellerSku} ${price}`)]);

  await change(at(0), { price: '12.01' });
  await change(at(0), { price: '12.02' });
  await change(own, { price: '13.01' });
  await change(own, { quantity: 9 });
  const [, waiting] = await feedsOf(owner);
  expect(waiting).toMatchObject({ status: 'planned', messages: 4, title: '批量调价、批量改库存' });
  const detail = await detailOf(owner, waiting?.id ?? '');
  expect(detail.steps.map(({ title, done }) => `${title} ${done}`).slice(0, 2)).toEqual([
    '登记 true',
    '收集修改 false',
  ]);
  expect(Date.parse(detail.nextAt ?? '') - world.clock.ms()).toBeGreaterThan((PAUSE_SEC / 3) * 1000);
  expect(handedIn(world)).toHaveLength(1);
  await world.advance(PAUSE_SEC * 1000);
  await untilDone(2);
  expect(handedIn(world)[1]).toEqual([`${at(0).sellerSku} 12.02`, `${own.sellerSku} 13.01 ×9`]);
  expect((await pauses())[0]).toBeGreaterThanOrEqual(PAUSE_SEC);
  const lines = (await detailOf(owner, waiting?.id ?? '')).lines.map(({ messageId, state }) => `${messageId} ${state}`);
  expect(lines.sort()).toEqual(['1 dropped', '2 accepted', '3 accepted', '4 accepted']);
});

test('what nobody may order any more is sent at once and takes the rest along; somebody may hurry, or call it back', async () => {
  await change(at(1), { price: '14.01' });
  await change(own, { quantity: 0 });
  await untilDone(3);
  expect(handedIn(world)[2]).toEqual([`${at(1).sellerSku} 14.01`, `${own.sellerSku} ×0`]);

  await change(at(1), { price: '15.01' });
  await change(at(2), { price: '15.02' });
  const waiting = (await feedsOf(owner))[3];
  const params = { id: waiting?.id ?? '' };
  expect(await detailOf(owner, params.id)).toMatchObject({ may: { cancel: true, hurry: true } });
  const { records } = await owner.call(listOfferChanges, { body: { filter: { listingId: at(2).id } } });
  await owner.call(cancelOffers, { body: { ids: records.slice(0, 1).map(({ id }) => id) } });
  const blind = await world.member(owner, ['amz:feed:view']);
  expect((await blind.send(hurryFeed, { params })).status).toBe(403);
  await owner.call(hurryFeed, { params });
  await untilDone(4);
  expect(handedIn(world)[3]).toEqual([`${at(1).sellerSku} 15.01`]);
  expect((await owner.send(hurryFeed, { params })).status).toBe(409);
  expect((await pauses()).slice(1).every((sec) => sec < PAUSE_SEC)).toBe(true);
});

test('no hurry makes the account send more than the marketplace takes', async () => {
  const within = async () =>
    (await feedsOf(owner)).filter(
      ({ submittedAt }) => submittedAt && world.clock.ms() - Date.parse(submittedAt) < PAUSE_SEC * 1000,
    ).length;
  let sent = handedIn(world).length;
  for (let quantity = 5; (await within()) < MOST_AT_ONCE; quantity += 1) {
    await change(own, { quantity });
    await change(own, { quantity: 0 });
    sent += 1;
    await untilDone(sent);
  }
  await change(own, { quantity: 4 });
  await change(own, { quantity: 0 });
  const last = async () => detailOf(owner, (await feedsOf(owner)).at(-1)?.id ?? '');
  await expect
    .poll(async () => Date.parse((await last()).nextAt ?? '') > world.clock.ms(), { timeout: PATIENCE_MS })
    .toBe(true);
  expect(await last()).toMatchObject({ status: 'planned', may: { hurry: false } });
  await world.advance(PAUSE_SEC * 1000);
  await untilDone(sent + 1);
  const times = (await feedsOf(owner)).map(({ submittedAt }) => Date.parse(submittedAt ?? ''));
  const spans = times.slice(MOST_AT_ONCE).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...spans)).toBeGreaterThanOrEqual(PAUSE_SEC * 1000);
});
