import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { makeOnce } from '#kit/server/made.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { listOperlog } from '#modules/system/contract/operlog.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAccount, listAccounts, listJournal, saveCategory } from '../contract/accounts.ts';
import { type BlocInput, blocRequest } from '../contract/bloc.ts';
import {
  blocData,
  blocNotes,
  blocSteps,
  carryBloc,
  countBloc,
  exportBloc,
  listBloc,
  payableChoices,
  saveBloc,
} from '../contract/bloc-calls.ts';
import { listItems, partyStatement, receiveMoney, savePartner, settleItems } from '../contract/payables.ts';
import { saveMonthRate } from '../contract/rates.ts';
import { listRequests, requestData, requestSteps, saveRequest } from '../contract/requests.ts';
import { demoBloc, raisePayable } from '../server/index.ts';
import { checkLedger } from '../server/ledger/checks.ts';
import { requestApproval } from '../server/requests/approval.ts';
import { requestSearch } from '../server/requests/search.ts';

let world: World;
let owner: Person;
let clerk: Person;
let chief: Person;
let cashier: Person;
let bank: string;
let hongkong: string;
let hangzhou: string;

const VIEW = ['fin:dealing:view', 'fin:account:view'];
const TODAY = worldClock().today();

beforeAll(async () => {
  world = await createWorld({ poolSize: 20 });
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  clerk = await world.member(owner, [...VIEW, 'fin:dealing:apply', 'fin:payreq:view', 'fin:payreq:apply']);
  chief = await world.member(owner, [...VIEW, 'fin:dealing:approve']);
  cashier = await world.member(owner, [...VIEW, 'fin:dealing:apply', 'fin:dealing:pay', 'fin:dealing:void']);
  bank = (await owner.call(addAccount, { body: { name: '招商银行', opening: '10000' } })).id;
  hongkong = (await owner.call(savePartner, { body: { name: '香港母公司', kind: 'GROUP' } })).id;
  hangzhou = (await owner.call(savePartner, { body: { name: '杭州子公司', kind: 'GROUP' } })).id;
});

const LOAN = { kind: 'LOAN', giverId: 'OWN', currency: 'CNY', amount: '3000', reason: '周转' } as const;

type More = Partial<z.input<typeof BlocInput>>;
const write = (more: More = {}) => clerk.call(saveBloc, { body: { ...LOAN, takerId: hangzhou, ...more } });

/** A request that was handed in and approved. */
async function approved(more: More = {}): Promise<string> {
  const { id } = await write(more);
  await clerk.call(blocSteps.submit, { body: { id } });
  expect((await chief.call(blocSteps.approve, { body: { id } })).state).toBe('approved');
  return id;
}

const carry = (id: string, more: object = {}, person: Person = cashier) =>
  person.send(carryBloc, { body: { id, ...more } });
async function carriedOut(id: string, more: object = {}): Promise<void> {
  const answer = await carry(id, more);
  expect(answer.data?.message ?? answer.msg).toMatch(/执行成功$/);
}
const detail = (id: string) => owner.call(blocData, { params: { id } });
const balance = async (id = bank) => (await owner.call(listAccounts, {})).find((one) => one.id === id)?.balance;
const items = async (party: string) => (await owner.call(listItems, { body: { filter: { party: [party] } } })).records;
async function proven(): Promise<void> {
  const results = await world.as(owner, checkLedger);
  expect(results.filter((result) => result.broken > 0)).toEqual([]);
}

