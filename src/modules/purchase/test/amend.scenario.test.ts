import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { amendedOrder, amendmentSteps, amendOrder, orderAmendments } from '../contract/amend.ts';
import { orderSteps, saveOrder } from '../contract/order-calls.ts';
import { saveSetting } from '../contract/setting.ts';
import {
  type Buyers,
  balances,
  createBuyers,
  detailOf,
  draftOrder,
  lineOf,
  placedOrder,
  productOf,
  receive,
  stockValue,
} from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D']);
  await buyers.owner.call(saveSetting, {
    body: { separateApprover: true, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '0.02' },
  });
});
afterAll(() => world.close());

async function amend(id: string, sku: string, qty: number, unitPrice: string, expectedOn: string | null = null) {
  const line = await lineOf(buyers, id, sku);
  const lines = [{ lineId: line.id, qty, unitPrice, expectedOn }];
  return buyers.owner.call(amendOrder, { body: { orderId: id, reason: '供应商调整', lines } });
}

describe('采购变更', () => {
  it('what makes the order no dearer than two percent counts at once, and 待入库 follows', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '10' }]);
    expect((await amend(id, 'A', 102, '10')).state).toBe('applied');
    expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 102 });
    expect((await amend(id, 'A', 80, '9.5', '2030-01-01')).state).toBe('applied');
    expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 80 });
    const { order } = await detailOf(buyers, id);
    expect(order).toMatchObject({ amount: '760.0000', revision: 2, openQty: 80 });
    await expect(receive(buyers, id, 'A', 81)).rejects.toThrow('最多还可收80');
    await receive(buyers, id, 'A', 80);
    expect(await stockValue(world, buyers, 'A')).toBe('760.00');
    await expect(amend(id, 'A', 80, '9.5', '2030-01-01')).rejects.toThrow('没有变更内容');
  });

  it('small changes add up to what was approved; an approved one is what the next ones are measured by', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'D', qty: 100, unitPrice: '10' }]);
    expect((await amend(id, 'D', 102, '10')).state).toBe('applied');
    const creeping = await amend(id, 'D', 103, '10');
    expect(creeping.state).toBe('pending');
    await buyers.chief.call(amendmentSteps.approve, { body: { id: creeping.id } });
    expect((await amend(id, 'D', 105, '10')).state).toBe('applied');
    // What was given up may come back up to what was approved.
    expect((await amend(id, 'D', 50, '10')).state).toBe('applied');
    expect((await amend(id, 'D', 105, '10')).state).toBe('applied');
    expect((await amend(id, 'D', 106, '10')).state).toBe('pending');
  });

  it('a dearer one waits for somebody else; until then the order stays as it is', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 100, unitPrice: '10' }]);
    const asked = await amend(id, 'B', 150, '10');
    expect(asked.state).toBe('pending');
    // A message about the change leads to its order, for nobody else.
    const { order } = await detailOf(buyers, id);
    expect(await buyers.owner.call(amendedOrder, { params: { id: asked.id } })).toEqual({
      orderId: id,
      number: order.number,
    });
    const stranger = await world.owner();
    expect((await stranger.send(amendedOrder, { params: { id: asked.id } })).status).toBe(404);
    expect(await balances(world, buyers, 'B')).toEqual({ EXPECTED: 100 });
    await expect(amend(id, 'B', 90, '10')).rejects.toThrow('还在审核，请先处理');
    await expect(buyers.owner.call(amendmentSteps.approve, { body: { id: asked.id } })).rejects.toThrow(
      '不能审批自己提交的单据',
    );
    const both = await Promise.all([
      buyers.chief.send(amendmentSteps.approve, { body: { id: asked.id } }),
      buyers.chief.send(amendmentSteps.reject, { body: { id: asked.id, reason: '太多' } }),
    ]);
    expect(both.filter((one) => one.code === 201)).toHaveLength(1);
    const [row] = await buyers.owner.call(orderAmendments, { params: { id } });
    const qty = row?.state === 'applied' ? 150 : 100;
    expect(await balances(world, buyers, 'B')).toEqual({ EXPECTED: qty });
    expect(row).toMatchObject({ difference: '500.0000', words: 'B 数量 100 → 150' });
  });

  it('what has come stays: no fewer than received, no other price for it, and a change that waited must still fit', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'C', qty: 100, unitPrice: '10' }]);
    await receive(buyers, id, 'C', 40);
    await expect(amend(id, 'C', 39, '10')).rejects.toThrow('不能少于已收 40');
    await expect(amend(id, 'C', 100, '9')).rejects.toThrow('已收货，不能改价');
    expect((await amend(id, 'C', 40, '10')).state).toBe('applied');
    expect(await balances(world, buyers, 'C')).toEqual({ AVAILABLE: 40 });
    expect((await detailOf(buyers, id)).order.stage).toBe('unpaid');
    const asked = await amend(id, 'C', 110, '10');
    expect((await buyers.chief.call(amendmentSteps.approve, { body: { id: asked.id } })).state).toBe('applied');
    expect(await balances(world, buyers, 'C')).toEqual({ AVAILABLE: 40, EXPECTED: 70 });
  });
});

describe('审核后修改', () => {
  it('without a flow the tolerance for changes decides whether an approved order is approved again', async () => {
    const { id } = await draftOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '10' }]);
    await buyers.buyer.call(orderSteps.submit, { body: { id } });
    await buyers.chief.call(orderSteps.approve, { body: { id } });
    const change = (unitPrice: string) =>
      buyers.buyer.call(saveOrder, {
        body: {
          id,
          supplierId: buyers.supplier,
          warehouseId: buyers.main,
          lines: [{ productId: productOf(buyers, 'A'), qty: 100, unitPrice }],
        },
      });
    expect((await change('9')).state).toBe('approved');
    // Small steps do not add up unseen: 10.15 and 10.25 are each near the one before, and 2.5 % above what was approved.
    expect((await change('10.15')).state).toBe('approved');
    expect((await change('10.25')).state).toBe('pending');
    await buyers.chief.call(orderSteps.approve, { body: { id } });
    expect((await change('20')).state).toBe('pending');
    await expect(change('9')).rejects.toThrow('不能执行【修改】');
    await buyers.chief.call(orderSteps.approve, { body: { id } });
    expect((await detailOf(buyers, id)).order).toMatchObject({ state: 'approved', amount: '2000.0000' });
  });
});
