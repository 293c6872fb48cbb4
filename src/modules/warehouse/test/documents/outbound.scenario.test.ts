import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances, createHouse, type House, layers, productOf, stocked, today } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C', 'D', 'E', 'F', 'G']);
});
afterAll(() => world.close());

const detail = (id: string) => house.owner.call(outboundCalls.data, { params: { id } });

async function submitted(lines: readonly [string, number][], more: object = {}) {
  const { id, number } = await house.clerk.call(outboundCalls.save, {
    body: {
      warehouseId: house.main,
      lines: lines.map(([sku, qty]) => ({ productId: productOf(house, sku), qty })),
      ...more,
    },
  });
  await house.clerk.call(outboundCalls.submit, { body: { id } });
  return { id, number };
}

async function approved(lines: readonly [string, number][]) {
  const doc = await submitted(lines);
  await house.chief.call(outboundCalls.approve, { body: { id: doc.id } });
  return doc;
}

describe('出库单', () => {
  it('holds, is picked by scans, leaves with its cost, and comes back to the last unit', async () => {
    await stocked(world, house, 'A', 3, '2', house.main, '2026-01-01');
    await stocked(world, house, 'A', 7, '3', house.main, '2026-02-01');
    const { id } = await approved([['A', 5]]);
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 5, RESERVED: 5 });
    const [line] = (await detail(id)).lines;
    const pick = (qty: number, clientId?: string) =>
      house.keeper.call(outboundCalls.pick, {
        body: { id, ...(clientId ? { clientId } : {}), lines: [{ lineId: line?.id ?? '', qty }] },
      });
    expect((await pick(2, 's1')).state).toBe('picking');
    expect((await pick(2, 's1')).repeated).toBe(true);
    await expect(pick(4)).rejects.toThrow('拣货数量超过待拣 3');
    expect((await detail(id)).lines[0]?.pickedQty).toBe(2);
    expect((await pick(3)).state).toBe('picked');
    const shipped = await house.keeper.call(outboundCalls.ship, { body: { id } });
    expect(shipped.state).toBe('done');
    expect((await house.keeper.call(outboundCalls.ship, { body: { id } })).repeated).toBe(true);
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 5 });
    expect((await detail(id)).lines[0]).toMatchObject({ doneQty: 5, amount: '12.0000' });
    await house.chief.call(outboundCalls.reverse, { body: { id, reason: '客户取消' } });
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 10 });
    expect(await layers(world, house, 'A')).toEqual(['3@6.0000 2026-01-01', '7@21.0000 2026-02-01']);
  });

  it('says which SKU is short where, with the pieces, and holds nothing then', async () => {
    await stocked(world, house, 'B', 10, '1');
    await stocked(world, house, 'C', 10, '1');
    const { id } = await submitted([
      ['B', 5],
      ['C', 11],
    ]);
    await expect(house.chief.call(outboundCalls.approve, { body: { id } })).rejects.toThrow(
      'SKU【C】在【深圳仓】可用库存不足：需要 11，可用 10',
    );
    expect(await balances(world, house, 'B')).toEqual({ AVAILABLE: 10 });
    expect((await detail(id)).document.state).toBe('pending');
  });

  it('short at the shelf: the rest goes back and the document goes on', async () => {
    await stocked(world, house, 'D', 10, '1');
    const { id } = await approved([['D', 8]]);
    const [line] = (await detail(id)).lines;
    const picked = await house.keeper.call(outboundCalls.pick, {
      body: { id, lines: [{ lineId: line?.id ?? '', qty: 6, short: true }] },
    });
    expect(picked.state).toBe('picked');
    expect(await balances(world, house, 'D')).toEqual({ AVAILABLE: 4, RESERVED: 6 });
    await house.keeper.call(outboundCalls.ship, { body: { id } });
    expect((await detail(id)).lines[0]).toMatchObject({ qty: 8, doneQty: 6, shortQty: 2 });
    await house.chief.call(outboundCalls.reverse, { body: { id, reason: '退回' } });
    expect(await balances(world, house, 'D')).toEqual({ AVAILABLE: 10 });
  });

  it('two pickers with one batch of scans: no piece is picked twice', async () => {
    await stocked(world, house, 'E', 10, '1');
    const { id } = await approved([['E', 10]]);
    const [line] = (await detail(id)).lines;
    const one = (client: string) =>
      house.keeper.send(outboundCalls.pick, {
        body: { id, clientId: client, lines: [{ lineId: line?.id ?? '', qty: 1 }] },
      });
    const scans = Array.from({ length: 8 }, (_, n) => `scan-${n}`);
    const answers = await Promise.all([...scans, ...scans].map(one));
    expect(answers.every((answer) => answer.code === 201)).toBe(true);
    expect(answers.filter((answer) => answer.data.repeated)).toHaveLength(8);
    expect((await detail(id)).lines[0]?.pickedQty).toBe(8);
    const rest = await Promise.all(['x', 'y', 'z'].map(one));
    expect(rest.filter((answer) => answer.code === 201)).toHaveLength(2);
    expect((await detail(id)).lines[0]?.pickedQty).toBe(10);
  });

  it('approval against cancel, dispatch against cancel: one of them wins, nothing stays held', async () => {
    await stocked(world, house, 'F', 40, '1');
    for (let round = 0; round < 4; round += 1) {
      const { id } = await submitted([['F', 3]]);
      const [approve, cancel] = await Promise.all([
        house.chief.send(outboundCalls.approve, { body: { id } }),
        house.clerk.send(outboundCalls.cancel, { body: { id } }),
      ]);
      expect(cancel.code).toBe(201);
      expect([201, 409]).toContain(approve.code);
      expect((await detail(id)).document.state).toBe('cancelled');
    }
    expect(await balances(world, house, 'F')).toEqual({ AVAILABLE: 40 });
    for (let round = 0; round < 4; round += 1) {
      const { id } = await approved([['F', 3]]);
      const [ship, cancel] = await Promise.all([
        house.keeper.send(outboundCalls.ship, { body: { id } }),
        house.clerk.send(outboundCalls.cancel, { body: { id } }),
      ]);
      expect([ship.code, cancel.code].sort()).toEqual([201, 409]);
      expect((await detail(id)).document.state).toBe(ship.code === 201 ? 'done' : 'cancelled');
    }
    const left = await balances(world, house, 'F');
    expect(left.RESERVED).toBeUndefined();
  });

  it('defective pieces are scrapped from their own warehouse only', async () => {
    await stocked(world, house, 'G', 6, '4', house.defective);
    await expect(submitted([['G', 1]], { type: 'SCRAP' })).rejects.toThrow('废品出库须选择次品仓');
    const { id } = await submitted([['G', 6]], { type: 'SCRAP', warehouseId: house.defective });
    await house.chief.call(outboundCalls.approve, { body: { id } });
    await house.keeper.call(outboundCalls.ship, { body: { id } });
    expect(await balances(world, house, 'G', house.defective)).toEqual({});
    expect((await detail(id)).lines[0]?.amount).toBe('24.0000');
    await house.chief.call(outboundCalls.reverse, { body: { id, reason: '错报' } });
    expect(await layers(world, house, 'G', house.defective)).toEqual([`6@24.0000 ${today()}`]);
  });
});
