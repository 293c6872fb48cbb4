import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { land, type OrderSpec, orderNumber } from '#test/support/orders.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { settle } from '#test/support/settlement-file.ts';
import { foldAll } from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  countFindings,
  EDIT,
  type FindingFilter,
  findingsOfOrder,
  handleFindings,
  listFindings,
  readWatchRules,
  saveWatchRule,
  VIEW,
} from '../contract/findings.ts';
import type { WatchCode } from '../contract/kinds.ts';
import { lookAtAll } from '../server/look.ts';

let world: World;
let owner: Person;
let account: AccountRef;
/** Noon in Seattle so many days ago. */
const at = (daysAgo: number) => {
  const day = new Date(world.clock.ms() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return `${day}T20:00:00.000Z`;
};
const look = () => lookAtAll(world.runtime, owner.companyId);
const found = async (filter: FindingFilter = { state: 'OPEN' }) => {
  const { records } = await owner.call(listFindings, { body: { filter, pagesize: 100 } });
  return records.map(({ orderId, kind }) => `${orderId} ${kind}`).toSorted();
};
const order = (n: number, daysAgo: number, more: Partial<OrderSpec> = {}): OrderSpec => ({
  amazonOrderId: orderNumber(n),
  purchasedAt: at(daysAgo),
  lastUpdatedAt: at(daysAgo),
  currency: 'USD',
  lines: [{ orderItemId: `${n}`, sku: 'A', quantity: 1, itemPrice: '20.00', unitPrice: '20.00' }],
  ...more,
});
const lineOf = (more: object) => [{ orderItemId: '1', sku: 'A', quantity: 1, itemPrice: '20.00', ...more }];

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { marketplaceIds: [US] });
  // Six pieces at 20.00 are what is usual.
  await land(
    world,
    owner,
    account,
    [1, 2, 3, 4, 5, 6].map((n) => order(n, 20 + n)),
  );
  await foldAll(world, owner, { accountId: account.id, partner: account.sellingPartnerId });
  await look();
});
afterAll(() => world.close());

it('finds nothing odd about usual orders, and each odd one by its kind', async () => {
  expect(await found({})).toEqual([]);
  await land(world, owner, account, [
    order(11, 5, { lines: lineOf({ quantity: 12, itemPrice: '240.00' }) }),
    order(12, 5, { lines: lineOf({ itemPrice: '13.90' }) }),
    // 29.5 % below the usual is not 30.
    order(13, 5, { lines: lineOf({ itemPrice: '14.10' }) }),
    order(14, 5, { lines: lineOf({ itemDiscount: '10.00' }) }),
    order(15, 5, { fulfilledBy: 'MERCHANT', status: 'UNSHIPPED', shipCountry: 'US', shipState: 'WA' }),
    order(16, 5, {
      fulfilledBy: 'MERCHANT',
      status: 'UNSHIPPED',
      shipCountry: 'US',
      shipState: 'WA',
      postalPrefix: '981',
    }),
    // Nobody looks at what is called off, replaced, or sold elsewhere.
    order(17, 5, { status: 'CANCELLED', lines: lineOf({ quantity: 50, itemPrice: '1000.00' }) }),
    order(18, 5, { isReplacement: true, lines: lineOf({ itemPrice: '0.00' }) }),
    order(19, 5, { channel: 'NON_AMAZON', lines: lineOf({ quantity: 50, itemPrice: '1.00' }) }),
    order(20, 61, { lines: lineOf({ quantity: 50, itemPrice: '1000.00' }) }),
  ]);
  await look();
  expect(await found()).toEqual([
    `${orderNumber(11)} QUANTITY`,
    `${orderNumber(12)} PRICE`,
    `${orderNumber(14)} DISCOUNT`,
    `${orderNumber(15)} ADDRESS`,
  ]);
  const { records } = await owner.call(listFindings, { body: { filter: { kinds: ['PRICE', 'ADDRESS'] } } });
  expect(records.map(({ words }) => words).toSorted()).toEqual(['A 比件均价低 30.5%', '缺少邮编']);
});

it('finds orders of one day to one place together, and forgets them when some are called off', async () => {
  const there = { shipCountry: 'US', shipState: 'WA', postalPrefix: '981' };
  await land(
    world,
    owner,
    account,
    [31, 32, 33, 34].map((n) => order(n, 3, there)),
  );
  await look();
  expect(await found({ kinds: ['CLUSTER'] })).toEqual([]);
  await land(world, owner, account, [
    order(35, 3, there),
    ...[36, 37, 38, 39, 40].map((n) => order(n, 3, { ...there, postalPrefix: `${n}0` })),
  ]);
  await look();
  // Five of ten are no more than half.
  expect(await found({ kinds: ['CLUSTER'] })).toEqual([]);
  await land(world, owner, account, [order(40, 3, { ...there, status: 'CANCELLED', lastUpdatedAt: at(2) })]);
  await look();
  expect(await found({ kinds: ['CLUSTER'] })).toEqual([31, 32, 33, 34, 35].map((n) => `${orderNumber(n)} CLUSTER`));
  await land(world, owner, account, [order(35, 3, { ...there, status: 'CANCELLED', lastUpdatedAt: at(2) })]);
  await look();
  expect(await found({ kinds: ['CLUSTER'], state: 'OPEN' })).toEqual([]);
  expect(await found({ kinds: ['CLUSTER'], state: 'GONE' })).toHaveLength(5);
});

