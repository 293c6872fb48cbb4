import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveProduct } from '#modules/product/contract/material.ts';
import { savePrices } from '#modules/product/contract/parts.ts';
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
import { type Buyers, createBuyers, createSupplier, detailOf, productOf } from './support.ts';

let world: World;
let buyers: Buyers;
let other: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D']);
  other = await createSupplier(buyers.owner, '义乌恒泰');
  await supplied('A', buyers.supplier, 500, 50);
  await supplied('B', buyers.supplier, 1, 20);
  await supplied('C', other, 1, 1);
});
afterAll(() => world.close());

/** A product has a supplier, who asks 12.50, from 200 pieces 11.80, from 500 11.20, from 1,000 10.90. */
async function supplied(sku: string, supplierId: string, moq: number, orderMultiple: number) {
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
  await buyers.owner.call(saveProduct, { body: { id, sku, name: `产品${sku}`, supplies } });
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
      ['pending', '5850.0000', `采购规划 ${batch}`],
      ['pending', '62.5000', `采购规划 ${batch}`],
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
