import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveProduct } from '#modules/product/contract/material.ts';
import { saveBom, savePrices } from '#modules/product/contract/parts.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { listOrders, orderSteps } from '../contract/order-calls.ts';
import {
  addPlanLines,
  countPlan,
  listPlan,
  previewPlan,
  removePlanLines,
  savePlanLine,
  submitPlan,
} from '../contract/plan.ts';
import { listProcesses, processDetail, processSteps, saveProcess } from '../contract/process.ts';
import { listRequisitions, requisitionDetail } from '../contract/requisition.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, placedOrder, productOf, receive } from './support.ts';

let world: World;
let buyers: Buyers;
let other: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D', 'KIT', 'PA', 'PB', 'TAPE', 'BOX', 'OTHER']);
  other = await createSupplier(buyers.owner, '义乌恒泰');
  await supplied('A', buyers.supplier, 500, 50);
  await supplied('B', buyers.supplier, 1, 20);
  await supplied('C', other, 1, 1);
});
afterAll(() => world.close());

/** A product has a supplier, who asks 12.50, from 200 pieces 11.80, from 500 11.20, from 1,000 10.90. */
async function supplied(
  sku: string,
  supplierId: string,
  moq: number,
  orderMultiple: number,
  kind: 'goods' | 'consumable' = 'goods',
) {
  const id = productOf(buyers, sku);
  const supplies = [
    {
      supplierId,
      isDefault: true,
      supplierSku: '',
      offerId: '',
      specId: '',
      url: '',
      moq,
      orderMultiple,
      leadDays: 18,
    },
  ];
  await buyers.owner.call(saveProduct, { body: { id, sku, name: `产品${sku}`, kind, supplies } });
  const tiers = [
    { minQty: 1, unitPrice: '12.50' },
    { minQty: 200, unitPrice: '11.80' },
    { minQty: 500, unitPrice: '11.20' },
    { minQty: 1000, unitPrice: '10.90' },
  ];
  await buyers.owner.call(savePrices, { body: { productId: id, supplierId, tiers } });
}

const need = (sku: string, qty: number, needBy: string | null = null) => ({
  productId: productOf(buyers, sku),
  warehouseId: buyers.main,
  qty,
  needBy,
});

