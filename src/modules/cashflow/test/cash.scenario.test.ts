import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { sum } from '#kit/contract/decimal.ts';
import { listExpenses, saveExpense } from '#modules/expense/contract/calls.ts';
import { addRecurring } from '#modules/expense/contract/recurring.ts';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import { savePartner } from '#modules/finance/contract/payables.ts';
import { saveMonthRate } from '#modules/finance/contract/rates.ts';
import { raisePayable } from '#modules/finance/server/index.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { makeAccount, US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { VIEW } from '../contract/fields.ts';
import { type CashFilter, cashKinds, exportCash, listCash, readForecast } from '../contract/forecast.ts';
import { readCashSetting, saveCashSetting } from '../contract/setting.ts';

let world: World;
let owner: Person;
let account: AccountRef;
let supplier: string;
let today: string;

const day = (ahead: number) => dayAfter(today, ahead);
const read = (person = owner, horizon: 'D30' | 'D60' | 'D90' = 'D30') =>
  person.call(readForecast, { body: { horizon } });
const list = (filter: CashFilter = {}, person = owner) => person.call(listCash, { body: { filter, pagesize: 100 } });

/** A debt to the supplier that is due on some day. */
const owe = (number: string, amount: string, dueOn: string, currency = 'CNY') =>
  world.as(owner, (ctx) =>
    raisePayable(ctx, {
      source: { type: 'purchase.receipt', id: number, event: 'receive', number },
      supplierId: supplier,
      kind: 'GOODS',
      subject: { type: 'test.order', id: number, number },
      currency,
      amount,
      title: `到货 ${number}`,
      due: [{ amount, dueOn }],
    }),
  );

interface Group {
  id: string;
  start: number;
  end?: number;
  total: string;
  status?: string;
  sent?: number;
}

/** Periods of the account as Amazon tells them; days from today at noon. */
const tell = (groups: readonly Group[]) =>
  world.as(owner, async (ctx) => {
    for (const { id, start, end, total, status, sent } of groups) {
      const at = (ahead: number | undefined) => (ahead === undefined ? null : `${day(ahead)}T04:00:00Z`);
      await sql`
        INSERT INTO settlement.event_group (company_id, account_id, group_id, marketplace_id, currency, processing, start_at,
                                            end_at, total, transfer_status, transfer_at, read_at)
        VALUES (${ctx.companyId}, ${account.id}, ${id}, ${US}, 'USD', ${end === undefined ? 'open' : 'closed'}, ${at(start)},
                ${at(end)}, ${total}::numeric, ${status ?? null}, ${at(sent)}, kit.now())`.execute(ctx.db);
    }
  });

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  today = world.clock.today();
  account = await makeAccount(world, owner);
  supplier = (await owner.call(saveSupplier, { body: { shortName: '义乌箱包' } })).id;
  await owner.call(saveMonthRate, { body: { currency: 'USD', month: today.slice(0, 7), rate: '7.1' } });
  await owner.call(addAccount, { body: { name: '招商银行', opening: '10000' } });
  await owner.call(addAccount, { body: { name: 'Payoneer', currency: 'USD', opening: '100.55' } });
});
afterAll(() => world.close());

