import ExcelJS from '@protobi/exceljs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { putSupply, savePriceList } from '#modules/product/server/index.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listOrders } from '../contract/order-calls.ts';
import { importOrders, orderTemplate } from '../contract/order-import.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, productOf } from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C']);
});
afterAll(() => world.close());

type Cell = string | number | Date;

const HEADS = ['供应商', '入库仓', '本地SKU', '采购数量', '单价', '币种', '赠品', '预计到货', '备注', '分单标识'];

async function sheet(rows: readonly (readonly Cell[])[], heads: readonly string[] = HEADS): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('采购单').addRows([[...heads], ...rows.map((row) => [...row])]);
  return Buffer.from(await book.xlsx.writeBuffer());
}

async function send(write: 'no' | 'yes', bytes: Buffer, person: Person = buyers.buyer) {
  return uploadAs(world, person, importOrders, { write }, { name: '采购单.xlsx', bytes });
}
const drafts = async () => (await buyers.owner.call(listOrders, { body: { filter: { stage: ['draft'] } } })).records;

it('rows of one supplier, warehouse, currency and mark become one draft; a check writes nothing', async () => {
  await createSupplier(buyers.owner, '义乌恒泰');
  const good = await sheet([
    ['永康锐达', '深圳仓', 'a', 100, 8.6, '', '', new Date('2026-12-31T00:00:00Z'), '加急', ''],
    ['永康锐达', '深圳仓', 'A', 5, '', 'CNY', '是', '', '', ''],
    ['永康锐达', '深圳仓', 'B', '200', '2.505', 'cny', '否', '2026/12/1', '', ''],
    ['永康锐达', '深圳仓', 'B', 10, '3', '', '', '', '', '第二单'],
    ['义乌恒泰', '深圳仓', 'C', 7, '1', '', '', '', '', ''],
  ]);
  const checked = await send('no', good);
  expect(checked.data).toMatchObject({ rows: 5, orders: 3, written: false, problems: [], numbers: [] });
  expect(await drafts()).toEqual([]);

  const written = await send('yes', good);
  expect(written.data).toMatchObject({ rows: 5, orders: 3, written: true });
  const made = await drafts();
  expect(made.map((row) => row.number).sort()).toEqual([...(written.data?.numbers ?? [])].sort());
  const first = made.find((row) => row.amount === '1361.0000');
  const { lines } = await detailOf(buyers, first?.id ?? '');
  expect(lines.map((row) => [row.product.code, row.gift, row.qty, row.amount, row.expectedOn, row.remark])).toEqual([
    ['A', false, 100, '860.0000', '2026-12-31', '加急'],
    ['A', true, 5, '0.0000', null, ''],
    ['B', false, 200, '501.0000', '2026-12-01', ''],
  ]);
});

it('every bad row is named with its column and reason, and then nothing is written', async () => {
  const before = (await drafts()).length;
  const bad = await sheet([
    ['没有这家', '深圳仓', 'A', 1, '1', '', '', '', '', ''],
    ['永康锐达', '没有这仓', 'A', 1, '1', '', '', '', '', ''],
    ['永康锐达', '深圳仓', 'ZZZ', 1, '1', '', '', '', '', ''],
    ['永康锐达', '深圳仓', 'A', '1.5', '1', '', '', '', '', ''],
    ['永康锐达', '深圳仓', 'A', 1, '-1', '', '', '', '', ''],
    ['永康锐达', '深圳仓', 'A', 1, '1', '', '', '2026-02-30', '', ''],
    ['永康锐达', '深圳仓', 'A', 1, '1', '', '', '', '', ''],
    ['永康锐达', '深圳仓', 'A', 2, '1', '', '', '', '', ''],
    ['永康锐达', '深圳仓', 'B', 2, '', '', '', '', '', ''],
  ]);
  const found = await send('yes', bad);
  expect(found.data?.problems.map((one) => [one.line, one.column, one.reason])).toEqual([
    [2, '供应商', '供应商不存在、已停用或评级过低'],
    [3, '入库仓', '不是可用的正品仓'],
    [4, 'SKU', 'SKU不存在'],
    [5, '采购数量', '数量必须为正整数'],
    [6, '含税单价', '单价须为不小于0的数字，最多6位小数'],
    [7, '要求到货', '请输入日期，例如 2026-01-31'],
    [9, 'SKU', '与第 8 行的SKU、单价、赠品和要求到货都相同，请合并或填写分单标识'],
    [10, '含税单价', '供应商没有报价，请填写单价'],
  ]);
  expect(found.data?.written).toBe(false);
  expect(await drafts()).toHaveLength(before);

  // What only saving refuses is said of the order's first row.
  const abroad = await sheet([['永康锐达', '深圳仓', 'A', 1, '1', 'USD', '', '', '', '']]);
  expect((await send('yes', abroad)).data?.problems).toMatchObject([{ line: 2, reason: '无海外采购权限' }]);
  expect((await send('yes', await sheet([], HEADS))).msg).toBe('文件没有数据行');
  expect((await send('yes', await sheet([['A']], ['SKU']))).msg).toBe('表格缺少列：供应商、入库仓、采购数量');
  expect((await send('yes', Buffer.from('no sheet at all'))).msg).toContain('不是有效的 Excel');
});