it('finds refunds that come again or are more than was paid; what was seen to comes back when it gets worse', async () => {
  const n = 51;
  await land(world, owner, account, [order(n, 10, { lines: lineOf({ quantity: 2, itemPrice: '40.00' }) })]);
  const money = (amount: string, day: number, refund: boolean) => ({
    orderId: orderNumber(n),
    marketplaceName: 'Amazon.com',
    sku: 'A',
    amountType: 'ItemPrice',
    amountDescription: 'Principal',
    amount,
    quantity: 1,
    postedAt: at(day),
    ...(refund ? { transactionType: 'Refund' } : {}),
  });
  const lines = [money('40.00', 9, false), money('-20.00', 8, true)];
  await settle(world, owner, account, lines);
  await look();
  expect(await found({ order: orderNumber(n) })).toEqual([]);
  await settle(world, owner, account, [...lines, money('-20.00', 7, true)]);
  await look();
  expect(await found({ order: orderNumber(n) })).toEqual([`${orderNumber(n)} REFUNDS`]);

  const [finding] = await owner.call(findingsOfOrder, { params: { id: orderNumber(n) } });
  const ids = [finding?.id ?? ''];
  await owner.call(handleFindings, { body: { ids, state: 'HANDLED', note: '买家退回两件' } });
  await look();
  expect(await found({ order: orderNumber(n), state: 'OPEN' })).toEqual([]);
  await settle(world, owner, account, [...lines, money('-20.00', 7, true), money('-5.00', 6, true)]);
  await look();
  expect(await found({ order: orderNumber(n), state: 'OPEN' })).toEqual([
    `${orderNumber(n)} OVER_REFUND`,
    `${orderNumber(n)} REFUNDS`,
  ]);
  await owner.call(handleFindings, { body: { ids, state: 'IGNORED', note: '' } });
  await settle(world, owner, account, [...lines, ...[7, 6, 5].map((day) => money('-20.00', day, true))]);
  await look();
  expect(await found({ order: orderNumber(n), kinds: ['REFUNDS'], state: 'IGNORED' })).toHaveLength(1);
  const over = await owner.call(listFindings, { body: { filter: { order: orderNumber(n), kinds: ['OVER_REFUND'] } } });
  expect(over.records[0]).toMatchObject({ figure: '100', words: '退回的商品金额是已收的 200.0%' });
});

it('looks by the thresholds of the company, which are kept by their version', async () => {
  const rule = (kind: WatchCode, threshold: string, enabled = true, version = 0) =>
    owner.send(saveWatchRule, { body: { kind, threshold, enabled, version } });
  expect((await rule('PRICE', '-1')).msg).toContain('阈值不能小于 0');
  expect((await rule('PRICE', '29')).code).toBe(201);
  expect((await rule('PRICE', '28')).status).toBe(409);
  expect((await rule('QUANTITY', '10', false)).code).toBe(201);
  await look();
  expect(await found({ kinds: ['PRICE'], state: 'OPEN' })).toEqual([
    `${orderNumber(12)} PRICE`,
    `${orderNumber(13)} PRICE`,
  ]);
  expect(await found({ kinds: ['QUANTITY'], state: 'GONE' })).toEqual([`${orderNumber(11)} QUANTITY`]);
  const rules = await owner.call(readWatchRules, {});
  expect(rules.find(({ kind }) => kind === 'PRICE')).toMatchObject({ threshold: '29', usual: '30', version: 1 });
});

it('is for those who may, of one company, all or nothing', async () => {
  const counts = await owner.call(countFindings, { body: {} });
  expect(counts.all).toBe(Object.entries(counts).reduce((sum, [key, n]) => (key === 'all' ? sum : sum + n), 0));
  const reader = await world.member(owner, [VIEW]);
  const stranger = await world.owner();
  expect((await stranger.call(listFindings, { body: { filter: {} } })).records).toEqual([]);
  expect((await stranger.send(findingsOfOrder, { params: { id: orderNumber(11) } })).status).toBe(404);
  const { records } = await owner.call(listFindings, { body: { filter: { state: 'OPEN' } } });
  const ids = records.map(({ id }) => id);
  const body = { ids, state: 'IGNORED' as const, note: '' };
  expect((await reader.send(handleFindings, { body })).status).toBe(403);
  expect((await stranger.send(handleFindings, { body })).status).toBe(404);
  const clerk = await world.member(owner, [VIEW, EDIT]);
  expect((await clerk.send(handleFindings, { body: { ...body, ids: [...ids, crypto.randomUUID()] } })).status).toBe(
    404,
  );
  expect(await found()).toHaveLength(ids.length);
  expect(await clerk.call(handleFindings, { body })).toEqual({ changed: ids.length });
  expect(await found()).toEqual([]);
});
