import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSheet } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { stocked } from '#test/support/house.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { boxSheet, importBoxes } from '../../contract/box/sheet.ts';
import { shipSteps } from '../../contract/order-calls.ts';
import { readBoxes } from '../../server/box/sheet.ts';
import { approved, createShipper, detail, type Shipper } from '../support.ts';

let world: World;
let shipper: Shipper;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A', 'B'], { 'A-US': [['A', 1]], 'B-US': [['B', 1]] });
  for (const sku of ['A', 'B']) await stocked(world, shipper, sku, 50, '2');
});
afterAll(() => world.close());

const HEAD = ['箱号', '平台SKU', '数量', '长(cm)', '宽(cm)', '高(cm)', '重量(kg)'];

describe('装箱表', () => {
  it('comes with the SKUs to be packed, goes back filled in, and is written whole or not at all', async () => {
    const id = await approved(shipper, [
      ['A-US', 6],
      ['B-US', 2],
    ]);
    await shipper.packer.call(shipSteps.picked, { body: { id } });
    const sheet = async () => readSheet((await shipper.packer.send(boxSheet, { params: { id } })).raw);
    expect(await sheet()).toEqual([HEAD, ['', 'A-US', '6', '', '', '', ''], ['', 'B-US', '2', '', '', '', '']]);
    const send = async (rows: string[][], write: 'no' | 'yes' = 'yes', more: Record<string, string> = {}) => {
      const bytes = await writeWorkbook([{ title: '装箱', rows: [HEAD, ...rows] }]);
      return uploadAs(world, shipper.packer, importBoxes, { id, write, ...more }, { name: '装箱表.xlsx', bytes });
    };
    const good = [
      ['1', 'A-US', '4', '60', '40', '40', '12.5'],
      ['1', 'B-US', '1', '', '', '', ''],
      ['2', 'A-US', '2', '', '', '', ''],
      ['2', 'b-us', '1', '50', '40', '40', '8'],
    ];
    expect((await send(good, 'no')).data).toMatchObject({ rows: 4, boxes: 2, pieces: 8, problems: [], written: false });
    expect((await detail(shipper, id)).boxes).toEqual([]);
    const bad = await send([...good.slice(0, 3), ['2', 'B-US', '2', '', '', '', '']]);
    expect(bad.data).toMatchObject({ boxes: 0, written: false });
    expect(bad.data.problems).toEqual([{ line: 5, column: '数量', value: '2', reason: '装箱数 3 超过配货数 2' }]);
    expect((await detail(shipper, id)).boxes).toEqual([]);
    expect((await send(good)).data.written).toBe(true);
    const { boxes, order } = await detail(shipper, id);
    expect(boxes.map((box) => [box.weight, box.items.map((item) => item.qty)])).toEqual([
      ['12.500', [4, 1]],
      ['8.000', [2, 1]],
    ]);
    expect((await sheet()).at(1)).toEqual(['1', 'A-US', '4', '60', '40', '40', '12.5']);
    expect((await send(good, 'yes', { version: String(order.version - 1) })).msg).toContain('修改，请刷新后重试');
    await shipper.packer.call(shipSteps.packed, { body: { id } });
    expect((await send(good)).msg).toContain('单据状态为【待出库】');
  });
});

describe('reading a sheet of boxes', () => {
  const lines = [{ id: 'a', msku: 'A', picked: 5 }];
  const problems = (...rows: string[][]) =>
    readBoxes([HEAD, ...rows], lines).problems.map(({ line, column, reason }) => `${line} ${column} ${reason}`);

  it('names each line that is not good', () => {
    expect(problems(['0', 'A', '1'])).toEqual(['2 箱号 箱号为 1 到 5000 的整数']);
    expect(problems(['1', 'X', '1'])).toEqual(['2 平台SKU 发货单中没有该平台SKU']);
    expect(problems(['1', 'A', '1.5'])).toEqual(['2 数量 数量必须为正整数']);
    expect(problems(['1', 'A', '1', '-3'])).toEqual(['2 长(cm) 长(cm)须为正数，小数位过多时请四舍五入']);
    expect(problems(['1', 'A', '1', '60'], ['1', 'A', '1', '61'])).toEqual([
      '3 长(cm) 与同一箱上面的 60 不一致',
      '3 平台SKU 第 1 箱重复填写了该平台SKU',
    ]);
    expect(problems(['2', 'A', '1'])).toEqual(['1 箱号 箱号须从 1 连续，缺少第 1 箱']);
    expect(problems()).toEqual(['2 箱号 没有数据']);
    expect(readBoxes([['箱号', '数量']], lines).problems).toMatchObject([{ reason: '缺少列【平台SKU】' }]);
  });
});
