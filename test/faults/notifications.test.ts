import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listNotices,
  listSubscriptions,
  queueStateOf,
  receiveNow,
  replayNotice,
  subscribeTo,
  unsubscribeFrom,
} from '#modules/marketplace/contract/notifications.ts';
import { schemaChecker } from '#sandbox/conformance/model.ts';
import { noticesOf } from '#sandbox/wire/notices.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { productFigures, truthFigures } from '../support/truth.ts';
import type { Person } from '../support/world.ts';
import { AMERICAN, asOperator, STORY_MS, syncAgain } from './story.ts';

const HOUR = 3_600_000;
let world: MarketplaceWorld;
let owner: Person;
let accountId: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
  owner = await world.owner();
  ({ accountId } = await connectStore(owner));
  await untilSynced(owner, accountId);
}, STORY_MS);
afterAll(() => world.close());

const notices = () => owner.call(listNotices, { body: { filter: {}, pagesize: 100 } });

/** Waits until the queue is empty and everything that came out of it has been dealt with. */
async function received(least: number) {
  await owner.call(receiveNow, { body: {} });
  const deadline = Date.now() + 30_000;
  for (;;) {
    const [{ records, total }, queue] = [await notices(), await owner.call(queueStateOf, {})];
    const open = records.filter(({ state }) => state === 'received');
    if (queue.waiting === 0 && open.length === 0 && total >= least) return { records, total };
    if (Date.now() > deadline) throw new Error(`notifications missing: ${JSON.stringify({ queue, total, open })}`);
    await sleep(200);
  }
}

/** 立即同步, until every order is as the marketplace has it. */
async function untilSameSales(): Promise<void> {
  await syncAgain(owner, accountId);
  const truth = truthFigures(world.sandbox, AMERICAN.sellingPartnerId, AMERICAN.region);
  await expect
    .poll(async () => (await productFigures(world, owner, accountId)).sales, { timeout: PATIENCE_MS })
    .toEqual(truth.sales);
}

