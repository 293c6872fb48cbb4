import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { saveProduct } from '#modules/product/contract/material.ts';
import { savePrices } from '#modules/product/contract/parts.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { checkOrder, listOrders, orderSteps, saveOrder } from '../contract/order-calls.ts';
import { mergeOrders, splitOrder } from '../contract/parts.ts';
import { addPlanLines, listPlan, submitPlan } from '../contract/plan.ts';
import {
  type Buyers,
  balances,
  createBuyers,
  createSupplier,
  detailOf,
  draftOrder,
  lineOf,
  placedOrder,
  productOf,
  warehouse,
} from './support.ts';

let world: World;
let buyers: Buyers;
let north: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D', 'E', 'P', 'Q', 'R', 'PLAN']);
  north = await world.as(buyers.owner, (ctx) => warehouse(ctx, 'NB', '宁波仓', 'GOOD'));
});
afterAll(() => world.close());

interface Piece {
  sku: string;
  qty: number;
  gift?: boolean;
}

async function split(id: string, parts: readonly (readonly Piece[])[], more: object = {}, reprice = false) {
  const made = [];
  for (const pieces of parts) {
    const lines = [];
    for (const { sku, qty, gift } of pieces) lines.push({ lineId: (await lineOf(buyers, id, sku, gift)).id, qty });
    made.push({ lines, ...more });
  }
  return buyers.buyer.call(splitOrder, { body: { id, parts: made, reprice } });
}

/** The supplier quotes a product. */
async function supplied(sku: string, tiers: { minQty: number; unitPrice: string }[]) {
  const id = productOf(buyers, sku);
  const supply = { supplierSku: '', offerId: '', specId: '', url: '', moq: 1, orderMultiple: 1, leadDays: 1 };
  const supplies = [{ ...supply, supplierId: buyers.supplier, isDefault: true }];
  await buyers.owner.call(saveProduct, { body: { id, sku, name: `产品${sku}`, kind: 'goods', supplies } });
  await buyers.owner.call(savePrices, { body: { productId: id, supplierId: buyers.supplier, tiers } });
}

const merge = (...ids: readonly string[]) =>
  buyers.buyer.call(mergeOrders, { body: { orders: ids.map((id) => ({ id })) } });

async function approved(lines: Parameters<typeof draftOrder>[1], head: object = {}) {
  const { id, number } = await draftOrder(buyers, lines, head);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await buyers.chief.call(orderSteps.approve, { body: { id } });
  return { id, number };
}

const shape = async (id: string) =>
  (await detailOf(buyers, id)).lines.map((line) => [line.product.code, line.gift, line.qty, line.amount]);

