import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvedInbound, balances, createHouse, type House, layers, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';
import { stocktakeCalls } from '../../contract/documents/stocktake.ts';
import { runHealth } from '../../server/health/run.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C', 'D', 'E', 'F', 'NEW', 'LIVE', 'BIG']);
});
afterAll(() => world.close());

const detail = (id: string) => house.owner.call(stocktakeCalls.data, { params: { id } });
const lineOf = async (id: string, sku: string) => {
  const line = (await detail(id)).lines.find((one) => one.product.code === sku);
  if (!line) throw new Error(`no line ${sku}`);
  return line;
};

async function started(skus: readonly string[], more: object = {}) {
  const { id, number } = await house.clerk.call(stocktakeCalls.save, {
    body: { warehouseId: house.main, products: skus.map((sku) => productOf(house, sku)), ...more },
  });
  await house.keeper.call(stocktakeCalls.start, { body: { id } });
  return { id, number };
}

async function count(id: string, sku: string, counted: number, more: object = {}) {
  return house.keeper.call(stocktakeCalls.count, {
    body: { id, lines: [{ lineId: (await lineOf(id, sku)).id, counted, ...more }] },
  });
}

async function shipped(sku: string, qty: number) {
  const { id } = await house.clerk.call(outboundCalls.save, {
    body: { warehouseId: house.main, lines: [{ productId: productOf(house, sku), qty }] },
  });
  await house.clerk.call(outboundCalls.submit, { body: { id } });
  await house.chief.call(outboundCalls.approve, { body: { id } });
  return house.keeper.call(outboundCalls.ship, { body: { id } });
}

