import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { closeLines, orderSteps } from '../contract/order-calls.ts';
import { inspectGoods, listReceipts, receiptLines } from '../contract/receipt.ts';
import { createReturn, listReturns, returnSteps } from '../contract/return.ts';
import { type Buyers, balances, createBuyers, detailOf, lineOf, placedOrder, receive, stockValue } from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C']);
});
afterAll(() => world.close());

async function inspect(passed: number, rejected: number) {
  const { records } = await buyers.owner.call(listReceipts, { body: { filter: { state: 'inspecting' } } });
  const receipt = records[0]?.id ?? '';
  const [line] = await buyers.owner.call(receiptLines, { params: { id: receipt } });
  const lines = [{ lineId: line?.id ?? '', passed, rejected, reason: '破损' }];
  await buyers.keeper.call(inspectGoods, { body: { id: receipt, lines } });
}

async function sendBack(
  id: string,
  sku: string,
  qty: number,
  way: 'CREDIT' | 'REPLACE',
  warehouseId = buyers.defective,
) {
  const line = await lineOf(buyers, id, sku);
  const made = await buyers.owner.call(createReturn, {
    body: { orderId: id, warehouseId, way, reason: '破损', lines: [{ lineId: line.id, qty }] },
  });
  await buyers.owner.call(returnSteps.submit, { body: { id: made.id } });
  await buyers.chief.call(returnSteps.approve, { body: { id: made.id } });
  return buyers.owner.call(returnSteps.ship, { body: { id: made.id } });
}

describe('采购退货', () => {
  it('1,000 at 8.60: 960 came, 25 went back, 40 closed short; 8,041.00 is owed (worked example 9)', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 1000, unitPrice: '8.60' }]);
    await receive(buyers, id, 'A', 960, true);
    await inspect(935, 25);
    expect((await sendBack(id, 'A', 25, 'CREDIT')).state).toBe('shipped');
    await buyers.chief.call(closeLines, { body: { id, reason: '缺货' } });
    const { order, receipts } = await detailOf(buyers, id);
    expect(order).toMatchObject({ dueAmount: '8041.0000', returnedQty: 25, stage: 'unpaid' });
    expect(receipts.map((row) => [row.kind, row.qty, row.amount, row.cost])).toEqual([
      ['return', -25, '-215.0000', '-215.0000'],
      ['receipt', 960, '8256.0000', '8256.0000'],
    ]);
    expect(await stockValue(world, buyers, 'A')).toBe('8041.00');
    expect(await balances(world, buyers, 'A')).toEqual({ AVAILABLE: 935 });
    const { records } = await buyers.owner.call(listReturns, { body: { filter: { state: 'shipped' } } });
    expect(records[0]).toMatchObject({ qty: 25, credit: '215.0000', cost: '215.0000', way: 'CREDIT' });
  });

  it('what the supplier replaces is waited for again, and comes at what it cost', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 10, unitPrice: '3.333333' }], { freight: '7' });
    await receive(buyers, id, 'B', 10, true);
    await inspect(7, 3);
    await sendBack(id, 'B', 3, 'REPLACE');
    expect(await balances(world, buyers, 'B')).toEqual({ AVAILABLE: 7, EXPECTED: 3 });
    expect((await detailOf(buyers, id)).order).toMatchObject({ stage: 'replacing', openQty: 3, dueAmount: '28.2300' });
    await expect(receive(buyers, id, 'B', 4)).rejects.toThrow('超出允收数量，最多还可收3');
    await receive(buyers, id, 'B', 3);
    const { order, receipts } = await detailOf(buyers, id);
    expect(order).toMatchObject({ stage: 'unpaid', dueAmount: '40.3300' });
    expect(receipts.map((row) => row.amount)).toEqual(['12.1000', '-12.1000', '40.3300']);
    expect(await stockValue(world, buyers, 'B')).toBe('40.33');
  });

  it('no more goes back than came and stayed, whoever is first; nothing is replaced once the order is over', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'C', qty: 10, unitPrice: '2' }]);
    await receive(buyers, id, 'C', 6);
    await expect(sendBack(id, 'C', 7, 'CREDIT', buyers.main)).rejects.toThrow('可退数量为6');
    const both = await Promise.allSettled([
      sendBack(id, 'C', 4, 'CREDIT', buyers.main),
      sendBack(id, 'C', 4, 'CREDIT', buyers.main),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    await buyers.chief.call(closeLines, { body: { id, reason: '缺货' } });
    await buyers.chief.call(orderSteps.complete, { body: { id } });
    await expect(sendBack(id, 'C', 1, 'REPLACE', buyers.main)).rejects.toThrow('采购单已结束，只能退货抵扣');
    await sendBack(id, 'C', 1, 'CREDIT', buyers.main);
    expect((await detailOf(buyers, id)).order).toMatchObject({ dueAmount: '2.0000', returnedQty: 5 });
    expect(await stockValue(world, buyers, 'C')).toBe('2.00');
  });
});
