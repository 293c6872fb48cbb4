import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { CA, makeSellerAccount, US } from '#test/support/seller.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { costData, costSteps, countCosts, listCostLines, listCosts, saveCostShare } from '../contract/calls.ts';
import { EDIT, VIEW } from '../contract/document.ts';
import { listItemFees, removeItemFee, saveItemFee } from '../contract/item.ts';
import { uploadItemFees } from '../contract/item-import.ts';

let world: World;
let owner: Person;
let us: string;

const fee = (change: object = {}) => ({
  store: us,
  sku: 'A',
  feeType: '样品',
  day: '2026-03-02',
  currency: 'CNY',
  amount: '128.5',
  remark: '留样',
  ...change,
});
const save = (change: object = {}) => owner.call(saveItemFee, { body: fee(change) });
const booked = (id: string) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ lines: number; cny: string }>`
      SELECT count(*)::int AS lines, trim_scale(coalesce(sum(amount_cny), 0))::text AS cny
        FROM costshare.cost_line WHERE company_id = ${ctx.companyId} AND document_id = ${id}`.execute(ctx.db);
    return rows[0];
  });
const first = async () => {
  const row = (await owner.call(listItemFees, { body: {} })).records[0];
  if (!row) throw new Error('no cost');
  return row;
};

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function fresh(): Promise<void> {
  owner = await world.owner();
  us = `${US}-${(await makeSellerAccount(world, owner, { marketplaceIds: [US, CA] })).id}`;
}

it('is booked at once on its day, changed as a mirror and a booking, and taken back to nothing', async () => {
  await fresh();
  const { id } = await save();
  expect(await booked(id)).toEqual({ lines: 1, cny: '128.5' });
  const row = await first();
  expect(row).toMatchObject({ id, day: '2026-03-02', sku: 'A', feeType: '样品', amount: '128.5000', remark: '留样' });
  await save({ id, version: row.version, amount: '100', day: '2026-03-05' });
  expect(await booked(id)).toEqual({ lines: 3, cny: '100' });
  await expect(save({ id, version: row.version })).rejects.toThrow('单据状态已变更，请刷新');
  const { totals } = await owner.call(listItemFees, { body: {} });
  expect(totals?.amountCny).toBe('100.0000');
  const { version } = await first();
  await expect(owner.call(removeItemFee, { body: { id, version, reason: ' ' } })).rejects.toThrow('原因不能为空');
  await owner.call(removeItemFee, { body: { id, version, reason: '重复登记' } });
  expect(await booked(id)).toEqual({ lines: 4, cny: '0' });
  expect((await owner.call(listItemFees, { body: {} })).total).toBe(0);
  await expect(save({ id })).rejects.toThrow('已作废');
});

it('stands in the lines of the days and not among the documents, which are no item', async () => {
  await fresh();
  await save();
  expect((await owner.call(listCosts, { body: {} })).total).toBe(0);
  expect(await owner.call(countCosts, { body: {} })).toEqual({ all: 0 });
  const { records, total } = await owner.call(listCostLines, { body: { filter: { view: 'day' } } });
  expect(total).toBe(1);
  const item = records[0]?.documentId ?? '';
  await expect(owner.call(costSteps.unpost, { body: { id: item, reason: '试' } })).rejects.toThrow('其他成本列表');
  expect((await owner.call(costData, { params: { id: item } })).actions).toEqual([]);
  const document = await owner.call(saveCostShare, {
    body: {
      feeType: '样品',
      currency: 'CNY',
      amount: '1',
      from: '2026-03-01',
      to: '2026-03-01',
      rows: [{ store: us, sku: 'A', amount: '1' }],
    },
  });
  await owner.call(costSteps.post, { body: { id: document.id } });
  expect((await owner.call(listItemFees, { body: {} })).total).toBe(1);
  await expect(save({ id: document.id })).rejects.toThrow('404');
});

it('is found by day, name, store, SKU and remark', async () => {
  await fresh();
  await save();
  await save({ sku: 'B', feeType: '测评', day: '2026-03-09', remark: '' });
  const found = async (filter: object) =>
    (await owner.call(listItemFees, { body: { filter } })).records.map(({ sku }) => sku);
  expect(await found({})).toEqual(['B', 'A']);
  expect(await found({ date: { from: '2026-03-03' } })).toEqual(['B']);
  expect(await found({ feeType: ['样品'] })).toEqual(['A']);
  expect(await found({ keyword: '留样' })).toEqual(['A']);
  expect(await found({ keyword: 'b' })).toEqual(['B']);
  expect(await found({ stores: [us.replace(US, CA)] })).toEqual([]);
});