describe('采购规划', () => {
  it('gathers needs: the same goods for the same warehouse are one line', async () => {
    expect(
      await buyers.owner.call(addPlanLines, {
        body: { lines: [need('A', 400, '2030-03-01'), need('B', 10), need('A', 80, '2030-02-01')] },
      }),
    ).toEqual({ added: 2, raised: 0 });
    expect(
      await buyers.owner.call(addPlanLines, { body: { lines: [need('B', 2), need('C', 5), need('D', 1)] } }),
    ).toEqual({
      added: 2,
      raised: 1,
    });
    const { records } = await buyers.owner.call(listPlan, { body: { filter: { state: 'open' } } });
    expect(records.map((row) => [row.product.code, row.qty, row.needBy]).sort()).toEqual([
      ['A', 480, '2030-02-01'],
      ['B', 12, null],
      ['C', 5, null],
      ['D', 1, null],
    ]);
  });

  it('shows the orders before they are made, by supplier, at the tier of the pieces, and says what is stuck', async () => {
    const none = { body: { ids: [] } };
    expect(await buyers.owner.call(previewPlan, none)).toEqual([]);
    await expect(buyers.owner.call(submitPlan, none)).rejects.toThrow('没有待采购的规划');
    const plain = await buyers.owner.call(previewPlan, { body: {} });
    const mine = plain.find((order) => order.supplierId === buyers.supplier);
    expect(
      mine?.lines.map((line) => [line.product.code, line.qty, line.unitPrice, line.amount, line.warnings]),
    ).toEqual([
      ['A', 480, '11.800000', '5664.00', '低于起订量500；须为50的整数倍，建议500'],
      ['B', 12, '12.500000', '150.00', '须为20的整数倍，建议20'],
    ]);
    const rounded = await buyers.owner.call(previewPlan, { body: { rounded: true } });
    const better = rounded.find((order) => order.supplierId === buyers.supplier);
    expect(better?.lines.map((line) => [line.qty, line.amount])).toEqual([
      [500, '5600.00'],
      [20, '250.00'],
    ]);
    expect(plain.find((order) => order.supplierId === null)?.blocked).toContain('默认供应商');
    await expect(buyers.owner.call(submitPlan, { body: {} })).rejects.toThrow('请先在产品中设置默认供应商');
    expect((await buyers.owner.call(listOrders, { body: {} })).total).toBe(0);
  });

  it('makes all orders at once; a void order gives its needs back', async () => {
    const { records } = await buyers.owner.call(listPlan, { body: { filter: { sku: ['D'] } } });
    const stuck = records[0]?.id ?? '';
    await expect(
      buyers.owner.call(savePlanLine, { body: { id: stuck, version: 7, qty: 2, supplierId: other } }),
    ).rejects.toThrow('数据已被他人修改');
    expect(await buyers.owner.call(removePlanLines, { body: { ids: [stuck] } })).toEqual({ removed: 1 });
    const { orders, batch } = await buyers.owner.call(submitPlan, { body: { rounded: true, review: true } });
    expect(orders).toHaveLength(2);
    const details = await Promise.all(orders.map((order) => detailOf(buyers, order.id)));
    expect(details.map(({ order }) => [order.state, order.amount, order.remark]).sort()).toEqual([
      ['pending', '5850.0000', `采购计划 ${batch}`],
      ['pending', '62.5000', `采购计划 ${batch}`],
    ]);
    expect(await buyers.owner.call(countPlan, { body: {} })).toEqual({ converted: 3, all: 3 });
    await buyers.owner.call(addPlanLines, { body: { lines: [need('A', 30)] } });
    const big = orders.find((_, index) => details[index]?.order.amount === '5850.0000');
    await buyers.chief.call(orderSteps.discard, { body: { id: big?.id ?? '', reason: '换供应商' } });
    const open = await buyers.owner.call(listPlan, { body: { filter: { state: 'open' } } });
    expect(open.records.map((row) => [row.product.code, row.qty]).sort()).toEqual([
      ['A', 510],
      ['B', 12],
    ]);
  });

  it('twenty at once make each order once', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => buyers.owner.send(submitPlan, { body: { rounded: true } })),
    );
    expect(all.filter((one) => one.code === 201)).toHaveLength(1);
    expect(new Set(all.filter((one) => one.code !== 201).map((one) => one.msg))).toEqual(new Set(['没有待采购的规划']));
    expect((await buyers.owner.call(listOrders, { body: { filter: { stage: ['draft'] } } })).total).toBe(1);
  });
});

