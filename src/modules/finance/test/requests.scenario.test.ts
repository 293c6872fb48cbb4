import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAccount, listAccounts, listJournal, saveCategory } from '../contract/accounts.ts';
import {
  listDealings,
  listItems,
  partyStatement,
  receiveMoney,
  savePartner,
  settleItems,
} from '../contract/payables.ts';
import {
  listRequests,
  payRequests,
  printRequest,
  requestData,
  requestSteps,
  saveRequest,
} from '../contract/requests.ts';
import { saveSetting } from '../contract/setting.ts';
import { creditPayable, moneyOf, raisePayable, reversePosted, type Subject } from '../server/index.ts';
import { checkLedger } from '../server/ledger/checks.ts';

let world: World;
let owner: Person;
let clerk: Person;
let chief: Person;
let cashier: Person;
let supplier: string;
let bank: string;
let order: Subject;

const VIEW = ['fin:account:view', 'fin:payreq:view', 'fin:dealing:view'];

beforeAll(async () => {
  world = await createWorld({ poolSize: 20 });
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  clerk = await world.member(owner, [...VIEW, 'fin:payreq:apply']);
  chief = await world.member(owner, [...VIEW, 'fin:payreq:approve']);
  cashier = await world.member(owner, [...VIEW, 'fin:payreq:pay', 'fin:payreq:reverse', 'fin:dealing:apply']);
  supplier = (await owner.call(saveSupplier, { body: { shortName: '义乌箱包' } })).id;
  bank = (await owner.call(addAccount, { body: { name: '招商银行', opening: '10000' } })).id;
  order = { type: 'test.order', id: randomUUID(), number: 'PO2611220001' };
});

/** A request of the order, submitted and approved. */
async function asked(
  kind: 'DEPOSIT' | 'BALANCE',
  amount: string,
  subject: Subject | undefined = order,
): Promise<string> {
  const { id } = await clerk.call(saveRequest, {
    body: { kind, party: { kind: 'SUPPLIER', id: supplier }, subject, lines: [{ title: '货款', amount }] },
  });
  await clerk.call(requestSteps.submit, { body: { id } });
  await chief.call(requestSteps.approve, { body: { id } });
  return id;
}

const pay = (requests: { id: string; amount: string; paid?: string }[], more: object = {}) =>
  cashier.send(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests, ...more } });

const receiveGoods = (amount: string, event = 'receive', seq = 0) =>
  world.as(owner, (ctx) =>
    raisePayable(ctx, {
      source: { type: 'purchase.receipt', id: order.id, event, seq, number: 'RK1' },
      supplierId: supplier,
      kind: 'GOODS',
      subject: order,
      currency: 'CNY',
      amount,
      title: '到货 RK1',
    }),
  );

const money = () => world.as(owner, async (ctx) => (await moneyOf(ctx, order.type, [order.id]))[0]);
const balance = async () => (await owner.call(listAccounts, {})).find((one) => one.id === bank)?.balance;
async function proven(): Promise<void> {
  const results = await world.as(owner, checkLedger);
  expect(results.filter((result) => result.broken > 0)).toEqual([]);
}