describe('a loan', () => {
  it('leaves an account and is owed to us, with its document; it comes back in parts', async () => {
    const id = await approved({ dueOn: '2026-12-31', wishedOn: '2026-11-20' });
    await carriedOut(id, { cashAccountId: bank, fee: '5', note: '网银' });
    expect(await balance()).toBe('6995.0000');
    const [item] = await items(hangzhou);
    expect(item).toMatchObject({
      book: 'RECEIVABLE',
      kind: 'LOAN',
      title: '借款 本公司 → 杭州子公司',
      amount: '3000.0000',
      dueOn: '2026-12-31',
      subjectType: blocRequest.name,
      subjectId: id,
    });
    const shown = await detail(id);
    expect(shown.document).toMatchObject({ state: 'done', doneOn: TODAY, giver: '本公司', taker: '杭州子公司' });
    expect(shown.carried).toMatchObject({ account: '招商银行', paid: '3000.0000', fee: '5.0000', note: '网银' });
    expect(shown.items.map((one) => one.id)).toEqual([item?.id]);
    expect(shown.moves.map((move) => [move.book, move.object, move.amount]).sort()).toEqual([
      ['应收', '杭州子公司', '3000.0000'],
      ['费用', '', '5.0000'],
      ['资金账户', '招商银行', '-3000.0000'],
      ['资金账户', '招商银行', '-5.0000'],
    ]);
    const { lines } = await owner.call(partyStatement, {
      body: { partyId: hangzhou, currency: 'CNY', from: TODAY, to: TODAY },
    });
    expect(lines).toMatchObject([{ number: shown.document.number, sourceType: blocRequest.name, sourceId: id }]);
    const journal = await owner.call(listJournal, { body: { filter: { cashAccount: [bank], direction: 'OUT' } } });
    expect(journal.records.map((row) => row.project).sort()).toEqual(['往来借款', '手续费']);
    await cashier.call(receiveMoney, { body: { itemId: item?.id ?? '', cashAccountId: bank, amount: '1000' } });
    expect((await detail(id)).items[0]).toMatchObject({ settled: '1000.0000', open: '2000.0000' });
    await proven();
  });

  it('comes into an account and is owed by us; what both sides owe each other is settled', async () => {
    const out = await approved();
    await carriedOut(out, { cashAccountId: bank });
    const back = await approved({ giverId: hangzhou, takerId: 'OWN', amount: '1200' });
    await carriedOut(back, { cashAccountId: bank });
    expect(await balance()).toBe('8200.0000');
    const itemIn = async (book: 'RECEIVABLE' | 'PAYABLE') => (await items(hangzhou)).find((row) => row.book === book);
    const [theirs, mine] = [await itemIn('RECEIVABLE'), await itemIn('PAYABLE')];
    expect(mine).toMatchObject({ kind: 'LOAN', open: '1200.0000' });
    await cashier.call(settleItems, {
      body: { prepaidId: theirs?.id ?? '', payableId: mine?.id ?? '', amount: '1200' },
    });
    expect(await itemIn('PAYABLE')).toMatchObject({ open: '0.0000' });
    expect(await itemIn('RECEIVABLE')).toMatchObject({ open: '1800.0000' });
    await proven();
  });

  it('in another currency is booked at its rate, out of an account in CNY at what left that', async () => {
    await owner.call(saveMonthRate, { body: { currency: 'USD', month: TODAY.slice(0, 7), rate: '7.20' } });
    const dollars = (await owner.call(addAccount, { body: { name: 'PingPong', currency: 'USD', opening: '900' } })).id;
    const same = await approved({ currency: 'USD', amount: '100' });
    await carriedOut(same, { cashAccountId: dollars, fee: '1' });
    expect(await balance(dollars)).toBe('799.0000');
    const other = await approved({ currency: 'USD', amount: '100' });
    expect((await carry(other, { cashAccountId: bank })).msg).toBe('账户币种不同，请填写账户金额（CNY）');
    await carriedOut(other, { cashAccountId: bank, paid: '725', fee: '3' });
    expect(await balance()).toBe('9272.0000');
    const into = await approved({ giverId: hongkong, takerId: 'OWN', currency: 'USD', amount: '50' });
    await carriedOut(into, { cashAccountId: bank, paid: '360' });
    expect(await balance()).toBe('9632.0000');
    const yen = await write({ currency: 'JPY', amount: '100' });
    expect(yen.state).toBe('draft');
    const odd = await clerk.send(saveBloc, { body: { ...LOAN, takerId: hangzhou, currency: 'JPY', amount: '1.5' } });
    expect(odd.msg).toBe('金额：JPY 最多 0 位小数');
    expect((await items(hangzhou)).map((row) => row.base).sort()).toEqual(['720.0000', '725.0000']);
    expect((await items(hongkong)).map((row) => row.base)).toEqual(['360.0000']);
    await proven();
  });

  it('out of an account in a third currency is worth what the rate of the loan says', async () => {
    for (const [currency, rate] of [
      ['USD', '7.20'],
      ['EUR', '8.00'],
    ] as const) {
      await owner.call(saveMonthRate, { body: { currency, month: TODAY.slice(0, 7), rate } });
    }
    const euros = (await owner.call(addAccount, { body: { name: '欧元户', currency: 'EUR', opening: '500' } })).id;
    const id = await approved({ currency: 'USD', amount: '100' });
    await carriedOut(id, { cashAccountId: euros, paid: '91', fee: '0.7' });
    expect(await balance(euros)).toBe('408.3000');
    expect((await items(hangzhou))[0]).toMatchObject({ open: '100.0000', base: '720.0000' });
    const yuan = await approved();
    await carriedOut(yuan, { cashAccountId: euros, paid: '380' });
    expect(await balance(euros)).toBe('28.3000');
    await cashier.call(blocSteps.void, { body: { id: yuan, reason: '付错' } });
    expect(await balance(euros)).toBe('408.3000');
    await proven();
  });
});