describe('拆分', () => {
  it('pieces, gifts and fees of a draft go to new orders, and nothing is lost', async () => {
    const { id, number } = await draftOrder(
      buyers,
      [
        { sku: 'A', qty: 100, unitPrice: '3' },
        { sku: 'B', qty: 50, unitPrice: '10' },
        { sku: 'A', qty: 5, gift: true },
      ],
      { freight: '100', discount: '8.01', remark: '加急' },
    );
    const done = await split(id, [
      [
        { sku: 'A', qty: 40 },
        { sku: 'A', qty: 2, gift: true },
      ],
      [{ sku: 'B', qty: 50 }],
    ]);
    expect(done).toMatchObject({ state: 'draft', made: [{ state: 'draft' }, { state: 'draft' }] });
    const [one, two] = done.made.map((part) => part.id) as [string, string];
    expect(await shape(id)).toEqual([
      ['A', false, 60, '180.0000'],
      ['A', true, 3, '0.0000'],
    ]);
    expect(await shape(one)).toEqual([
      ['A', false, 40, '120.0000'],
      ['A', true, 2, '0.0000'],
    ]);
    expect(await shape(two)).toEqual([['B', false, 50, '500.0000']]);
    const orders = await Promise.all([id, one, two].map(async (each) => (await detailOf(buyers, each)).order));
    expect(orders.map((order) => [order.freight, order.discount, order.amount, order.remark])).toEqual([
      ['22.5000', '1.8000', '200.7000', '加急'],
      ['15.0000', '1.2000', '133.8000', '加急'],
      ['62.5000', '5.0100', '557.4900', '加急'],
    ]);
    expect(orders.map((order) => [order.supplierId, order.termsText, order.createdByName])).toEqual(
      orders.map(() => [buyers.supplier, '下单后 30%，到货后30天 70%', orders[0]?.createdByName]),
    );
    const { links, timeline } = await detailOf(buyers, id);
    expect(links.map((other) => [other.kind, other.id, other.stage])).toEqual([
      ['SPLIT_INTO', one, 'draft'],
      ['SPLIT_INTO', two, 'draft'],
    ]);
    expect(timeline[0]).toMatchObject({ title: '拆分', body: expect.stringContaining('（42 件）') });
    const part = await detailOf(buyers, one);
    expect(part.links).toMatchObject([{ kind: 'SPLIT_FROM', number }]);
    expect(part.timeline.at(-1)).toMatchObject({ title: '创建', body: `拆分自 ${number}` });
  });

  it('takes no more than there is and leaves something', async () => {
    const { id } = await draftOrder(buyers, [{ sku: 'C', qty: 10, unitPrice: '2' }]);
    await expect(split(id, [[{ sku: 'C', qty: 11 }]])).rejects.toThrow('拆出的数量超过订购数量10');
    await expect(split(id, [[{ sku: 'C', qty: 6 }], [{ sku: 'C', qty: 5 }]])).rejects.toThrow('超过订购数量10');
    await expect(split(id, [[{ sku: 'C', qty: 10 }]])).rejects.toThrow('原采购单至少保留一件商品');
    const { version } = (await detailOf(buyers, id)).order;
    const line = await lineOf(buyers, id, 'C');
    const parts = [{ lines: [{ lineId: line.id, qty: 1 }] }];
    await expect(buyers.buyer.call(splitOrder, { body: { id, version: version - 1, parts } })).rejects.toThrow(
      '请刷新后重试',
    );
    const both = await Promise.allSettled(
      [1, 2].map(() => buyers.buyer.call(splitOrder, { body: { id, version, parts } })),
    );
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await buyers.keeper.send(splitOrder, { body: { id, parts } })).status).toBe(403);
  });

  it('an approved order passes its approval on, by shares of what was approved', async () => {
    const { id } = await approved([{ sku: 'A', qty: 100, unitPrice: '10' }]);
    const done = await split(id, [[{ sku: 'A', qty: 40 }]]);
    const part = done.made[0]?.id ?? '';
    expect([done.state, done.made[0]?.state]).toEqual(['approved', 'approved']);
    const save = (order: string, qty: number) =>
      buyers.buyer.call(saveOrder, {
        body: {
          id: order,
          supplierId: buyers.supplier,
          warehouseId: buyers.main,
          lines: [{ productId: productOf(buyers, 'A'), qty, unitPrice: '10' }],
        },
      });
    // Each is measured by its share: what the whole was approved for cannot be spent twice.
    expect((await save(part, 40)).state).toBe('approved');
    expect(await save(id, 61)).toMatchObject({ state: 'draft', message: expect.stringContaining('请重新提交审批') });
    await buyers.buyer.call(orderSteps.place, { body: { id: part } });
    expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 40 });
  });

  it('a part for another warehouse is handed in anew; roundings beyond the approved sum let all fall back', async () => {
    const { id } = await approved([{ sku: 'B', qty: 10, unitPrice: '10' }]);
    const done = await split(id, [[{ sku: 'B', qty: 4 }], [{ sku: 'B', qty: 2 }]], { warehouseId: north });
    expect([done.state, ...done.made.map((one) => one.state)]).toEqual(['approved', 'draft', 'draft']);
    expect(done.message).toContain('其中2张须重新提交审批');
    expect((await detailOf(buyers, done.made[0]?.id ?? '')).order).toMatchObject({
      warehouseId: north,
      amount: '40.0000',
    });
    const fine = await approved([{ sku: 'B', qty: 3, unitPrice: '0.335' }]);
    expect((await detailOf(buyers, fine.id)).order.amount).toBe('1.0100');
    const fell = await split(fine.id, [[{ sku: 'B', qty: 1 }], [{ sku: 'B', qty: 1 }]]);
    expect([fell.state, ...fell.made.map((one) => one.state)]).toEqual(['draft', 'draft', 'draft']);
    expect((await detailOf(buyers, fine.id)).order.amount).toBe('0.3400');
  });

  it('is no way to change an order that waits or was placed', async () => {
    const { id } = await draftOrder(buyers, [{ sku: 'C', qty: 10, unitPrice: '2' }]);
    await buyers.buyer.call(orderSteps.submit, { body: { id } });
    await expect(split(id, [[{ sku: 'C', qty: 1 }]])).rejects.toThrow('待审核，请先撤回再拆分');
    const placed = await placedOrder(buyers, [{ sku: 'C', qty: 10, unitPrice: '2' }]);
    await expect(split(placed.id, [[{ sku: 'C', qty: 1 }]])).rejects.toThrow('下单前才能拆分');
  });

  it('drafts take the tiers of what they come to, where that is asked for', async () => {
    const tiers = [
      { minQty: 1, unitPrice: '12.50' },
      { minQty: 200, unitPrice: '11.80' },
    ];
    await supplied('D', tiers);
    const { id } = await draftOrder(buyers, [{ sku: 'D', qty: 300, unitPrice: '11.80' }]);
    const kept = await split(id, [[{ sku: 'D', qty: 50 }]]);
    expect(await shape(kept.made[0]?.id ?? '')).toEqual([['D', false, 50, '590.0000']]);
    const dear = await split(id, [[{ sku: 'D', qty: 50 }]], {}, true);
    expect(await shape(dear.made[0]?.id ?? '')).toEqual([['D', false, 50, '625.0000']]);
    expect(await shape(id)).toEqual([['D', false, 200, '2360.0000']]);
    const done = await approved([{ sku: 'D', qty: 300, unitPrice: '11.80' }]);
    await expect(split(done.id, [[{ sku: 'D', qty: 50 }]], {}, true)).rejects.toThrow('已审核的采购单不能重新取价');
  });

  it('the plan follows: voiding a part opens what it held, and no more', async () => {
    const need = { productId: productOf(buyers, 'PLAN'), warehouseId: buyers.main, qty: 100 };
    await supplied('PLAN', [{ minQty: 1, unitPrice: '2' }]);
    await buyers.owner.call(addPlanLines, { body: { lines: [need] } });
    await buyers.owner.call(submitPlan, { body: { rounded: false, review: false } });
    const { records } = await buyers.owner.call(listOrders, { body: { filter: { keyword: ['PLAN'] } } });
    const id = records[0]?.id ?? '';
    const { made } = await split(id, [[{ sku: 'PLAN', qty: 30 }]]);
    await buyers.chief.call(orderSteps.discard, { body: { id: made[0]?.id ?? '', reason: '不买了' } });
    const open = async () =>
      (await buyers.owner.call(listPlan, { body: { filter: { state: 'open' } } })).records
        .filter((row) => row.product.code === 'PLAN')
        .map((row) => row.qty);
    expect(await open()).toEqual([30]);
    await buyers.chief.call(orderSteps.discard, { body: { id, reason: '不买了' } });
    expect(await open()).toEqual([100]);
  });
});

