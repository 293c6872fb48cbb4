import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import {
  accountTrend,
  addAccount,
  addJournal,
  addTransfer,
  changeAccount,
  defaultAccount,
  listAccounts,
  listJournal,
  saveCategory,
  switchAccount,
  undoJournal,
} from '../contract/accounts.ts';
import { addDealing, listDealings, listItems, receiveMoney, savePartner } from '../contract/payables.ts';
import { proveLedger } from '../server/jobs.ts';
import { checkLedger } from '../server/ledger/checks.ts';

let world: World;
let owner: Person;
let bank: string;
let dollars: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  const openingDay = daysAgo(10);
  bank = (await owner.call(addAccount, { body: { name: '工商银行', opening: '1000', openingDay } })).id;
  dollars = (await owner.call(addAccount, { body: { name: 'PingPong', method: 'WALLET', currency: 'USD' } })).id;
});

const daysAgo = (days: number) => worldClock().dayAhead(-days);
const balances = async () =>
  Object.fromEntries((await owner.call(listAccounts, {})).map((one) => [one.name, one.balance]));

describe('accounts and their journal', () => {
  it('what is lent to a company of the group comes back in parts; what is borrowed is owed', async () => {
    const partyId = (await owner.call(savePartner, { body: { name: '香港公司', kind: 'GROUP' } })).id;
    const body = { partyId, cashAccountId: bank, title: '周转借款' };
    await owner.call(addDealing, { body: { ...body, direction: 'LEND', amount: '300' } });
    await owner.call(addDealing, { body: { ...body, direction: 'BORROW', amount: '120' } });
    const { records } = await owner.call(listItems, { body: { filter: { book: 'RECEIVABLE' } } });
    const receive = (amount: string) =>
      owner.send(receiveMoney, { body: { itemId: records[0]?.id ?? '', cashAccountId: bank, amount } });
    await receive('100');
    expect((await receive('200.01')).msg).toContain('余额只有 CNY 200.00');
    expect((await owner.call(listDealings, { body: {} })).records).toMatchObject([
      { party: '香港公司', receivable: '200.0000', payable: '120.0000', net: '80.0000' },
    ]);
    expect(await balances()).toMatchObject({ 工商银行: '920.0000' });
    expect(await world.as(owner, proveLedger)).toBe(0);
  });

  it('an account has a name of its own, one default per currency, and rests when it is out of use', async () => {
    expect((await owner.send(addAccount, { body: { name: '工商银行' } })).msg).toBe('账户【工商银行】已存在');
    const alipay = (await owner.call(addAccount, { body: { name: '支付宝', method: 'ALIPAY' } })).id;
    await owner.call(defaultAccount, { body: { id: bank } });
    await owner.call(defaultAccount, { body: { id: alipay } });
    const all = await owner.call(listAccounts, {});
    expect(all.filter((one) => one.isDefault).map((one) => one.name)).toEqual(['支付宝']);
    await owner.call(switchAccount, { body: { id: alipay, disabled: true } });
    expect((await owner.send(defaultAccount, { body: { id: alipay } })).msg).toBe('账户【支付宝】已停用');
    const refused = await owner.send(addJournal, { body: { cashAccountId: alipay, direction: 'IN', amount: '1' } });
    expect(refused.msg).toBe('账户【支付宝】已停用');
  });

  it('an overdraft is granted and cannot be taken below what is used of it', async () => {
    const change = (overdraft: string) =>
      owner.send(changeAccount, { body: { id: bank, name: '工商银行', method: 'BANK', overdraft } });
    await change('200');
    await owner.call(addJournal, { body: { cashAccountId: bank, amount: '1150' } });
    expect((await change('100')).msg).toContain('当前已透支 CNY 150.00');
    expect((await owner.send(addJournal, { body: { cashAccountId: bank, amount: '50.01' } })).msg).toContain(
      '可用 CNY 50.00',
    );
  });

  it('income and expense under categories, on their days; a wrong direction is refused', async () => {
    const rent = await owner.call(saveCategory, { body: { name: '房租', direction: 'OUT' } });
    expect((await owner.send(saveCategory, { body: { name: '房租', direction: 'OUT' } })).msg).toBe(
      '收支项【房租】已存在',
    );
    const body = { cashAccountId: bank, categoryId: rent.id, amount: '300' };
    expect((await owner.send(addJournal, { body: { ...body, direction: 'IN' } })).msg).toContain('方向不符');
    await owner.call(addJournal, { body: { ...body, day: daysAgo(2), memo: '11 月' } });
    await owner.call(addJournal, { body: { cashAccountId: bank, direction: 'IN', amount: '88.80' } });
    const found = await owner.call(accountTrend, { body: { id: bank, from: daysAgo(3), to: daysAgo(0) } });
    expect(found.days).toEqual([
      { day: daysAgo(3), income: '0', outgo: '0', balance: '1000.0000' },
      { day: daysAgo(2), income: '0', outgo: '300.0000', balance: '700.0000' },
      { day: daysAgo(1), income: '0', outgo: '0', balance: '700.0000' },
      { day: daysAgo(0), income: '88.8000', outgo: '0', balance: '788.8000' },
    ]);
    expect(found.projects).toEqual([
      { project: '房租', direction: 'OUT', amount: '300.0000' },
      { project: '其他收支', direction: 'IN', amount: '88.8000' },
    ]);
    expect((await owner.send(addJournal, { body: { cashAccountId: bank, amount: '12.345' } })).msg).toContain(
      '请输入正确的金额',
    );
  });

  it('E13 (the account side): a payout of a marketplace is changed into yuan: what comes in, what is lost and what the bank takes stay apart', async () => {
    // EUR 8,000.00 arrives at the wallet; CNY 62,480.00 are paid for it, 31.24 of them the bank keeps.
    const euros = (await owner.call(addAccount, { body: { name: '万里汇', method: 'WALLET', currency: 'EUR' } })).id;
    await owner.call(addJournal, { body: { cashAccountId: euros, direction: 'IN', amount: '8000' } });
    const body = { fromId: euros, toId: bank, amount: '8000' };
    expect((await owner.send(addTransfer, { body })).msg).toContain('请填写转入金额（CNY）');
    await owner.call(addTransfer, { body: { ...body, received: '62480' } });
    await owner.call(addJournal, { body: { cashAccountId: bank, amount: '31.24', memo: '到账手续费' } });
    expect(await balances()).toMatchObject({ 万里汇: '0.0000', 工商银行: '63448.7600' });
    expect((await world.as(owner, checkLedger)).filter((result) => result.broken > 0)).toEqual([]);
  });

  it('between accounts of one currency nothing gets lost; the fee is the first one’s', async () => {
    const cash = (await owner.call(addAccount, { body: { name: '现金', method: 'CASH' } })).id;
    const body = { fromId: bank, toId: cash, amount: '400', fee: '2.50' };
    expect((await owner.send(addTransfer, { body: { ...body, received: '399' } })).msg).toContain('差额请填写为手续费');
    expect((await owner.send(addTransfer, { body: { ...body, toId: bank } })).msg).toBe('转出账户与转入账户不能相同');
    await owner.call(addTransfer, { body });
    expect(await balances()).toMatchObject({ 工商银行: '597.5000', 现金: '400.0000' });
    expect(
      (await owner.send(addTransfer, { body: { fromId: dollars, toId: cash, amount: '1', received: '7' } })).msg,
    ).toContain('账户【PingPong】余额不足');
  });

  it('what was written by hand is taken back by hand, with a reason, once', async () => {
    const { postingId } = await owner.call(addJournal, { body: { cashAccountId: bank, amount: '40' } });
    await owner.call(undoJournal, { body: { postingId, reason: '记错' } });
    await owner.call(undoJournal, { body: { postingId, reason: '再点一次' } });
    expect(await balances()).toMatchObject({ 工商银行: '1000.0000' });
    const { records } = await owner.call(listJournal, { body: { filter: { keyword: 'JZ' } } });
    expect(records.map((row) => row.state)).toEqual(['REVERSAL', 'REVERSED']);
  });
});
