import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  buildModel,
  deleteBrand,
  deleteCategory,
  listBrands,
  listCategories,
  listModels,
  mergeBrands,
  mergeCategories,
  moveCategory,
  saveBrand,
  saveCategory,
  saveModel,
} from '../contract/catalogue.ts';
import {
  batchUpdate,
  countProducts,
  deleteConsumable,
  exportProducts,
  findProducts,
  listConsumables,
  listProducts,
  offlineProducts,
  productDetail,
  productHistory,
  restoreProducts,
  saveProduct,
} from '../contract/material.ts';
import {
  explodeBom,
  priceHistory,
  productTiers,
  quotePrice,
  saveBom,
  savePrices,
  whereUsed,
} from '../contract/parts.ts';
import { product } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

describe('brands, categories and models', () => {
  it('a brand is unique whatever its case, merged with its products, and deleted only when nothing has it', async () => {
    const first = await owner.call(saveBrand, { body: { name: 'Kodo', trademarkNo: 'TM-1' } });
    expect((await owner.send(saveBrand, { body: { name: 'KODO' } })).msg).toBe('品牌「KODO」已存在');
    const second = await owner.call(saveBrand, { body: { name: 'Kodo Home' } });
    await product(owner, 'BRAND-1', { brandId: second });
    expect((await owner.send(deleteBrand, { body: { id: second } })).msg).toContain('正被1条记录使用');
    expect(await owner.call(mergeBrands, { body: { from: second, to: first } })).toEqual({ moved: 1 });
    const { records } = await owner.call(listBrands, { body: {} });
    expect(records.map((row) => [row.name, row.products])).toEqual([['Kodo', 1]]);
  });

  it('categories have two levels, never three, and are moved, merged and counted', async () => {
    const home = await owner.call(saveCategory, { body: { name: '家居', hsCode: '7323930000', safetyDays: 20 } });
    const cups = await owner.call(saveCategory, { body: { name: '水杯', parentId: home } });
    const toys = await owner.call(saveCategory, { body: { name: '玩具' } });
    expect((await owner.send(saveCategory, { body: { name: '保温杯', parentId: cups } })).msg).toContain('只有两级');
    expect((await owner.send(moveCategory, { body: { id: home, parentId: toys, order: [] } })).msg).toContain(
      '不能移到',
    );
    await product(owner, 'CAT-1', { categoryId: cups });
    await owner.call(moveCategory, { body: { id: cups, parentId: toys, order: [cups] } });
    const tree = await owner.call(listCategories, { body: {} });
    expect(tree.map((row) => [row.name, row.level, row.products])).toEqual([
      ['家居', 1, 0],
      ['玩具', 1, 1],
      ['水杯', 2, 1],
    ]);
    expect((await owner.send(mergeCategories, { body: { from: toys, to: home } })).msg).toContain('二级品类');
    await owner.call(mergeCategories, { body: { from: cups, to: home } });
    await owner.call(deleteCategory, { body: { id: toys } });
    expect((await owner.call(listCategories, { body: {} })).map((row) => [row.name, row.products])).toEqual([
      ['家居', 1],
    ]);
  });

  it('a model makes a product of each combination of its attributes, once', async () => {
    const attributes = [
      { name: '颜色', values: ['红', '蓝'] },
      { name: '容量', values: ['350', '500'] },
    ];
    const id = await owner.call(saveModel, { body: { spu: 'CUP', name: '杯', attributes } });
    const { created } = await owner.call(buildModel, { body: { id } });
    expect(created.toSorted()).toEqual(['CUP-红-350', 'CUP-红-500', 'CUP-蓝-350', 'CUP-蓝-500']);
    expect(await owner.call(buildModel, { body: { id } })).toEqual({ created: [] });
    const [row] = (await owner.call(listModels, { body: {} })).records;
    expect(row).toMatchObject({ spu: 'CUP', products: 4, attributeText: '颜色：红、蓝；容量：350、500' });
  });
});

