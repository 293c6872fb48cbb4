import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { orderSteps } from '../contract/order-calls.ts';
import { receiveGoods, reverseReceipt } from '../contract/receipt.ts';
import { saveSetting } from '../contract/setting.ts';
import { decideSurplus, listSurplus, type OverTreatment } from '../contract/surplus.ts';
import { type Buyers, balances, createBuyers, detailOf, lineOf, placedOrder, receive, stockValue } from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D', 'E']);
  await buyers.owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0.02', priceRise: '0.05', changeTolerance: '0' },
  });
});
afterAll(() => world.close());

/** The owner may receive more; the keeper may not. */
async function over(id: string, sku: string, qty: number, treatment: OverTreatment, clientId: string = randomUUID()) {
  const line = await lineOf(buyers, id, sku);
  const lines = [{ lineId: line.id, qty, over: treatment }];
  return buyers.owner.call(receiveGoods, { body: { id, clientId, lines } });
}

/** Stock, debt and what is waited for. */
async function standing(id: string, sku: string) {
  const { order, money } = await detailOf(buyers, id);
  const line = await lineOf(buyers, id, sku);
  const owed = new Decimal(money.raised ?? 0).toFixed(2);
  expect(new Decimal(order.dueAmount ?? 0).toFixed(2)).toBe(owed);
  const pieces = await balances(world, buyers, sku);
  return {
    received: line.received,
    free: line.freeQty,
    open: line.openQty,
    most: line.mostQty,
    owed,
    stock: await stockValue(world, buyers, sku),
    pieces,
  };
}

async function surplusOf(id: string) {
  const { order } = await detailOf(buyers, id);
  const { records } = await buyers.owner.call(listSurplus, { body: { filter: { keyword: order.number } } });
  return records;
}

const decide = (id: string, decision: 'payable' | 'free' | 'return', reason = '议定') =>
  buyers.owner.call(decideSurplus, { body: { id, decision, reason } });