it('what is paid back is asked for under its number: in the list, found by it, and before whoever approves', async () => {
  const into = await approved({ giverId: hongkong, takerId: 'OWN', amount: '1200' });
  await carriedOut(into, { cashAccountId: bank });
  const { document } = await detail(into);
  const [debt] = await items(hongkong);
  expect(debt?.subject).toBe(document.number);
  const lines = [{ title: '还款', amount: '700', payableId: debt?.id }];
  const body = { kind: 'BALANCE' as const, party: { kind: 'PARTNER' as const, id: hongkong }, lines };
  const { id, number } = await clerk.call(saveRequest, { body });
  const listed = async (keyword: string) => (await owner.call(listRequests, { body: { filter: { keyword } } })).records;
  expect(await listed(number)).toMatchObject([{ id, subject: document.number }]);
  expect(await listed(document.number)).toMatchObject([{ id, subject: document.number }]);
  const shown = await owner.call(requestData, { params: { id } });
  expect(shown.document.subject).toBe(document.number);
  const facts = await world.as(owner, async (ctx) => (await requestApproval.subject(ctx, id)).facts);
  expect(facts).toContainEqual({ label: '关联单号', value: document.number });
  const found = await world.as(owner, (ctx) => requestSearch.search(ctx, number, 5));
  expect(found[0]?.facts).toContainEqual({ label: '关联单号', value: document.number });
});

