import { afterAll, beforeAll, expect, it } from 'vitest';
import { expenseSteps, requestExpense, saveExpense } from '#modules/expense/contract/calls.ts';
import { addAccount, addJournal, addTransfer, saveCategory } from '#modules/finance/contract/accounts.ts';
import { savePartner } from '#modules/finance/contract/payables.ts';
import { saveMonthRate } from '#modules/finance/contract/rates.ts';
import { bought } from '#test/support/bought.ts';
import { createHouse, type House, today } from '#test/support/house.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { trialBalance } from '../contract/ledger.ts';
import { listRules, makeVouchers, previewRule, ruleData, saveRule } from '../contract/rules.ts';
import { applyTemplate } from '../contract/subjects.ts';
import { listVouchers, saveVoucher, voucherData, voucherSteps } from '../contract/voucher-calls.ts';

let world: World;
let house: House;
let owner: Person;

const month = () => today().slice(0, 7);
const make = (...sources: string[]) => owner.call(makeVouchers, { body: { month: month(), sources } });
const vouchers = async () => (await owner.call(listVouchers, { body: { sort: 'number', order: 'asc' } })).records;
const entries = async (id: string) =>
  (await owner.call(voucherData, { params: { id } })).lines.map(
    ({ subject, debit, credit }) => `${subject.split(' ')[0]} ${debit ?? ''}|${credit ?? ''}`,
  );
const post = async (id: string) => {
  for (const step of ['submit', 'approve', 'post'] as const) await owner.call(voucherSteps[step], { body: { id } });
};
const closing = async (code: string) => {
  const { rows } = await owner.call(trialBalance, { body: { from: month(), to: month(), level: 3, moved: true } });
  const row = rows.find((each) => each.code === code);
  return row && `${row.closingDebit}|${row.closingCredit}`;
};

beforeAll(async () => {
  world = await createWorld();
  await world.work();
  house = await createHouse(world, ['A', 'B']);
  ({ owner } = house);
  await owner.call(applyTemplate, { body: { startMonth: '2026-01' } });
});
afterAll(() => world.close());

