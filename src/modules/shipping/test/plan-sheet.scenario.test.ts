import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSheet } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { US } from '#test/support/seller.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listPlan } from '../contract/plan.ts';
import { importPlan, planSheet } from '../contract/plan-sheet.ts';
import { readPlan } from '../server/plan/sheet.ts';
import { known, usListing } from './plan-support.ts';
import { createShipper, type Shipper } from './support.ts';

const HEAD = ['店铺', '站点', '平台SKU', '数量', '仓库', '运输方式', '备注'];

describe('a sheet of planned pieces', () => {
  let world: World;
  let shipper: Shipper;
  let planner: Person;
  let place = '';

  beforeAll(async () => {
    world = await createWorld();
    shipper = await createShipper(world, ['A', 'B'], { 'A-US': [['A', 1]], 'B-US': [['B', 1]], 'C-US': [] });
    for (const msku of ['A-US', 'B-US']) await known(world, shipper, usListing(shipper, msku), [[1, 3]]);
    planner = await world.member(shipper.owner, ['erp:ship:plan:view', 'erp:ship:plan:edit']);
    const help = await readSheet((await shipper.owner.send(planSheet, {})).raw);
    expect(help).toEqual([HEAD]);
    place = await world.as(shipper.owner, async (ctx) => {
      const row = await ctx.db
        .selectFrom('warehouse.warehouse')
        .select('name')
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', shipper.main)
        .executeTakeFirstOrThrow();
      return row.name;
    });
  });
  afterAll(() => world.close());

  async function send(rows: string[][], write: 'no' | 'yes' = 'yes', by = planner, head = HEAD) {
    const bytes = await writeWorkbook([{ title: '发货规划', rows: [head, ...rows] }]);
    return uploadAs(world, by, importPlan, { write }, { name: '发货规划.xlsx', bytes });
  }
  async function planned() {
    const { records } = await planner.call(listPlan, { body: { filter: { planned: true } } as never });
    return records.flatMap(({ product, items }) =>
      items.map(({ transport, qty, remark }) => [product.code, transport, qty, remark]),
    );
  }

  it('is written whole or not at all, the same twice is one, and comes back as it went', async () => {
    const good = [
      ['远航旗舰店', 'us', 'A-US', '120', place, '空运', '补货'],
      ['远航旗舰店', '美国', 'A-US', '300', place, '', ''],
      ['', '', '', '', '', '', ''],
      ['远航旗舰店', US, 'B-US', '40', place, 'EXPRESS', ''],
    ];
    const bad = await send([...good, ['远航旗舰店', 'US', 'C-US', '5', place, '', '']]);
    expect(bad.data).toMatchObject({ rows: 4, written: false });
    expect(bad.data.problems).toEqual([
      { line: 6, column: '平台SKU', value: 'C-US', reason: '该站点没有由亚马逊配送的这个平台SKU' },
    ]);
    expect((await send(good, 'no')).data).toMatchObject({
      rows: 3,
      pieces: 460,
      replaced: 0,
      problems: [],
      written: false,
    });
    expect(await planned()).toEqual([]);
    for (const replaced of [0, 3]) expect((await send(good)).data).toMatchObject({ replaced, written: true });
    const all = [
      ['A-US', 'AIR', 120, '补货'],
      ['A-US', 'SEA', 300, ''],
      ['B-US', 'EXPRESS', 40, ''],
    ];
    expect((await planned()).sort()).toEqual(all);
    const sheet = await readSheet((await planner.send(planSheet, {})).raw);
    expect(sheet.slice(1).sort()).toEqual([
      ['远航旗舰店', 'US', 'A-US', '120', place, '空运', '补货'],
      ['远航旗舰店', 'US', 'A-US', '300', place, '海运', ''],
      ['远航旗舰店', 'US', 'B-US', '40', place, '快递', ''],
    ]);
    expect((await send(sheet.slice(1))).data).toMatchObject({ replaced: 3, written: true });
    expect((await planned()).sort()).toEqual(all);
  });

  it('is taken from those who may plan, for stores of their own', async () => {
    const reader = await world.member(shipper.owner, ['erp:ship:plan:view']);
    expect((await send([], 'no', reader)).code).not.toBe('200');
    const other = await world.owner();
    const found = await send([['远航旗舰店', 'US', 'A-US', '1', place, '', '']], 'yes', other);
    expect(found.data).toMatchObject({ written: false });
    expect(found.data.problems.map(({ reason }) => reason)).toContain('店铺不存在，或没有权限');
  });
});

describe('reading a sheet of planned pieces', () => {
  const ids = ['0193a000-0000-7000-8000-000000000001', '0193a000-0000-7000-8000-000000000002'] as const;
  const names = {
    stores: [
      { id: ids[0], name: '远航', sites: [US], mine: true },
      { id: ids[1], name: '远航', sites: ['A1PA6795UKMFR9'], mine: false },
    ],
    warehouses: [
      { id: ids[0], name: '主仓', code: 'ZC', mine: true },
      { id: ids[1], name: '主仓二', code: 'ZC2', mine: false },
    ],
  };
  const problems = (...rows: string[][]) =>
    readPlan([HEAD, ...rows], names).problems.map(({ line, column, reason }) => `${line} ${column} ${reason}`);

  it('names each line that is not good, every field of it', () => {
    expect(problems(['无', 'US', 'A', '0', '副仓', '飞机', ''])).toEqual([
      '2 店铺 店铺不存在，或没有权限',
      '2 仓库 没有可发货的仓库叫这个名称或编码',
      '2 运输方式 运输方式为 海运、空运、快递、铁路、卡航 之一',
      '2 数量 数量必须为正整数',
    ]);
    expect(problems(['远航', 'JP', '', '1.5', 'zc', '', ''])).toEqual([
      '2 站点 该店铺没有这个站点，请填写站点代码或名称，如 US、美国',
      '2 数量 数量必须为正整数',
      '2 平台SKU 请填写平台SKU',
    ]);
    expect(problems(['远航', 'DE', 'A', '1', '主仓二', '', ''])).toEqual([
      '2 店铺 没有该店铺的操作权限',
      '2 仓库 没有该仓库的操作权限',
    ]);
    expect(problems(['远航', 'US', 'A', '1', '主仓', '海运', ''], ['远航', '美国', 'A', '2', 'ZC', 'sea', ''])).toEqual(
      ['3 平台SKU 与第 2 行的平台SKU、仓库、运输方式重复'],
    );
    expect(problems(['远航', 'US', 'A', '1', '主仓', '', '长'.repeat(201)])).toEqual(['2 备注 备注不能超过200个字符']);
    expect(problems()).toEqual(['2 店铺 没有数据']);
    expect(readPlan([['店铺', '站点', 'MSKU', '数量']], names).problems).toMatchObject([{ reason: '缺少列【仓库】' }]);
  });

  it('takes the headings that people use', () => {
    const { items } = readPlan(
      [
        ['MSKU*', '发货仓', '店铺', '数量', '站点'],
        ['A', '主仓', '远航', '7.0', 'US'],
      ],
      names,
    );
    expect(items).toMatchObject([
      { line: 2, item: { msku: 'A', qty: 7, transport: 'SEA', marketplaceId: US, remark: '' } },
    ]);
  });
});
