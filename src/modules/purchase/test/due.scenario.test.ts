import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import { dueDays } from '#modules/finance/contract/due.ts';
import { listDealings, listItems } from '#modules/finance/contract/payables.ts';
import { listRequests, payRequests, requestSteps } from '#modules/finance/contract/requests.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { requestOrderPayment } from '../contract/order-calls.ts';
import { saveSetting } from '../contract/setting.ts';
import { type Buyers, createBuyers, createSupplier, placedOrder, receive } from './support.ts';

const DAY_MS = 86_400_000;

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['P']);
  await buyers.owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '0' },
  });
});
afterAll(() => world.close());

const plan = async () =>
  (await buyers.owner.call(dueDays, {})).days.map(({ day, currency, open, asked, count }) => [
    day,
    currency,
    open,
    asked,
    count,
  ]);

it('goods are owed on the days of the terms; what is asked for, paid and overdue is told by day', async () => {
  const { owner } = buyers;
  const terms = [
    { share: '0.3', anchor: 'order', days: 0 },
    { share: '0.7', anchor: 'monthly', days: 30 },
  ];
  const supplier = await createSupplier(owner, '月结供应商', { terms });
  const order = await placedOrder({ ...buyers, supplier }, [{ sku: 'P', qty: 100, unitPrice: '10' }]);
  expect(await plan()).toEqual([]);
  await receive(buyers, order.id, 'P', 100);
  // Placed and received on 2026-11-18: 30 % at once, the rest at the end of the month and thirty days.
  expect(await plan()).toEqual([
    ['2026-11-18', 'CNY', '300', '0', 1],
    ['2026-12-30', 'CNY', '700', '0', 1],
  ]);

  await owner.call(requestOrderPayment, { body: { id: order.id, kind: 'BALANCE', amount: '400' } });
  expect(await plan()).toEqual([
    ['2026-11-18', 'CNY', '300', '300', 1],
    ['2026-12-30', 'CNY', '700', '100', 1],
  ]);

  await world.advance(2 * DAY_MS);
  const overdue = async () =>
    (await owner.call(listDealings, { body: { filter: { keyword: '月结供应商' } } })).records[0]?.overdue;
  expect(Number(await overdue())).toBe(300);
  const { id: bank } = await owner.call(addAccount, { body: { name: '招商银行', opening: '1000' } });
  const [request] = (await owner.call(listRequests, { body: {} })).records;
  const id = request?.id ?? '';
  await owner.call(requestSteps.approve, { body: { id } });
  const requests = [{ id, amount: '350' }];
  await owner.call(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests } });
  expect(await plan()).toEqual([['2026-12-30', 'CNY', '650', '50', 1]]);
  expect(Number(await overdue())).toBe(0);

  const due = { from: '2026-12-01', to: '2026-12-31' };
  const { records } = await owner.call(listItems, { body: { filter: { due, open: 'OPEN' } } });
  expect(records.map(({ dueOn, open }) => [dueOn, Number(open)])).toEqual([['2026-12-30', 650]]);
});

it('other companies and people without the right see none of it', async () => {
  const stranger = await world.owner();
  expect((await stranger.call(dueDays, {})).days).toEqual([]);
  const clerk = await world.member(buyers.owner, ['fin:payreq:view']);
  expect((await clerk.send(dueDays, {})).status).toBe(403);
});