it('books money as it moved, openings left out, and what a rate did meanwhile', async () => {
  const { id: bank } = await owner.call(addAccount, { body: { name: '工商银行', opening: '10000' } });
  const { id: dollars } = await owner.call(addAccount, { body: { name: '汇丰', currency: 'USD', opening: '1000' } });
  const { id: office } = await owner.call(saveCategory, { body: { name: '水电', direction: 'OUT' } });
  const entry = { cashAccountId: bank, direction: 'OUT' as const, categoryId: office, amount: '300' };
  await owner.call(addJournal, { body: entry });
  await owner.call(addTransfer, { body: { fromId: dollars, toId: bank, amount: '100', received: '715', fee: '1' } });

  const lacking = await make('finance.posting');
  expect(lacking).toMatchObject({ made: 1, skipped: [{ why: `缺少 USD ${month()} 汇率` }] });
  await owner.call(saveMonthRate, { body: { currency: 'USD', month: month(), rate: '7.1' } });
  expect(await make('finance.posting')).toMatchObject({ made: 1, existed: 1, skipped: [] });
  const [spent, moved] = await vouchers();
  expect(await entries(spent?.id ?? '')).toEqual(['1002 |300.00', '560206 300.00|']);
  // 100 and a fee of 1 dollar leave at 7.1, 715 come in: 5 are gained.
  expect(await entries(moved?.id ?? '')).toEqual(['1002 715.00|', '1002 |717.10', '560301 |5.00', '560302 7.10|']);
  const { lines, facts } = await owner.call(voucherData, { params: { id: moved?.id ?? '' } });
  expect(lines.filter(({ original }) => original !== null)).toMatchObject([
    { currency: 'USD', original: '101.0000', rate: '7.10000000', credit: '717.10' },
  ]);
  expect(facts).toHaveLength(1);

  // From now on 水电 stands elsewhere: a draft follows, unless a person has changed it.
  const source = 'finance.posting';
  const { rule, places } = await owner.call(ruleData, { body: { source } });
  const key = `EXPENSE:${office}`;
  expect(places.find((place) => place.key === key)).toMatchObject({ title: '水电', preset: '', isVariant: true });
  const input = { by: rule.by, active: true, subjects: { [key]: '560202' } };
  const preview = await owner.call(previewRule, { body: { source, month: month(), rule: input } });
  expect(preview).toMatchObject({ facts: 2, vouchers: 2, problems: [] });
  expect(preview.totals.map(({ subject }) => subject.split(' ')[0])).toEqual(['1002', '560202', '560301', '560302']);
  const save = (change: object) =>
    owner.call(saveRule, { body: { ...input, source, version: 0, fromMonth: month(), ...change } });
  await expect(save({ subjects: { [key]: '5602' } })).rejects.toThrow('水电：科目 5602 管理费用 有下级');
  await expect(save({ subjects: { [key]: '560299' } })).rejects.toThrow('水电：科目 560299 不存在');
  await expect(save({ subjects: { 'EXPENSE:x': '560202' } })).rejects.toThrow('模板中没有「EXPENSE:x」');
  expect(await save({})).toEqual({ version: 1 });
  await expect(save({})).rejects.toThrow('409');
  await edited(moved?.id ?? '');
  expect(await make(source)).toMatchObject({ made: 0, changed: 1, existed: 1 });
  expect(await entries(spent?.id ?? '')).toEqual(['1002 |300.00', '560202 300.00|']);
  await owner.call(voucherSteps.void, { body: { id: spent?.id ?? '', reason: '重记' } });
  expect(await make(source)).toMatchObject({ made: 1, existed: 1 });
  const again = (await vouchers()).at(-1);
  expect(await entries(again?.id ?? '')).toEqual(['1002 |300.00', '560202 300.00|']);

  await save({ version: 1, active: false });
  await owner.call(addJournal, { body: entry });
  expect(await make(source)).toMatchObject({ made: 0, existed: 0, bySource: [] });
  const off = (await owner.call(listRules, { body: {} })).find((row) => row.source === source);
  expect(off).toMatchObject({ state: 'OFF', version: 2, own: 1 });
});

it('clears what is received against what is owed for it, and follows a month that still moves', async () => {
  await takeUp('finance.posting', 2);
  await bought(house, 'A', 40, '12.3456');
  expect(await make('warehouse.stock', 'finance.posting')).toMatchObject({ skipped: [] });
  const ofStock = async () =>
    (await vouchers()).find(({ summary, state }) => summary.startsWith('出入库') && state !== 'void');
  const stock = await ofStock();
  expect(await entries(stock?.id ?? '')).toEqual(['140501 493.82|', '1401 |493.82']);

  await bought(house, 'B', 10, '1', '义乌小商');
  expect(await make('warehouse.stock')).toMatchObject({ made: 0, changed: 1, reversed: 0 });
  await edited(stock?.id ?? '');
  await bought(house, 'B', 10, '1', '佛山五金');
  expect(await make('warehouse.stock')).toMatchObject({
    changed: 0,
    skipped: [{ why: '来源已变更，而草稿手工修改过；作废后可以重新生成' }],
  });
  await owner.call(voucherSteps.void, { body: { id: stock?.id ?? '', reason: '重新生成' } });
  expect(await make('warehouse.stock')).toMatchObject({ made: 1, skipped: [] });
  const anew = await ofStock();
  expect(await entries(anew?.id ?? '')).toEqual(['140501 513.82|', '1401 |513.82']);
  await post(anew?.id ?? '');
  await make('finance.posting');
  for (const { id } of (await vouchers()).filter(({ state }) => state === 'draft')) await post(id);
  expect(await closing('1401')).toBe('0.00|0.00');
  expect(await closing('2202')).toBe('0.00|513.82');

  await bought(house, 'B', 5, '2', '汕头玩具');
  const clerk = await world.member(owner, ['gl:voucher:view', 'gl:voucher:create']);
  const body = { month: month(), sources: ['warehouse.stock'] };
  const refused = await clerk.call(makeVouchers, { body });
  expect(refused).toMatchObject({ made: 0, reversed: 0, skipped: [{ why: '出入库的来源已变更，需要红字冲销的权限' }] });
  expect(await make('warehouse.stock')).toMatchObject({ made: 1, reversed: 1 });
  expect(await make('warehouse.stock')).toMatchObject({ made: 0, existed: 1, reversed: 0 });
  for (const { id } of (await vouchers()).filter(({ state }) => state === 'draft')) await post(id);
  expect(await closing('140501')).toBe('523.82|0.00');
});

