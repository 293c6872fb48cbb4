import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListingRow } from '#modules/listing/contract.ts';
import {
  listNotices,
  listSubscriptions,
  NOTIFICATION_TYPES,
  receiveNow,
  type Subscription,
  subscribeTo,
} from '#modules/marketplace/contract/notifications.ts';
import { bindSeller } from '#modules/marketplace/contract/stores.ts';
import { readNotification } from '#modules/marketplace/server/notifications/read.ts';
import { schemaChecker } from '#sandbox/conformance/model.ts';
import { noticesOf } from '#sandbox/wire/notices.ts';
import { asOperator } from './faults/story.ts';
import { listingsForSale, US } from './feeds/support.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import type { Person } from './support/world.ts';

const SELLER = 'A1SANDBOX0001';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STORY_MS = 120_000;
type Kind = Subscription['type'];

/** Kinds whose published schema is at hand; the one of accounts' states was never published as a file. */
const SCHEMAS: Partial<Record<Kind, string>> = {
  LISTINGS_ITEM_STATUS_CHANGE: 'ListingsItemStatusChangeNotification',
  LISTINGS_ITEM_ISSUES_CHANGE: 'ListingsItemIssuesChangeNotification',
  PRICING_HEALTH: 'PricingHealthNotification',
  FBA_OUTBOUND_SHIPMENT_STATUS: 'FBAOutboundShipmentStatusNotification',
};

let world: MarketplaceWorld;
let owner: Person;
let rows: ListingRow[];

beforeAll(async () => {
  // A business of which a listing is suppressed in its third month.
  world = await createMarketplaceWorld({ seed: 'issues-10' });
  owner = await world.owner();
  await world.work();
  rows = await listingsForSale(owner);
}, STORY_MS);
afterAll(() => world.close());

const account = async () => {
  const found = (await owner.call(bindSeller, {})).stores.flatMap(({ regionslist }) => regionslist)[0];
  if (!found) throw new Error('no account');
  return found;
};

async function subscribe(type: Kind): Promise<void> {
  const [{ authid } = { authid: '' }] = await owner.call(listSubscriptions, {});
  await owner.call(subscribeTo, { body: { authid, type } });
}

/** As if a stream had nothing to do for a day: only what it is told makes it run. */
const putToRest = (stream: string) =>
  asOperator(
    world,
    `UPDATE marketplace.sync_cursor SET not_before = kit.now() + interval '1 day', last_success_at = kit.now() - interval '1 hour'
      WHERE stream = $1`,
    [stream],
  );

const told = async (type: Kind) => {
  await owner.call(receiveNow, { body: {} });
  const { records } = await owner.call(listNotices, { body: { filter: { type: [type] }, pagesize: 100 } });
  return records;
};

/** Waits until something of a kind was told; all of it must have had the same outcome. */
async function untilTold(type: Kind, outcome: string): Promise<string[]> {
  await expect.poll(async () => (await told(type)).length, { timeout: PATIENCE_MS, interval: 300 }).toBeGreaterThan(0);
  await expect
    .poll(async () => [...new Set((await told(type)).map((row) => `${row.state} ${row.outcome}`))], {
      timeout: PATIENCE_MS,
    })
    .toEqual([`done ${outcome}`]);
  return (await told(type)).map(({ subject }) => subject);
}

/** What the marketplace told has the shape that is published, and nobody but its kind's reader understood it. */
function expectPublished(type: Kind): void {
  const { world: market } = world.sandbox;
  const subscription = market.subscriptions.all().find((one) => one.type === type);
  if (!subscription) throw new Error(`nobody is subscribed to ${type}`);
  const bodies = noticesOf(market, subscription, market.now() - 200 * DAY, market.now() + 1).map(({ body }) => body);
  expect(bodies.length).toBeGreaterThan(0);
  const schema = SCHEMAS[type];
  if (schema === undefined) return;
  for (const body of bodies) {
    const { error } = schemaChecker(`notifications/${schema}.json`).safeParse(body);
    const words = error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
    // The published schema of states misspells the name of its own kind.
    expect(
      words.filter((word) => !(type === 'LISTINGS_ITEM_STATUS_CHANGE' && word.startsWith('NotificationType'))),
    ).toEqual([]);
  }
}

/** What a feed of another program would have made of an offer. */
function setOffer(row: ListingRow, to: { price?: string; quantity?: number }): void {
  const { world: market } = world.sandbox;
  market.commandClock({ advanceMs: 60_000 });
  const offers = [{ marketplaceId: US, sku: row.sellerSku, ...to }];
  const feed = { feedId: `elsewhere ${market.now()}`, sellingPartnerId: SELLER, region: 'na' as const };
  market.command({ type: 'feedDone', ...feed, at: market.now(), offers });
}

