import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import { listItems, openDebts, settleItems } from '#modules/finance/contract/payables.ts';
import { saveMonthRate } from '#modules/finance/contract/rates.ts';
import { listRequests, payRequests, requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import { addSettlement, confirmSettlement, moveSettlement } from '#modules/finance/contract/settlements.ts';
import { createWorld, type World, worldClock } from '#test/support/world.ts';
import { amendOrder } from '../contract/amend.ts';
import { closeLines, orderSteps, requestOrderPayment } from '../contract/order-calls.ts';
import { createReturn, returnSteps } from '../contract/return.ts';
import { saveSetting } from '../contract/setting.ts';
import {
  type Buyers,
  createBuyers,
  createSupplier,
  detailOf,
  lineOf,
  placedOrder,
  receive,
  stockValue,
} from './support.ts';

let world: World;
let all: Buyers;
let buyers: Buyers;
let bank: string;

beforeAll(async () => {
  world = await createWorld();
  all = await createBuyers(world, ['P', 'Q']);
  const { owner } = all;
  await owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '1' },
  });
  bank = (await owner.call(addAccount, { body: { name: '招商银行', opening: '1000000' } })).id;
});
afterAll(() => world.close());
beforeEach(async () => {
  buyers = { ...all, supplier: await createSupplier(all.owner, `供应商${randomUUID().slice(0, 8)}`) };
});

const ordered = (qty = 100, head: object = {}) => placedOrder(buyers, [{ sku: 'P', qty, unitPrice: '10' }], head);
const ask = (id: string, amount: string, kind: 'DEPOSIT' | 'BALANCE' = 'BALANCE') =>
  buyers.owner.send(requestOrderPayment, { body: { id, kind, amount } });
const money = async (id: string) => (await detailOf(buyers, id)).money;

const liveOf = async () =>
  (await buyers.owner.call(listRequests, { body: { pagesize: 100 } })).records.filter(
    (row) => row.partyId === buyers.supplier && ['submitted', 'approved', 'partly'].includes(row.state),
  );

/** Approves and pays whatever is under way for the supplier. */
async function payAll(amount?: string, paid?: string): Promise<void> {
  for (const row of await liveOf()) {
    if (row.state === 'submitted') await buyers.owner.call(requestSteps.approve, { body: { id: row.id } });
    const requests = [{ id: row.id, amount: amount ?? row.open, ...(paid ? { paid } : {}) }];
    await buyers.owner.call(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests } });
  }
}

async function statement(): Promise<void> {
  const today = worldClock().today();
  const { owner, supplier } = buyers;
  const { id } = await owner.call(addSettlement, { body: { supplierId: supplier, from: today, to: today } });
  await owner.call(confirmSettlement, { body: { id, stated: '0', reason: '按我方' } });
  await owner.call(moveSettlement, { body: { id, action: 'request' } });
}

describe('an order that is paid through a statement', () => {
  it('counts as paid, ends with the last of it, and is asked for no second time', async () => {
    const one = await ordered();
    const two = await ordered(50);
    await receive(buyers, one.id, 'P', 100);
    await receive(buyers, two.id, 'P', 50);
    await statement();
    expect(await money(one.id)).toMatchObject({ requested: '1000', paid: '0', left: '0.00' });
    expect((await ask(one.id, '0.01')).msg).toContain('剩余可请0.00');
    await payAll();
    expect(await money(one.id)).toMatchObject({ requested: '0', paid: '1000', left: '0.00', open: '0' });
    const { order } = await detailOf(buyers, two.id);
    expect(order).toMatchObject({ state: 'closed', paidAmount: '500.0000' });
    expect((await ask(two.id, '1')).msg).toContain('剩余可请0.00');
  });

  it('asks only for what no other request holds', async () => {
    const { id } = await ordered();
    await receive(buyers, id, 'P', 60);
    await ask(id, '250');
    await statement();
    const asked = (await liveOf()).map((row) => row.amount).sort();
    expect(asked).toEqual(['250.0000', '350.0000']);
    expect(await money(id)).toMatchObject({ requested: '600', left: '400.00' });
    expect((await ask(id, '400.01')).msg).toContain('剩余可请400.00');
    await payAll();
    expect(await money(id)).toMatchObject({ paid: '600', open: '0', left: '400.00' });
  });
});

