import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSheet } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  freightBillDetail,
  freightBillTemplate,
  freightSteps,
  importFreightBills,
  listFreightBills,
} from '../../contract/freight/calls.ts';
import { createForwarded, type Forwarded, numberOf, sentBoxes } from './support.ts';

let world: World;
let house: Forwarded;
let first: string;
let second: string;
let today: string;

beforeAll(async () => {
  world = await createWorld();
  house = await createForwarded(world);
  today = world.clock.today();
  first = await numberOf(house, await sentBoxes(world, house, [{ 'A-US': 4 }], { shipmentNo: 'FBA15AAA' }));
  second = await numberOf(house, await sentBoxes(world, house, [{ 'B-US': 4 }], { trackingNo: 'T-77' }));
});
afterAll(() => world.close());

const HEADS = ['货代', '账单号', '账单日期', '币种', '单号', '费用名称', '金额', '收费重', '备注'];

const file = async (rows: readonly (readonly string[])[], heads = HEADS) => ({
  name: '账单.xlsx',
  bytes: await writeWorkbook([{ title: '账单', rows: [[...heads], ...rows.map((row) => [...row])] }]),
});
const send = async (rows: readonly (readonly string[])[], write: 'no' | 'yes') =>
  (await uploadAs(world, house.clerk, importFreightBills, { write }, await file(rows))).data;
const count = async () => (await house.clerk.call(listFreightBills, { body: {} })).total;

describe('bills from a sheet', () => {
  const good = () => [
    ['远航', 'B-1', today, '', 'fba15aaa', '', '1,563.20', '64', ''],
    ['YH', 'b-1', today, 'cny', first, '报关', '￥100', '', '随票'],
    ['远航', 'B-2', today, 'USD', 'T-77', '附加费', '36.79', '', ''],
  ];

  it('are checked without a trace, written whole, and never twice', async () => {
    expect(await send(good(), 'no')).toMatchObject({ rows: 3, bills: 2, written: false, problems: [], numbers: [] });
    expect(await count()).toBe(0);
    const done = await send(good(), 'yes');
    expect(done).toMatchObject({ rows: 3, bills: 2, written: true, problems: [] });
    const { records } = await house.clerk.call(listFreightBills, { body: {} });
    expect(records.map((one) => [one.state, one.billNo, one.currency, one.amount, one.orders]).sort()).toEqual([
      ['draft', 'B-1', 'CNY', '1663.20', 1],
      ['draft', 'B-2', 'USD', '36.79', 1],
    ]);
    const id = records.find((one) => one.billNo === 'B-1')?.id ?? '';
    const { lines } = await house.clerk.call(freightBillDetail, { params: { id } });
    expect(lines.map((one) => [one.order, one.kind, one.amount, one.billedWeight, one.remark])).toEqual([
      [first, 'FREIGHT', '1563.20', '64', ''],
      [first, 'CUSTOMS', '100.00', null, '随票'],
    ]);
    const again = await send(good(), 'yes');
    expect(again?.written).toBe(false);
    expect(again?.problems).toMatchObject([{ line: 2, reason: expect.stringContaining('已录入：WL') }]);
    expect(await count()).toBe(2);
    // What was given up may be sent again.
    await house.clerk.call(freightSteps.cancel, { body: { id, reason: '重新导入' } });
    expect(await send(good().slice(0, 2), 'yes')).toMatchObject({ written: true, bills: 1 });
  });

  it('say of each bad row what is wrong, and one of them is enough that nothing is written', async () => {
    const before = await count();
    const rows = [
      ['没有这家', 'C-1', today, '', first, '', '1', '', ''],
      ['远航', '', today, '', first, '', '1', '', ''],
      ['远航', 'C-1', '2999-01-01', '', first, '', '1', '', ''],
      ['远航', 'C-1', today, '人民币', first, '', '1', '', ''],
      ['远航', 'C-1', today, '', 'NOPE', '', '1', '', ''],
      ['远航', 'C-1', today, '', first, '仓租', '1', '', ''],
      ['远航', 'C-1', today, '', first, '', '-1', '', ''],
      ['远航', 'C-1', today, '', first, '', '1', '很重', ''],
      ['远航', 'C-1', today, '', first, '运费', '1', '', ''],
      ['远航', 'C-1', today, 'USD', second, '运费', '1', '', ''],
    ];
    const found = await send(rows, 'yes');
    expect(found?.written).toBe(false);
    expect(found?.problems.map((one) => `${one.line} ${one.column} ${one.reason}`)).toEqual([
      '2 物流商 物流商不存在',
      '3 账单号 请填写账单号，不超过60个字',
      '4 账单日期 账单日期不能晚于今天',
      '5 币种 请输入三位币种代码，例如 CNY',
      '6 发货单/货件/追踪号 没有单号为【NOPE】的发货单',
      '7 费用类型 费用类型只能是 运费、关税、报关、附加费、其它',
      '8 金额 金额须为正数，最多2位小数',
      '9 计费重 计费重须为不小于0的数字，最多3位小数',
      '11 币种 与同一账单第 10 行的币种不同',
    ]);
    expect(await count()).toBe(before);
  });

  it('ask for their columns and for the right to import, and the template is such a sheet', async () => {
    const short = await uploadAs(
      world,
      house.clerk,
      importFreightBills,
      { write: 'no' },
      await file([['x']], ['金额']),
    );
    expect(short.msg).toContain('表格缺少列：物流商、账单号、账单日期、发货单/货件/追踪号');
    const refused = await uploadAs(world, house.chief, importFreightBills, { write: 'no' }, await file(good()));
    expect(refused.code).toBe(403);
    const template = await house.clerk.send(freightBillTemplate, {});
    const table = await readSheet(template.raw);
    expect(table[0]?.slice(0, 3)).toEqual(['物流商*', '账单号*', '账单日期*']);
    const empty = await uploadAs(
      world,
      house.clerk,
      importFreightBills,
      { write: 'yes' },
      {
        name: '模板.xlsx',
        bytes: template.raw,
      },
    );
    expect(empty.msg).toContain('文件没有数据行');
  });
});