describe('from the deposit to the balance', () => {
  it('order, deposit, short receipt, return, balance: order, supplier and account agree to the cent at every step', async () => {
    const deposit = await asked('DEPOSIT', '300');
    expect(await money()).toMatchObject({ raised: '0', open: '0', prepaid: '0', paid: '0', requested: '300' });
    expect((await pay([{ id: deposit, amount: '300' }], { fee: '5' })).data).toMatchObject({ paid: '300', fee: '5' });
    expect(await balance()).toBe('9695.0000');
    expect(await money()).toMatchObject({ prepaid: '300', paid: '300', requested: '0' });

    const receipt = await receiveGoods('960');
    expect(await receiveGoods('960')).toEqual({ ...receipt, repeated: true });
    expect(await money()).toMatchObject({ raised: '960', open: '660', prepaid: '0' });

    await world.as(owner, (ctx) =>
      creditPayable(ctx, {
        source: { type: 'purchase.return', id: order.id, event: 'return', number: 'TH1' },
        supplierId: supplier,
        subject: order,
        currency: 'CNY',
        amount: '25',
        title: '退货 TH1',
      }),
    );
    expect(await money()).toMatchObject({ raised: '935', open: '635' });

    const rest = await asked('BALANCE', '635');
    const part = await pay([{ id: rest, amount: '235' }]);
    expect(part.data).toMatchObject({ requests: 1 });
    const half = await owner.call(requestData, { params: { id: rest } });
    expect(half.document).toMatchObject({ state: 'partly', paid: '235.0000', open: '400' });
    await pay([{ id: rest, amount: '400' }]);
    expect(await money()).toMatchObject({ open: '0', paid: '935', requested: '0' });
    expect(await balance()).toBe('9060.0000');

    const today = worldClock().today();
    const statement = await owner.call(partyStatement, {
      body: { partyId: supplier, currency: 'CNY', from: today, to: today },
    });
    expect(statement).toMatchObject({ opening: '0', debit: '960', credit: '960', closing: '0' });
    expect(statement.lines.map((line) => line.balance)).toEqual(['300', '-660', '-635', '-400', '0']);
    const journal = await owner.call(listJournal, { body: { filter: { cashAccount: [bank] } } });
    expect(journal.records.map((row) => [row.project, row.income ?? row.outgo])).toEqual([
      ['采购付款', '400.0000'],
      ['采购付款', '235.0000'],
      ['手续费', '5.0000'],
      ['预付款', '300.0000'],
      ['期初余额', '10000.0000'],
    ]);
    expect(journal.totals).toMatchObject({ income: '10000.0000', outgo: '940.0000' });
    await proven();
  });

  it('a receipt that is reversed gives the deposit back; a paid one must be unpaid first', async () => {
    const deposit = await asked('DEPOSIT', '100');
    await pay([{ id: deposit, amount: '100' }]);
    const source = { type: 'purchase.receipt', id: order.id, event: 'receive' };
    await receiveGoods('250');
    const used = await cashier.send(requestSteps.reverse, { body: { id: deposit, reason: '付错' } });
    expect(used.msg).toContain('余额只有 CNY 0.00，不足 CNY 100.00');
    await world.as(owner, (ctx) => reversePosted(ctx, source, '收错'));
    expect(await money()).toMatchObject({ raised: '0', open: '0', prepaid: '100' });
    await receiveGoods('250', 'receive', 1);
    const rest = await asked('BALANCE', '150');
    await pay([{ id: rest, amount: '150' }]);
    await expect(world.as(owner, (ctx) => reversePosted(ctx, { ...source, seq: 1 }))).rejects.toMatchObject({
      data: { code: 'B0902' },
    });
    await cashier.call(requestSteps.reverse, { body: { id: rest, reason: '账户付错' } });
    expect(await balance()).toBe('9900.0000');
    await world.as(owner, (ctx) => reversePosted(ctx, { ...source, seq: 1 }));
    await cashier.call(requestSteps.reverse, { body: { id: deposit, reason: '订单取消' } });
    expect(await balance()).toBe('10000.0000');
    expect(await money()).toMatchObject({ open: '0', prepaid: '0', paid: '0' });
    await proven();
  });

  it('what a supplier owes after a return is used for the next debt or paid back', async () => {
    await receiveGoods('80');
    const all = await asked('BALANCE', '80');
    await pay([{ id: all, amount: '80' }]);
    await world.as(owner, (ctx) =>
      creditPayable(ctx, {
        source: { type: 'purchase.return', id: order.id, event: 'return', number: 'TH2' },
        supplierId: supplier,
        subject: order,
        currency: 'CNY',
        amount: '30',
        title: '退货 TH2',
      }),
    );
    await world.as(owner, (ctx) =>
      raisePayable(ctx, {
        source: { type: 'purchase.receipt', id: 'other', event: 'receive', number: 'RK9' },
        supplierId: supplier,
        kind: 'FREIGHT',
        subject: { type: 'test.order', id: 'other', number: 'PO9' },
        currency: 'CNY',
        amount: '12',
        title: '运费',
      }),
    );
    const { records } = await cashier.call(listItems, { body: { filter: { open: 'OPEN' } } });
    const credit = records.find((row) => row.kind === 'CREDIT');
    const freight = records.find((row) => row.kind === 'FREIGHT');
    await cashier.call(settleItems, {
      body: { prepaidId: credit?.id ?? '', payableId: freight?.id ?? '', amount: '12' },
    });
    const over = await cashier.send(receiveMoney, {
      body: { itemId: credit?.id ?? '', cashAccountId: bank, amount: '18.01' },
    });
    expect(over.msg).toContain('余额只有 CNY 18.00');
    await cashier.call(receiveMoney, { body: { itemId: credit?.id ?? '', cashAccountId: bank, amount: '18' } });
    expect(await balance()).toBe('9938.0000');
    expect((await owner.call(listDealings, { body: {} })).records).toEqual([]);
    await proven();
  });
});

