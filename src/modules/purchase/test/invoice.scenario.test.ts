import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { amendOrder } from '../contract/amend.ts';
import {
  acceptInvoice,
  countInvoices,
  listInvoices,
  orderInvoices,
  saveInvoice,
  voidInvoice,
} from '../contract/invoice.ts';
import { requestOrderPayment } from '../contract/order-calls.ts';
import { reverseReceipt } from '../contract/receipt.ts';
import { type Buyers, createBuyers, detailOf, draftOrder, lineOf, placedOrder, receive } from './support.ts';

let world: World;
let buyers: Buyers;
/** Writes invoices down and may not judge them. */
let clerk: Person;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B']);
  clerk = await world.member(buyers.owner, [
    'erp:purchase:order:view',
    'erp:purchase:field:price',
    'erp:purchase:invoice:edit',
  ]);
});
afterAll(() => world.close());

let numbers = 1;

async function bill(orderId: string, sku: string, qty: number, unitPrice: string, more: object = {}) {
  const line = await lineOf(buyers, orderId, sku);
  const number = `2444${String(numbers++).padStart(4, '0')}`;
  const lines = [{ lineId: line.id, qty, unitPrice, taxRate: '0.13' }];
  return clerk.call(saveInvoice, { body: { orderId, number, issuedOn: worldClock().today(), lines, ...more } });
}

const invoices = (orderId: string) => buyers.owner.call(orderInvoices, { params: { id: orderId } });
const balance = (id: string, amount: string) =>
  buyers.owner.send(requestOrderPayment, { body: { id, kind: 'BALANCE', amount } });