describe('超收', () => {
  it('10,000 at two percent: 10,150 and 50 pass, one more needs the permission and a treatment (worked example 10)', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 10_000, unitPrice: '0.37' }]);
    await receive(buyers, id, 'A', 10_150);
    await receive(buyers, id, 'A', 50);
    await expect(receive(buyers, id, 'A', 1)).rejects.toThrow('超出允收数量，最多还可收0');
    const line = await lineOf(buyers, id, 'A');
    const lines = [{ lineId: line.id, qty: 1, over: 'payable' as const }];
    await expect(buyers.keeper.call(receiveGoods, { body: { id, lines } })).rejects.toThrow('无操作权限');
    await over(id, 'A', 1, 'payable');
    expect(await standing(id, 'A')).toMatchObject({ received: 10_201, most: 0, owed: '3774.37', stock: '3774.37' });
  });

  it('payable pieces raise debt and stock at the price of the order, to the cent, and go as they came', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 100, unitPrice: '3.333333' }]);
    const clientId = randomUUID();
    const done = await over(id, 'B', 110, 'payable', clientId);
    const after = { received: 110, free: 0, open: 0, owed: '366.67', stock: '366.67', pieces: { AVAILABLE: 110 } };
    expect(await standing(id, 'B')).toMatchObject(after);
    // A second press changes nothing.
    expect((await over(id, 'B', 110, 'payable', clientId)).repeated).toBe(true);
    expect(await standing(id, 'B')).toMatchObject(after);
    expect(await surplusOf(id)).toMatchObject([{ state: 'payable', qty: 8, limitQty: 102 }]);
    await buyers.owner.call(reverseReceipt, { body: { id: done.receiptId ?? '', reason: '点错' } });
    expect(await standing(id, 'B')).toMatchObject({ received: 0, open: 100, most: 102, owed: '0.00', stock: '0.00' });
    expect(await surplusOf(id)).toMatchObject([{ state: 'reversed' }]);
  });

  it('free pieces come in at no cost and are owed nothing; the ordered ones are waited for as before', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'C', qty: 50, unitPrice: '2' }]);
    const done = await over(id, 'C', 60, 'free');
    const after = { received: 51, free: 9, owed: '102.00', stock: '102.00', pieces: { AVAILABLE: 60 } };
    expect(await standing(id, 'C')).toMatchObject(after);
    await buyers.owner.call(reverseReceipt, { body: { id: done.receiptId ?? '', reason: '点错' } });
    expect(await standing(id, 'C')).toMatchObject({ received: 0, free: 0, owed: '0.00', pieces: { EXPECTED: 50 } });
  });

  it('held pieces are not ours until somebody decides; the order waits for it and cannot end', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'D', qty: 50, unitPrice: '2' }]);
    await over(id, 'D', 60, 'hold');
    const held = { received: 51, owed: '102.00', stock: '102.00', pieces: { AVAILABLE: 51 } };
    expect(await standing(id, 'D')).toMatchObject(held);
    // All of a second truck is held: there is no receipt, and pressing twice counts once.
    const clientId = randomUUID();
    expect((await over(id, 'D', 5, 'hold', clientId)).receiptId).toBeNull();
    expect((await over(id, 'D', 5, 'hold', clientId)).repeated).toBe(true);
    const [second, first] = await surplusOf(id);
    expect([second?.qty, first?.qty]).toEqual([5, 9]);
    await expect(buyers.owner.call(orderSteps.complete, { body: { id } })).rejects.toThrow('还有14件超收待处理');
    await decide(first?.id ?? '', 'payable');
    expect(await standing(id, 'D')).toMatchObject({ received: 60, owed: '120.00', stock: '120.00' });
    expect((await decide(first?.id ?? '', 'payable')).repeated).toBe(true);
    await expect(decide(first?.id ?? '', 'return')).rejects.toThrow('已被他人处理');
    await decide(second?.id ?? '', 'return', '多发，原车退回');
    expect(await standing(id, 'D')).toMatchObject({ received: 60, owed: '120.00', pieces: { AVAILABLE: 60 } });
    // What took the held ones over is taken back: they are held again.
    const came = (await detailOf(buyers, id)).receipts.find((row) => row.qty === 9);
    await buyers.owner.call(reverseReceipt, { body: { id: came?.documentId ?? '', reason: '算错' } });
    expect(await standing(id, 'D')).toMatchObject(held);
    expect((await surplusOf(id)).map((row) => row.state)).toEqual(['returned', 'held']);
    await decide(first?.id ?? '', 'free');
    expect(await standing(id, 'D')).toMatchObject({ received: 51, free: 9, owed: '102.00', pieces: { AVAILABLE: 60 } });
  });

  it('ten who decide at once and ten who receive at once: each piece counts once', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'E', qty: 100, unitPrice: '3.333333' }]);
    await over(id, 'E', 120, 'hold');
    const [held] = await surplusOf(id);
    const line = await lineOf(buyers, id, 'E');
    const decisions = (['payable', 'free', 'return', 'payable', 'free'] as const).map((decision) =>
      buyers.owner.send(decideSurplus, { body: { id: held?.id ?? '', decision, reason: '试' } }),
    );
    const arrivals = (['payable', 'free', 'payable', undefined, undefined] as const).map((treatment) =>
      buyers.owner.send(receiveGoods, {
        body: { id, lines: [{ lineId: line.id, qty: 7, ...(treatment ? { over: treatment } : {}) }] },
      }),
    );
    await Promise.all([...decisions, ...arrivals]);
    const [row] = (await surplusOf(id)).filter((one) => one.id === held?.id);
    const state = row?.state;
    const received = 102 + 14 + (state === 'payable' ? 18 : 0);
    const free = 7 + (state === 'free' ? 18 : 0);
    const owed = new Decimal(received).times('3.333333').toFixed(2);
    expect(await standing(id, 'E')).toMatchObject({
      received,
      free,
      most: 0,
      owed,
      stock: owed,
      pieces: { AVAILABLE: received + free },
    });
  });
});