describe('payment requests', () => {
  it('go their way: nobody approves his own, a returned one comes again, a paid one is done', async () => {
    const both = await world.member(owner, [...VIEW, 'fin:payreq:apply', 'fin:payreq:approve']);
    const { id } = await both.call(saveRequest, {
      body: {
        kind: 'DEPOSIT',
        party: { kind: 'SUPPLIER', id: supplier },
        lines: [{ title: '定金', amount: '50' }],
      },
    });
    await both.call(requestSteps.submit, { body: { id } });
    expect((await both.send(requestSteps.approve, { body: { id } })).msg).toBe('不能审核本人提交的单据');
    expect((await pay([{ id, amount: '50' }])).msg).toContain('【待审核】，不能执行【付款】');
    await chief.call(requestSteps.return, { body: { id, reason: '金额不对' } });
    await both.call(requestSteps.submit, { body: { id } });
    const stale = await chief.send(requestSteps.approve, { body: { id, version: 1 } });
    expect(stale.msg).toBe('单据状态已变更，请刷新');
    await chief.call(requestSteps.approve, { body: { id } });
    expect((await pay([{ id, amount: '50.01' }])).msg).toBe('付款金额超过待付金额 50.00');
    await pay([{ id, amount: '50' }]);
    expect((await pay([{ id, amount: '1' }])).msg).toContain('【已付款】，不能执行【付款】');
    const paper = await owner.send(printRequest, { params: { id } });
    expect(paper.headers['content-type']).toContain('application/pdf');
    expect(paper.raw.subarray(0, 5).toString()).toBe('%PDF-');
    const { timeline, payments } = await owner.call(requestData, { params: { id } });
    expect(timeline.map((entry) => entry.title)).toEqual(['付款', '通过', '提交', '退回', '提交', '创建']);
    expect(payments).toHaveLength(1);
  });

  it('one of an order that is changed stays with its order, unless it goes to somebody else', async () => {
    const party = { kind: 'SUPPLIER' as const, id: supplier };
    const lines = [{ title: '定金', amount: '300' }];
    const { id } = await clerk.call(saveRequest, { body: { kind: 'DEPOSIT', party, subject: order, lines } });
    const subject = async () => (await owner.call(requestData, { params: { id } })).document.subject;
    // The form says nothing of the order.
    await clerk.call(saveRequest, { body: { id, kind: 'DEPOSIT', party, lines: [{ title: '定金', amount: '200' }] } });
    expect(await subject()).toBe(order.number);
    await clerk.call(requestSteps.submit, { body: { id } });
    await chief.call(requestSteps.approve, { body: { id } });
    await pay([{ id, amount: '200' }]);
    expect(await money()).toMatchObject({ prepaid: '200' });

    const other = await asked('DEPOSIT', '100');
    await chief.call(requestSteps.return, { body: { id: other, reason: '供应商不对' } });
    const elsewhere = (await owner.call(saveSupplier, { body: { shortName: '温州鞋业' } })).id;
    await clerk.call(saveRequest, {
      body: { id: other, kind: 'DEPOSIT', party: { kind: 'SUPPLIER', id: elsewhere }, lines },
    });
    expect((await owner.call(requestData, { params: { id: other } })).document.subject).toBe('');
  });

  it('several are paid in one go, the fee of the bank shared to the cent, and a repeated call changes nothing', async () => {
    const ids = await Promise.all([asked('DEPOSIT', '100'), asked('DEPOSIT', '100'), asked('DEPOSIT', '100')]);
    const batchId = randomUUID();
    const requests = ids.map((id) => ({ id, amount: '100' }));
    const first = await pay(requests, { batchId, fee: '10' });
    expect(first.data).toMatchObject({ requests: 3, paid: '300', fee: '10', repeated: false });
    const again = await pay(requests, { batchId, fee: '10' });
    expect(again.data).toMatchObject({ requests: 3, repeated: true });
    expect(await balance()).toBe('9690.0000');
    const fees = await Promise.all(
      ids.map(async (id) => (await owner.call(requestData, { params: { id } })).payments[0]?.fee),
    );
    expect(fees.sort()).toEqual(['3.3300', '3.3300', '3.3400']);
    const list = await owner.call(listRequests, { body: { filter: { state: 'paid' } } });
    expect(list.total).toBe(3);
  });

  it('are paid by somebody else than who approved them, unless the company leaves that open', async () => {
    const both = await world.member(owner, [...VIEW, 'fin:payreq:approve', 'fin:payreq:pay']);
    const { id } = await clerk.call(saveRequest, {
      body: { kind: 'DEPOSIT', party: { kind: 'SUPPLIER', id: supplier }, lines: [{ title: '定金', amount: '50' }] },
    });
    await clerk.call(requestSteps.submit, { body: { id } });
    await both.call(requestSteps.approve, { body: { id } });
    const body = { batchId: randomUUID(), cashAccountId: bank, requests: [{ id, amount: '50' }] };
    expect((await both.send(payRequests, { body })).msg).toContain('不能支付本人审核的请款单');
    expect((await clerk.send(saveSetting, { body: { separatePayer: false } })).status).toBe(403);
    await owner.call(saveSetting, { body: { separatePayer: false } });
    expect((await both.send(payRequests, { body })).code).toBe(201);
    await owner.call(saveSetting, { body: { separatePayer: true } });
  });

  it('one in dollars is paid out of an account in yuan: both sides stay exact', async () => {
    const { id } = await clerk.call(saveRequest, {
      body: {
        kind: 'DEPOSIT',
        party: { kind: 'SUPPLIER', id: supplier },
        currency: 'USD',
        lines: [{ title: '定金', amount: '100' }],
      },
    });
    await clerk.call(requestSteps.submit, { body: { id } });
    await chief.call(requestSteps.approve, { body: { id } });
    expect((await pay([{ id, amount: '100' }])).msg).toContain('账户支出（CNY）');
    await pay([{ id, amount: '100', paid: '712.34' }], { fee: '1.50' });
    expect(await balance()).toBe('9286.1600');
    const { records } = await owner.call(listDealings, { body: {} });
    expect(records).toMatchObject([{ currency: 'USD', prepaid: '100.0000', net: '100.0000' }]);
    await proven();
  });

  it('an account that is empty pays nothing, and the whole batch stays unpaid', async () => {
    const one = await asked('DEPOSIT', '6000');
    const two = await asked('DEPOSIT', '6000');
    const answer = await pay([
      { id: one, amount: '6000' },
      { id: two, amount: '6000' },
    ]);
    expect(answer.msg).toContain('账户【招商银行】余额不足：需要 CNY 6000.00，可用 CNY 4000.00');
    expect(await balance()).toBe('10000.0000');
  });

  it('twenty cashiers pay the same request at once: it is paid once', async () => {
    await receiveGoods('70');
    const id = await asked('BALANCE', '70');
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay([{ id, amount: '70' }])));
    expect(answers.filter((answer) => answer.code === 201)).toHaveLength(1);
    expect(await balance()).toBe('9930.0000');
    await proven();
  });

  it('expenses need no debt and land under their category', async () => {
    const partner = await owner.call(savePartner, { body: { name: '物业公司', kind: 'OTHER' } });
    const rent = await owner.call(saveCategory, { body: { name: '房租', direction: 'OUT' } });
    const { id } = await clerk.call(saveRequest, {
      body: {
        kind: 'EXPENSE',
        party: { kind: 'PARTNER', id: partner.id },
        lines: [{ title: '11月房租', amount: '1200', categoryId: rent.id }],
      },
    });
    await clerk.call(requestSteps.submit, { body: { id } });
    await chief.call(requestSteps.approve, { body: { id } });
    await pay([{ id, amount: '1200' }]);
    const journal = await owner.call(listJournal, { body: { filter: { direction: 'OUT' } } });
    expect(journal.records).toMatchObject([{ project: '房租', outgo: '1200.0000', after: '8800.0000' }]);
    expect((await owner.call(listItems, { body: {} })).total).toBe(0);
  });
});