describe('money that is asked for', () => {
  it('needs something that is owed: a request without a debt or an order is refused, unless it is a deposit', async () => {
    const body = {
      kind: 'BALANCE' as const,
      party: { kind: 'SUPPLIER' as const, id: buyers.supplier },
      lines: [{ title: '货款', amount: '88' }],
    };
    const { id } = await buyers.owner.call(saveRequest, { body });
    const refused = await buyers.owner.send(requestSteps.submit, { body: { id } });
    expect(refused.msg).toBe('【货款】没有对应的应付或单据；预付请选择类型【定金】，其他支出请选择【费用】');
    const deposit = await buyers.owner.call(saveRequest, { body: { ...body, kind: 'DEPOSIT' } });
    await buyers.owner.call(requestSteps.submit, { body: { id: deposit.id } });
  });

  it('is held: a prepayment is not used for a debt that a request already pays', async () => {
    const [one, two] = [await ordered(10), await ordered(10)];
    await ask(one.id, '100', 'DEPOSIT');
    await payAll();
    await receive(buyers, two.id, 'P', 10);
    await ask(two.id, '70');
    const { records } = await buyers.owner.call(listItems, { body: { filter: { party: [buyers.supplier] } } });
    const prepaidId = records.find((row) => row.book === 'PREPAID')?.id ?? '';
    const [debt] = await buyers.owner.call(openDebts, { body: { partyId: buyers.supplier, currency: 'CNY' } });
    expect(debt).toMatchObject({ open: '100', free: '30' });
    const settle = (amount: string) =>
      buyers.owner.send(settleItems, { body: { prepaidId, payableId: debt?.id ?? '', amount } });
    expect((await settle('30.01')).msg).toBe('该应付已被请款单占用，最多可核销 30.00');
    expect((await settle('30')).code).toBe(201);
    expect(await money(two.id)).toMatchObject({ paid: '30', requested: '70', left: '0.00' });
    expect(await money(one.id)).toMatchObject({ paid: '70', left: '30.00' });
  });

  it('bounds what an order may become: less than is asked for needs the request back', async () => {
    const { id } = await ordered();
    await ask(id, '300', 'DEPOSIT');
    const line = await lineOf(buyers, id, 'P');
    const less = {
      orderId: id,
      reason: '减量',
      lines: [{ lineId: line.id, qty: 20, unitPrice: '10', expectedOn: null }],
    };
    expect((await buyers.owner.send(amendOrder, { body: less })).msg).toContain(
      '请款中 300.00 超过变动后的待付 200.00',
    );
    expect((await buyers.owner.send(closeLines, { body: { id, reason: '停产' } })).msg).toContain('待付 0.00');
    expect((await buyers.owner.send(orderSteps.cancel, { body: { id, reason: '取消' } })).msg).toContain('请先撤回');
    const [request] = await liveOf();
    await buyers.owner.call(requestSteps.return, { body: { id: request?.id ?? '', reason: '减量' } });
    await buyers.owner.call(amendOrder, { body: less });
    expect(await money(id)).toMatchObject({ requested: '0', left: '200.00' });
  });

  it('is not paid once less is owed: the request goes back first', async () => {
    const { id } = await ordered();
    await receive(buyers, id, 'P', 100);
    await statement();
    await buyers.owner.call(requestSteps.approve, { body: { id: (await liveOf())[0]?.id ?? '' } });
    const { lines } = await detailOf(buyers, id);
    const made = await buyers.owner.call(createReturn, {
      body: {
        orderId: id,
        warehouseId: buyers.main,
        way: 'CREDIT',
        reason: '次品',
        lines: [{ lineId: lines[0]?.id ?? '', qty: 10 }],
      },
    });
    for (const step of ['submit', 'approve', 'ship'] as const)
      await buyers.owner.call(returnSteps[step], { body: { id: made.id } });
    await expect(payAll()).rejects.toThrow('待付只剩 900.00，请退回请款单修改后再付');
    await payAll('900');
    expect(await money(id)).toMatchObject({ paid: '900', open: '0' });
  });
});

it('USD 10,000, of which 3,000 were paid ahead at 7.10, are worth ¥71,560 when they come at 7.18 (worked example 14)', async () => {
  const month = worldClock().today().slice(0, 7);
  await buyers.owner.call(saveMonthRate, { body: { currency: 'USD', month, rate: '7.18' } });
  // Buying abroad takes a right that the buyer of the others has not.
  const abroad = { ...buyers, buyer: buyers.owner };
  const { id } = await placedOrder(abroad, [{ sku: 'Q', qty: 1000, unitPrice: '10' }], { currency: 'USD' });
  await ask(id, '3000', 'DEPOSIT');
  await payAll(undefined, '21300');
  await receive(buyers, id, 'Q', 1000);
  expect(await stockValue(world, buyers, 'Q')).toBe('71560.00');
  expect(await money(id)).toMatchObject({ paid: '3000', open: '7000', prepaid: '0' });
});