describe('合并', () => {
  it('drafts become the oldest of them; same product, same price is one line; fees and notes add up', async () => {
    const first = await draftOrder(buyers, [{ sku: 'A', qty: 10, unitPrice: '3' }], { freight: '5', remark: '一' });
    const second = await draftOrder(
      buyers,
      [
        { sku: 'A', qty: 20, unitPrice: '3.00' },
        { sku: 'A', qty: 1, gift: true },
        { sku: 'B', qty: 5, unitPrice: '10' },
      ],
      { freight: '7', discount: '2', remark: '二' },
    );
    const third = await draftOrder(buyers, [{ sku: 'A', qty: 30, unitPrice: '2.9' }], { remark: '一' });
    const done = await merge(third.id, second.id, first.id);
    expect(done).toMatchObject({ id: first.id, number: first.number, state: 'draft' });
    expect(await shape(first.id)).toEqual([
      ['A', false, 30, '90.0000'],
      ['A', true, 1, '0.0000'],
      ['B', false, 5, '50.0000'],
      ['A', false, 30, '87.0000'],
    ]);
    const { order, links, timeline } = await detailOf(buyers, first.id);
    expect(order).toMatchObject({ freight: '12.0000', discount: '2.0000', amount: '237.0000', remark: '一；二' });
    expect(links.map((one) => [one.kind, one.number, one.stage])).toEqual([
      ['MERGED_FROM', second.number, 'void'],
      ['MERGED_FROM', third.number, 'void'],
    ]);
    expect(timeline[0]?.body).toBe(`并入 ${second.number}、${third.number}`);
    const gone = await detailOf(buyers, second.id);
    expect(gone.links).toMatchObject([{ kind: 'MERGED_INTO', number: first.number }]);
    expect(gone.timeline[0]).toMatchObject({ title: '作废', body: `并入 ${first.number}` });
    // The order can be written on: a product at two prices is pointed out and not refused.
    const body = {
      id: first.id,
      supplierId: buyers.supplier,
      warehouseId: buyers.main,
      lines: (await detailOf(buyers, first.id)).lines.map(({ productId, qty, gift, unitPrice }) => ({
        productId,
        qty,
        gift,
        unitPrice: gift ? '0' : (unitPrice ?? '0'),
      })),
    };
    expect((await buyers.buyer.call(checkOrder, { body })).findings.map((one) => one.text)).toContain(
      'SKU有多行，条件不同',
    );
    await buyers.buyer.call(saveOrder, { body });
    const twice = { ...body, lines: [...body.lines, ...body.lines.slice(0, 1)] };
    // One that is written twice is, before it is saved.
    const { findings } = await buyers.buyer.call(checkOrder, { body: twice });
    expect(findings.filter((one) => one.level === 'error')).toEqual([
      { level: 'error', line: twice.lines.length, text: '与第 1 行的SKU、单价和条件都相同，请合并为一行' },
    ]);
    expect(findings.map((one) => [one.line, one.text])).not.toContainEqual([twice.lines.length, 'SKU有多行，条件不同']);
    await expect(buyers.buyer.call(saveOrder, { body: twice })).rejects.toThrow('不能重复添加SKU');
  });

  it('approved ones stay approved, at the sum of what was approved', async () => {
    const one = await approved([{ sku: 'E', qty: 10, unitPrice: '3' }]);
    const two = await approved([{ sku: 'E', qty: 20, unitPrice: '3' }]);
    expect((await merge(one.id, two.id)).state).toBe('approved');
    await buyers.buyer.call(orderSteps.place, { body: { id: one.id } });
    expect(await balances(world, buyers, 'E')).toEqual({ EXPECTED: 30 });
    const cheap = await approved([{ sku: 'E', qty: 1, unitPrice: '0.334' }]);
    const other = await approved([{ sku: 'E', qty: 1, unitPrice: '0.334' }]);
    // 0.33 and 0.33 were approved; two pieces come to 0.67.
    expect(await merge(cheap.id, other.id)).toMatchObject({
      state: 'draft',
      message: expect.stringContaining('须重新提交审批'),
    });
  });

  it('what differs stays apart', async () => {
    const a = await draftOrder(buyers, [{ sku: 'A', qty: 1, unitPrice: '3' }]);
    const elsewhere = await draftOrder(buyers, [{ sku: 'A', qty: 1, unitPrice: '3' }], { warehouseId: north });
    await expect(merge(a.id, elsewhere.id)).rejects.toThrow('入库仓不同，不能合并');
    const supplierId = await createSupplier(buyers.owner, '义乌恒泰');
    const other = await draftOrder(buyers, [{ sku: 'A', qty: 1, unitPrice: '3' }], { supplierId });
    await expect(merge(a.id, other.id)).rejects.toThrow('供应商不同，不能合并');
    const done = await approved([{ sku: 'A', qty: 1, unitPrice: '3' }]);
    await expect(merge(a.id, done.id)).rejects.toThrow('状态不同，不能合并');
    await expect(merge(a.id, a.id)).rejects.toThrow('不能重复选择采购单');
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 1, unitPrice: '3' }]);
    await expect(merge(a.id, id)).rejects.toThrow('下单前才能合并');
  });
});

