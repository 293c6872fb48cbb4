import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances, createHouse, type House, layers, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { overseasCalls } from '../../contract/documents/overseas.ts';
import { scanResolve } from '../../contract/scan.ts';
import { runHealth } from '../../server/health/run.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C', 'D', 'E']);
});
afterAll(() => world.close());

const detail = (id: string) => house.owner.call(overseasCalls.data, { params: { id } });
const lineOf = async (id: string, sku: string) =>
  (await detail(id)).lines.find((line) => line.product.code === sku)?.id ?? '';

async function draft(lines: readonly [string, number][], more: object = {}) {
  const { id } = await house.owner.call(overseasCalls.save, {
    body: {
      warehouseId: house.main,
      toWarehouseId: house.overseas,
      carrier: '中远海运',
      lines: lines.map(([sku, qty]) => ({ productId: productOf(house, sku), qty })),
      ...more,
    },
  });
  return id;
}

async function packing(lines: readonly [string, number][], more: object = {}) {
  const id = await draft(lines, more);
  await house.clerk.call(overseasCalls.submit, { body: { id } });
  await house.chief.call(overseasCalls.approve, { body: { id } });
  await house.keeper.call(overseasCalls.pack, { body: { id } });
  return id;
}

async function boxed(id: string, boxes: readonly Record<string, number>[]) {
  const { lines } = await detail(id);
  const lineId = (sku: string) => lines.find((line) => line.product.code === sku)?.id ?? '';
  return house.keeper.call(overseasCalls.putBoxes, {
    body: {
      id,
      boxes: boxes.map((box) => ({
        length: '60',
        width: '40',
        height: '40',
        weight: '15.2',
        items: Object.entries(box).map(([sku, qty]) => ({ lineId: lineId(sku), qty })),
      })),
    },
  });
}

async function sent(lines: readonly [string, number][], more: object = {}) {
  const id = await packing(lines, more);
  await boxed(id, [Object.fromEntries(lines)]);
  await house.keeper.call(overseasCalls.ship, { body: { id } });
  return id;
}

async function totals(id: string, sku: string, total: number) {
  return house.keeper.call(overseasCalls.totals, { body: { id, lines: [{ lineId: await lineOf(id, sku), total }] } });
}

