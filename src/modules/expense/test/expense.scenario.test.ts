import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { costData, costSteps, listCosts } from '#modules/costshare/contract/calls.ts';
import { addAccount, defaultAccount, listAccounts } from '#modules/finance/contract/accounts.ts';
import { savePartner } from '#modules/finance/contract/payables.ts';
import { payRequests, requestData, requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import { addDepartment } from '#modules/identity/contract/departments.ts';
import { drillProfit, listProfit } from '#modules/profit/contract/report.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { CA, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import * as calls from '../contract/calls.ts';
import { APPLY, APPROVE, PAY, REVERSE, VIEW } from '../contract/document.ts';
import { listPeriodCosts } from '../contract/period.ts';
import { act } from '../server/act.ts';
import { demoExpenses } from '../server/index.ts';

let world: World;
let owner: Person;
let clerk: Person;
let chief: Person;
let cashier: Person;
let boss: Person;
let account: string;
let us: string;
let ca: string;
let party: string;
let bank: string;
let one: string;
let other: string;

const FIN = ['fin:account:view', 'fin:payreq:view'];
const head = { kind: 'DAILY' as const, currency: 'CNY', spentOn: '2026-01-10', months: 1, remark: '年费' };
const save = (change: object = {}, person = clerk) =>
  person.call(calls.saveExpense, {
    body: {
      ...head,
      scope: 'COMPANY' as const,
      party: { kind: 'PARTNER', id: party },
      lines: [{ feeType: '软件', amount: '100' }],
      ...change,
    },
  });
const data = (id: string) => owner.call(calls.expenseData, { params: { id } });
const submitted = async (change: object = {}) => {
  const { id } = await save(change);
  await clerk.call(calls.expenseSteps.submit, { body: { id } });
  return id;
};
const approved = async (change: object = {}) => {
  const id = await submitted(change);
  await chief.call(calls.expenseSteps.approve, { body: { id } });
  return id;
};
const ofStores = { scope: 'SKU' as const, months: 3 };
const halves = () => [
  { store: us, sku: 'A', amount: '50' },
  { store: ca, sku: 'B', amount: '50' },
];
const ledger = (id: string) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ month: string; sku: string; cny: string }>`
      SELECT to_char(l.date, 'YYYY-MM') AS month, l.sku, trim_scale(sum(l.amount_cny))::text AS cny
        FROM costshare.cost_line AS l JOIN costshare.document AS d USING (company_id)
       WHERE l.company_id = ${ctx.companyId} AND d.id = l.document_id AND d.source_id = ${id}
       GROUP BY 1, 2 HAVING sum(l.amount_cny) <> 0 ORDER BY 1, 2`.execute(ctx.db);
    return rows.map(({ month, sku, cny }) => `${month} ${sku} ${cny}`);
  });
const period = async (filter: object = {}) =>
  (await owner.call(listPeriodCosts, { body: { pagesize: 100, filter } })).records.map(
    ({ month, feeType, department, amount }) => `${month} ${feeType} ${department} ${new Decimal(amount).toFixed()}`,
  );