it('a SKU that has no price is asked for once, with all of its rows', async () => {
  const unpriced = (sku: string, more: readonly Cell[] = []): Cell[] => ['永康锐达', '深圳仓', sku, 2, '', '', ...more];
  const rows = [unpriced('B'), unpriced('C'), unpriced('B'), unpriced('B', ['', '2026-12-31']), unpriced('B', ['是'])];
  const found = await send('yes', await sheet(rows));
  expect(found.data?.problems.map((one) => [one.line, one.column, one.reason])).toEqual([
    [2, '含税单价', '供应商没有报价，请填写单价（第 2、4、5 行）'],
    [3, '含税单价', '供应商没有报价，请填写单价'],
  ]);
  expect(found.data?.written).toBe(false);
});

it('a SKU may stand in an order at several prices and days, as gift too; the same line twice is a mistake', async () => {
  const supplier = await createSupplier(buyers.owner, '宁波海纳');
  const tiers = [{ minQty: 1, unitPrice: '8.00' }];
  const productId = productOf(buyers, 'A');
  await world.as(buyers.owner, async (ctx) => {
    await putSupply(ctx, productId, { supplierId: supplier, moq: 1, orderMultiple: 1, leadDays: 7 }, true);
    const quoted = { productId, supplierId: supplier, currency: 'CNY', taxIncluded: true, tiers, confirmed: true };
    await savePriceList(ctx, quoted);
  });
  const row = (qty: number, price: string, gift = '', day = ''): Cell[] => [
    ...['宁波海纳', '深圳仓', 'A', qty, price, '', gift, day, '', ''],
  ];
  const several = [row(10, '8'), row(20, '7.5'), row(30, '8', '', '2026-12-31'), row(1, '', '是')];
  const written = await send('yes', await sheet(several));
  expect(written.data).toMatchObject({ rows: 4, orders: 1, written: true, problems: [] });
  const [made] = (await drafts()).filter((one) => one.number === written.data?.numbers[0]);
  const { lines } = await detailOf(buyers, made?.id ?? '');
  expect(lines.map((one) => [one.product.code, one.qty, one.unitPrice, one.gift, one.expectedOn])).toEqual([
    ['A', 10, '8.000000', false, null],
    ['A', 20, '7.500000', false, null],
    ['A', 30, '8.000000', false, '2026-12-31'],
    ['A', 1, '0.000000', true, null],
  ]);

  // 8, 8.00 and the price that the supplier quotes are one price, whatever the quantity.
  const doubled = [row(10, '8'), row(20, '8.00'), row(30, ''), row(5, '7.5'), row(1, '', '是'), row(2, '', '是')];
  const found = await send('yes', await sheet(doubled));
  const as = (line: number) => `与第 ${line} 行的SKU、单价、赠品和要求到货都相同，请合并或填写分单标识`;
  expect(found.data?.problems.map((one) => [one.line, one.column, one.reason])).toEqual([
    [3, 'SKU', as(2)],
    [4, 'SKU', as(2)],
    [7, 'SKU', as(6)],
  ]);
  expect(found.data?.written).toBe(false);
});

it('the template is its own first import once its sample was overwritten; others may not import', async () => {
  const { raw } = await buyers.buyer.send(orderTemplate, {});
  expect((await send('no', raw)).msg).toBe('文件没有数据行');
  const looker = await world.member(buyers.owner, ['erp:purchase:order:view']);
  expect((await send('yes', raw, looker)).status).toBe(403);
});
