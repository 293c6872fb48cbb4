import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { adjustOffers, listOfferChanges } from '#modules/listing/contract/offers.ts';
import type { ListingRow } from '#modules/listing/contract.ts';
import type { FaultRule } from '#sandbox/wire/faults.ts';
import { luck } from '../support/depth.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { kill, spawnWorker } from '../support/worker-process.ts';
import type { Person } from '../support/world.ts';
import { detailOf, feedsOf, handedIn, listingsForSale, offerThere } from './support.ts';

const random = luck('feeds kill');

/** FEED_KILLS=40 asks for more kills at random moments than the suite has time for. */
const RANDOM_KILLS = Number(process.env.FEED_KILLS ?? 4);
const HANGS_MS = 60_000;
const hangs = (operation: string, kind: 'timeoutBefore' | 'timeoutAfter'): FaultRule => ({
  kind,
  operation,
  count: 1,
  ms: HANGS_MS,
});

/** Where a worker dies: it waits for an answer that does not come, before or after the call took effect. */
const MOMENTS: readonly [string, FaultRule][] = [
  ['before a place for the document is asked for', hangs('createFeedDocument', 'timeoutBefore')],
  ['after the place was given', hangs('createFeedDocument', 'timeoutAfter')],
  ['after the upload', hangs('uploadFeedDocument', 'timeoutAfter')],
  ['before the feed is handed in', hangs('createFeed', 'timeoutBefore')],
  ['after the feed was handed in', hangs('createFeed', 'timeoutAfter')],
  // It follows the one before: only a feed whose handing in got no answer is looked for.
  ['while the feed is looked for that may have been handed in', hangs('getFeeds', 'timeoutBefore')],
  ['while it is polled', hangs('getFeed', 'timeoutAfter')],
  ['before the address of the answers is asked for', hangs('getFeedDocument', 'timeoutBefore')],
  ['while the answers are fetched', hangs('downloadFeedDocument', 'timeoutBefore')],
];

let world: MarketplaceWorld;
let owner: Person;
let rows: ListingRow[];

beforeAll(async () => {
  world = await createMarketplaceWorld({ reportDelayMs: [200, 900] }, { leaseSec: 2 });
  owner = await world.owner();
  const reader = await spawnWorker(world);
  rows = (await listingsForSale(owner)).slice(0, 4);
  await kill(reader);
});
afterAll(() => world.close());

let cents = 1_000;

/** Wishes for a new price of every listing; no two wishes are for the same price. */
async function wish(): Promise<void> {
  const changes = rows.map(({ id }) => {
    cents += 1;
    return { id, price: (cents / 100).toFixed(2) };
  });
  await owner.call(adjustOffers, { body: { changes, confirmed: true } });
}

/** Runs a worker until it hangs where the fault says, and kills it there. */
async function dieAt(rule: FaultRule): Promise<void> {
  const { faults } = world.sandbox.world;
  const { id } = faults.add(rule);
  const worker = await spawnWorker(world);
  try {
    const struck = () => faults.list().find((one) => one.id === id)?.struck;
    await vi.waitFor(() => expect(struck()).toBe(1), { timeout: PATIENCE_MS, interval: 20 });
  } finally {
    await kill(worker);
    faults.clear(id);
  }
}

test(`killed at each of ${MOMENTS.length} moments of a feed and ${RANDOM_KILLS} times at random, every change arrives once`, async () => {
  for (const [, rule] of MOMENTS) {
    await wish();
    await dieAt(rule);
  }
  for (let round = 0; round < RANDOM_KILLS; round += 1) {
    await wish();
    const worker = await spawnWorker(world);
    await sleep(random() * 1_500);
    await kill(worker);
  }
  const last = await spawnWorker(world);
  const open = ['planned', 'uploaded', 'submitting', 'submitted', 'processed'];
  try {
    await expect
      .poll(async () => (await feedsOf(owner)).filter(({ status }) => open.includes(status)), { timeout: PATIENCE_MS })
      .toEqual([]);
    await expect
      .poll(
        async () => {
          const { records } = await owner.call(listOfferChanges, { body: { pagesize: 100, filter: {} } });
          return records.filter(({ status }) => status === 'queued' || status === 'accepted');
        },
        { timeout: PATIENCE_MS },
      )
      .toEqual([]);
  } finally {
    await kill(last);
  }

  const feeds = await feedsOf(owner);
  const lines = (await Promise.all(feeds.map(({ id }) => detailOf(owner, id)))).flatMap((feed) => feed.lines);
  const states = Object.groupBy(lines, ({ state }) => state);
  expect(Object.keys(states).sort()).toEqual(states.dropped ? ['accepted', 'dropped'] : ['accepted']);
  expect(feeds.filter(({ status }) => status !== 'done' && status !== 'cancelled')).toEqual([]);
  // Every value is a wish of its own: sent means in one feed of the marketplace, dropped means in none.
  const sent = handedIn(world).flat();
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent).toHaveLength(states.accepted?.length ?? 0);
  expect(lines.length).toBe(cents - 1_000);
  const { records } = await owner.call(listOfferChanges, { body: { pagesize: 100, filter: {} } });
  const newest = records.slice(0, rows.length);
  expect(newest.map(({ status }) => status)).toEqual(rows.map(() => 'confirmed'));
  for (const [index, row] of rows.entries()) {
    const price = ((cents - rows.length + 1 + index) / 100).toFixed(2);
    expect(offerThere(world, row.sellerSku).price).toBe(price);
  }
});