describe('盘点单', () => {
  it('frozen: nothing moves until it ends; then gain and loss are posted', async () => {
    await stocked(world, house, 'A', 10, '2', house.main, '2026-01-01');
    await stocked(world, house, 'B', 10, '3', house.main, '2026-01-01');
    const { id, number } = await started(['A', 'B']);
    await expect(shipped('A', 1)).rejects.toThrow(`【深圳仓】正在盘点（${number}），暂不支持库存操作`);
    await expect(started(['B'], { mode: 'LIVE' })).rejects.toThrow(`盘点范围与进行中的盘点（${number}）重叠`);
    await expect(house.keeper.call(stocktakeCalls.submit, { body: { id } })).rejects.toThrow('还有 2 行未盘点');
    await count(id, 'A', 12);
    await count(id, 'B', 7, { reason: '破损' });
    expect((await lineOf(id, 'B')).diff).toBe(-3);
    expect((await house.keeper.call(stocktakeCalls.submit, { body: { id } })).state).toBe('pending');
    // Who approves reads what the differences come to; who may not see costs does not.
    expect((await detail(id)).document).toMatchObject({ gainAmount: '4.0000', lossAmount: '9.0000' });
    expect((await lineOf(id, 'B')).amount).toBe('-9.0000');
    expect((await house.chief.call(stocktakeCalls.approve, { body: { id } })).state).toBe('done');
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 12 });
    expect(await balances(world, house, 'B')).toEqual({ AVAILABLE: 7 });
    expect((await layers(world, house, 'A')).map((text) => text.split(' ')[0])).toEqual(['10@20.0000', '2@4.0000']);
    expect((await detail(id)).document).toMatchObject({ gainAmount: '4.0000', lossAmount: '9.0000' });
    await shipped('A', 1);
  });

  it('E8: a live count is held against the books of its own moment', async () => {
    await stocked(world, house, 'LIVE', 100, '1');
    const { id } = await started(['LIVE'], { mode: 'LIVE' });
    await shipped('LIVE', 10);
    await count(id, 'LIVE', 98);
    expect(await lineOf(id, 'LIVE')).toMatchObject({ bookQty: 90, diff: 8 });
    await shipped('LIVE', 5);
    await house.keeper.call(stocktakeCalls.submit, { body: { id } });
    await house.chief.call(stocktakeCalls.approve, { body: { id } });
    expect(await balances(world, house, 'LIVE')).toEqual({ AVAILABLE: 93 });
  });

  it('large differences are counted again, and the second number counts', async () => {
    await stocked(world, house, 'BIG', 100, '50');
    const { id } = await started(['BIG']);
    await count(id, 'BIG', 90);
    expect((await house.keeper.call(stocktakeCalls.submit, { body: { id } })).state).toBe('recounting');
    await expect(house.keeper.call(stocktakeCalls.submit, { body: { id } })).rejects.toThrow('还有 1 行未复盘');
    const line = await lineOf(id, 'BIG');
    await house.keeper.call(stocktakeCalls.recount, { body: { id, lines: [{ lineId: line.id, counted: 97 }] } });
    expect((await house.keeper.call(stocktakeCalls.submit, { body: { id } })).state).toBe('pending');
    await house.chief.call(stocktakeCalls.approve, { body: { id } });
    expect(await balances(world, house, 'BIG')).toEqual({ AVAILABLE: 97 });
  });

  it('a small difference, or a cheap one, is not counted again', async () => {
    await stocked(world, house, 'C', 100, '100');
    const { id } = await started(['C'], { mode: 'LIVE' });
    await count(id, 'C', 98);
    expect((await house.keeper.call(stocktakeCalls.submit, { body: { id } })).state).toBe('pending');
    await house.clerk.call(stocktakeCalls.cancel, { body: { id } });
  });

  it('does not go below what is promised', async () => {
    await stocked(world, house, 'D', 10, '1');
    const out = await house.clerk.call(outboundCalls.save, {
      body: { warehouseId: house.main, lines: [{ productId: productOf(house, 'D'), qty: 4 }] },
    });
    await house.clerk.call(outboundCalls.submit, { body: { id: out.id } });
    await house.chief.call(outboundCalls.approve, { body: { id: out.id } });
    const { id } = await started(['D']);
    await count(id, 'D', 3);
    await house.keeper.call(stocktakeCalls.submit, { body: { id } });
    await expect(house.chief.call(stocktakeCalls.approve, { body: { id } })).rejects.toThrow(
      'SKU【D】盘点数小于待出库 4，请先撤销相关单据',
    );
    await house.clerk.call(stocktakeCalls.cancel, { body: { id } });
    expect(await balances(world, house, 'D')).toEqual({ AVAILABLE: 6, RESERVED: 4 });
    await house.keeper.call(outboundCalls.ship, { body: { id: out.id } });
  });

  it('blind: nobody who counts reads the books; found where nothing was, it needs a cost', async () => {
    await stocked(world, house, 'E', 5, '1');
    const { id } = await started(['E', 'NEW'], { blind: true });
    expect((await detail(id)).lines.map((line) => [line.bookQty, line.diff])).toEqual([
      [null, null],
      [null, null],
    ]);
    await count(id, 'E', 5);
    await count(id, 'NEW', 2);
    await house.keeper.call(stocktakeCalls.submit, { body: { id } });
    expect((await lineOf(id, 'NEW')).diff).toBe(2);
    await expect(house.chief.call(stocktakeCalls.approve, { body: { id } })).rejects.toThrow(
      'SKU【NEW】没有成本记录，请填写盘盈单价',
    );
    await house.chief.call(stocktakeCalls.reject, { body: { id, reason: '补单价' } });
    await count(id, 'NEW', 2, { unitCost: '8.5' });
    await house.keeper.call(stocktakeCalls.submit, { body: { id } });
    await house.chief.call(stocktakeCalls.approve, { body: { id } });
    expect((await layers(world, house, 'NEW')).map((text) => text.split(' ')[0])).toEqual(['2@17.0000']);
  });

  it('skipped lines keep the books; scans of one id count once; two counts at once do not overlap', async () => {
    await stocked(world, house, 'F', 5, '1');
    const drafts = await Promise.all(
      [1, 2].map(() =>
        house.clerk.call(stocktakeCalls.save, {
          body: { warehouseId: house.main, mode: 'LIVE', products: [productOf(house, 'F')] },
        }),
      ),
    );
    const starts = await Promise.all(
      drafts.map((draft) => house.keeper.send(stocktakeCalls.start, { body: { id: draft.id } })),
    );
    expect(starts.map((start) => start.code).sort()).toEqual([201, 409]);
    const id = drafts[starts.findIndex((start) => start.code === 201)]?.id ?? '';
    const line = await lineOf(id, 'F');
    const once = () =>
      house.keeper.call(stocktakeCalls.count, {
        body: { id, clientId: 'c1', lines: [{ lineId: line.id, counted: 9 }] },
      });
    expect((await Promise.all([once(), once()])).filter((one) => one.repeated)).toHaveLength(1);
    await house.keeper.call(stocktakeCalls.count, { body: { id, lines: [{ lineId: line.id, skipped: true }] } });
    await house.keeper.call(stocktakeCalls.submit, { body: { id } });
    await house.chief.call(stocktakeCalls.approve, { body: { id } });
    expect(await balances(world, house, 'F')).toEqual({ AVAILABLE: 5 });
    expect(await world.as(house.owner, async (ctx) => (await runHealth(ctx)).broken)).toBe(0);
  });

  it('freezes the whole warehouse where nothing narrows it: receipts wait too', async () => {
    const inbound = await approvedInbound(house, [{ sku: 'A', qty: 1, unitCost: '1' }]);
    const { id, number } = await started([]);
    const { inboundCalls } = await import('../../contract/documents/inbound.ts');
    const line = (await house.owner.call(inboundCalls.data, { params: { id: inbound.id } })).lines[0];
    const receive = () =>
      house.keeper.call(inboundCalls.receive, {
        body: { id: inbound.id, lines: [{ lineId: line?.id ?? '', qty: 1 }] },
      });
    await expect(receive()).rejects.toThrow(`正在盘点（${number}）`);
    await house.clerk.call(stocktakeCalls.cancel, { body: { id } });
    expect((await receive()).state).toBe('done');
  });
});