describe('what the accounts will hold', () => {
  it('begins with what is in them at the rate of today, which is named', async () => {
    const found = await read();
    // 10000 + 100.55 × 7.1 = 10713.905, half up.
    expect(found).toMatchObject({ today, until: day(29), opening: '10713.91', closing: '10713.91', floor: '0' });
    expect(found.lowest).toEqual({ day: today, balance: '10713.91' });
    expect(found.gaps).toEqual({ count: 0, first: null });
    expect(found.currencies).toEqual([
      { currency: 'CNY', opening: '10000', inflow: '0', outflow: '0', rate: '1', from: 'base' },
      { currency: 'USD', opening: '100.55', inflow: '0', outflow: '0', rate: '7.1000000000', from: 'own' },
    ]);
    expect(found.days).toHaveLength(30);
  });

  it('counts debts on the day that they are due, what is overdue today, and only until the horizon', async () => {
    await owe('A', '300.10', day(5));
    await owe('B', '40', day(-3));
    await owe('C', '20.05', day(45), 'USD');
    const found = await read();
    expect(found).toMatchObject({ outflow: '340.1', closing: '10373.81' });
    expect(found.overdue).toEqual({ count: 1, inflow: '0', outflow: '40' });
    expect(found.days[0]).toMatchObject({ day: today, outflow: '40', balance: '10673.91', overdue: 1 });
    expect(found.days[5]).toMatchObject({ day: day(5), outflow: '300.1', balance: '10373.81', items: 1 });
    // 20.05 × 7.1 = 142.355, half up.
    expect(await read(owner, 'D60')).toMatchObject({ until: day(59), outflow: '482.46' });
    const { records, totals } = await list();
    expect(records.map(({ number, day: on, dueOn, state, amount }) => ({ number, on, dueOn, state, amount }))).toEqual([
      { number: 'B', on: today, dueOn: day(-3), state: 'overdue', amount: '-40' },
      { number: 'A', on: day(5), dueOn: day(5), state: 'certain', amount: '-300.1' },
    ]);
    expect(records[1]).toMatchObject({ kind: '应付账款', party: '义乌箱包', to: { path: '/finance/payable' } });
    expect(totals).toEqual({ worth: '-340.1' });
  });

  it('says a missing rate by name and counts its money nowhere', async () => {
    const before = await read();
    await owner.call(addAccount, { body: { name: 'CAD', currency: 'CAD', opening: '77' } });
    const found = await read();
    expect(found.opening).toBe(before.opening);
    expect(found.currencies.find(({ currency }) => currency === 'CAD')).toEqual({
      currency: 'CAD',
      opening: '77',
      inflow: '0',
      outflow: '0',
      rate: null,
      from: 'none',
    });
  });
});

describe('what Amazon will pay', () => {
  it('is the balance of the period that runs, when it usually pays, and what is on its way to the bank', async () => {
    await tell([
      // Periods of 14 days that were paid two days after their end.
      ...[-62, -48, -34].map((start) => ({
        id: `G${start}`,
        start,
        end: start + 14,
        total: '500',
        status: 'Succeeded',
        sent: start + 16,
      })),
      { id: 'SENT', start: -20, end: -6, total: '900.50', status: 'Succeeded', sent: -1 },
      { id: 'WAITS', start: -20, end: -6, total: '10', status: 'Processing' },
      { id: 'FAILED', start: -20, end: -6, total: '70', status: 'Failed', sent: -4 },
      { id: 'OWED', start: -20, end: -6, total: '-5' },
      { id: 'OPEN', start: -6, total: '1234.56' },
    ]);
    const { records, totals } = await list({ direction: 'IN' });
    expect(records.map(({ number, day: on, state, amount, worth }) => ({ number, on, state, amount, worth }))).toEqual([
      // Its end, two days, three of the bank: due yesterday.
      { number: 'WAITS', on: today, state: 'overdue', amount: '10', worth: '71.00' },
      { number: 'SENT', on: day(2), state: 'certain', amount: '900.5', worth: '6393.55' },
      { number: 'OPEN', on: day(13), state: 'estimated', amount: '1234.56', worth: '8765.38' },
    ]);
    expect(records[2]).toMatchObject({
      kind: '平台回款',
      store: { country: 'US' },
      to: { path: '/amazon/payment/balance' },
    });
    expect(totals).toEqual({ worth: '15229.93' });
    expect((await list({ stores: [`${US}-${account.id}`] })).total).toBe(3);
    expect((await list({ stores: [`A2EUQ1WTGCTBG2-${account.id}`] })).total).toBe(0);
  });

  it('pays deferred money with the period in which it is released', async () => {
    await world.as(owner, async (ctx) => {
      for (const [id, total, ahead] of [
        ['T1', '14.93', 3],
        ['T2', '20', 3],
        ['T3', '6', 12],
        ['T4', '-8', 4],
      ] as const) {
        await sql`
          INSERT INTO settlement.source_doc (company_id, account_id, kind, external_id, marketplace_id, currency, total,
                                             content_hash, status, transaction_type, posted_at, matures_at)
          VALUES (${ctx.companyId}, ${account.id}, 'TRANSACTION', ${id}, ${US}, 'USD', ${total}::numeric, ${id}, 'DEFERRED',
                  'Shipment', kit.now(), ${`${day(ahead)}T04:00:00Z`})`.execute(ctx.db);
      }
    });
    const { records } = await list({ kinds: ['deferred'] });
    expect(records.map(({ day: on, amount, title, state }) => ({ on, amount, title, state }))).toEqual([
      { on: day(13), amount: '34.93', title: `递延款 ${day(3)} 释放`, state: 'estimated' },
      { on: day(27), amount: '6', title: `递延款 ${day(12)} 释放`, state: 'estimated' },
    ]);
  });
});