describe('a payment on behalf', () => {
  it('by us leaves an account; by another one it settles our debt, and we owe him', async () => {
    const none = await clerk.send(saveBloc, { body: { ...LOAN, kind: 'ON_BEHALF', takerId: hangzhou } });
    expect(none.msg).toBe('代付请填写代付收款方');
    const ours = await approved({ kind: 'ON_BEHALF', payee: '杭州房东' });
    await carriedOut(ours, { cashAccountId: bank });
    expect((await items(hangzhou))[0]).toMatchObject({ book: 'RECEIVABLE', kind: 'ON_BEHALF', open: '3000.0000' });

    const supplier = (await owner.call(saveSupplier, { body: { shortName: '义乌箱包' } })).id;
    await world.as(owner, (ctx) =>
      raisePayable(ctx, {
        source: { type: 'test.receipt', id: 'R1', event: 'receive', number: 'RK1' },
        supplierId: supplier,
        kind: 'GOODS',
        subject: { type: 'test.order', id: 'O1', number: 'PO1' },
        currency: 'CNY',
        amount: '500',
        title: '到货 RK1',
      }),
    );
    const theirs = await approved({
      kind: 'ON_BEHALF',
      giverId: hongkong,
      takerId: 'OWN',
      amount: '400',
      payee: '义乌箱包',
    });
    const [debt] = await cashier.call(payableChoices, { body: { partyId: supplier, currency: 'CNY' } });
    expect(debt).toMatchObject({ free: '500' });
    const withAccount = await carry(theirs, { cashAccountId: bank, payableId: debt?.id });
    expect(withAccount.msg).toBe('该申请不经过本公司账户，资金账户、账户金额和手续费请留空');
    await carriedOut(theirs, { payableId: debt?.id });
    expect((await items(supplier))[0]).toMatchObject({ open: '100.0000' });
    expect((await items(hongkong))[0]).toMatchObject({ book: 'PAYABLE', kind: 'ON_BEHALF', open: '400.0000' });
    expect((await detail(theirs)).carried?.payable).toBe('义乌箱包 到货 RK1 PO1');
    const more = await approved({ kind: 'ON_BEHALF', giverId: hongkong, takerId: 'OWN', amount: '101', payee: '同上' });
    expect((await carry(more, { payableId: debt?.id })).msg).toBe('该应付最多可代付 100.00');
    await cashier.call(blocSteps.void, { body: { id: theirs, reason: '重复登记' } });
    expect((await items(supplier))[0]).toMatchObject({ open: '500.0000' });
    await carriedOut(more, { payableId: debt?.id });
    expect((await items(supplier))[0]).toMatchObject({ open: '399.0000' });
    await proven();
  });

  it('of a debt in another currency goes over at what it was booked with', async () => {
    const rate = (value: string) =>
      owner.call(saveMonthRate, { body: { currency: 'USD', month: TODAY.slice(0, 7), rate: value } });
    const supplier = (await owner.call(saveSupplier, { body: { shortName: '深圳电子' } })).id;
    await rate('7.20');
    await world.as(owner, (ctx) =>
      raisePayable(ctx, {
        source: { type: 'test.receipt', id: 'R2', event: 'receive', number: 'RK2' },
        supplierId: supplier,
        kind: 'GOODS',
        subject: { type: 'test.order', id: 'O2', number: 'PO2' },
        currency: 'USD',
        amount: '100',
        title: '到货 RK2',
      }),
    );
    await rate('7.30');
    const [debt] = await items(supplier);
    const id = await approved({
      kind: 'ON_BEHALF',
      giverId: hongkong,
      takerId: 'OWN',
      currency: 'USD',
      amount: '40',
      payee: '深圳电子',
    });
    await carriedOut(id, { payableId: debt?.id });
    expect((await items(supplier))[0]).toMatchObject({ open: '60.0000', base: '432.0000' });
    expect((await items(hongkong))[0]).toMatchObject({ open: '40.0000', base: '288.0000' });
    await proven();
  });
});

describe('a cost that moves', () => {
  it('goes away from our costs or comes to them, under its category; no account is touched', async () => {
    const rent = (await owner.call(saveCategory, { body: { name: '房租', direction: 'OUT' } })).id;
    const away = await approved({ kind: 'COST', amount: '800' });
    expect((await carry(away, { cashAccountId: bank })).msg).toContain('不经过本公司账户');
    await carriedOut(away, { categoryId: rent });
    const here = await approved({ kind: 'COST', amount: '300', giverId: hongkong, takerId: 'OWN' });
    await carriedOut(here);
    expect(await balance()).toBe('10000.0000');
    expect((await detail(away)).moves.map((move) => [move.book, move.object, move.amount]).sort()).toEqual([
      ['应收', '杭州子公司', '800.0000'],
      ['费用', '房租', '-800.0000'],
    ]);
    expect((await items(hongkong))[0]).toMatchObject({ book: 'PAYABLE', kind: 'COST', open: '300.0000' });
    await proven();
  });

  it('between two other companies runs through us: we owe the one and the other owes us', async () => {
    const id = await approved({ kind: 'COST', giverId: hongkong, amount: '250' });
    await carriedOut(id);
    expect((await items(hongkong))[0]).toMatchObject({ book: 'PAYABLE', open: '250.0000' });
    expect((await items(hangzhou))[0]).toMatchObject({ book: 'RECEIVABLE', open: '250.0000' });
    expect((await detail(id)).items).toHaveLength(2);
    expect(await balance()).toBe('10000.0000');
    await cashier.call(blocSteps.void, { body: { id, reason: '转错公司' } });
    expect((await items(hangzhou))[0]).toMatchObject({ open: '0.0000' });
    await proven();
  });
});