describe('拆分与合并', () => {
  const price = fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 1000).toFixed(3));
  const drawn = fc.record({
    lines: fc.tuple(
      ...(['P', 'Q', 'R'] as const).map((sku) =>
        fc.record({ sku: fc.constant(sku), qty: fc.integer({ min: 2, max: 500 }), unitPrice: price }),
      ),
    ),
    gift: fc.integer({ min: 2, max: 9 }),
    freight: fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
    discount: fc.integer({ min: 0, max: 10 }).map((cents) => (cents / 100).toFixed(2)),
    feeSplit: fc.constantFrom('AMOUNT', 'QTY'),
    takes: fc.array(fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 4, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    }),
  });

  it('an order that is split at random and merged again is the order that it was', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ lines, gift, freight, discount, feeSplit, takes }) => {
        const all = [...lines, { sku: 'P', qty: gift, gift: true }];
        const { id } = await draftOrder(buyers, all, { freight, discount, feeSplit });
        const before = await detailOf(buyers, id);
        const left = before.lines.map((line) => line.qty - 1);
        const parts = takes.flatMap((take) => {
          const pieces = before.lines.flatMap((line, index) => {
            const qty = Math.min(take[index] ?? 0, left[index] ?? 0);
            left[index] = (left[index] ?? 0) - qty;
            return qty > 0 ? [{ lineId: line.id, qty }] : [];
          });
          return pieces.length > 0 ? [{ lines: pieces }] : [];
        });
        const { made } = await buyers.buyer.call(splitOrder, { body: { id, parts } });
        const ids = [id, ...made.map((one) => one.id)];
        const after = await Promise.all(ids.map((each) => detailOf(buyers, each)));
        const added = (of: (order: (typeof after)[number]['order']) => string | null) =>
          new Decimal(sum(after.map(({ order }) => of(order) ?? '0'))).toFixed(4);
        expect(added((order) => order.freight)).toBe(before.order.freight);
        expect(added((order) => order.discount)).toBe(before.order.discount);
        const pieces = after.flatMap((one) => one.lines);
        for (const line of before.lines) {
          const mine = pieces.filter((one) => one.product.code === line.product.code && one.gift === line.gift);
          expect(mine.reduce((total, one) => total + one.qty, 0)).toBe(line.qty);
          expect(new Set(mine.map((one) => one.unitPrice))).toEqual(new Set([line.unitPrice]));
        }
        await merge(...ids);
        const whole = await detailOf(buyers, id);
        expect(whole.order.amount).toBe(before.order.amount);
        expect(whole.lines.map((line) => [line.product.code, line.gift, line.qty, line.charge])).toEqual(
          before.lines.map((line) => [line.product.code, line.gift, line.qty, line.charge]),
        );
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
