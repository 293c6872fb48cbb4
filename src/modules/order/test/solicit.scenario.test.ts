import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { MarketplaceWorld } from '#test/support/marketplace.ts';
import { busyWorld, callsOf, detailOf, endedWrite, NOW, ordersToShip, sellerThere } from '#test/support/order-acts.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import { solicitReviews } from '../contract/acts.ts';
import { listOrders, type OrderRow } from '../contract/orders.ts';

const DAY_MS = 86_400_000;
const ASK = 'createProductReviewAndSellerFeedbackSolicitation';

let world: MarketplaceWorld;
let owner: Person;
let ripe: OrderRow[];

beforeAll(async () => {
  world = await busyWorld();
  owner = await world.owner();
  await world.work();
  const [first] = await ordersToShip(owner);
  ripe = await shippedOnes();
  const early = await owner.call(solicitReviews, { body: { ids: [ripe[0]?.id ?? '', first?.id ?? ''] } });
  expect(early.planned).toBe(0);
  expect(early.left.map(({ reason }) => reason).sort()).toEqual([
    '订单还没有发货或已取消',
    '送达后满 5 天才能请求评价',
  ]);
  world.sandbox.world.commandClock({ advanceMs: 10 * DAY_MS });
});
afterAll(() => world.close());

/** Shipped orders that searches brought, with the dates of their delivery: reports tell none. They come window by window. */
function shippedOnes(): Promise<OrderRow[]> {
  const filter = { status: ['SHIPPED' as const] };
  return vi.waitFor(
    async () => {
      const { records } = await owner.call(listOrders, { body: { pagesize: 20, filter: filter as never } });
      const detailed = await Promise.all(records.map(({ id }) => detailOf(owner, id)));
      const known = detailed.filter(({ latestDeliverAt, source }) => source === 'api' && latestDeliverAt !== null);
      expect(known.length).toBeGreaterThan(3);
      return known.slice(0, 4);
    },
    { timeout: PATIENCE_MS, interval: 300 },
  );
}

const take = (): OrderRow => {
  const row = ripe.pop();
  if (!row) throw new Error('too few orders');
  return row;
};
const ask = (id: string) => owner.call(solicitReviews, { body: { ids: [id] } });
const review = async (id: string) => (await detailOf(owner, id)).review;
const wasAsked = ({ amazonOrderId: orderId }: OrderRow) => {
  const { sellingPartnerId, region } = sellerThere(world);
  return world.sandbox.world.acts.wasAsked({ sellingPartnerId, region, orderId });
};

it('an order leads to the messages of its buyer at the marketplace', async () => {
  const [row] = ripe;
  const url = (await detailOf(owner, row?.id ?? '')).messagesUrl ?? '';
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(row?.amazonOrderId);
  expect((await fetch(url.replace(row?.amazonOrderId ?? '?', '111-0000000-0000000'))).status).toBe(404);
});

it('the buyer of an order is asked once for a review', async () => {
  const row = take();
  expect((await detailOf(owner, row.id)).blocked.solicit).toBe(null);
  expect(await ask(row.id)).toEqual({ planned: 1, left: [] });
  await endedWrite(owner, row.amazonOrderId, 'done');
  expect([await review(row.id), wasAsked(row)]).toEqual(['done', true]);
  expect(await ask(row.id)).toEqual({
    planned: 0,
    left: [{ amazonOrderId: row.amazonOrderId, reason: '已经请求过评价' }],
  });
});

it('a lost answer is looked up, and the buyer is not asked again', async () => {
  const row = take();
  const before = callsOf(world, ASK);
  world.sandbox.world.faults.add({ kind: 'timeoutAfter', operation: ASK, ms: 50, count: 1 });
  await ask(row.id);
  await endedWrite(owner, row.amazonOrderId, 'done');
  expect([await review(row.id), callsOf(world, ASK) - before]).toEqual(['done', 1]);
});

it('a refusal says in Chinese why, and is no lack of a role', async () => {
  const row = take();
  const { sellingPartnerId, region } = sellerThere(world);
  const of = { sellingPartnerId, region, orderId: row.amazonOrderId, at: NOW };
  world.sandbox.world.command({ type: 'reviewRequested', ...of });
  await ask(row.id);
  const write = await endedWrite(owner, row.amazonOrderId, 'refused');
  expect(write.problem).toMatch(/^该订单已请求过评价，或亚马逊不允许请求（/);
  expect(await review(row.id)).toBe('refused');
});

it('needs its own permission, and nobody asks for orders of others', async () => {
  const row = take();
  const viewer = await world.member(owner, ['amz:order:view', 'amz:order:ship']);
  expect((await viewer.send(solicitReviews, { body: { ids: [row.id] } })).status).toBe(403);
  const stranger = await world.owner('别的公司');
  expect((await stranger.send(solicitReviews, { body: { ids: [row.id] } })).status).toBe(404);
  expect(wasAsked(row)).toBe(false);
});