describe('组合产品', () => {
  const part = (sku: string, qtyPer: string) => ({ componentId: productOf(buyers, sku), qtyPer, scrapShare: '0' });
  const lots = (sku: string, qty: number) => ({ sku, qty, unitPrice: '1' });
  let line = '';

  beforeAll(async () => {
    await supplied('PA', buyers.supplier, 500, 50);
    await supplied('PB', buyers.supplier, 1, 20);
    await supplied('TAPE', buyers.supplier, 1, 1, 'consumable');
    await supplied('BOX', buyers.supplier, 1, 1, 'consumable');
    const lines = [part('PA', '2'), part('PB', '1'), part('TAPE', '0.02'), part('BOX', '0.0417')];
    await buyers.owner.call(saveBom, { body: { productId: productOf(buyers, 'KIT'), lines } });
    const stock = await placedOrder(buyers, [lots('PA', 300), lots('PB', 450)]);
    await receive(buyers, stock.id, 'PA', 300);
    await receive(buyers, stock.id, 'PB', 450);
    await placedOrder(buyers, [lots('PA', 120)]);
    // 200 of PA and 60 of PB are held for something else.
    const held = await buyers.owner.call(saveProcess, {
      body: {
        productId: productOf(buyers, 'OTHER'),
        qty: 10,
        warehouseId: buyers.main,
        parts: [
          { productId: productOf(buyers, 'PA'), qty: 200 },
          { productId: productOf(buyers, 'PB'), qty: 60 },
        ],
      },
    });
    await buyers.owner.call(processSteps.submit, { body: { id: held.id } });
    await buyers.owner.call(processSteps.approve, { body: { id: held.id } });
    await buyers.owner.call(addPlanLines, { body: { lines: [need('KIT', 400, '2030-05-01')] } });
    const { records } = await buyers.owner.call(listPlan, { body: { filter: { state: 'open', sku: ['KIT'] } } });
    line = records[0]?.id ?? '';
  });

  it('is made of its parts, and only what is missing of them is bought (worked example 7)', async () => {
    const preview = await buyers.owner.call(previewPlan, { body: { ids: [line], rounded: true } });
    const made = preview.filter((one) => one.way === 'MAKE').flatMap((one) => one.lines);
    expect(made.map(({ product, qty }) => [product.code, qty])).toEqual([['KIT', 400]]);
    const bought = preview.filter((one) => one.way === 'BUY').flatMap((one) => one.lines);
    expect(bought.map(({ product, qty, usedFor }) => [product.code, qty, usedFor]).sort()).toEqual([
      ['BOX', 17, 'KIT'],
      ['PA', 600, 'KIT'],
      ['PB', 20, 'KIT'],
      ['TAPE', 8, 'KIT'],
    ]);
    const plain = await buyers.owner.call(previewPlan, { body: { ids: [line] } });
    const exact = plain.flatMap((one) => one.lines).find(({ product }) => product.code === 'PA');
    expect(exact?.qty).toBe(580);
  });

  it('becomes a process order beside the orders of its parts; the plan says what came of it', async () => {
    const done = await buyers.owner.call(submitPlan, { body: { ids: [line], rounded: true } });
    expect([done.state, done.orders.length, done.processes.length]).toEqual(['converted', 2, 1]);
    const { order, parts } = await buyers.owner.call(processDetail, { params: { id: done.processes[0]?.id ?? '' } });
    expect([order.qty, order.plannedOn, order.remark]).toEqual([400, '2030-05-01', `采购计划 ${done.batch}`]);
    expect(parts.map(({ product, qty }) => [product.code, qty]).sort()).toEqual([
      ['BOX', 17],
      ['PA', 800],
      ['PB', 400],
      ['TAPE', 8],
    ]);
    const { plan, lines } = await buyers.owner.call(requisitionDetail, { params: { id: done.id } });
    expect([plan.qty, plan.made, plan.products]).toEqual([645, 400, 5]);
    expect(new Set(lines.map(({ result }) => result))).toEqual(
      new Set([...done.orders, ...done.processes].map(({ number }) => number)),
    );
    const found = await buyers.owner.call(listRequisitions, { body: { filter: { keyword: 'TAPE' } } });
    expect(found.records.map(({ number }) => number)).toEqual([done.batch]);
  });

  it('waits in the plan again when its process order is void, and is bought complete from a supplier who is named', async () => {
    const { records } = await buyers.owner.call(listProcesses, { body: { filter: { keyword: 'KIT' } } });
    await buyers.owner.call(processSteps.discard, { body: { id: records[0]?.id ?? '', reason: '改为外购' } });
    const open = await buyers.owner.call(listPlan, { body: { filter: { state: 'open', sku: ['KIT'] } } });
    expect(open.records.map(({ id, qty }) => [id, qty])).toEqual([[line, 400]]);
    await buyers.owner.call(savePlanLine, { body: { id: line, qty: 400, supplierId: other } });
    const preview = await buyers.owner.call(previewPlan, { body: { ids: [line] } });
    expect(preview.map(({ way, supplierId, qty }) => [way, supplierId, qty])).toEqual([['BUY', other, 400]]);
    expect(preview[0]?.blocked).toContain('没有有效报价');
  });

  it('shares what lies in the warehouse with other bundles, and parts within parts are followed', async () => {
    const bom = async (sku: string, ...parts: ReturnType<typeof part>[]) =>
      buyers.owner.call(saveBom, { body: { productId: productOf(buyers, sku), lines: parts } });
    // D holds a KIT and ten PB more; of PB 390 lie free.
    await bom('D', part('KIT', '1'), part('PB', '10'));
    await buyers.owner.call(addPlanLines, { body: { lines: [need('D', 30)] } });
    const { records } = await buyers.owner.call(listPlan, { body: { filter: { state: 'open', sku: ['D'] } } });
    const preview = await buyers.owner.call(previewPlan, { body: { ids: records.map(({ id }) => id) } });
    const of = (way: string) => preview.filter((one) => one.way === way).flatMap((one) => one.lines);
    expect(of('MAKE').map(({ product, qty }) => [product.code, qty])).toEqual([
      ['D', 30],
      ['KIT', 30],
    ]);
    const bought = new Map(of('BUY').map(({ product, qty }) => [product.code, qty]));
    // 300 for D leave 90, of which the 30 for the KITs come: nothing of PB is missing. PA: 100 free and 120 coming cover 60.
    expect(bought).toEqual(
      new Map([
        ['TAPE', 1],
        ['BOX', 2],
      ]),
    );
  });
});
