import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  countExchanges,
  createExchange,
  EXCHANGE,
  EXCHANGE_CONFIRM,
  exchangeDetail,
  exchangeSteps,
  listExchanges,
  printExchange,
  receiveExchange,
  terminateExchange,
} from '../contract/exchange.ts';
import { countOrders, orderSteps } from '../contract/order-calls.ts';
import { inspectGoods, listReceipts, receiptLines, receiveGoods, reverseReceipt } from '../contract/receipt.ts';
import { createReturn, returnSteps } from '../contract/return.ts';
import { type Buyers, balances, createBuyers, detailOf, lineOf, placedOrder, receive, stockValue } from './support.ts';

let world: World;
let buyers: Buyers;
/** Asks for exchanges, and confirms them. */
let clerk: Person;
let lead: Person;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D', 'E', 'F', 'G']);
  clerk = await world.member(buyers.owner, ['erp:purchase:order:view', EXCHANGE]);
  lead = await world.member(buyers.owner, ['erp:purchase:order:view', 'erp:purchase:field:price', EXCHANGE_CONFIRM]);
});
afterAll(() => world.close());

async function inspect(passed: number, rejected: number) {
  const { records } = await buyers.owner.call(listReceipts, { body: { filter: { state: 'inspecting' } } });
  const receipt = records[0]?.id ?? '';
  const [line] = await buyers.owner.call(receiptLines, { params: { id: receipt } });
  const lines = [{ lineId: line?.id ?? '', passed, rejected, reason: '破损' }];
  await buyers.keeper.call(inspectGoods, { body: { id: receipt, lines } });
  return receipt;
}

async function ask(orderId: string, sku: string, qty: number, more: object = {}) {
  const line = await lineOf(buyers, orderId, sku);
  const body = { orderId, warehouseId: buyers.defective, reason: '破损', lines: [{ lineId: line.id, qty }], ...more };
  return clerk.call(createExchange, { body });
}

const confirm = (id: string) => lead.call(exchangeSteps.confirm, { body: { id } });
const read = (id: string) => buyers.owner.call(exchangeDetail, { params: { id } });

async function come(id: string, qty: number) {
  const [line] = (await read(id)).lines;
  return buyers.keeper.call(receiveExchange, { body: { id, lines: [{ lineId: line?.id ?? '', qty }] } });
}

