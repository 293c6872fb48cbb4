import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { saveBrand, saveCategory } from '../contract/catalogue.ts';
import { checkTable, commitTable, exportTable, importResult, tableTemplate } from '../contract/imports.ts';
import { listProducts, productDetail } from '../contract/material.ts';
import { whereUsed } from '../contract/parts.ts';
import { check, product, upload } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  await owner.call(saveBrand, { body: { name: 'Kodo' } });
  const home = await owner.call(saveCategory, { body: { name: '家居' } });
  await owner.call(saveCategory, { body: { name: '水杯', parentId: home } });
});
afterAll(() => world.close());

/** Checks and writes a file that has nothing wrong with it. */
async function put(kind: Parameters<typeof check>[2], content: string) {
  const { data } = await check(world, owner, kind, content);
  expect(data.problems).toEqual([]);
  return owner.call(commitTable, { params: { id: data.id ?? '' } });
}
const skus = async () => (await owner.call(listProducts, { body: {} })).records.map((row) => row.sku).toSorted();

describe('import of products', () => {
  const GOOD =
    'SKU,名称,品牌,品类,采购成本(CNY),净品长(cm),净品宽(cm),净品高(cm),净品重(kg),单箱数量,生效日期,海关编码\n' +
    'IM-1,保温杯,kodo,家居 / 水杯,12.5,10,8,20.5,0.35,24,2026/1/3,7323930000\n' +
    'IM-2,马克杯,,水杯,,,,,,,46000,\n';

  it('says of each bad row why, and writes nothing of the file', async () => {
    const file =
      'SKU,名称,品牌,品类,采购成本(CNY),单箱数量,生效日期,条码\n' +
      ',无名,,,,,,\nBAD-1,,,,,,,\nBAD-2,杯,没有的牌子,水杯,1.23456,2.5,2026-02-30,\n' +
      'BAD-3,杯,,厨房,,,,690\nbad-3,杯,,,,,,690\nBAD-4,好的,,,,,,\n';
    const { data } = await check(world, owner, 'product', file);
    expect(data).toMatchObject({ id: null, rows: 6, good: 1, bad: 5 });
    expect(data.problems.map((one) => [one.line, one.column, one.reason])).toEqual([
      [2, 'SKU', 'SKU不能为空'],
      [3, '名称', '名称不能为空'],
      [4, '采购成本(CNY)', '最多 4 位小数'],
      [4, '单箱数量', '数量必须为正整数'],
      [4, '生效日期', '日期无效'],
      [5, '品类', '品类不存在'],
      [6, 'SKU', '与第 5 行重复'],
      [6, '条码', '条码与第 5 行重复'],
    ]);
    expect(await skus()).toEqual([]);
    const headless = await check(world, owner, 'product', '名称\n杯\n');
    expect(headless.data.problems[0]).toMatchObject({ line: null, reason: '缺少列「SKU」' });
    expect((await check(world, owner, 'product', 'SKU,名称\n')).data.problems[0]?.reason).toBe('文件没有数据行');
  });

  it('writes all of it at once; the same file again changes nothing', async () => {
    expect(await put('product', GOOD)).toMatchObject({ rows: 2, changed: 2 });
    const { records } = await owner.call(listProducts, { body: { sort: 'sku' } });
    expect(
      records.map((row) => [row.sku, row.brand, row.category, row.size, row.unitCost, row.hsCode, row.effectiveDate]),
    ).toEqual([
      ['IM-1', 'Kodo', '家居 / 水杯', '10×8×20.5', '12.5000', '7323930000', '2026-01-03'],
      ['IM-2', null, '家居 / 水杯', null, null, null, '2025-12-09'],
    ]);
    const versions = records.map((row) => [row.version, row.updatedAt]);
    const again = await put('product', GOOD);
    expect(again.changed).toBe(0);
    expect(
      (await owner.call(listProducts, { body: { sort: 'sku' } })).records.map((row) => [row.version, row.updatedAt]),
    ).toEqual(versions);
    const known = await owner.send(commitTable, { params: { id: '00000000-0000-7000-8000-000000000000' } });
    expect(known.status).toBe(404);
  });

  it('an empty cell leaves what stands there, another spelling of the SKU is the same product', async () => {
    await put('product', 'SKU,名称,规格\nim-1,新名字,500ml\n');
    const [row] = (await owner.call(listProducts, { body: { filter: { skus: ['IM-1'] } } })).records;
    expect(row).toMatchObject({
      sku: 'IM-1',
      name: '新名字',
      specification: '500ml',
      brand: 'Kodo',
      unitCost: '12.5000',
    });
  });

  it('is put right in place, is written once, and is refused where the tables changed since', async () => {
    const file = 'SKU,名称,单箱数量\nFIX-1,杯,0\nFIX-2,,3\n';
    const corrections = [
      { line: 2, values: { units_per_carton: '12' } },
      { line: 3, drop: true },
    ];
    const { data } = await check(world, owner, 'product', file, { corrections: JSON.stringify(corrections) });
    expect(data).toMatchObject({ rows: 1, dropped: 1, problems: [] });
    const id = data.id ?? '';
    expect(await owner.call(commitTable, { params: { id } })).toMatchObject({ rows: 1, changed: 1 });
    expect((await owner.send(commitTable, { params: { id } })).status).toBe(409);
    expect(await owner.call(importResult, { params: { id } })).toMatchObject({ state: 'posted', changed: 1 });
    const waiting = await check(world, owner, 'product', 'SKU,名称,条码\nLATE-1,杯,777\n');
    await product(owner, 'FASTER', { barcode: '777' });
    const late = await owner.send(commitTable, { params: { id: waiting.data.id ?? '' } });
    expect(late.msg).toBe('第2行：条码已被产品「FASTER」使用（成功0，失败1，未写入）');
  });

  it('takes no costs from somebody who may not see them, and no file from somebody who may not import', async () => {
    const clerk = await world.member(owner, ['erp:product:view', 'erp:product:import']);
    const { data } = await check(world, clerk, 'product', 'SKU,名称,采购成本(CNY)\nCLERK-1,杯,5\n');
    expect(data.problems.map((one) => one.reason)).toEqual(['无权修改成本']);
    const viewer = await world.member(owner, ['erp:product:view']);
    expect((await check(world, viewer, 'product', GOOD)).code).toBe(403);
    const priced = await upload<unknown>(
      world,
      clerk,
      checkTable,
      { name: 'p.csv', content: 'x' },
      { params: { kind: 'price' } },
    );
    expect(priced.code).toBe(403);
  });
});

