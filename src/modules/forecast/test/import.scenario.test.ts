import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { makeSellerAccount } from '#test/support/seller.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { VIEW } from '../contract/fields.ts';
import { forecastSeries, listForecasts } from '../contract/forecast.ts';
import { clearOverrides, importOverrides, overrideTemplate } from '../contract/overrides.ts';
import { runAccount } from '../server/run.ts';
import { dayPlus } from '../server/stocks.ts';
import { sell } from './support.ts';

const STORE = '远航家居';
const HEADS = ['店铺*', '站点*', 'MSKU*', '开始*', '结束', '方式', '数值*', '原因*'];

let world: World;
let owner: Person;
let cutoff: string;
/** A whole month that is still to come. */
let month: string;

const send = async (rows: readonly (readonly string[])[], write: 'yes' | 'no' = 'yes', who = owner) => {
  const bytes = await writeWorkbook([{ title: '预测干预', rows: [HEADS, ...rows.map((row) => [...row])] }]);
  return uploadAs(world, who, importOverrides, { write }, { name: '干预.xlsx', bytes });
};
const row = (sku: string, from: string, to: string, mode: string, value: string, reason = '大促备货') => [
  STORE,
  'US',
  sku,
  from,
  to,
  mode,
  value,
  reason,
];
const rowOf = async (sku: string) => {
  const { records } = await owner.call(listForecasts, { body: { filter: { skus: [sku] } } });
  if (!records[0]) throw new Error(`no forecast of ${sku}`);
  return records[0];
};
const overridesOf = async (sku: string) =>
  (await owner.call(forecastSeries, { params: { id: (await rowOf(sku)).id } })).overrides.filter(
    ({ clearedBy }) => clearedBy === null,
  );

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  const account = (await makeSellerAccount(world, owner, { name: STORE })).id;
  cutoff = await sell(world, owner, account, { 'I-A': () => 10, 'I-B': () => 2 }, 200);
  month = dayPlus(`${dayPlus(cutoff, 1).slice(0, 7)}-01`, 75).slice(0, 7);
  await runAccount(world.runtime, owner.companyId, account);
});
afterAll(() => world.close());

test('a sheet is checked, every fault is named by line and column, and nothing of it is written', async () => {
  const last = dayPlus(cutoff, 5);
  const { data } = await send(
    [
      row('I-A', month, '', '', '300'),
      ['别的店', 'US', 'I-A', month, '', '', '300', '备货'],
      [STORE, '火星', 'I-A', month, '', '', '300', '备货'],
      row('I-C', month, '', '', '300'),
      row('I-A', last, '', '每天销量', '-3'),
      row('I-A', last, dayPlus(cutoff, 2), '每天销量', '3'),
      row('I-A', last, '', '按比例', '21'),
      row('I-A', last, '', '随便', '3'),
      row('I-A', last, '', '每天销量', '3', ''),
      row('I-A', dayPlus(cutoff, -3), '', '每天销量', '3'),
      row('I-A', dayPlus(cutoff, 4000), '', '每天销量', '3'),
    ],
    'yes',
  );
  expect(data.problems.map(({ line, column, reason }) => `${line} ${column} ${reason}`)).toEqual([
    '3 店铺 店铺不存在',
    '4 站点 站点不存在，请填写国家代码，如 US',
    '5 MSKU MSKU不存在，或该店铺站点没有它的预测',
    '6 数值 请输入不小于 0 的数字，最多四位小数',
    '7 结束 结束日期不能早于开始日期',
    '8 数值 比例不能超过 20（2000%）',
    expect.stringMatching(/^9 方式 /),
    expect.stringMatching(/^10 原因 /),
    '11 开始 结束日期已经过去，请选择未来的日期',
    expect.stringMatching(/^12 开始 结束日期不能超过 /),
  ]);
  expect(data.written).toBe(false);
  expect(await overridesOf('I-A')).toEqual([]);
});

test('a month, days and a share are published at once; the same file again changes nothing', async () => {
  const day = dayPlus(cutoff, 3);
  const rows = [
    row('I-A', month, '', '', '1,234'),
    row('I-A', day, '', '每天销量', '0'),
    row('I-B', day, dayPlus(day, 1), '按比例', '1.5'),
  ];
  expect((await send(rows, 'no')).data).toEqual({ rows: 3, fresh: 3, written: false, problems: [] });
  expect(await overridesOf('I-A')).toEqual([]);
  expect((await send(rows)).data).toEqual({ rows: 3, fresh: 3, written: true, problems: [] });
  expect(await overridesOf('I-A')).toHaveLength(2);
  const { months, overrides } = await owner.call(forecastSeries, { params: { id: (await rowOf('I-A')).id } });
  expect(months.find((one) => one.month.startsWith(month))?.published).toBe('1234.00');
  expect(overrides.map(({ mode, value }) => `${mode} ${Number(value)}`).sort()).toEqual(['ABS 0', 'MONTH 1234']);
  expect((await send(rows)).data).toEqual({ rows: 3, fresh: 0, written: true, problems: [] });
  expect(await overridesOf('I-A')).toHaveLength(2);
  await owner.call(clearOverrides, { body: { ids: [(await rowOf('I-A')).id] } });
  expect((await send(rows)).data).toMatchObject({ fresh: 2 });
});

test('who may only look sends no sheet, and another company has none of these products', async () => {
  const reader = await world.member(owner, [VIEW]);
  expect((await send([row('I-A', month, '', '', '1')], 'yes', reader)).status).toBe(403);
  expect((await reader.send(overrideTemplate, {})).status).toBe(403);
  const stranger = await world.owner();
  expect((await send([row('I-A', month, '', '', '1')], 'yes', stranger)).data.problems).toHaveLength(1);
});