beforeAll(async () => {
  world = await createWorld();
  await world.work();
  owner = await world.owner();
  clerk = await world.member(owner, [VIEW, APPLY]);
  chief = await world.member(owner, [VIEW, APPROVE]);
  boss = await world.member(owner, [VIEW, REVERSE, ...FIN, 'fin:payreq:approve', 'fin:payreq:reverse']);
  cashier = await world.member(owner, [VIEW, PAY, ...FIN, 'fin:payreq:apply', 'fin:payreq:pay']);
  account = (await makeSellerAccount(world, owner, { marketplaceIds: [US, CA] })).id;
  // Profit stands in the currency of the store.
  await world.as(owner, (ctx) =>
    sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        SELECT ${ctx.companyId}, currency, month::date, 7, '测试'
          FROM unnest(ARRAY['USD', 'CAD']) AS currency, unnest(ARRAY['2026-01-01', '2026-02-01', '2026-03-01']) AS month`.execute(
      ctx.db,
    ),
  );
  us = `${US}-${account}`;
  ca = `${CA}-${account}`;
  party = (await owner.call(savePartner, { body: { name: '软件服务商' } })).id;
  bank = (await owner.call(addAccount, { body: { name: '招商银行', opening: '10000' } })).id;
  one = await owner.call(addDepartment, { body: { name: '运营一部' } });
  other = await owner.call(addDepartment, { body: { name: '运营二部' } });
});
afterAll(() => world.close());

it('is refused unless its parts add up to it and fit whom it belongs to', async () => {
  const rows = [
    { store: us, sku: 'A', amount: '60' },
    { store: ca, sku: 'B', amount: '39.99' },
  ];
  await expect(save({ scope: 'SKU', shares: rows })).rejects.toThrow('分摊合计 99.99 与费用金额 100 不一致');
  await expect(save({ scope: 'SKU', shares: [] })).rejects.toThrow('分摊合计 0 与费用金额 100 不一致');
  await expect(save({ scope: 'STORE', shares: halves() })).rejects.toThrow('归属明细与归属不一致');
  await expect(save({ shares: halves() })).rejects.toThrow('归属公司的费用没有归属明细');
  const twice = halves().map((row) => ({ ...row, store: us, sku: 'A' }));
  await expect(save({ scope: 'SKU', shares: twice })).rejects.toThrow('同一归属只能有一行');
  await expect(save({ months: 61 })).rejects.toThrow('请输入 1 到 60 的整数');
  await expect(save({ currency: 'JPY', lines: [{ feeType: '软件', amount: '10.5' }] })).rejects.toThrow('第1行金额');
  await expect(save({ lines: [{ feeType: '软件', amount: '10', tax: '11' }] })).rejects.toThrow('税额不能大于金额');
  await expect(save({ lines: [{ feeType: '没有', amount: '10' }] })).rejects.toThrow('费用类型【没有】不存在');
  await expect(save({ departmentId: randomUUID() })).rejects.toThrow('部门不存在');
  await expect(save({ party: { kind: 'PARTNER', id: randomUUID() } })).rejects.toThrow('供应商或往来单位不存在');
  const stranger = [{ store: `${US}-${randomUUID()}`, amount: '100' }];
  await expect(save({ scope: 'STORE', shares: stranger })).rejects.toThrow('店铺不存在');
  expect((await owner.call(calls.listExpenses, { body: {} })).total).toBe(0);
});

it('goes its way: nobody approves his own, a returned one comes again, and only drafts change', async () => {
  const both = await world.member(owner, [VIEW, APPLY, APPROVE]);
  const { id, version } = await save({}, both);
  await both.call(calls.expenseSteps.submit, { body: { id } });
  expect((await both.send(calls.expenseSteps.approve, { body: { id } })).msg).toBe('不能审核本人提交的单据');
  await chief.call(calls.expenseSteps.return, { body: { id, reason: '缺发票' } });
  await expect(save({ id, version }, both)).rejects.toThrow('单据状态已变更');
  await save({ id, remark: '已补发票' }, both);
  await both.call(calls.expenseSteps.submit, { body: { id } });
  await expect(save({ id }, both)).rejects.toThrow('不能执行【修改】');
  await both.call(calls.expenseSteps.withdraw, { body: { id } });
  await both.call(calls.expenseSteps.void, { body: { id, reason: '不报了' } });
  await expect(both.call(calls.expenseSteps.submit, { body: { id } })).rejects.toThrow('已作废');
  expect((await data(id)).timeline.map(({ title }) => title)).toEqual([
    '作废',
    '撤回',
    '提交',
    '修改',
    '退回',
    '提交',
    '创建',
  ]);
});

it('of SKUs is borne month by month to the cent, reaches the profit, and is mirrored when it is taken back', async () => {
  const before = await owner.call(listProfit, {
    body: {
      pagesize: 100,
      filter: { currency: 'CNY', date: { from: '2026-01-01', to: '2026-03-31' }, dimension: 'sku' },
    },
  });
  expect(before.records).toEqual([]);
  const id = await submitted({ ...ofStores, shares: halves() });
  expect((await data(id)).schedule.map(({ month, amount, amountCny }) => [month, amount, amountCny])).toEqual([
    ['2026-01', '33.34', null],
    ['2026-02', '33.33', null],
    ['2026-03', '33.33', null],
  ]);
  expect(await ledger(id)).toEqual([]);
  await chief.call(calls.expenseSteps.approve, { body: { id } });
  expect(await ledger(id)).toEqual([
    '2026-01 A 16.67',
    '2026-01 B 16.67',
    '2026-02 A 16.67',
    '2026-02 B 16.66',
    '2026-03 A 16.66',
    '2026-03 B 16.67',
  ]);
  const { costs, document } = await data(id);
  expect(document).toMatchObject({ state: 'approved', amountCny: '100.0000' });
  expect(costs.map(({ state, from, to, amount }) => [state, from, to, amount])).toEqual([
    ['posted', '2026-01-01', '2026-01-31', '33.3400'],
    ['posted', '2026-02-01', '2026-02-28', '33.3300'],
    ['posted', '2026-03-01', '2026-03-31', '33.3300'],
  ]);
  const feesOf = async (sku: string, month: string) => {
    const date = { from: `${month}-01`, to: `${month}-28` };
    const wide = { from: `${month}-01`, to: month === '2026-02' ? date.to : `${month}-31` };
    const { records } = await owner.call(listProfit, {
      body: { pagesize: 100, filter: { currency: 'CNY', date: wide, dimension: 'sku' } },
    });
    return records.find((row) => row.sku === sku)?.fees;
  };
  const february = async () => [await feesOf('A', '2026-02'), await feesOf('B', '2026-02')];
  await expect.poll(february, { timeout: PATIENCE_MS }).toEqual(['-16.67', '-16.66']);
  const drill = await owner.call(drillProfit, {
    body: { filter: { currency: 'CNY', date: { from: '2026-02-01', to: '2026-02-28' }, sku: 'A', figure: 'fees' } },
  });
  expect(new Set(drill.fees.map(({ number }) => number))).toEqual(new Set([costs[1]?.number]));
  expect(drill.proof.every(({ gap }) => new Decimal(gap).isZero())).toBe(true);

  // Its costs lead back to it, and are taken back with it alone.
  const cost = costs[0]?.id ?? '';
  const made = await owner.call(costData, { params: { id: cost } });
  expect(made.document).toMatchObject({ source: document.number, sourceId: id, sourcePath: '/f/e/d' });
  expect(made.actions).toEqual([]);
  await expect(owner.call(costSteps.void, { body: { id: cost, reason: '试' } })).rejects.toThrow(
    `由 ${document.number} 生成`,
  );

  await boss.call(calls.expenseSteps.reverse, { body: { id, reason: '归属填错' } });
  expect(await ledger(id)).toEqual([]);
  const left = async () => new Decimal((await feesOf('A', '2026-02')) ?? 0).toFixed();
  await expect.poll(left, { timeout: PATIENCE_MS }).toBe('0');
  const { records } = await owner.call(listCosts, { body: { filter: { state: 'reversed' } } });
  expect(records).toHaveLength(3);
  await expect(boss.call(calls.expenseSteps.reverse, { body: { id, reason: '再' } })).rejects.toThrow('已冲销');
});

it('of departments and the company stays out of stores and is summed by month and type', async () => {
  const shares = [
    { departmentId: one, amount: '66.66' },
    { departmentId: other, amount: '33.34' },
  ];
  const lines = [
    { feeType: '软件', amount: '70' },
    { feeType: '样品', amount: '30' },
  ];
  const id = await approved({ scope: 'DEPARTMENT', months: 2, spentOn: '2027-12-31', lines, shares });
  const whole = await approved({ spentOn: '2028-01-05' });
  const all = { from: '2027-12', to: '2028-01' };
  const sumOf = (rows: readonly string[], word: string) =>
    Decimal.sum(0, ...rows.filter((row) => row.includes(word)).map((row) => row.split(' ').at(-1) ?? '0')).toFixed();
  const rows = await period(all);
  expect(sumOf(rows, '2027-12')).toBe('50');
  expect(sumOf(rows, '2028-01')).toBe('150');
  expect(sumOf(rows, '运营一部')).toBe('66.66');
  expect(sumOf(rows, '样品')).toBe('30');
  expect(rows).toContain('2028-01 软件 公司 100');
  const page = await owner.call(listPeriodCosts, { body: { filter: { ...all, department: [other] } } });
  expect(page.totals?.amount).toBe('33.3400');
  expect((await data(id)).costs).toEqual([]);
  await boss.call(calls.expenseSteps.reverse, { body: { id, reason: '重复' } });
  expect(await period(all)).toEqual(['2028-01 软件 公司 100']);
  await boss.call(calls.expenseSteps.reverse, { body: { id: whole, reason: '重复' } });
  expect(await period(all)).toEqual([]);
});

it('in dollars is worth what its day says, in every month', async () => {
  await expect(approved({ currency: 'USD', spentOn: '2026-05-02', months: 2 })).rejects.toThrow(
    '缺少 USD 2026-05-02 汇率',
  );
  await world.as(owner, (ctx) =>
    sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, 'USD', '2026-05-01', 7.12345, '测试')`.execute(ctx.db),
  );
  const id = await approved({ currency: 'USD', spentOn: '2026-05-02', months: 2 });
  const { document, schedule } = await data(id);
  // 100 × 7.12345 = 712.345, half up: 712.35.
  expect(document.amountCny).toBe('712.3500');
  expect(schedule.map(({ amount, amountCny }) => [amount, amountCny])).toEqual([
    ['50.00', '356.18'],
    ['50.00', '356.17'],
  ]);
  expect(await period({ from: '2026-05', to: '2026-06' })).toEqual([
    '2026-06 软件 公司 356.17',
    '2026-05 软件 公司 356.18',
  ]);
});