/** Has a person change the first summary of a draft. */
async function edited(id: string): Promise<void> {
  const { document, lines } = await owner.call(voucherData, { params: { id } });
  const { type, day, attachments, version } = document;
  const typed = lines.map(({ summary, subjectId, debit, credit, currency, original }, at) => ({
    summary: at === 0 ? '手工修改' : summary,
    subjectId,
    debit: debit ?? '',
    credit: credit ?? '',
    currency,
    original: original ?? '',
  }));
  await owner.call(saveVoucher, { body: { id, version, type, day, attachments, lines: typed } });
}

/** Takes the rule of a source up again. */
async function takeUp(source: string, version: number) {
  const { rule, subjects } = await owner.call(ruleData, { body: { source } });
  const body = { source, version, fromMonth: month(), by: rule.by, active: true, subjects };
  await owner.call(saveRule, { body });
}

it('spreads an expense over its months, and what is paid for it ends the debt', async () => {
  const other = await world.owner();
  await other.call(applyTemplate, { body: { startMonth: '2026-01' } });
  const { id: party } = await other.call(savePartner, { body: { name: '物业公司' } });
  const { id: bank } = await other.call(addAccount, { body: { name: '招商银行', opening: '1000' } });
  const { id } = await other.call(saveExpense, {
    body: {
      kind: 'DAILY',
      scope: 'COMPANY',
      currency: 'CNY',
      spentOn: `${month()}-01`,
      months: 3,
      remark: '',
      party: { kind: 'PARTNER', id: party },
      lines: [{ feeType: '软件', amount: '100' }],
    },
  });
  for (const step of ['submit', 'approve'] as const) await other.call(expenseSteps[step], { body: { id } });
  await other.call(requestExpense, { body: { id, method: 'BANK', cashAccountId: bank } });
  const body = { month: month() };
  expect(await other.call(makeVouchers, { body })).toMatchObject({ made: 2, skipped: [] });
  const made = async () =>
    Promise.all(
      (await other.call(listVouchers, { body: { sort: 'number', order: 'asc' } })).records.map(async (row) =>
        (await other.call(voucherData, { params: { id: row.id } })).lines.map(
          ({ subject, debit, credit }) => `${subject.split(' ')[0]} ${debit ?? ''}|${credit ?? ''}`,
        ),
      ),
    );
  expect(await made()).toEqual([
    ['1801 100.00|', '2241 |100.00'],
    ['1801 |33.34', '560206 33.34|'],
  ]);
});

it('is for who keeps the books, and nobody sees the rules of others', async () => {
  const clerk = await world.member(owner, ['gl:voucher:view']);
  const body = { source: 'settlement', version: 0, fromMonth: month(), by: 'DAY' as const, active: true, subjects: {} };
  await expect(clerk.call(saveRule, { body })).rejects.toThrow('403');
  await expect(clerk.call(ruleData, { body: { source: 'nothing' } })).rejects.toThrow('404');
  const stranger = await world.owner();
  const rows = await stranger.call(listRules, { body: {} });
  expect(rows.every(({ version, fromMonth }) => version === 0 && fromMonth === null)).toBe(true);
});
