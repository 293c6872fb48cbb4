import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import { uploadPayments } from '#modules/finance/contract/payment-import.ts';
import { listRequests, payRequests, requestData, requestSteps } from '#modules/finance/contract/requests.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, placedOrder } from './support.ts';

const TITLES = ['采购单号', 'SKU', '费用类型', '账户', '金额', '备注'];

let world: World;
let all: Buyers;
let buyers: Buyers;
let bank: string;

beforeAll(async () => {
  world = await createWorld();
  all = await createBuyers(world, ['P', 'Q']);
  bank = (await all.owner.call(addAccount, { body: { name: '招商银行', opening: '1000000' } })).id;
});
afterAll(() => world.close());
beforeEach(async () => {
  buyers = { ...all, supplier: await createSupplier(all.owner, `供应商${randomUUID().slice(0, 8)}`) };
});

async function ordered() {
  const { id } = await placedOrder(buyers, [{ sku: 'P', qty: 100, unitPrice: '10' }]);
  return { id, number: (await detailOf(buyers, id)).order.number };
}

const fileOf = (rows: readonly (readonly string[])[], titles = TITLES) =>
  writeWorkbook([{ title: '付款', rows: [titles, ...rows].map((row) => [...row]) }]);

async function send(bytes: Buffer, write: 'no' | 'yes') {
  const answer = await uploadAs(world, buyers.owner, uploadPayments, { write }, { name: '付款.xlsx', bytes });
  expect(answer.code).toBe(201);
  return answer.data;
}

const requests = async () =>
  (await buyers.owner.call(listRequests, { body: { pagesize: 100 } })).records.filter(
    (row) => row.partyId === buyers.supplier,
  );

it('a file is tried without a trace, then asks for all of it once: one request for each order, kind and account', async () => {
  const order = await ordered();
  const bytes = await fileOf([
    [order.number, 'P', '货款', '招商银行', '500.50', '首批'],
    [order.number, '', '定金', '招商银行', '100', ''],
    [order.number, 'P', '尾款', '招商银行', '99.50', '第二批'],
  ]);
  const tried = await send(bytes, 'no');
  expect(tried).toMatchObject({ rows: 3, good: 3, requests: 2, written: false, problems: [] });
  expect(tried.summary).toBe('3 行，将生成并提交 2 张请款单');
  expect(await requests()).toEqual([]);
  expect(await send(bytes, 'yes')).toMatchObject({ written: true, requests: 2 });
  const made = await requests();
  expect(made.map((row) => [row.kind, row.state, row.amount, row.subject]).sort()).toEqual([
    ['BALANCE', 'submitted', '600.0000', order.number],
    ['DEPOSIT', 'submitted', '100.0000', order.number],
  ]);
  const balance = made.find((row) => row.kind === 'BALANCE');
  expect(balance).toMatchObject({ cashAccountId: bank, remark: '首批；第二批' });
  const { lines } = await buyers.owner.call(requestData, { params: { id: balance?.id ?? '' } });
  expect(lines.map((line) => [line.title, line.amount])).toEqual([
    [`货款 ${order.number} P`, '500.5000'],
    [`货款 ${order.number} P`, '99.5000'],
  ]);
  const again = await send(bytes, 'yes');
  expect(again).toMatchObject({ written: false, summary: '这份文件已导入过，不会重复请款' });
  expect(await requests()).toHaveLength(2);
  for (const { id, open } of made) {
    await buyers.owner.call(requestSteps.approve, { body: { id } });
    const body = { batchId: randomUUID(), cashAccountId: bank, requests: [{ id, amount: open }] };
    await buyers.owner.call(payRequests, { body });
  }
  expect((await detailOf(buyers, order.id)).money).toMatchObject({ paid: '700', requested: '0' });
});

it('names every bad row, and asks for nothing where one is bad or more than what is left', async () => {
  const order = await ordered();
  const bad = await fileOf([
    ['PO-nowhere', '', '货款', '招商银行', '1', ''],
    [order.number, 'Q', '货款', '招商银行', '1', ''],
    [order.number, 'P', '房租', '招商银行', '1', ''],
    [order.number, 'P', '货款', '没有的账户', '1', ''],
    [order.number, 'P', '货款', '招商银行', '-1', ''],
    [order.number, 'P', '货款', '招商银行', '1', ''],
  ]);
  const { problems, good, written } = await send(bad, 'yes');
  expect({ good, written }).toEqual({ good: 1, written: false });
  expect(problems.map(({ line, column }) => [line, column]).sort()).toEqual([
    [2, '采购单号'],
    [3, 'SKU'],
    [4, '费用类型'],
    [5, '账户'],
    [6, '金额'],
  ]);
  // 1,000 were ordered: 700 as a deposit leave 300.
  const much = await fileOf([
    [order.number, '', '定金', '招商银行', '700', ''],
    [order.number, 'P', '货款', '招商银行', '300.01', ''],
  ]);
  for (const write of ['no', 'yes'] as const) {
    expect((await send(much, write)).problems).toMatchObject([
      { line: 3, column: '金额', reason: expect.stringContaining('剩余可请300.00') },
    ]);
  }
  expect(await requests()).toEqual([]);
  expect((await send(await fileOf([['x']], ['单号']), 'no')).problems.map((one) => one.reason)).toEqual([
    '缺少列【采购单号】',
    '缺少列【费用类型】',
    '缺少列【账户】',
    '缺少列【金额】',
  ]);
});

it('twenty people send the same file at once: it is asked for once', async () => {
  const order = await ordered();
  const bytes = await fileOf([[order.number, 'P', '货款', '招商银行', '10', '']]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(bytes, 'yes')));
  expect(answers.filter((answer) => answer.written)).toHaveLength(1);
  expect(await requests()).toHaveLength(1);
});