describe('import of what belongs to products', () => {
  it('lists of parts get a version where they differ, and a cycle refuses the whole file', async () => {
    for (const sku of ['B-SET', 'B-1', 'B-2']) await product(owner, sku);
    const file = '组合SKU,子件SKU,数量\nB-SET,B-1,2\nB-SET,B-2,1\n';
    expect((await put('bom', file)).changed).toBe(1);
    expect((await put('bom', file)).changed).toBe(0);
    const { data } = await check(world, owner, 'bom', '组合SKU,子件SKU,数量\nB-1,B-SET,1\nB-2,没有,1\n');
    expect(data.problems.map((one) => [one.line, one.reason])).toEqual([[3, '没有这个SKU的产品']]);
    const cycle = await check(world, owner, 'bom', '组合SKU,子件SKU,数量\nB-1,B-SET,1\n');
    const answer = await owner.send(commitTable, { params: { id: cycle.data.id ?? '' } });
    expect(answer.msg).toBe('组合关系形成循环：B-1 → B-SET → B-1');
    const [part] = (await owner.call(listProducts, { body: { filter: { skus: ['B-1'] } } })).records;
    expect(part?.structure).toBe('component');
  });

  it('prices become a list of tiers per supplier, with one default', async () => {
    const { code } = await owner.call(saveSupplier, { body: { shortName: '华瑞' } });
    await owner.call(saveSupplier, { body: { shortName: '金诺' } });
    const id = await product(owner, 'P-1');
    const file = `SKU,供应商,默认,MOQ,倍数,供货周期,档位数量,单价,币种,含税\nP-1,${code},是,100,10,25,1,12.5,CNY,否\nP-1,${code},是,,,,500,11.2,CNY,否\nP-1,金诺,,,,,1,13,USD,是\n`;
    await put('price', file);
    const detail = await owner.call(productDetail, { params: { id } });
    expect(
      detail.supplies.map((one) => [
        one.supplier,
        one.isDefault,
        one.moq,
        one.leadDays,
        one.prices?.currency,
        one.prices?.tiers.length,
      ]),
    ).toEqual([
      ['华瑞', true, 100, 25, 'CNY', 2],
      ['金诺', false, 1, 0, 'USD', 1],
    ]);
    expect((await put('price', file)).changed).toBe(0);
    const { data } = await check(
      world,
      owner,
      'price',
      'SKU,供应商,默认,档位数量,单价\nP-1,华瑞,是,1,1\nP-1,金诺,是,1,1\nP-1,谁,,1,1\nP-1,金诺,,1,2\n',
    );
    expect(data.problems.map((one) => [one.line, one.reason])).toEqual([
      [2, '请指定且仅指定一个默认供应商'],
      [4, '供应商不存在'],
      [5, '与第 3 行重复'],
    ]);
  });

  it('consumables and customs take the place of what the file names', async () => {
    const id = await product(owner, 'C-1');
    const tape = await product(owner, 'C-TAPE', { kind: 'consumable' });
    await put('consumable', 'SKU,辅料SKU,单件用量\nC-1,C-TAPE,0.02\n');
    expect((await owner.call(whereUsed, { body: { productId: tape } })).map((use) => [use.sku, use.qtyPer])).toEqual([
      ['C-1', '0.0200'],
    ]);
    await put(
      'customs',
      'SKU,国家,中文名,海关编码,退税率,申报价,申报币种\nC-1,出口,保温杯,7323930000,13%,,\nC-1,US,保温杯,73239300,,3.5,USD\n',
    );
    const { customs } = await owner.call(productDetail, { params: { id } });
    expect(customs.map((one) => [one.country, one.refundRate, one.declaredValue])).toEqual([
      ['', '0.1300', null],
      ['US', null, '3.5000'],
    ]);
    const wrong = await check(world, owner, 'customs', 'SKU,国家,海关编码,申报价\nC-1,出口,123456,\nC-1,US,,5\n');
    expect(wrong.data.problems.map((one) => one.reason)).toEqual(['出口海关编码为10位数字', '申报价与币种须同时填写']);
  });

  it('what is exported can be imported again and changes nothing', async () => {
    for (const kind of ['product', 'price', 'bom', 'consumable', 'customs', 'skuMatch'] as const) {
      const template = await owner.send(tableTemplate, { params: { kind } });
      expect(template.headers['content-type'], kind).toContain('spreadsheet');
      const file = await owner.send(exportTable, { params: { kind } });
      const { data } = await upload<{ id: string | null; rows: number; problems: unknown[] }>(
        world,
        owner,
        checkTable,
        { name: 'again.xlsx', content: file.raw },
        { params: { kind } },
      );
      if (kind === 'skuMatch') continue;
      expect([kind, data.problems]).toEqual([kind, []]);
      expect(await owner.call(commitTable, { params: { id: data.id ?? '' } }), kind).toMatchObject({
        rows: data.rows,
        changed: 0,
      });
    }
  });
});