test('what is subscribed to is told, once each, and makes the orders be read early', {
  timeout: STORY_MS,
}, async () => {
  const wish = { authid: accountId, type: 'ORDER_CHANGE' as const };
  await owner.call(subscribeTo, { body: wish });
  // A subscription that the marketplace knows already is taken over.
  await owner.call(subscribeTo, { body: wish });
  const subscriptions = await owner.call(listSubscriptions, {});
  expect(subscriptions.map(({ type, subscribedAt }) => [type, subscribedAt !== null])).toEqual([
    ['ACCOUNT_STATUS_CHANGED', false],
    ['ANY_OFFER_CHANGED', false],
    ['FBA_INVENTORY_AVAILABILITY_CHANGES', false],
    ['FBA_OUTBOUND_SHIPMENT_STATUS', false],
    ['FEED_PROCESSING_FINISHED', false],
    ['LISTINGS_ITEM_ISSUES_CHANGE', false],
    ['LISTINGS_ITEM_STATUS_CHANGE', false],
    ['ORDER_CHANGE', true],
    ['PRICING_HEALTH', false],
    ['REPORT_PROCESSING_FINISHED', false],
  ]);
  const { faults } = world.sandbox.world;
  faults.add({ kind: 'noticeDuplicated', probability: 0.5, seed: 'twice' });
  faults.add({ kind: 'noticesShuffled' });
  // As if the stream had nothing to do for a day: only what it is told makes it run.
  await asOperator(
    world,
    `UPDATE marketplace.sync_cursor SET not_before = kit.now() + interval '1 day', last_success_at = kit.now() - interval '1 hour'
      WHERE account_id = $1 AND stream = 'orders.live'`,
    [accountId],
  );
  world.sandbox.world.commandClock({ advanceMs: 6 * HOUR });
  const [subscription] = world.sandbox.world.subscriptions.all();
  if (!subscription) throw new Error('the marketplace knows of no subscription');
  const now = world.sandbox.world.now();
  const told = noticesOf(world.sandbox.world, subscription, now - 6 * HOUR, now + 1);
  expect(told.length).toBeGreaterThan(1);
  const { records, total } = await received(told.length);
  expect(total).toBe(told.length);
  expect(records.every(({ state, outcome }) => state === 'done' && outcome?.startsWith('提前同步'))).toBe(true);
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  expect(records.some(({ deliveries }) => deliveries > 1)).toBe(true);
  const schema = schemaChecker('notifications/OrderChangeNotification.json');
  for (const { body } of told)
    expect(schema.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual([]);
  faults.clear();
  await untilSameSales();
});

test('a notification that is lost is missed by nobody: the orders are read all the same', {
  timeout: STORY_MS,
}, async () => {
  const before = (await notices()).total;
  const { faults } = world.sandbox.world;
  faults.add({ kind: 'noticeLost' });
  world.sandbox.world.commandClock({ advanceMs: 3 * HOUR });
  await received(before);
  expect(faults.list()[0]?.struck).toBeGreaterThan(0);
  expect((await notices()).total).toBe(before);
  faults.clear();
  await untilSameSales();
});

test('one can be dealt with again, and a subscription ends', { timeout: STORY_MS }, async () => {
  const [first] = (await notices()).records;
  if (!first) throw new Error('nothing came');
  await asOperator(world, "UPDATE marketplace.notification SET state = 'failed' WHERE notification_id = $1", [
    first.id,
  ]);
  await owner.call(replayNotice, { body: { id: first.id } });
  expect((await notices()).records.find(({ id }) => id === first.id)?.state).toBe('done');
  const wish = { authid: accountId, type: 'ORDER_CHANGE' as const };
  await owner.call(unsubscribeFrom, { body: wish });
  expect(world.sandbox.world.subscriptions.all()).toEqual([]);
  await expect(owner.call(unsubscribeFrom, { body: wish })).rejects.toThrow('没有订阅');
  await owner.call(subscribeTo, { body: { authid: accountId, type: 'REPORT_PROCESSING_FINISHED' } });
  const [subscription] = world.sandbox.world.subscriptions.all();
  expect(subscription?.type).toBe('REPORT_PROCESSING_FINISHED');
});

test('offers, stock and feeds are told too, as their schemas say, and make their streams run early', {
  timeout: STORY_MS,
}, async () => {
  const [account] = world.sandbox.business.accounts.filter(
    ({ sellingPartnerId, region }) => sellingPartnerId === AMERICAN.sellingPartnerId && region === AMERICAN.region,
  );
  const { world: market } = world.sandbox;
  const kinds = [
    ['ANY_OFFER_CHANGED', 'AnyOfferChangedNotification'],
    ['FBA_INVENTORY_AVAILABILITY_CHANGES', 'FBAInventoryAvailabilityChangeNotification'],
    ['FEED_PROCESSING_FINISHED', 'FeedProcessingFinishedNotification'],
  ] as const;
  for (const [type] of kinds) await owner.call(subscribeTo, { body: { authid: accountId, type } });
  market.commandClock({ advanceMs: 6 * HOUR });
  const feed = { feedId: '50000000001', sellingPartnerId: AMERICAN.sellingPartnerId, region: AMERICAN.region };
  market.command({
    type: 'feed',
    feed: {
      ...feed,
      feedType: 'JSON_LISTINGS_FEED',
      marketplaceIds: account?.marketplaceIds ?? [],
      inputDocumentId: 'none',
      createdAt: market.now(),
      askedAt: 0,
    },
  });
  await owner.call(receiveNow, { body: {} });
  const outcomes = async () => {
    const { records } = await notices();
    return kinds.map(([type]) => records.find((row) => row.type === type)?.outcome ?? '');
  };
  await expect
    .poll(outcomes, { timeout: PATIENCE_MS })
    .toEqual([expect.stringMatching(/报价.*，提前同步在线商品$/), '提前同步FBA库存', '没有在等这次提交']);
  for (const [type, schema] of kinds) {
    const subscription = market.subscriptions.all().find((one) => one.type === type);
    if (!subscription) throw new Error(`nobody is subscribed to ${type}`);
    const told = noticesOf(market, subscription, market.now() - 6 * HOUR, market.now() + 1);
    expect(told.length).toBeGreaterThan(0);
    for (const { body } of told) {
      const { error } = schemaChecker(`notifications/${schema}.json`).safeParse(body);
      expect(error?.issues.map(({ path, message }) => `${type} ${path.join('.')} ${message}`) ?? []).toEqual([]);
    }
  }
});
