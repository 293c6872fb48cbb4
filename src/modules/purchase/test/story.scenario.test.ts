import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { addAccount, listAccounts } from '#modules/finance/contract/accounts.ts';
import { payRequests, requestSteps } from '#modules/finance/contract/requests.ts';
import { saveProduct } from '#modules/product/contract/material.ts';
import { savePrices } from '#modules/product/contract/parts.ts';
import { supplierScorecard } from '#modules/supplier/contract.ts';
import { createWorld, type World, worldClock } from '#test/support/world.ts';
import { closeLines, orderSteps, requestOrderPayment, saveOrder } from '../contract/order-calls.ts';
import { addPlanLines, submitPlan } from '../contract/plan.ts';
import { inspectGoods, listReceipts, receiptLines } from '../contract/receipt.ts';
import { createReturn, returnSteps } from '../contract/return.ts';
import { saveSetting } from '../contract/setting.ts';
import { type Buyers, balances, createBuyers, detailOf, lineOf, productOf, receive, stockValue } from './support.ts';

let world: World;
let buyers: Buyers;
let account: string;
let id: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['CUP']);
  await buyers.owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '0' },
  });
  const productId = productOf(buyers, 'CUP');
  const supply = { supplierSku: '', offerId: '', specId: '', url: '', moq: 100, orderMultiple: 50, leadDays: 18 };
  await buyers.owner.call(saveProduct, {
    body: {
      id: productId,
      sku: 'CUP',
      name: '杯子',
      supplies: [{ ...supply, supplierId: buyers.supplier, isDefault: true }],
    },
  });
  await buyers.owner.call(savePrices, {
    body: { productId, supplierId: buyers.supplier, tiers: [{ minQty: 1, unitPrice: '8.60' }] },
  });
  await buyers.owner.call(addAccount, { body: { name: '招行', method: 'BANK', currency: 'CNY', opening: '20000' } });
  account = (await buyers.owner.call(listAccounts, { body: {} }))[0]?.id ?? '';
});
afterAll(() => world.close());

/** What must agree to the cent after every step: stock, debt to the supplier, money in the account. */
async function standing() {
  const { order, money } = await detailOf(buyers, id);
  const [bank] = await buyers.owner.call(listAccounts, { body: {} });
  const two = (amount: string | null | undefined) => new Decimal(amount ?? 0).toFixed(2);
  expect(two(order.dueAmount)).toBe(two(money.raised));
  expect(two(order.paidAmount)).toBe(two(money.paid));
  return {
    stage: order.stage,
    stock: await stockValue(world, buyers, 'CUP'),
    owed: two(money.raised),
    unpaid: two(money.open),
    ahead: two(money.prepaid),
    paid: two(money.paid),
    bank: two(bank?.balance),
  };
}

async function pay(kind: 'DEPOSIT' | 'BALANCE', amount: string) {
  await buyers.owner.call(requestOrderPayment, { body: { id, kind, amount } });
  const { payments } = await detailOf(buyers, id);
  const request = payments.at(-1)?.id ?? '';
  await buyers.owner.call(requestSteps.approve, { body: { id: request } });
  await buyers.owner.call(payRequests, {
    body: { batchId: randomUUID(), cashAccountId: account, requests: [{ id: request, amount }] },
  });
}