describe('its way', () => {
  it('is checked field by field', async () => {
    const other = (await owner.call(savePartner, { body: { name: '顺丰', kind: 'CARRIER' } })).id;
    const wrong = async (more: More) =>
      (await clerk.send(saveBloc, { body: { ...LOAN, takerId: hangzhou, ...more } })).msg;
    expect(await wrong({ takerId: 'OWN' })).toBe('出方与入方不能是同一家公司');
    expect(await wrong({ takerId: other })).toBe('入方【顺丰】不是集团内公司');
    expect(await wrong({ giverId: '', takerId: other })).toContain('请选择出方');
    expect(await wrong({ reason: ' ' })).toContain('请填写事由');
    expect(await wrong({ amount: '0' })).toContain('请输入正确的金额');
    expect(await wrong({ wishedOn: '2026-12-01', dueOn: '2026-11-30' })).toBe('约定归还日不能早于期望日期');
    const id = await approved();
    expect((await carry(id)).msg).toBe('请选择资金账户');
    expect((await carry(id, { cashAccountId: bank, day: '2026-11-19' })).msg).toBe('业务日期不能晚于今天');
    const poor = await approved({ amount: '10000.01' });
    expect((await carry(poor, { cashAccountId: bank })).msg).toContain('账户【招商银行】余额不足');
  });

  it('is returned, changed and handed in again, withdrawn, or void; nobody approves or carries out his own', async () => {
    const both = await world.member(owner, [...VIEW, 'fin:dealing:apply', 'fin:dealing:approve', 'fin:dealing:pay']);
    const { id, version } = await both.call(saveBloc, { body: { ...LOAN, takerId: hangzhou } });
    await both.call(blocSteps.submit, { body: { id, version } });
    expect((await both.send(saveBloc, { body: { ...LOAN, id, takerId: hangzhou } })).msg).toContain('不能执行【修改】');
    expect((await both.send(blocSteps.approve, { body: { id } })).msg).toBe('不能审核本人提交的单据');
    expect((await carry(id, { cashAccountId: bank })).msg).toBe('单据状态为【待审核】，不能执行【执行】');
    await both.call(blocSteps.withdraw, { body: { id } });
    await both.call(blocSteps.submit, { body: { id } });
    expect((await chief.send(blocSteps.return, { body: { id } })).msg).toBe('请填写原因');
    await chief.call(blocSteps.return, { body: { id, reason: '金额不对' } });
    const told = (await both.call(getRemind, { body: {} })).records;
    expect(told.some((one) => one.title.includes('被退回'))).toBe(true);
    const stale = await both.send(saveBloc, { body: { ...LOAN, id, version, takerId: hangzhou, amount: '2500' } });
    expect(stale.msg).toBe('单据状态已变更，请刷新');
    await both.call(saveBloc, { body: { ...LOAN, id, takerId: hangzhou, amount: '2500' } });
    await both.call(blocSteps.submit, { body: { id } });
    const waiting = (await chief.call(getRemind, { body: {} })).records[0];
    expect(waiting?.title).toContain('待审核');
    expect(waiting?.link).toMatchObject({ path: '/bloc/request/detail', query: { id, isGoExamine: 'true' } });
    await chief.call(blocSteps.approve, { body: { id } });
    const other = await approved();
    await chief.call(blocSteps.return, { body: { id: other, reason: '不需要了' } });
    expect((await clerk.call(blocSteps.cancel, { body: { id: other, reason: '不需要了' } })).state).toBe('cancelled');
    const { id: third } = await clerk.call(saveBloc, { body: { ...LOAN, takerId: hangzhou } });
    await clerk.call(blocSteps.submit, { body: { id: third } });
    await both.call(blocSteps.approve, { body: { id: third } });
    expect((await carry(third, { cashAccountId: bank }, both)).msg).toMatch(/^不能执行本人审核的往来申请（WL-/);
    expect(await owner.call(countBloc, { body: {} })).toMatchObject({ approved: 2, cancelled: 1 });
    const { records } = await owner.call(listBloc, {
      body: { filter: { company: [hangzhou], kind: ['LOAN'], keyword: '周转', state: 'approved' } },
    });
    expect(records).toHaveLength(2);
    const file = await owner.send(exportBloc, { body: { filter: {}, format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('杭州子公司');
  });

  it('asks for each right of its own, and nothing of it is seen by another company', async () => {
    const reader = await world.member(owner, VIEW);
    const stranger = await world.member(owner, ['fin:account:view']);
    const { id } = await write();
    expect((await reader.send(blocSteps.submit, { body: { id } })).status).toBe(403);
    expect((await reader.send(saveBloc, { body: { ...LOAN, takerId: hangzhou } })).status).toBe(403);
    expect((await stranger.send(blocData, { params: { id } })).status).toBe(403);
    await clerk.call(blocSteps.submit, { body: { id } });
    expect((await clerk.send(blocSteps.approve, { body: { id } })).status).toBe(403);
    await chief.call(blocSteps.approve, { body: { id } });
    expect((await carry(id, { cashAccountId: bank }, chief)).status).toBe(403);
    await carriedOut(id, { cashAccountId: bank });
    expect((await clerk.send(blocSteps.void, { body: { id, reason: '错' } })).status).toBe(403);

    const foreign = await world.owner();
    expect((await foreign.send(blocData, { params: { id } })).status).toBe(404);
    expect((await foreign.send(blocSteps.void, { body: { id, reason: '错' } })).status).toBe(404);
    expect((await foreign.call(listBloc, { body: {} })).total).toBe(0);
    const theirs = await foreign.send(saveBloc, { body: { ...LOAN, takerId: hangzhou } });
    expect(theirs.msg).toBe('入方不存在，请选择集团内公司');
    const own = (await foreign.call(savePartner, { body: { name: '子公司', kind: 'GROUP' } })).id;
    const loan = await foreign.call(saveBloc, { body: { ...LOAN, takerId: own } });
    await foreign.call(blocSteps.submit, { body: { id: loan.id } });
    await foreign.call(blocSteps.approve, { body: { id: loan.id } });
    expect((await carry(loan.id, { cashAccountId: bank }, foreign)).msg).toBe('资金账户不存在或已停用');
  });

  it('reads in the log in the words of the house', async () => {
    const id = await approved({ kind: 'COST', giverId: hongkong });
    await carriedOut(id);
    const { records } = await owner.call(listOperlog, { body: { filter: { resourceId: id } } });
    const told = records.map((row) => `${row.resourceTitle} ${row.action} ${row.summary}`).join('\n');
    expect(told).toContain('往来申请 往来申请·执行 状态：待执行 → 已执行');
    expect(told).toContain('往来申请·保存 类型：成本转移；出方：香港母公司；');
    expect(told).not.toMatch(/[a-z]{4,}：|[{}"]/i);
  });

  it('keeps papers and remarks', async () => {
    const { id } = await write();
    await uploadAs(world, clerk, blocNotes.attach, { id }, { name: '借款合同.pdf', bytes: '%PDF-1.7' });
    expect(await chief.call(blocNotes.attachments, { params: { id } })).toMatchObject([{ name: '借款合同.pdf' }]);
    await chief.call(blocNotes.comment, { body: { id, text: '请补充利率' } });
    expect((await detail(id)).timeline[0]).toMatchObject({ kind: 'comment', body: '请补充利率' });
  });
});

describe('once', () => {
  it('sixteen who carry it out at once do so once', async () => {
    const id = await approved();
    const answers = await Promise.all(Array.from({ length: 16 }, () => carry(id, { cashAccountId: bank })));
    expect(answers.filter(({ code }) => code === 201)).toHaveLength(1);
    expect(await balance()).toBe('7000.0000');
    expect(await items(hangzhou)).toHaveLength(1);
    const key = { 'idempotency-key': randomUUID() };
    const next = await approved();
    const body = { id: next, cashAccountId: bank };
    const first = await cashier.call(carryBloc, { body }, key);
    expect(await cashier.call(carryBloc, { body }, key)).toEqual(first);
    expect(await balance()).toBe('4000.0000');
    await proven();
  });

  it('what is settled, asked for or spent is not taken back; the rest is, once', async () => {
    const id = await approved();
    await carriedOut(id, { cashAccountId: bank });
    const [item] = await items(hangzhou);
    const voiding = () => cashier.send(blocSteps.void, { body: { id, reason: '付错' } });
    expect((await cashier.send(blocSteps.void, { body: { id } })).msg).toBe('请填写原因');
    await cashier.call(receiveMoney, { body: { itemId: item?.id ?? '', cashAccountId: bank, amount: '10' } });
    expect((await voiding()).msg).toBe('杭州子公司 的应收已结 CNY 10.00（核销或收付款），不能作废');

    const owed = await approved({ giverId: hongkong, takerId: 'OWN', amount: '500' });
    await carriedOut(owed, { cashAccountId: bank });
    const [debt] = await items(hongkong);
    const asked = await clerk.call(saveRequest, {
      body: {
        kind: 'SETTLEMENT',
        party: { kind: 'PARTNER', id: hongkong },
        lines: [{ title: '归还借款', amount: '200', payableId: debt?.id }],
      },
    });
    await clerk.call(requestSteps.submit, { body: { id: asked.id } });
    const held = await cashier.send(blocSteps.void, { body: { id: owed, reason: '付错' } });
    expect(held.msg).toBe('香港母公司 的应付已请款 CNY 200.00，请先撤回请款单，再作废');
    await clerk.call(requestSteps.withdraw, { body: { id: asked.id } });
    expect((await cashier.call(blocSteps.void, { body: { id: owed, reason: '付错' } })).state).toBe('cancelled');
    const again = await cashier.send(blocSteps.void, { body: { id: owed, reason: '付错' } });
    expect(again.msg).toBe('单据状态为【已作废】，不能执行【作废】');
    expect(await items(hongkong)).toMatchObject([{ open: '0.0000' }]);
    expect((await detail(owed)).moves).toHaveLength(4);
    expect(await balance()).toBe('7010.0000');
    await proven();
  });
});

it('the demo has one of each: a cost that has moved, a loan that waits, a draft; made once, and no account is touched', async () => {
  const made = () =>
    inTenant(world.runtime, systemPrincipal(owner.companyId, '演示'), (ctx) =>
      makeOnce(ctx, 'demo.bloc', () => demoBloc(ctx, { id: cashier.userId, name: '出纳' })),
    );
  await made();
  await made();
  const { records } = await owner.call(listBloc, { body: {} });
  expect(records.map((row) => [row.kind, row.state])).toEqual([
    ['ON_BEHALF', 'draft'],
    ['LOAN', 'approved'],
    ['COST', 'done'],
  ]);
  expect(await balance()).toBe('10000.0000');
  await proven();
});
