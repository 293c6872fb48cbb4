import { afterAll, beforeAll, expect, it } from 'vitest';
import { approveTask, rejectTask, withdraw } from '#modules/approval/contract/desk.ts';
import { amendmentSteps, amendOrder, orderAmendments } from '#modules/purchase/contract/amend.ts';
import { closeLines, orderSteps, requestOrderPayment } from '#modules/purchase/contract/order-calls.ts';
import { saveSetting } from '#modules/purchase/contract/setting.ts';
import { type Buyers, balances, createBuyers, detailOf, lineOf, placedOrder } from '#modules/purchase/test/support.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { flowFor, instanceOf, step, taskOf } from './support.ts';

const AMENDMENT = 'purchase.amendment';

let world: World;
let buyers: Buyers;
let lead: Person;
let boss: Person;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A']);
  const { owner } = buyers;
  [lead, boss] = [await world.member(owner, []), await world.member(owner, [])];
  await owner.call(saveSetting, {
    body: { separateApprover: true, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '0.02' },
  });
  const dear = { join: 'all' as const, rules: [{ field: 'amountBase', op: 'gte' as const, value: '2000' }] };
  const steps = [
    step('a1', '采购主管', [lead]),
    {
      key: 'b1',
      type: 'branch' as const,
      name: '变更后金额',
      cases: [
        { name: '两千以上', when: dear, steps: [step('a2', '老板', [boss])] },
        { name: '其余', when: null, steps: [] },
      ],
    },
  ];
  await flowFor(owner, AMENDMENT, '变更审批', steps);
});
afterAll(() => world.close());

async function amend(orderId: string, qty: number) {
  const line = await lineOf(buyers, orderId, 'A');
  const lines = [{ lineId: line.id, qty, unitPrice: '10', expectedOn: null }];
  return buyers.owner.send(amendOrder, { body: { orderId, reason: '客户加单', lines } });
}
const newest = async (orderId: string) => (await buyers.owner.call(orderAmendments, { params: { id: orderId } }))[0];
const yes = async (person: Person, id: string) =>
  person.call(approveTask, { body: { taskId: await taskOf(person, id) } });

it('a change beyond the tolerance goes through the flow and holds its order until it is decided', async () => {
  const { owner } = buyers;
  const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '10' }]);
  expect((await amend(id, 101)).data?.state).toBe('applied');

  const asked = await amend(id, 150);
  expect(asked.data?.state).toBe('pending');
  const change = asked.data?.id ?? '';
  const waiting = await newest(id);
  expect(waiting?.byFlow).toBe(true);
  const number = waiting?.number;
  const held = `变更单${number}还在审核，请先处理`;
  expect((await buyers.chief.send(amendmentSteps.approve, { body: { id: change } })).msg).toContain('审批');
  expect((await amend(id, 90)).msg).toBe(held);
  const payment = { id, kind: 'DEPOSIT' as const, amount: '100' };
  expect((await owner.send(requestOrderPayment, { body: payment })).msg).toBe(held);
  expect((await buyers.chief.send(closeLines, { body: { id, reason: '不等了' } })).msg).toBe(held);
  expect((await buyers.chief.send(orderSteps.cancel, { body: { id, reason: '不要了' } })).msg).toBe(held);
  expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 101 });

  expect((await yes(lead, change)).state).toBe('approved');
  expect((await newest(id))?.state).toBe('applied');
  expect((await detailOf(buyers, id)).order.amount).toBe('1500.0000');
  expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 150 });
  expect((await owner.send(requestOrderPayment, { body: payment })).code).toBe(201);
});

it('a dearer one needs the boss too; refused or taken back it leaves the order as it was', async () => {
  const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '10' }]);
  const first = (await amend(id, 300)).data?.id ?? '';
  await yes(lead, first);
  expect((await newest(id))?.state).toBe('pending');
  await boss.call(rejectTask, { body: { taskId: await taskOf(boss, first), comment: '太多' } });
  expect((await newest(id))?.state).toBe('rejected');
  expect((await detailOf(buyers, id)).order.amount).toBe('1000.0000');

  const second = (await amend(id, 300)).data?.id ?? '';
  expect((await buyers.keeper.send(amendmentSteps.recall, { body: { id: second } })).status).toBe(403);
  await buyers.owner.call(withdraw, { body: { instanceId: await instanceOf(buyers.owner, second) } });
  expect((await newest(id))?.state).toBe('void');
  await expect(taskOf(lead, second)).rejects.toThrow('nothing to decide');
  expect((await amend(id, 100)).msg).toBe('没有变更内容');
});