describe('expenses', () => {
  it('that are handed in and those that come again are expected, a draft of nobody is not', async () => {
    const party = { kind: 'PARTNER' as const, id: (await owner.call(savePartner, { body: { name: '园区物业' } })).id };
    await world.as(owner, (ctx) =>
      sql`INSERT INTO costshare.fee_type (company_id, name, active) VALUES (${ctx.companyId}, '其它', true)
          ON CONFLICT DO NOTHING`.execute(ctx.db),
    );
    const { id } = await owner.call(saveExpense, {
      body: { kind: 'DAILY', scope: 'COMPANY', spentOn: today, party, lines: [{ feeType: '其它', amount: '3000.5' }] },
    });
    expect((await list({ kinds: ['expense', 'recurring'] })).total).toBe(0);
    const { nextOn } = await owner.call(addRecurring, { body: { expenseId: id, name: '房租', day: 15 } });
    const { records } = await list({ kinds: ['recurring'], horizon: 'D90' });
    expect(records.length).toBeGreaterThanOrEqual(3);
    expect(records[0]).toMatchObject({ day: nextOn, title: '房租', amount: '-3000.5', state: 'estimated' });
    await world.as(owner, (ctx) =>
      sql`UPDATE expense.document SET state = 'submitted' WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
        ctx.db,
      ),
    );
    const number = (await owner.call(listExpenses, { body: {} })).records[0]?.number;
    expect((await list({ kinds: ['expense'] })).records).toMatchObject([{ day: today, number, amount: '-3000.5' }]);
  });
});

describe('the whole', () => {
  it('is the sum of the list to the cent, by day and by kind', async () => {
    const found = await read(owner, 'D90');
    const { records, total, totals } = await list({ horizon: 'D90' });
    expect(records).toHaveLength(total);
    const worths = records.flatMap(({ worth }) => (worth === null ? [] : [worth]));
    expect(totals?.worth).toBe(sum(worths));
    expect(sum([found.inflow, `-${found.outflow}`])).toBe(sum(worths));
    expect(sum(found.kinds.map(({ inflow }) => inflow))).toBe(found.inflow);
    expect(sum(found.kinds.map(({ outflow }) => outflow))).toBe(found.outflow);
    expect(found.kinds.reduce((n, { items }) => n + items, 0)).toBe(total);
    expect(sum([found.opening, ...worths])).toBe(found.closing);
    expect(found.days.at(-1)?.balance).toBe(found.closing);
    const file = await owner.send(exportCash, { body: { format: 'csv', filter: { horizon: 'D90' } } });
    expect(file.raw.toString('utf8').trim().split('\r\n')).toHaveLength(total + 1);
  });

  it('marks days below the floor, which is kept once for the company', async () => {
    const before = await read();
    expect(before.gaps.count).toBe(0);
    const { version } = await owner.call(readCashSetting, {});
    const body = { floor: '10700', bankDays: 3, version };
    const saved = await owner.call(saveCashSetting, { body });
    expect(saved).toEqual({ floor: '10700', bankDays: 3, version: 1 });
    await expect(owner.call(saveCashSetting, { body })).rejects.toThrow('设置已被他人修改');
    const { gaps, days, floor } = await read();
    expect(floor).toBe('10700');
    expect(gaps).toEqual({ count: days.filter(({ below }) => below).length, first: today });
    expect(gaps.count).toBeGreaterThan(0);
    await owner.call(saveCashSetting, { body: { floor: '0', bankDays: 5, version: 1 } });
    expect((await list({ direction: 'IN', kinds: ['payout'] })).records.at(-1)?.day).toBe(day(15));
  });

  it('tells who may not see a kind that it is missing, and a stranger sees nothing of it', async () => {
    const reader = await world.member(owner, [VIEW, 'fin:dealing:view']);
    const found = await read(reader);
    expect(found.hidden).toContain('平台回款');
    expect(found.hidden).not.toContain('应付账款');
    expect((await reader.call(cashKinds, {})).map(({ kind }) => kind)).toEqual(['receivable', 'payable']);
    expect(new Set((await list({}, reader)).records.map(({ kind }) => kind))).toEqual(new Set(['应付账款']));
    await expect(reader.call(saveCashSetting, { body: { floor: '1', bankDays: 1, version: 2 } })).rejects.toThrow(
      '403',
    );
    expect((await reader.send(exportCash, { body: { format: 'csv' } })).status).toBe(403);
    const stranger = await world.owner('另一家');
    expect(await read(stranger)).toMatchObject({ opening: '0', inflow: '0', outflow: '0', currencies: [] });
  });
});