describe('采购换货', () => {
  it('bad pieces leave, good ones come for what those had cost, and nobody owes more or less', async () => {
    const { id, number } = await placedOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '3.333333' }], { freight: '7' });
    await receive(buyers, id, 'A', 100, true);
    await inspect(93, 7);
    const value = await stockValue(world, buyers, 'A');
    const made = await ask(id, 'A', 7);
    expect(made).toMatchObject({ state: 'pending', number: expect.stringMatching(/^HH\d{6}0001$/) });
    expect(await balances(world, buyers, 'A')).toEqual({ AVAILABLE: 93, DEFECTIVE: 7 });
    expect((await clerk.send(exchangeSteps.confirm, { body: { id: made.id } })).status).toBe(403);
    expect((await confirm(made.id)).state).toBe('receiving');
    expect(await confirm(made.id)).toMatchObject({ repeated: true });
    expect(await balances(world, buyers, 'A')).toEqual({ AVAILABLE: 93, EXPECTED: 7 });
    const out = await detailOf(buyers, id);
    expect(out.order).toMatchObject({ stage: 'replacing', openQty: 0, dueAmount: '340.3300' });
    expect(out.lines[0]).toMatchObject({ exchanging: 7, returned: 0, received: 100 });
    expect(out.receipts[0]).toMatchObject({ kind: 'exchange', number: made.number, qty: -7, state: '待收货' });
    expect((await buyers.owner.call(countOrders, { body: {} })).replacing).toBe(1);
    await expect(buyers.chief.call(orderSteps.complete, { body: { id } })).rejects.toThrow('还有7件换货未到');
    await expect(come(made.id, 8)).rejects.toThrow('超出待收货数量，最多还可收7');
    await come(made.id, 2);
    expect((await read(made.id)).exchange).toMatchObject({
      receivedQty: 2,
      openQty: 5,
      state: 'receiving',
      order: number,
    });
    expect((await come(made.id, 5)).state).toBe('done');
    expect(await balances(world, buyers, 'A')).toEqual({ AVAILABLE: 100 });
    expect(await stockValue(world, buyers, 'A')).toBe(value);
    const { lines, arrivals, timeline } = await read(made.id);
    expect(lines[0]?.costBack).toBe(lines[0]?.cost);
    expect(arrivals.map((row) => row.qty)).toEqual([5, 2]);
    expect(timeline.map((entry) => entry.title)).toEqual(['完成', '收货', '收货', '确认换货', '创建']);
    const after = await detailOf(buyers, id);
    expect(after.order).toMatchObject({ stage: 'unpaid', dueAmount: '340.3300' });
    expect(after.receipts[0]).toMatchObject({ kind: 'exchange', qty: 0, amount: '0.0000', cost: '0.0000' });
    await expect(come(made.id, 1)).rejects.toThrow('不在待收货状态');
  });

  it('without stock nothing leaves; what comes is worth what such pieces cost when they came', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 30, unitPrice: '2' }]);
    await receive(buyers, id, 'B', 30);
    const made = await ask(id, 'B', 3, { takesStock: false, warehouseId: undefined });
    await confirm(made.id);
    expect(await balances(world, buyers, 'B')).toEqual({ AVAILABLE: 30, EXPECTED: 3 });
    await come(made.id, 3);
    expect(await balances(world, buyers, 'B')).toEqual({ AVAILABLE: 33 });
    expect(await stockValue(world, buyers, 'B')).toBe('66.00');
    expect((await detailOf(buyers, id)).receipts[0]).toMatchObject({ qty: 3, cost: '6.0000', amount: '0.0000' });
    await expect(
      clerk.call(createExchange, {
        body: { orderId: id, reason: '破损', lines: [{ lineId: (await lineOf(buyers, id, 'B')).id, qty: 1 }] },
      }),
    ).rejects.toThrow('请选择换出仓');
  });

  it('an exchange ends with what the supplier did not replace: owed no longer, or ours again', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'C', qty: 50, unitPrice: '4' }]);
    await receive(buyers, id, 'C', 50, true);
    await inspect(40, 10);
    const credited = await ask(id, 'C', 4);
    const back = await ask(id, 'C', 6);
    for (const made of [credited, back]) {
      await confirm(made.id);
      await come(made.id, 1);
    }
    const end = (made: { id: string }, ending: 'CREDIT' | 'BACK') =>
      lead.call(terminateExchange, { body: { id: made.id, ending, reason: '停产' } });
    expect((await end(credited, 'CREDIT')).state).toBe('terminated');
    expect(await end(credited, 'CREDIT')).toMatchObject({ repeated: true });
    const { order, lines, money } = await detailOf(buyers, id);
    expect(order).toMatchObject({ dueAmount: '188.0000', returnedQty: 3, stage: 'replacing' });
    expect(lines[0]).toMatchObject({ returned: 3, exchanging: 5 });
    expect(money.raised).toBe('188');
    await end(back, 'BACK');
    expect(await balances(world, buyers, 'C')).toEqual({ AVAILABLE: 42, DEFECTIVE: 5 });
    expect(await stockValue(world, buyers, 'C')).toBe('188.00');
    const after = await detailOf(buyers, id);
    expect(after.order).toMatchObject({ dueAmount: '188.0000', stage: 'unpaid' });
    expect((await read(credited.id)).exchange).toMatchObject({ ending: 'CREDIT', credit: '12.0000', openQty: 0 });
    // The pieces that are ours again can be exchanged again.
    expect((await ask(id, 'C', 5)).state).toBe('pending');
  });

  it('what goes back and what is exchanged are together never more than what came', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'D', qty: 10, unitPrice: '2' }]);
    const came = await receive(buyers, id, 'D', 10);
    await expect(ask(id, 'D', 11)).rejects.toThrow('可换数量为10');
    const made = await ask(id, 'D', 6, { warehouseId: buyers.main });
    const other = await ask(id, 'D', 6, { warehouseId: buyers.main });
    const both = await Promise.allSettled([confirm(made.id), confirm(other.id)]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const line = await lineOf(buyers, id, 'D');
    const body = { orderId: id, warehouseId: buyers.main, way: 'CREDIT' as const, reason: '破损' };
    await expect(
      buyers.owner.call(createReturn, { body: { ...body, lines: [{ lineId: line.id, qty: 5 }] } }),
    ).rejects.toThrow('可退数量为4');
    await expect(buyers.owner.call(reverseReceipt, { body: { id: came.receiptId, reason: '错' } })).rejects.toThrow(
      '正在换货，不能撤销到货',
    );
    const back = await buyers.owner.call(createReturn, { body: { ...body, lines: [{ lineId: line.id, qty: 4 }] } });
    await buyers.owner.call(returnSteps.submit, { body: { id: back.id } });
    await buyers.chief.call(returnSteps.approve, { body: { id: back.id } });
    await buyers.owner.call(returnSteps.ship, { body: { id: back.id } });
    const lost = both[0]?.status === 'fulfilled' ? other : made;
    await expect(confirm(lost.id)).rejects.toThrow('可换数量为0');
    await clerk.call(exchangeSteps.cancel, { body: { id: lost.id, reason: '没有了' } });
    expect((await read(lost.id)).exchange.state).toBe('void');
  });

  it('an order that is over runs again while pieces of it are exchanged, and ends with the last', async () => {
    const { id } = await placedOrder(buyers, [
      { sku: 'E', qty: 5, unitPrice: '0.001' },
      { sku: 'F', qty: 1, gift: true },
    ]);
    await receive(buyers, id, 'E', 5);
    const gift = await lineOf(buyers, id, 'F', true);
    await buyers.keeper.call(receiveGoods, {
      body: { id, lines: [{ lineId: gift.id, qty: 1 }] },
    });
    const { order } = await detailOf(buyers, id);
    if (order.state === 'ordered') await buyers.chief.call(orderSteps.complete, { body: { id } });
    expect((await detailOf(buyers, id)).order.state).toBe('closed');
    const made = await ask(id, 'E', 2, { warehouseId: buyers.main });
    await confirm(made.id);
    const again = await detailOf(buyers, id);
    expect(again.order).toMatchObject({ state: 'ordered', stage: 'replacing' });
    expect(again.timeline.map((entry) => entry.body)).toContain(`换货 ${made.number}`);
    await come(made.id, 2);
    expect((await detailOf(buyers, id)).order.openQty).toBe(0);
    expect(new Decimal((await detailOf(buyers, id)).order.dueAmount ?? 0).lte('0.01')).toBe(true);
  });

  it('is listed, counted and printed; prices are for those who may see them', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'G', qty: 5, unitPrice: '9' }]);
    await expect(ask(id, 'G', 1)).rejects.toThrow('可换数量为0');
    await receive(buyers, id, 'G', 5);
    const made = await ask(id, 'G', 1, { warehouseId: buyers.main, trackingNo: 'SF123' });
    const counts = await buyers.owner.call(countExchanges, { body: { filter: {} } });
    expect(counts.pending).toBeGreaterThan(0);
    expect(counts.all).toBe(Object.entries(counts).reduce((sum, [key, n]) => sum + (key === 'all' ? 0 : n), 0));
    const find = (keyword: string) => clerk.call(listExchanges, { body: { filter: { keyword } } });
    const { records } = await find('SF123');
    expect(records).toMatchObject([{ id: made.id, qty: 1, takesStock: true }]);
    expect(records[0]).not.toHaveProperty('cost', expect.any(String));
    const paper = await clerk.send(printExchange, { params: { id: made.id } });
    expect(paper.status).toBe(200);
    const stranger = await world.owner();
    expect((await stranger.send(exchangeDetail, { params: { id: made.id } })).status).toBe(404);
  });
});