test('a listing that is sold out, and one whose price rose too far, are told and read early', {
  timeout: STORY_MS,
}, async () => {
  const own = rows.find(({ fulfilledBy }) => fulfilledBy === 'MERCHANT');
  const other = rows.find(({ id }) => id !== own?.id);
  if (!own || !other) throw new Error('the seller has no such listings');
  await subscribe('LISTINGS_ITEM_STATUS_CHANGE');
  await subscribe('PRICING_HEALTH');
  await putToRest('listings');
  setOffer(own, { quantity: 0 });
  setOffer(other, { price: (Number(other.price) * 2).toFixed(2) });
  expect(await untilTold('LISTINGS_ITEM_STATUS_CHANGE', '提前同步在线商品')).toContain(own.sellerSku);
  expect(await untilTold('PRICING_HEALTH', '提前同步在线商品')).toHaveLength(1);
  await expect
    .poll(
      async () => {
        const { records } = await owner.call(listNotices, { body: { filter: { subject: own.sellerSku } } });
        return records.length;
      },
      { timeout: PATIENCE_MS },
    )
    .toBe(1);
  expectPublished('LISTINGS_ITEM_STATUS_CHANGE');
  expectPublished('PRICING_HEALTH');
});

test('a problem of a listing is told over the event bus', { timeout: STORY_MS }, async () => {
  await subscribe('LISTINGS_ITEM_ISSUES_CHANGE');
  const { world: market, business } = world.sandbox;
  const seller = business.accounts.find(
    ({ sellingPartnerId, region }) => sellingPartnerId === SELLER && region === 'na',
  );
  if (!seller) throw new Error('no such seller');
  const withIssues = (at: number) =>
    seller.marketplaceIds.flatMap((id) => business.listings(seller, id, at)).filter(({ issues }) => issues.length > 0);
  let at = market.now();
  while (withIssues(at).length === 0 && at < market.now() + 100 * DAY) at += DAY;
  expect(withIssues(at).length).toBeGreaterThan(0);
  await putToRest('listings');
  market.commandClock({ advanceMs: at - market.now() });
  const skus = withIssues(at).map(({ product }) => product.sku);
  expect(skus).toEqual(expect.arrayContaining(await untilTold('LISTINGS_ITEM_ISSUES_CHANGE', '提前同步在线商品')));
  expectPublished('LISTINGS_ITEM_ISSUES_CHANGE');
});

test('parcels that leave the warehouses are told, and the orders are read early', { timeout: STORY_MS }, async () => {
  await subscribe('FBA_OUTBOUND_SHIPMENT_STATUS');
  await putToRest('orders.live');
  world.sandbox.world.commandClock({ advanceMs: 12 * HOUR });
  const orders = await untilTold('FBA_OUTBOUND_SHIPMENT_STATUS', '提前同步订单（实时）');
  expect(orders.every((number) => /^\d{3}-\d{7}-\d{7}$/.test(number))).toBe(true);
  expectPublished('FBA_OUTBOUND_SHIPMENT_STATUS');
});

test('a restricted account is known by its subscription, and stops being read at once; lifted, it goes on', {
  timeout: STORY_MS,
}, async () => {
  await subscribe('ACCOUNT_STATUS_CHANGED');
  const { world: market } = world.sandbox;
  for (const [standing, status] of [
    ['DEACTIVATED', 'suspended'],
    ['NORMAL', 'active'],
  ] as const) {
    await putToRest('performance');
    market.commandClock({ advanceMs: HOUR });
    market.setStanding(`${SELLER}|na`, standing);
    await expect
      .poll(async () => (await told('ACCOUNT_STATUS_CHANGED'))[0]?.subject, { timeout: PATIENCE_MS, interval: 300 })
      .toBe(standing);
    await untilTold('ACCOUNT_STATUS_CHANGED', '提前同步店铺绩效');
    await expect.poll(async () => (await account()).status, { timeout: PATIENCE_MS, interval: 500 }).toBe(status);
  }
  expectPublished('ACCOUNT_STATUS_CHANGED');
});

test('what has not the shape of its kind is no notification', () => {
  const envelope = (NotificationType: string, Payload: object) => ({
    NotificationType,
    EventTime: '2026-06-01T00:00:00Z',
    Payload,
    NotificationMetadata: { NotificationId: 'n1', SubscriptionId: 's1' },
  });
  const item = { SellerId: SELLER, Sku: 'SKU-1', Status: ['BUYABLE'] };
  const read = (message: object) => readNotification(JSON.stringify(message));
  const good = envelope('LISTINGS_ITEM_STATUS_CHANGE', item);
  expect(read(good)).toMatchObject({ sellerId: SELLER, subject: 'SKU-1' });
  expect(read({ 'detail-type': 'LISTINGS_ITEM_STATUS_CHANGE', detail: good })).toEqual(read(good));
  expect(read(envelope('LISTINGS_ITEM_STATUS_CHANGE', { ...item, Status: 'BUYABLE' }))).toBeUndefined();
  expect(read(envelope('LISTINGS_ITEM_ISSUES_CHANGE', item))).toBeUndefined();
  expect(read(envelope('ACCOUNT_STATUS_CHANGED', { accountStatusChangeNotification: {} }))).toBeUndefined();
  expect(Object.keys(NOTIFICATION_TYPES)).toHaveLength(10);
});