describe('a product', () => {
  it('has a SKU of its own whatever the case, is changed by version, renamed and remembered field by field', async () => {
    const id = await product(owner, 'KD-1', { specification: '500ml', hazards: ['battery'], unitCost: '12.5' });
    expect((await owner.send(saveProduct, { body: { sku: ' kd-1 ', name: '又一个' } })).msg).toBe('SKU「KD-1」已存在');
    const before = await owner.call(productDetail, { params: { id } });
    const body = { id, version: before.version, sku: 'KD-1B', name: '改名的杯', kind: 'goods' as const };
    await owner.call(saveProduct, { body });
    const stale = await owner.send(saveProduct, { body });
    expect([stale.status, stale.msg]).toEqual([409, expect.stringMatching(/^单据已被管理员于.*修改，请刷新$/)]);
    const after = await owner.call(productDetail, { params: { id } });
    expect(after).toMatchObject({ sku: 'KD-1B', specification: '500ml', hazards: ['battery'], unitCost: '12.5000' });
    const [change] = await owner.call(productHistory, { params: { id } });
    expect(change?.changes).toContainEqual({ field: 'SKU', before: 'KD-1', after: 'KD-1B' });
    const brandId = await owner.call(saveBrand, { body: { name: '酷渡' } });
    const sized = {
      brandId,
      dimensions: [
        { role: 'packed' as const, length: '20', width: '10', height: '5', weight: null, unitsPerCarton: null },
      ],
    };
    await owner.call(saveProduct, { body: { ...body, version: after.version, ...sized } });
    const [latest] = await owner.call(productHistory, { params: { id } });
    expect(latest?.changes).toContainEqual({ field: '品牌', before: '', after: '酷渡' });
    expect(JSON.stringify(latest?.changes)).not.toMatch(/[{][^{}]*packed|_id|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it('keeps sizes, customs and consumables; what is left out stays', async () => {
    const tape = await product(owner, 'FL-TAPE', { kind: 'consumable', unit: '卷' });
    const id = await product(owner, 'KD-2', {
      dimensions: [
        { role: 'net', length: '10', width: '8', height: '20.5', weight: '0.35', unitsPerCarton: null },
        { role: 'carton', length: '60', width: '40', height: '45', weight: '12', unitsPerCarton: 24 },
      ],
      customs: [{ country: '', hsCode: '7323930000', nameCn: '保温杯', refundRate: '0.13' }],
      consumables: [{ consumableId: tape, qtyPer: '0.02' }],
    });
    await owner.call(saveProduct, { body: { id, sku: 'KD-2', name: '杯二' } });
    const detail = await owner.call(productDetail, { params: { id } });
    expect(detail.dimensions.map((one) => [one.role, one.height])).toEqual([
      ['net', '20.50'],
      ['carton', '45.00'],
    ]);
    expect(detail.customs[0]).toMatchObject({ country: '', hsCode: '7323930000', refundRate: '0.1300' });
    expect(detail.consumables).toEqual([
      { consumableId: tape, qtyPer: '0.0200', sku: 'FL-TAPE', name: '产品 FL-TAPE' },
    ]);
    const { records } = await owner.call(listConsumables, { body: {} });
    expect(records.map((row) => [row.sku, row.usedBy])).toEqual([['FL-TAPE', 1]]);
    expect((await owner.send(deleteConsumable, { body: { id: tape } })).msg).toContain('已被使用');
    expect(
      (
        await owner.send(saveProduct, {
          body: { sku: 'KD-3', name: '三', consumables: [{ consumableId: id, qtyPer: '1' }] },
        })
      ).msg,
    ).toBe('只能选择辅料或包材');
  });

  it('is listed, found, counted, changed in batches and exported, without costs for whoever may not see them', async () => {
    const { records, total } = await owner.call(listProducts, { body: { filter: { skus: ['kd-2', 'KD-1b'] } } });
    expect(total).toBe(2);
    expect(records.map((row) => [row.sku, row.size, row.weight])).toEqual([
      ['KD-2', '10×8×20.5', '0.350'],
      ['KD-1B', '20×10×5', null],
    ]);
    const ids = records.map((row) => row.id);
    const done = await owner.call(batchUpdate, {
      body: { ids, set: { ownerId: owner.userId, unitCost: '9.9', leadDays: 20 } },
    });
    expect(done).toEqual({
      changed: 2,
      problems: expect.arrayContaining([{ sku: 'KD-2', reason: '没有默认供应商，供货周期未修改' }]),
    });
    const mine = await owner.call(listProducts, { body: { filter: { ownerId: [owner.userId] } } });
    expect(mine.records.map((row) => [row.owner, row.unitCost])).toEqual([
      ['管理员', '9.9000'],
      ['管理员', '9.9000'],
    ]);
    const viewer = await world.member(owner, ['erp:product:view', 'erp:product:export']);
    const [seen] = (await viewer.call(listProducts, { body: { filter: { skus: ['KD-2'] } } })).records;
    expect(seen).not.toHaveProperty('unitCost');
    const file = await viewer.send(exportProducts, { body: { format: 'csv', filter: { skus: ['KD-2'] } } });
    expect(file.raw.toString('utf8')).toContain('KD-2');
    expect(file.raw.toString('utf8')).not.toContain('9.9');
    expect((await viewer.send(saveProduct, { body: { sku: 'X', name: 'X' } })).status).toBe(403);
    const found = await viewer.call(findProducts, { body: { text: 'kd-' } });
    expect(found.map((one) => one.sku)).toEqual(['KD-1B', 'KD-2']);
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listProducts, { body: {} })).total).toBe(0);
    expect((await outsider.send(productDetail, { params: { id: ids[0] ?? '' } })).status).toBe(404);
  });

  it('goes out of use unless a bundle needs it, and its SKU stays taken', async () => {
    const part = await product(owner, 'OFF-PART');
    const set = await product(owner, 'OFF-SET');
    await owner.call(saveBom, { body: { productId: set, lines: [{ componentId: part, qtyPer: '1' }] } });
    const kept = await owner.call(offlineProducts, { body: { ids: [part] } });
    expect(kept).toEqual({
      changed: 0,
      problems: [{ sku: 'OFF-PART', reason: '产品仍有库存或未完单据，不能停用：组合「OFF-SET」' }],
    });
    expect(await owner.call(offlineProducts, { body: { ids: [set] } })).toEqual({ changed: 1, problems: [] });
    expect(await owner.call(offlineProducts, { body: { ids: [part] } })).toEqual({ changed: 1, problems: [] });
    expect((await owner.send(saveProduct, { body: { sku: 'off-part', name: '新' } })).msg).toBe(
      '该SKU已归档，请先恢复',
    );
    expect((await owner.call(countProducts, { body: {} })).offline).toBe(2);
    expect(await owner.call(restoreProducts, { body: { ids: [part, set] } })).toEqual({ changed: 2 });
  });
});

describe('lists of parts', () => {
  it('refuse a cycle with its path, and more than five levels', async () => {
    const ids: string[] = [];
    for (let level = 0; level <= 6; level += 1) ids.push(await product(owner, `LV-${level}`));
    const link = (from: number, to: number) =>
      owner.send(saveBom, {
        body: { productId: ids[from] ?? '', lines: [{ componentId: ids[to] ?? '', qtyPer: '2' }] },
      });
    for (let level = 0; level < 5; level += 1) expect((await link(level, level + 1)).code).toBe(201);
    expect((await link(5, 0)).msg).toBe('组合关系形成循环：LV-5 → LV-0 → LV-1 → LV-2 → LV-3 → LV-4 → LV-5');
    expect((await link(5, 6)).msg).toBe('组合关系最多5层，现为6层');
    expect((await link(6, 6)).msg).toBe('组合关系形成循环：LV-6 → LV-6');
    const parts = await owner.call(explodeBom, { body: { productId: ids[0] ?? '', qty: 3 } });
    expect(parts.map((part) => [part.sku, part.depth, part.qty])).toEqual([
      ['LV-1', 1, '6.0000'],
      ['LV-2', 2, '12.0000'],
      ['LV-3', 3, '24.0000'],
      ['LV-4', 4, '48.0000'],
      ['LV-5', 5, '96.0000'],
    ]);
    const { records } = await owner.call(listProducts, {
      body: { filter: { skus: ['LV-0', 'LV-3', 'LV-5', 'LV-6'] } },
    });
    expect(Object.fromEntries(records.map((row) => [row.sku, row.structure]))).toEqual({
      'LV-0': 'bundle',
      'LV-3': 'bundle',
      'LV-5': 'component',
      'LV-6': 'single',
    });
  });

  it('E7: 400 sets of two A and one B take 800 A and 400 B', async () => {
    const set = await product(owner, 'E7-SET');
    const [a, b] = [await product(owner, 'E7-A'), await product(owner, 'E7-B')];
    const lines = [
      { componentId: a, qtyPer: '2' },
      { componentId: b, qtyPer: '1' },
    ];
    await owner.call(saveBom, { body: { productId: set, lines } });
    const parts = await owner.call(explodeBom, { body: { productId: set, qty: 400 } });
    expect(parts.map((part) => [part.sku, part.qty, part.leaf])).toEqual([
      ['E7-A', '800.0000', true],
      ['E7-B', '400.0000', true],
    ]);
  });

  it('keep their versions; somebody who saw an older one is refused', async () => {
    const set = await product(owner, 'VER-SET');
    const a = await product(owner, 'VER-A');
    const b = await product(owner, 'VER-B');
    const save = (versionNo: number, componentId: string) =>
      owner.send(saveBom, {
        body: { productId: set, versionNo, lines: [{ componentId, qtyPer: '1.5', scrapShare: '0.25' }] },
      });
    expect((await save(0, a)).data).toEqual({ versionNo: 1 });
    expect((await save(1, b)).data).toEqual({ versionNo: 2 });
    expect((await save(1, a)).msg).toBe('组合关系已被管理员修改为版本2，请刷新');
    const detail = await owner.call(productDetail, { params: { id: set } });
    expect([detail.bom?.lines.map((line) => line.sku), detail.bomVersions.length]).toEqual([['VER-B'], 2]);
    // Need with scrap: 1.5 / (1 - 0.25) = 2 a piece.
    expect((await owner.call(explodeBom, { body: { productId: set, qty: 10 } }))[0]?.qty).toBe('20.0000');
    expect((await owner.call(whereUsed, { body: { productId: a } })).length).toBe(0);
    expect((await owner.call(whereUsed, { body: { productId: b } })).map((use) => use.sku)).toEqual(['VER-SET']);
    await owner.call(saveBom, { body: { productId: set, versionNo: 2, lines: [] } });
    expect((await owner.call(productDetail, { params: { id: set } })).structure).toBe('single');
  });
});

describe('suppliers of a product', () => {
  it('exactly one is the default; prices are lists that follow one another', async () => {
    const one = await owner.call(saveSupplier, { body: { shortName: '华瑞' } });
    const two = await owner.call(saveSupplier, { body: { shortName: '金诺' } });
    const supply = (supplierId: string, isDefault: boolean) => ({
      supplierId,
      isDefault,
      moq: 500,
      orderMultiple: 50,
      leadDays: 25,
    });
    const none = { sku: 'SUP-1', name: '杯', supplies: [supply(one.id, false), supply(two.id, false)] };
    expect((await owner.send(saveProduct, { body: none })).msg).toBe('请指定且仅指定一个默认供应商');
    const id = await product(owner, 'SUP-1', { supplies: [supply(one.id, true), supply(two.id, false)] });
    await owner.call(saveProduct, {
      body: { id, sku: 'SUP-1', name: '杯', supplies: [supply(one.id, false), supply(two.id, true)] },
    });
    const pair = { productId: id, supplierId: two.id };
    const tiers = [
      { minQty: 1, unitPrice: '12.50' },
      { minQty: 200, unitPrice: '11.80' },
      { minQty: 500, unitPrice: '11.20' },
      { minQty: 1000, unitPrice: '10.90' },
    ];
    expect(
      (await owner.send(savePrices, { body: { ...pair, tiers: [...tiers, { minQty: 500, unitPrice: '1' }] } })).msg,
    ).toBe('阶梯数量重复');
    const rising = [...tiers.slice(0, 3), { minQty: 1000, unitPrice: '11.30' }];
    expect((await owner.send(savePrices, { body: { ...pair, tiers: rising } })).msg).toBe(
      '第4档单价高于上一档，请确认',
    );
    await owner.call(savePrices, { body: { ...pair, tiers: rising, confirmed: true } });
    await owner.call(savePrices, { body: { ...pair, tiers } });
    expect((await owner.call(priceHistory, { body: pair })).map((list) => list.tiers.at(-1)?.unitPrice)).toEqual([
      '10.900000',
      '11.300000',
    ]);
    const [shown] = await owner.call(productTiers, { params: { id } });
    expect([shown?.supplier, shown?.isDefault, shown?.prices?.tiers.length]).toEqual(['金诺', true, 4]);
    const at480 = await owner.call(quotePrice, { body: { ...pair, qty: 480 } });
    expect(at480).toMatchObject({ amount: '5664.00', hint: { from: 475, buy: 500, amount: '5600.00' } });
    expect(at480.warnings).toEqual(['低于起订量500', '须为50的整数倍，建议500']);
    expect((await owner.send(savePrices, { body: { ...pair, tiers: [{ minQty: 0, unitPrice: '1' }] } })).msg).toContain(
      '数量必须为正整数',
    );
  });
});