it('is paid once, by a request of finance that nobody changes, and is open again when that is taken back', async () => {
  const draft = await save();
  await expect(cashier.call(calls.requestExpense, { body: { id: draft.id } })).rejects.toThrow('不能申请付款');
  const id = await approved();
  const asked = await Promise.allSettled(
    Array.from({ length: 3 }, () => cashier.call(calls.requestExpense, { body: { id, cashAccountId: bank } })),
  );
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const requestId = (await data(id)).document.requestId ?? '';
  const request = await owner.call(requestData, { params: { id: requestId } });
  expect(request.document).toMatchObject({ kind: 'EXPENSE', state: 'submitted', amount: '100.0000', partyId: party });
  expect(request.document.subject).toBe((await data(id)).document.number);
  await expect(boss.call(calls.expenseSteps.reverse, { body: { id, reason: '错' } })).rejects.toThrow(
    '请先作废或冲销请款单',
  );

  await boss.call(requestSteps.return, { body: { id: requestId, reason: '金额' } });
  const change = { id: requestId, kind: 'EXPENSE' as const, party: { kind: 'PARTNER' as const, id: party } };
  const cheaper = owner.call(saveRequest, { body: { ...change, lines: [{ title: '软件', amount: '1' }] } });
  await expect(cheaper).rejects.toThrow('由费用单生成的请款单不能修改');
  await cashier.call(requestSteps.submit, { body: { id: requestId } });
  await boss.call(requestSteps.approve, { body: { id: requestId } });
  const pay = (amount: string) =>
    cashier.call(payRequests, {
      body: { batchId: randomUUID(), cashAccountId: bank, requests: [{ id: requestId, amount }] },
    });
  await pay('40');
  expect((await data(id)).document.state).toBe('approved');
  await pay('60');
  expect((await data(id)).document.state).toBe('paid');
  const balance = async () => (await owner.call(listAccounts, {})).find((each) => each.id === bank)?.balance;
  expect(await balance()).toBe('9900.0000');

  await boss.call(requestSteps.reverse, { body: { id: requestId, reason: '付错' } });
  expect(await balance()).toBe('10000.0000');
  expect((await data(id)).document).toMatchObject({ state: 'approved', requestId: null, request: '' });
  await cashier.call(calls.requestExpense, { body: { id } });
  const second = (await data(id)).document.requestId ?? '';
  expect(second).not.toBe(requestId);
  await cashier.call(requestSteps.withdraw, { body: { id: second } });
  await cashier.call(requestSteps.cancel, { body: { id: second, reason: '先不付' } });
  expect((await data(id)).document.requestId).toBeNull();
  await boss.call(calls.expenseSteps.reverse, { body: { id, reason: '取消' } });
  expect((await data(id)).document.state).toBe('reversed');
});

