import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustOffers } from '#modules/listing/contract/offers.ts';
import type { ListingRow } from '#modules/listing/contract.ts';
import { ignoreDeadWork, listDead, retryDead } from '#modules/marketplace/contract/quarantine.ts';
import { asOperator } from '../faults/story.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import type { Person } from '../support/world.ts';
import { detailOf, feedsOf, listingsForSale } from './support.ts';

let world: MarketplaceWorld;
let owner: Person;
let rows: ListingRow[];

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  rows = (await listingsForSale(owner)).slice(0, 2);
});
afterAll(() => world.close());

const dead = async () => (await owner.call(listDead, {})).filter(({ kind }) => kind === 'feed' || kind === 'notice');

/** A new price for both listings; the feed once it is over. */
async function sent(price: string, ...states: string[]) {
  await owner.call(adjustOffers, { body: { changes: rows.map(({ id }) => ({ id, price })), confirmed: true } });
  const newest = async () => (await feedsOf(owner)).at(-1);
  await expect.poll(async () => states.includes((await newest())?.status ?? ''), { timeout: PATIENCE_MS }).toBe(true);
  return detailOf(owner, (await newest())?.id ?? '');
}

test('a submission that broke stands among the failed work until it is sent once more', async () => {
  const { faults } = world.sandbox.world;
  faults.add({ kind: 'feedFatal', operation: 'createFeed', count: 1 });
  const feed = await sent('21.21', 'failed');
  faults.clear();
  expect(await dead()).toMatchObject([{ id: feed.id, kind: 'feed', title: '批量调价', error: feed.error }]);
  const stranger = await world.owner('别的公司');
  expect(await stranger.call(listDead, {})).toEqual([]);
  const items = [{ kind: 'feed' as const, id: feed.id }];
  expect((await stranger.send(retryDead, { body: { items } })).status).toBe(409);
  expect((await stranger.send(ignoreDeadWork, { body: { items, reason: '无关' } })).status).toBe(409);
  const blind = await world.member(owner, ['amz:sync:view']);
  expect((await blind.send(retryDead, { body: { items } })).status).toBe(403);
  expect(await owner.call(retryDead, { body: { items } })).toEqual({ count: 1 });
  expect(await dead()).toEqual([]);
  expect((await owner.send(retryDead, { body: { items } })).status).toBe(409);
  await expect.poll(async () => (await feedsOf(owner)).at(-1)?.status, { timeout: PATIENCE_MS }).toBe('done');
});

test('one that was refused in part stands there too, until somebody leaves it so and says why', async () => {
  const feed = await sent('1000001', 'done');
  expect(feed.refused).toBe(2);
  expect(await dead()).toMatchObject([{ id: feed.id, error: '2 条修改被亚马逊拒绝' }]);
  const items = [{ kind: 'feed' as const, id: feed.id }];
  expect((await owner.send(ignoreDeadWork, { body: { items, reason: ' ' } })).data).toMatchObject({
    fields: [{ field: 'reason', title: '原因' }],
  });
  expect(await owner.call(ignoreDeadWork, { body: { items, reason: '价格写错' } })).toEqual({ count: 1 });
  expect(await dead()).toEqual([]);
  expect((await owner.send(ignoreDeadWork, { body: { items, reason: '再来一次' } })).status).toBe(409);
});

test('a notification that could not be dealt with is dealt with again from there', async () => {
  const [feed] = await feedsOf(owner);
  await asOperator(
    world,
    `INSERT INTO marketplace.notification (company_id, notification_id, account_id, type, event_at, subject, state, outcome)
     SELECT company_id, 'notice ' || n, account_id, 'FEED_PROCESSING_FINISHED', kit.now(), feed_id, 'failed', 'boom'
       FROM marketplace.feed, generate_series(1, 2) AS n WHERE id = $1`,
    [feed?.id],
  );
  expect((await dead()).map(({ title, error }) => [title, error])).toEqual([
    ['数据提交完成', 'boom'],
    ['数据提交完成', 'boom'],
  ]);
  expect(await owner.call(retryDead, { body: { items: [{ kind: 'notice', id: 'notice 1' }] } })).toEqual({ count: 1 });
  const ignored = { items: [{ kind: 'notice' as const, id: 'notice 2' }], reason: '已处理' };
  expect(await owner.call(ignoreDeadWork, { body: ignored })).toEqual({ count: 1 });
  expect(await dead()).toEqual([]);
});
