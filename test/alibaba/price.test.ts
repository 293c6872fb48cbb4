import { afterAll, beforeAll, expect, it } from 'vitest';
import { listTrades, payUrl, placeTrade, previewTrade, pullTrades, saveLink } from '#modules/alibaba/contract/index.ts';
import { approveTask } from '#modules/approval/contract/desk.ts';
import { amendmentSteps, orderAmendments } from '#modules/purchase/contract/amend.ts';
import { orderSteps, requestOrderPayment } from '#modules/purchase/contract/order-calls.ts';
import { type Buyers, createBuyers, detailOf, draftOrder, productOf } from '#modules/purchase/test/support.ts';
import { type Sandbox, startSandbox } from '#sandbox/index.ts';
import { sandboxAlibaba } from '#src/app/sandbox.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { flowFor, step, taskOf } from '../approval/support.ts';
import { bindBuyer, controlOf, tolerate } from './support.ts';

let sandbox: Sandbox;
let world: World;
let buyers: Buyers;
let buyerId: string;

beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'tiny' });
  world = await createWorld({ alibaba: sandboxAlibaba(sandbox.url), retryBaseMs: 60 });
  buyers = await createBuyers(world, ['CUP']);
  buyerId = (await bindBuyer(buyers.owner, 'b2b-2200657714')).id;
  await tolerate(buyers, '0.05');
  const link = { supplierId: buyers.supplier, subject: '保温杯', spec: '黑色', piecesPerUnit: 2 };
  await buyers.owner.call(saveLink, {
    body: { ...link, productId: productOf(buyers, 'CUP'), offerId: '610947572360', specId: 'spec-cup-black' },
  });
});
afterAll(async () => {
  await world.close();
  await sandbox.close();
});

/** An approved order of 20 cups; the platform takes 18.60 for two, and 12.00 freight: 198.00. */
async function approved(unitPrice: string) {
  const { id, number } = await draftOrder(buyers, [{ sku: 'CUP', qty: 20, unitPrice }]);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await buyers.chief.call(orderSteps.approve, { body: { id } });
  return { id, number };
}
const asked = (orderId: string) => ({ orderId, buyerId, addressId: '900001' });
const place = (orderId: string) => buyers.owner.send(placeTrade, { body: { ...asked(orderId), total: '198' } });
const changesOf = (id: string) => buyers.owner.call(orderAmendments, { params: { id } });
const decide = (name: 'approve' | 'reject', id: string | undefined) =>
  buyers.chief.call(amendmentSteps[name], { body: { id: id ?? '', reason: '太贵' } });
async function tradeOf(number: string) {
  const { records } = await buyers.owner.call(listTrades, { body: { filter: { keyword: number } } });
  return records[0];
}
const pay = async (number: string) =>
  buyers.owner.send(payUrl, { body: { id: (await tradeOf(number))?.id ?? '', agreed: true } });

/** The seller changes his price; negative cents make it dearer. */
async function reprice(number: string, discount: number): Promise<void> {
  await controlOf(sandbox, { orderId: (await tradeOf(number))?.platformId ?? '', discount });
  await buyers.owner.call(pullTrades, {});
}

it('what the platform takes beyond the tolerance is approved before anything is ordered there', async () => {
  // 180.00 was approved; five per cent more are 189.00.
  const { id, number } = await approved('9');
  expect(await buyers.owner.call(previewTrade, { body: asked(id) })).toMatchObject({
    total: '198',
    obstacle: '1688金额使采购单达到198.00，超出已批准的180.00，须先审核',
  });
  const first = await place(id);
  const [change] = await changesOf(id);
  expect(first.msg).toBe(`1688金额超出已批准金额的容差，变更单${change?.number}审核通过后才能下单`);
  expect(change).toMatchObject({ state: 'pending', difference: '18.0000', words: '1688金额 198.00', byFlow: false });
  expect(await tradeOf(number)).toBeUndefined();

  // Asked again it is the same change, and the order stays as it was approved meanwhile.
  expect((await place(id)).msg).toBe(first.msg);
  expect(await changesOf(id)).toHaveLength(1);
  const discard = await buyers.chief.send(orderSteps.discard, { body: { id, reason: '不要了' } });
  expect(discard.msg).toBe(`变更单${change?.number}还在审核，请先处理`);

  await decide('approve', change?.id);
  expect((await place(id)).data?.status).toBe('waitbuyerpay');
  const { order } = await detailOf(buyers, id);
  expect(order).toMatchObject({ stage: 'ordered', amount: '180.0000' });
  expect((await pay(number)).data?.url).toContain((await tradeOf(number))?.platformId);
});