it('is shared by rule to the last cent, printed and exported', async () => {
  const { rows, base } = await clerk.call(calls.shareExpense, {
    body: { stores: [us, ca], base: 'UNITS', amount: '100.01', currency: 'CNY', from: '2026-01-01', to: '2026-01-31' },
  });
  expect(base).toBe('EQUAL');
  expect(rows.map(({ amount }) => amount).toSorted()).toEqual(['50.00', '50.01']);
  const id = await approved({ ...ofStores, shares: halves(), lines: [{ feeType: '软件', amount: '100', tax: '6' }] });
  const paper = await owner.send(calls.printExpense, { params: { id } });
  expect(paper.raw.subarray(0, 5).toString()).toBe('%PDF-');
  const file = await owner.send(calls.exportExpenses, { body: { format: 'csv', filter: { state: 'approved' } } });
  expect(file.raw.toString()).toContain((await data(id)).document.number);
  const counts = await owner.call(calls.countExpenses, { body: { filter: { feeType: ['软件'] } } });
  expect(counts.approved).toBeGreaterThan(0);
});

it('is of its company alone, and acted on whole or not at all', async () => {
  const second = (await makeSellerAccount(world, owner)).id;
  const shares = [
    { store: us, amount: '60' },
    { store: `${US}-${second}`, amount: '40' },
  ];
  const { id } = await save({ scope: 'STORE', shares });
  const stranger = await world.owner('另一家');
  await expect(stranger.call(calls.expenseData, { params: { id } })).rejects.toThrow('404');
  for (const step of [calls.expenseSteps.submit, calls.expenseSteps.void])
    await expect(stranger.call(step, { body: { id, reason: '试' } })).rejects.toThrow('404');
  await expect(stranger.call(calls.requestExpense, { body: { id } })).rejects.toThrow('404');
  await expect(chief.call(calls.expenseSteps.submit, { body: { id } })).rejects.toThrow('403');
  const seen = { store: null, account: [second] };
  const narrow = (name: 'submit' | 'approve') =>
    world.as(chief, ({ runtime, ...ctx }) =>
      inTenant(runtime, { ...ctx, permissions: undefined, dataScope: { read: seen, write: seen } }, (inner) =>
        act(inner, name, { id, reason: '试' }),
      ),
    );
  await expect(narrow('submit')).rejects.toThrow('没有数据权限的店铺');
  await clerk.call(calls.expenseSteps.submit, { body: { id } });
  // Who decides need not see every store: all of it is posted.
  await narrow('approve');
  expect((await ledger(id)).map((row) => row.split(' ').at(-1))).toEqual(['100']);
});

it('is there in the demo in every state', async () => {
  const maker = await world.as(clerk, async (ctx) => ({ id: ctx.userId ?? '', name: ctx.userName }));
  const payer = await world.as(cashier, async (ctx) => ({ id: ctx.userId ?? '', name: ctx.userName }));
  const rich = await owner.call(addAccount, { body: { name: '演示账户', opening: '100000' } });
  await owner.call(defaultAccount, { body: { id: rich.id } });
  await world.as(owner, (ctx) => demoExpenses(ctx, maker, payer));
  const counts = await owner.call(calls.countExpenses, { body: {} });
  for (const state of ['draft', 'submitted', 'approved', 'paid', 'returned', 'void', 'reversed'])
    expect(counts[state]).toBeGreaterThan(0);
});
