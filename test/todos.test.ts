import { afterAll, beforeAll, expect, it } from 'vitest';
import { service, todo } from '#modules/dashboard/contract/cards.ts';
import { makeAccount, worldAt } from '#modules/dashboard/test/support.ts';
import { countOrders, orderSteps } from '#modules/purchase/contract/order-calls.ts';
import { type Buyers, createBuyers, draftOrder, placedOrder } from '#modules/purchase/test/support.ts';
import { countWaiting, listWaiting } from '#modules/shipping/contract/self/waiting.ts';
import { land, orderNumber } from './support/orders.ts';
import type { Person, World } from './support/world.ts';

// The home page's things to do: modules say what waits, and their lists show exactly these.

const NOW = '2026-07-18T17:20:00Z';

let world: World;
let close: () => Promise<void>;
let buyers: Buyers;
let owner: Person;

const todosOf = async (person: Person) => (await person.call(todo, { body: {} })).items;

beforeAll(async () => {
  ({ world, close } = await worldAt(NOW));
  buyers = await createBuyers(world, ['CUP']);
  ({ owner } = buyers);
  const account = await makeAccount(world, owner);
  const lines = [{ sku: 'CUP', qty: 10 }];
  await draftOrder(buyers, lines);
  for (const _ of [1, 2]) {
    const { id } = await draftOrder(buyers, lines);
    await buyers.buyer.call(orderSteps.submit, { body: { id } });
  }
  await placedOrder(buyers, lines);
  const inHours = (hours: number) => new Date(Date.parse(NOW) + hours * 3_600_000).toISOString();
  await land(
    world,
    owner,
    account,
    [-1, 2, 3, 10].map((hours, index) => ({
      amazonOrderId: orderNumber(9_000 + index),
      fulfilledBy: 'MERCHANT' as const,
      status: 'UNSHIPPED' as const,
      purchasedAt: '2026-07-18T08:00:00Z',
      lastUpdatedAt: '2026-07-18T08:00:00Z',
      latestShipAt: inHours(hours),
      lines: [{ orderItemId: `w-${index}`, sku: 'W', quantity: 1 }],
    })),
  );
});
afterAll(() => close());

it('counts what the lists count, what is urgent first, and nothing of which there is none', async () => {
  const items = await todosOf(owner);
  expect(items.map(({ title, count, urgent }) => [title, count, urgent])).toEqual([
    ['FBM 已逾期', 1, true],
    ['FBM 将逾期 ≤4 小时', 2, true],
    ['采购单待审核', 2, false],
    ['采购单待到货', 1, false],
  ]);
  const counts = await owner.call(countOrders, { body: {} });
  expect([counts.pending, counts.ordered]).toEqual([2, 1]);
  expect(await owner.call(countWaiting, {})).toEqual({ orders: 4, late: 1, hours: 2 });
  for (const [urgency, count] of [
    ['late', 1],
    ['hours', 2],
  ] as const) {
    expect(items.find(({ query }) => query['f.urgency'] === urgency)?.count).toBe(count);
    expect((await owner.call(listWaiting, { body: { filter: { urgency } } })).total).toBe(count);
  }
});

it('asks only what somebody may see, of his own company', async () => {
  expect((await todosOf(buyers.chief)).map(({ key }) => key)).toEqual(['purchase.pending', 'purchase.ordered']);
  const plain = await world.member(owner, ['dash:home:view']);
  expect(await todosOf(plain)).toEqual([]);
  expect(await todosOf(await world.owner())).toEqual([]);
});

it('stands beside help for whoever has a session', async () => {
  const plain = await world.member(owner, []);
  expect(await plain.call(service, { body: {} })).toMatchObject({ contacts: ['管理员'], stores: [] });
});