describe('从需求到付清', () => {
  it('a need becomes an order, which is refused once and then approved and placed', async () => {
    await buyers.owner.call(addPlanLines, {
      body: { lines: [{ productId: productOf(buyers, 'CUP'), warehouseId: buyers.main, qty: 990 }] },
    });
    const { orders } = await buyers.owner.call(submitPlan, { body: { rounded: true, review: true } });
    id = orders[0]?.id ?? '';
    await buyers.chief.call(orderSteps.reject, { body: { id, reason: '交期写上' } });
    const { order, lines } = await detailOf(buyers, id);
    expect([order.stage, lines[0]?.qty, lines[0]?.unitPrice]).toEqual(['draft', 1000, '8.600000']);
    const today = worldClock().today();
    await buyers.owner.call(saveOrder, {
      body: {
        id,
        supplierId: buyers.supplier,
        warehouseId: buyers.main,
        expectedOn: today,
        lines: [{ productId: productOf(buyers, 'CUP'), qty: 1000, unitPrice: '8.60' }],
      },
    });
    await buyers.buyer.call(orderSteps.submit, { body: { id } });
    await buyers.chief.call(orderSteps.approve, { body: { id } });
    await buyers.buyer.call(orderSteps.place, { body: { id } });
    expect(await standing()).toEqual({
      stage: 'ordered',
      stock: '0.00',
      owed: '0.00',
      unpaid: '0.00',
      ahead: '0.00',
      paid: '0.00',
      bank: '20000.00',
    });
  });

  it('the deposit leaves the account and waits for the goods; nobody asks for more than the order', async () => {
    await pay('DEPOSIT', '2580.00');
    expect(await standing()).toMatchObject({ owed: '0.00', ahead: '2580.00', paid: '2580.00', bank: '17420.00' });
    await expect(
      buyers.owner.call(requestOrderPayment, { body: { id, kind: 'BALANCE', amount: '6020.01' } }),
    ).rejects.toThrow('请款合计超过应付金额，剩余可请6020.00');
    // What was returned is asked for no longer, and is refused once somebody else has asked for it.
    await buyers.owner.call(requestOrderPayment, { body: { id, kind: 'BALANCE', amount: '6020.00' } });
    const returned = (await detailOf(buyers, id)).payments.at(-1)?.id ?? '';
    await buyers.owner.call(requestSteps.return, { body: { id: returned, reason: '货到再付' } });
    expect((await detailOf(buyers, id)).money).toMatchObject({ requested: '0', left: '6020.00' });
    await buyers.owner.call(requestOrderPayment, { body: { id, kind: 'BALANCE', amount: '20.00' } });
    const other = (await detailOf(buyers, id)).payments.at(-1)?.id ?? '';
    await expect(buyers.owner.call(requestSteps.submit, { body: { id: returned } })).rejects.toThrow(
      '请款合计超过应付金额，剩余可请6000.00',
    );
    for (const drop of [returned, other]) {
      if (drop === other) await buyers.owner.call(requestSteps.withdraw, { body: { id: drop } });
      await buyers.owner.call(requestSteps.cancel, { body: { id: drop, reason: '不付了' } });
    }
    await expect(buyers.chief.call(orderSteps.cancel, { body: { id, reason: '改款' } })).rejects.toThrow(
      '订单已付款，请先退款',
    );
  });

  it('a first receipt is short, a second one damaged: each raises what is owed, the deposit is used first', async () => {
    await receive(buyers, id, 'CUP', 600);
    expect(await standing()).toMatchObject({ stock: '5160.00', owed: '5160.00', unpaid: '2580.00', ahead: '0.00' });
    await receive(buyers, id, 'CUP', 360, true);
    expect(await standing()).toMatchObject({
      stage: 'inspecting',
      stock: '8256.00',
      owed: '8256.00',
      unpaid: '5676.00',
    });
    const { records } = await buyers.owner.call(listReceipts, { body: { filter: { state: 'inspecting' } } });
    const receipt = records[0]?.id ?? '';
    const [line] = await buyers.owner.call(receiptLines, { params: { id: receipt } });
    await buyers.keeper.call(inspectGoods, {
      body: { id: receipt, lines: [{ lineId: line?.id ?? '', passed: 335, rejected: 25, reason: '破损' }] },
    });
    expect(await balances(world, buyers, 'CUP')).toEqual({ AVAILABLE: 935, DEFECTIVE: 25, EXPECTED: 40 });
  });

  it('the damaged ones go back, the missing ones are given up: 8,041.00 is owed in all', async () => {
    const line = await lineOf(buyers, id, 'CUP');
    const made = await buyers.owner.call(createReturn, {
      body: { orderId: id, warehouseId: buyers.defective, reason: '破损', lines: [{ lineId: line.id, qty: 25 }] },
    });
    for (const step of ['submit', 'approve', 'ship'] as const) {
      await buyers.owner.call(returnSteps[step], { body: { id: made.id } });
    }
    expect(await standing()).toMatchObject({ stock: '8041.00', owed: '8041.00', unpaid: '5461.00' });
    await buyers.chief.call(closeLines, { body: { id, reason: '供应商缺货' } });
    expect(await standing()).toMatchObject({ stage: 'unpaid', unpaid: '5461.00' });
    expect(await balances(world, buyers, 'CUP')).toEqual({ AVAILABLE: 935 });
  });

  it('the balance is paid: the order ends by itself, and everything agrees', async () => {
    await expect(
      buyers.owner.call(requestOrderPayment, { body: { id, kind: 'BALANCE', amount: '5461.01' } }),
    ).rejects.toThrow('剩余可请5461.00');
    await pay('BALANCE', '5461.00');
    expect(await standing()).toEqual({
      stage: 'closed',
      stock: '8041.00',
      owed: '8041.00',
      unpaid: '0.00',
      ahead: '0.00',
      paid: '8041.00',
      bank: '11959.00',
    });
    const card = await buyers.owner.call(supplierScorecard, { body: { id: buyers.supplier } });
    // 935 of the 960 pieces that were not given up came good and in time, which is enough; 25 of 960 were bad.
    expect(card).toMatchObject({ lines: 1, delivery: { points: '100.00' }, quality: { points: '47.92' }, total: null });
  });
});