describe('海外仓备货单', () => {
  it('is held, picked, packed, sent with its freight as first leg, and received in parts', async () => {
    await stocked(world, house, 'A', 10, '2', house.main, '2026-01-05');
    await stocked(world, house, 'B', 10, '5', house.main, '2026-02-05');
    const lines: [string, number][] = [
      ['A', 6],
      ['B', 4],
    ];
    const id = await packing(lines, { freight: '30', feeSplit: 'QTY', type: 'SEA', channel: '美西快船' });
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 4, RESERVED: 6 });
    expect(await balances(world, house, 'A', house.overseas)).toEqual({ EXPECTED: 6 });
    await boxed(id, [{ A: 6 }, { B: 3 }]);
    await expect(house.keeper.call(overseasCalls.ship, { body: { id } })).rejects.toThrow(
      'SKU【B】装箱数 3 与备货数 4 不一致',
    );
    await boxed(id, [{ A: 6, B: 1 }, { B: 3 }]);
    expect((await detail(id)).document).toMatchObject({ boxes: 2, channel: '美西快船', toWarehouse: '美西仓' });
    await house.keeper.call(overseasCalls.ship, { body: { id } });
    expect(await balances(world, house, 'A', house.overseas)).toEqual({ IN_TRANSIT: 6 });
    expect(await layers(world, house, 'A', house.overseas)).toEqual(['6@30.0000 2026-01-05']);
    expect(await layers(world, house, 'B', house.overseas)).toEqual(['4@32.0000 2026-02-05']);
    const first = { lineId: await lineOf(id, 'A'), qty: 6 };
    await house.keeper.call(overseasCalls.receive, { body: { id, lines: [first] } });
    const rest = { lineId: await lineOf(id, 'B'), qty: 4 };
    const done = await house.keeper.call(overseasCalls.receive, { body: { id, lines: [rest] } });
    expect(done.state).toBe('done');
    expect(await balances(world, house, 'B', house.overseas)).toEqual({ AVAILABLE: 4 });
    const legs = await world.as(house.owner, (ctx) =>
      sql<{ leg: string }>`SELECT (components->>'firstLeg')::numeric(18, 2)::text AS leg FROM warehouse.cost_layer
        WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(house, 'B')} AND warehouse_id = ${house.overseas}
          AND open`.execute(ctx.db),
    );
    expect(legs.rows).toEqual([{ leg: '12.00' }]);
  });

  it('E9: cumulative receipts post what they differ by; what never comes is lost', async () => {
    await stocked(world, house, 'C', 300, '2', house.main, '2026-03-01');
    const id = await sent([['C', 300]]);
    const postings = async () =>
      (await detail(id)).entries.filter((entry) => entry.status === '可用' && entry.qty !== 0);
    const abroad = async () => (await postings()).map((entry) => entry.qty).filter((qty) => Math.abs(qty) < 300);
    expect((await totals(id, 'C', 100)).state).toBe('partial');
    expect((await totals(id, 'C', 100)).repeated).toBe(true);
    await totals(id, 'C', 260);
    await totals(id, 'C', 255);
    expect((await abroad()).toReversed()).toEqual([100, 160, -5]);
    expect(await balances(world, house, 'C', house.overseas)).toEqual({ AVAILABLE: 255, IN_TRANSIT: 45 });
    await expect(totals(id, 'C', 301)).rejects.toThrow('收货数量超过应收 45');
    await house.chief.call(overseasCalls.close, { body: { id, reason: '海外仓少收' } });
    expect(await balances(world, house, 'C', house.overseas)).toEqual({ AVAILABLE: 255 });
    expect((await detail(id)).lines[0]).toMatchObject({ doneQty: 255, shortQty: 45 });
    // The value of the case: 45 pieces at what they cost landed.
    const lost = (await detail(id)).entries.filter((entry) => entry.event === '差异关闭');
    expect(lost.map((entry) => [entry.qty, entry.amount])).toEqual([[-45, '-90.0000']]);
    expect(await world.as(house.owner, async (ctx) => (await runHealth(ctx)).broken)).toBe(0);
  });

  it('goes abroad only, leaves only with a carrier, and says in which state it is', async () => {
    await expect(draft([['A', 1]], { toWarehouseId: house.second })).rejects.toThrow('请选择海外仓');
    await stocked(world, house, 'D', 5, '1');
    const id = await packing([['D', 5]], { carrier: '' });
    await boxed(id, [{ D: 5 }]);
    await expect(house.keeper.call(overseasCalls.ship, { body: { id } })).rejects.toThrow('请先填写物流商');
    await house.keeper.call(overseasCalls.putWay, { body: { id, carrier: '顺丰', departedOn: '2026-11-25' } });
    expect((await house.keeper.call(overseasCalls.ship, { body: { id } })).state).toBe('shipped');
    await expect(boxed(id, [{ D: 5 }])).rejects.toThrow('单据状态为【已发货】，不能执行【装箱】');
    const { number } = (await detail(id)).document;
    const query = { code: `BX.${number}-1`, warehouseId: house.overseas };
    expect(await house.keeper.call(scanResolve, { body: query })).toMatchObject({ means: 'document', id });
    expect(await house.keeper.send(overseasCalls.marks, { params: { id } })).toMatchObject({ status: 200 });
  });

  it('is split before anybody approves it, and gives back what it holds when it is cancelled', async () => {
    await stocked(world, house, 'E', 20, '1');
    const id = await draft([['E', 12]], { remark: '旺季' });
    const lineId = await lineOf(id, 'E');
    const split = (qty: number) => house.owner.call(overseasCalls.split, { body: { id, lines: [{ lineId, qty }] } });
    await expect(split(12)).rejects.toThrow('不能把全部数量都拆出');
    await expect(split(13)).rejects.toThrow('拆分数量 13 超过明细数量 12');
    const made = await split(5);
    expect((await detail(id)).document).toMatchObject({ qty: 7, remark: '旺季' });
    expect((await detail(made.id)).document).toMatchObject({ qty: 5, remark: '旺季', carrier: '中远海运' });
    const held = await packing([['E', 8]]);
    await house.clerk.call(overseasCalls.cancel, { body: { id: held } });
    expect(await balances(world, house, 'E')).toEqual({ AVAILABLE: 20 });
    expect(await balances(world, house, 'E', house.overseas)).toEqual({});
  });
});