it('is refused by field, and for who may not book', async () => {
  await fresh();
  await expect(save({ sku: '' })).rejects.toThrow('请填写 SKU');
  await expect(save({ amount: '0' })).rejects.toThrow('请输入正确的金额');
  await expect(save({ feeType: '没有' })).rejects.toThrow('费用类型【没有】不存在');
  await expect(save({ currency: 'USD' })).rejects.toThrow('缺少 USD 2026-03-02 汇率，无法折算');
  const clerk = await world.member(owner, [VIEW, EDIT]);
  await expect(clerk.call(saveItemFee, { body: fee() })).rejects.toThrow('403');
  const other = await world.owner('另一家');
  await expect(other.call(saveItemFee, { body: fee() })).rejects.toThrow('店铺不存在');
  expect((await owner.call(listItemFees, { body: {} })).total).toBe(0);
});

it('is brought in by a sheet: all rows or none, each mistake by its line and column, the same file once', async () => {
  await fresh();
  const [name = ''] = await world.as(owner, async (ctx) => [...(await storeNames(ctx)).values()]);
  const titles = ['日期', '店铺', '国家', 'SKU', '费用名称', '货币', '金额', '备注'];
  // A workbook says when it was made: the same file is the same bytes.
  const bookOf = (rows: readonly (readonly string[])[], head = titles) =>
    writeWorkbook([{ title: '其他成本', rows: [head, ...rows].map((row) => [...row]) }]);
  const send = async (bytes: Buffer, write: 'no' | 'yes') =>
    (await uploadAs(world, owner, uploadItemFees, { write }, { name: '成本.xlsx', bytes })).data;
  const upload = async (rows: readonly (readonly string[])[], write: 'no' | 'yes', head = titles) =>
    send(await bookOf(rows, head), write);
  const good = [
    ['2026-03-02', name, 'US', 'A', '样品', '', '128.50', '留样'],
    ['2026/3/3', name, 'ca', 'B', '测评', 'CNY', '1,260', ''],
  ];
  const bad = [
    ['三月', name, 'US', 'A', '样品', '', '1', ''],
    ['2026-03-02', '没有的店', 'US', '', '样品', '', '-1', ''],
    ['2026-03-02', name, 'US', 'A', '没有', 'USD', '1', ''],
  ];
  expect((await upload([], 'no', ['日期'])).problems.map(({ reason }) => reason)).toContain('缺少列【店铺】');
  const wrong = await upload([...good, ...bad.slice(0, 2)], 'yes');
  expect(wrong).toMatchObject({ rows: 4, good: 2, written: false, summary: null });
  expect(wrong.problems.map(({ line, column }) => `${line} ${column}`)).toEqual([
    '4 日期',
    '5 店铺',
    '5 SKU',
    '5 金额',
  ]);
  const refusedLater = await upload([...good, ...bad.slice(2)], 'yes');
  expect(refusedLater.problems).toMatchObject([{ line: 4, reason: '费用类型【没有】不存在' }]);
  const file = await bookOf(good);
  expect(await send(file, 'no')).toMatchObject({ rows: 2, good: 2, written: false, summary: '2 笔其他成本将入账' });
  expect((await owner.call(listItemFees, { body: {} })).total).toBe(0);
  expect(await send(file, 'yes')).toMatchObject({ written: true, problems: [] });
  const { records, totals } = await owner.call(listItemFees, { body: { sort: 'day', order: 'asc' } });
  expect(records.map(({ sku, amount, store }) => [sku, amount, store.country])).toEqual([
    ['A', '128.5000', 'US'],
    ['B', '1260.0000', 'CA'],
  ]);
  expect(totals?.amountCny).toBe('1388.5000');
  expect(await send(file, 'yes')).toMatchObject({ written: false, summary: '这份文件已导入过，不会重复入账' });
  expect((await owner.call(listItemFees, { body: {} })).total).toBe(2);
});