it('whoever may order there may ask for it, and may not change orders otherwise', async () => {
  const { id } = await approved('9');
  const orderer = await world.member(buyers.owner, [
    'erp:purchase:alibaba:view',
    'erp:purchase:alibaba:place',
    'erp:purchase:order:view',
    'erp:purchase:order:place',
    'erp:purchase:field:price',
  ]);
  const asking = await orderer.send(placeTrade, { body: { ...asked(id), total: '198' } });
  const [change] = await changesOf(id);
  expect(asking.msg).toBe(`1688金额超出已批准金额的容差，变更单${change?.number}审核通过后才能下单`);
  expect((await orderer.send(amendmentSteps.recall, { body: { id: change?.id ?? '' } })).status).toBe(403);
});

it('what was refused stays refused for the same amount', async () => {
  const { id } = await approved('9');
  await place(id);
  const [change] = await changesOf(id);
  await decide('reject', change?.id);
  expect((await place(id)).msg).toBe(`变更单${change?.number}已被驳回，请与卖家协商价格`);
  expect(await changesOf(id)).toHaveLength(1);
});

it('a later price holds the order and its payment until it is approved, and is let go when it falls again', async () => {
  // 190.00 was approved: up to 199.50.
  const { id, number } = await approved('9.5');
  expect((await place(id)).data?.status).toBe('waitbuyerpay');
  await reprice(number, -100);
  expect(await changesOf(id)).toHaveLength(0);

  await reprice(number, -1000);
  const [dear] = await changesOf(id);
  expect(dear).toMatchObject({ state: 'pending', difference: '18.0000', words: '1688金额 208.00' });
  const held = `变更单${dear?.number}还在审核，请先处理`;
  expect((await pay(number)).msg).toBe(held);
  const deposit = { id, kind: 'DEPOSIT' as const, amount: '50' };
  expect((await buyers.owner.send(requestOrderPayment, { body: deposit })).msg).toBe(held);

  // Dearer still: the change that waits is another one now.
  await reprice(number, -1500);
  const [dearer, dropped] = await changesOf(id);
  expect([dearer?.words, dearer?.state, dropped?.state]).toEqual(['1688金额 213.00', 'pending', 'void']);
  await reprice(number, 0);
  expect((await changesOf(id)).map((row) => row.state)).toEqual(['void', 'void']);
  expect((await pay(number)).data?.url).toContain((await tradeOf(number))?.platformId);

  await reprice(number, -1500);
  const [again] = await changesOf(id);
  await decide('reject', again?.id);
  expect((await pay(number)).msg).toBe('1688金额使采购单达到213.00，超出已批准的190.00，须先审核');
});

it('where a flow decides about changes it decides about prices of the platform too, and ends when they fall again', async () => {
  const boss = await world.member(buyers.owner, []);
  await flowFor(buyers.owner, 'purchase.amendment', '变更审批', [step('a1', '老板', [boss])]);
  const { id, number } = await approved('9.5');
  expect((await place(id)).data?.status).toBe('waitbuyerpay');
  await reprice(number, -1000);
  const [first] = await changesOf(id);
  expect(first).toMatchObject({ state: 'pending', byFlow: true });
  const mine = await buyers.chief.send(amendmentSteps.approve, { body: { id: first?.id ?? '' } });
  expect(mine.msg).toContain('审批');
  await reprice(number, 0);
  expect((await changesOf(id)).map((row) => row.state)).toEqual(['void']);
  await expect(taskOf(boss, first?.id ?? '')).rejects.toThrow('nothing to decide');

  await reprice(number, -1000);
  const [second] = await changesOf(id);
  await boss.call(approveTask, { body: { taskId: await taskOf(boss, second?.id ?? '') } });
  expect((await changesOf(id))[0]).toMatchObject({ state: 'applied', byFlow: false });
  expect((await pay(number)).data?.url).toContain((await tradeOf(number))?.platformId);
});