describe('采购发票', () => {
  it('what was agreed and accepted is matched by itself, over several deliveries and invoices', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '11.3' }]);
    await receive(buyers, id, 'A', 60);
    expect((await bill(id, 'A', 60, '11.3')).state).toBe('matched');
    await receive(buyers, id, 'A', 40);
    expect((await bill(id, 'A', 40, '11.35')).state).toBe('matched');
    const [first, second] = await invoices(id);
    expect(first).toMatchObject({ state: 'matched', finding: '', amount: '678.0000', tax: '78.0000' });
    expect(first?.lines).toMatchObject([{ qty: 60, invoiced: 60, accepted: 100, unitPrice: '11.3', agreed: '11.3' }]);
    expect(second?.lines).toMatchObject([{ qty: 40, invoiced: 100, accepted: 100 }]);
    expect((await balance(id, '100')).code).toBe(201);
  });

  it('an invoice that comes before the goods waits, and matches when they are here; a return makes it wait again', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 10, unitPrice: '2' }]);
    expect(await bill(id, 'A', 10, '2')).toMatchObject({ state: 'pending' });
    expect((await invoices(id))[0]?.finding).toBe('第1行累计开票10，验收0');
    const { receiptId } = await receive(buyers, id, 'A', 10);
    expect((await invoices(id))[0]).toMatchObject({ state: 'matched', finding: '' });
    await buyers.owner.call(reverseReceipt, { body: { id: receiptId, reason: '点错' } });
    expect((await invoices(id))[0]).toMatchObject({ state: 'pending', finding: '第1行累计开票10，验收0' });
  });

  it('a price beyond the tolerance holds the balance back until somebody who may accepts it', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 100, unitPrice: '10' }]);
    await receive(buyers, id, 'B', 100);
    const dear = await bill(id, 'B', 100, '10.2');
    expect(dear).toMatchObject({ state: 'pending' });
    expect(dear.message).toContain('第1行单价10.2，订单10');
    const held = await balance(id, '500');
    expect(held).toMatchObject({ data: { code: 'B1062' } });
    expect(held.msg).toContain(`发票${dear.number}待核对`);
    const body = { id: dear.id, version: dear.version, reason: '原料涨价，议定' };
    expect((await clerk.send(acceptInvoice, { body })).status).toBe(403);
    const done = await buyers.owner.call(acceptInvoice, { body });
    expect(done).toMatchObject({ state: 'accepted', repeated: false });
    expect((await buyers.owner.call(acceptInvoice, { body })).repeated).toBe(true);
    expect((await balance(id, '500')).code).toBe(201);
    // Accepted stays accepted, whatever comes.
    await bill(id, 'B', 1, '10');
    expect((await invoices(id)).map((one) => one.state)).toEqual(['accepted', 'pending']);
    const [, extra] = await invoices(id);
    await clerk.call(voidInvoice, { body: { id: extra?.id ?? '', reason: '重复' } });
    expect((await balance(id, '100')).code).toBe(201);
    const { timeline } = await detailOf(buyers, id);
    expect(timeline.map((entry) => entry.title)).toEqual(expect.arrayContaining(['登记发票', '核对发票', '作废发票']));
  });

  it('an order that is changed to what was billed makes its invoice fit; who may see no prices writes none down', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 10, unitPrice: '10' }]);
    const line = await lineOf(buyers, id, 'B');
    const blind = await world.member(buyers.owner, ['erp:purchase:order:view', 'erp:purchase:invoice:edit']);
    const lines = [{ lineId: line.id, qty: 10, unitPrice: '9' }];
    const body = { orderId: id, number: 'FP-2', issuedOn: worldClock().today(), lines };
    expect((await blind.send(saveInvoice, { body })).status).toBe(403);
    await bill(id, 'B', 10, '9');
    expect((await invoices(id))[0]?.finding).toContain('第1行单价9，订单10');
    expect((await blind.call(orderInvoices, { params: { id } }))[0]?.finding ?? null).toBeNull();
    const changed = [{ lineId: line.id, qty: 10, unitPrice: '9', expectedOn: null }];
    await buyers.owner.call(amendOrder, { body: { orderId: id, reason: '降价', lines: changed } });
    expect((await invoices(id))[0]).toMatchObject({ state: 'pending', finding: '第1行累计开票10，验收0' });
    await receive(buyers, id, 'B', 10);
    expect((await invoices(id))[0]).toMatchObject({ state: 'matched', finding: '' });
  });

  it('a number is written down once for a supplier, until it is struck out', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 10, unitPrice: '1' }]);
    await receive(buyers, id, 'A', 10);
    const made = await bill(id, 'A', 5, '1', { number: 'FP-1' });
    await expect(bill(id, 'A', 5, '1', { number: 'FP-1' })).rejects.toThrow('发票FP-1已登记在采购单');
    await clerk.call(voidInvoice, { body: { id: made.id, reason: '开错' } });
    expect((await bill(id, 'A', 10, '1', { number: 'FP-1' })).state).toBe('matched');
    const { records } = await buyers.owner.call(listInvoices, { body: { filter: { keyword: 'FP-1' } } });
    expect(records.map((row) => row.state)).toEqual(['matched', 'void']);
    expect(await buyers.owner.call(countInvoices, { body: { filter: { keyword: 'FP-1' } } })).toMatchObject({
      all: 2,
      matched: 1,
      void: 1,
    });
  });

  it('refuses what cannot be: an order that is not placed, a day to come, lines that are none, gifts', async () => {
    const draft = await draftOrder(buyers, [{ sku: 'A', qty: 1 }]);
    await expect(bill(draft.id, 'A', 1, '1')).rejects.toThrow('下单后才能登记发票');
    const { id } = await placedOrder(buyers, [
      { sku: 'A', qty: 1 },
      { sku: 'A', qty: 1, gift: true, unitPrice: '0' },
    ]);
    await expect(bill(id, 'A', 1, '1', { issuedOn: '2999-01-01' })).rejects.toThrow('开票日期不能晚于今天');
    await expect(bill(id, 'A', 1, '1', { lines: [] })).rejects.toThrow('至少填写一行开票数量');
    const gift = await lineOf(buyers, id, 'A', true);
    const lines = [{ lineId: gift.id, qty: 1, unitPrice: '1' }];
    await expect(bill(id, 'A', 1, '1', { lines })).rejects.toThrow('是赠品，不开票');
    await expect(bill(id, 'A', 1, '1', { lines: [...lines, ...lines] })).rejects.toThrow('不能重复添加明细');
    const foreign = await placedOrder(buyers, [{ sku: 'B', qty: 1 }]);
    const other = await lineOf(buyers, foreign.id, 'B');
    await expect(bill(id, 'A', 1, '1', { lines: [{ lineId: other.id, qty: 1, unitPrice: '1' }] })).rejects.toThrow(
      '明细行不存在',
    );
  });
});
