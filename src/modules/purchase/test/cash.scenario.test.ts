import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { sum } from '#kit/contract/decimal.ts';
import { listCash } from '#modules/cashflow/contract/forecast.ts';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import { listRequests, payRequests, requestSteps } from '#modules/finance/contract/requests.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { orderSteps, requestOrderPayment } from '../contract/order-calls.ts';
import { saveSetting } from '../contract/setting.ts';
import { uncovered } from '../server/order/cash.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, placedOrder, receive } from './support.ts';

let world: World;
let all: Buyers;
let bank: string;
let today: string;

beforeAll(async () => {
  world = await createWorld();
  all = await createBuyers(world, ['P']);
  today = world.clock.today();
  await all.owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '1' },
  });
  bank = (await all.owner.call(addAccount, { body: { name: '招商银行', opening: '1000000' } })).id;
});
afterAll(() => world.close());

const day = (ahead: number) => dayAfter(today, ahead);

/** What is expected to be paid to the supplier of an order, by kind of money and day. */
async function expected(buyers: Buyers) {
  const { records } = await buyers.owner.call(listCash, { body: { filter: { horizon: 'D90' }, pagesize: 100 } });
  const { order } = await detailOf(buyers, orderId);
  return records
    .filter(({ party }) => party === order.supplier)
    .map(({ kind, day: on, amount }) => ({ kind, on, amount: amount.replace('-', '') }));
}
let orderId = '';

/** All that is expected, and what is paid already, is what the order comes to. */
async function expectWhole(buyers: Buyers, amount: string) {
  const found = await expected(buyers);
  const { money } = await detailOf(buyers, orderId);
  expect(sum([...found.map((one) => one.amount), money?.paid ?? '0'])).toBe(amount);
  return found;
}

async function requestOf(buyers: Buyers) {
  const { records } = await buyers.owner.call(listRequests, { body: { pagesize: 100 } });
  const found = records.find(
    ({ partyId, state }) => partyId === buyers.supplier && ['submitted', 'approved', 'partly'].includes(state),
  );
  if (!found) throw new Error('no request under way');
  return found;
}

async function pay(buyers: Buyers, amount?: string) {
  const { id, state, open } = await requestOf(buyers);
  if (state === 'submitted') await buyers.owner.call(requestSteps.approve, { body: { id } });
  const requests = [{ id, amount: amount ?? open }];
  await buyers.owner.call(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests } });
}

it('expects each yuan of an order once, from the order to the last payment, by whatever way it is owed and asked for', async () => {
  const supplier = await createSupplier(all.owner, '一次清', {
    terms: [
      { share: '0.3', anchor: 'order', days: 0 },
      { share: '0.7', anchor: 'receipt', days: 30 },
    ],
  });
  const buyers = { ...all, supplier };
  const expectedOn = day(20);
  orderId = (await placedOrder(buyers, [{ sku: 'P', qty: 100, unitPrice: '10' }], { expectedOn })).id;
  // Nothing is owed yet: the order itself says what it will come to.
  expect(await expectWhole(buyers, '1000')).toEqual([
    { kind: '采购待付', on: today, amount: '300' },
    { kind: '采购待付', on: day(50), amount: '700' },
  ]);
  await buyers.owner.call(requestOrderPayment, {
    body: { id: orderId, kind: 'DEPOSIT', amount: '300', dueOn: day(2) },
  });
  expect(await expectWhole(buyers, '1000')).toEqual([
    { kind: '请款单', on: day(2), amount: '300' },
    { kind: '采购待付', on: day(50), amount: '700' },
  ]);
  await pay(buyers, '100');
  expect(await expectWhole(buyers, '1000')).toEqual([
    { kind: '请款单', on: day(2), amount: '200' },
    { kind: '采购待付', on: day(50), amount: '700' },
  ]);
  await pay(buyers);
  await expectWhole(buyers, '1000');
  // Part of the goods: the deposit is used up, and the rest of what came is owed by the terms.
  await receive(buyers, orderId, 'P', 60);
  const half = await expectWhole(buyers, '1000');
  expect(half).toContainEqual({ kind: '应付账款', on: day(30), amount: '300' });
  expect(half).toContainEqual({ kind: '采购待付', on: day(50), amount: '400' });
  await buyers.owner.call(requestOrderPayment, { body: { id: orderId, kind: 'BALANCE', amount: '350' } });
  expect((await expectWhole(buyers, '1000')).map(({ kind }) => kind).sort()).toEqual(['请款单', '采购待付'].sort());
  await pay(buyers);
  await receive(buyers, orderId, 'P', 40);
  const rest = await expectWhole(buyers, '1000');
  expect(rest.every(({ kind }) => kind === '应付账款')).toBe(true);
  await buyers.owner.call(requestOrderPayment, { body: { id: orderId, kind: 'BALANCE', amount: '350' } });
  await pay(buyers);
  expect(await expectWhole(buyers, '1000')).toEqual([]);
});

it('expects nothing of an order that did not go out, or is void', async () => {
  const buyers = { ...all, supplier: await createSupplier(all.owner, '作废的', {}) };
  orderId = (await placedOrder(buyers, [{ sku: 'P', qty: 5, unitPrice: '10' }])).id;
  expect(await expected(buyers)).toEqual([{ kind: '采购待付', on: today, amount: '50' }]);
  await buyers.chief.call(orderSteps.cancel, { body: { id: orderId, reason: '不要了' } });
  expect(await expected(buyers)).toEqual([]);
});

it('takes what is covered from what is due first', () => {
  const parts = [
    { amount: '70', dueOn: '2026-12-31' },
    { amount: '30', dueOn: '2026-12-01' },
  ];
  expect(uncovered(parts, '0')).toEqual([
    { amount: '30', dueOn: '2026-12-01' },
    { amount: '70', dueOn: '2026-12-31' },
  ]);
  expect(uncovered(parts, '40')).toEqual([{ amount: '60', dueOn: '2026-12-31' }]);
  expect(uncovered(parts, '100')).toEqual([]);
});
