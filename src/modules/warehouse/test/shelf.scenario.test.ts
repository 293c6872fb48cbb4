import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances, createHouse, type House, layers, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addLocations, freezeLocations, listLocations } from '../contract/base.ts';
import { outboundCalls } from '../contract/documents/outbound.ts';
import { countShelf, listShelf, listShelfRecords, moveShelf, putAway, takeDown } from '../contract/shelf.ts';

let world: World;
let house: House;
let mover: Person;
const places = new Map<string, string>();
const place = (code: string) => {
  const id = places.get(code);
  if (!id) throw new Error(`no place ${code}`);
  return id;
};

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B']);
  mover = await world.member(house.owner, ['erp:inv:view', 'erp:wh:shelf:move']);
  const span = { area: 'A', rack: '1', shelf: '1', bin: '1-3' };
  await house.owner.call(addLocations, { body: { warehouseId: house.main, ...span } });
  const { records } = await house.owner.call(listLocations, { body: { filter: { warehouses: [house.main] } } });
  for (const row of records) places.set(row.code, row.id);
  await stocked(world, house, 'A', 10, '2.5', house.main, '2026-01-10');
});
afterAll(() => world.close());

const head = () => ({ clientId: randomUUID(), warehouseId: house.main });
const lying = async () => {
  const { records } = await house.owner.call(listShelf, { body: { filter: { warehouses: [house.main] } } });
  return records.map((row) => `${row.location} ${row.product.code} ${row.free}+${row.held}`);
};

describe('pieces on shelves', () => {
  it('go from STAGING to a place, to another one and back, at no cost', async () => {
    const cost = await layers(world, house, 'A');
    const line = { productId: productOf(house, 'A'), qty: 6 };
    const done = await mover.call(putAway, { body: { ...head(), lines: [{ ...line, toId: place('A-1-1-1') }] } });
    expect(done).toMatchObject({ pieces: 6, repeated: false });
    expect(done.number).toMatch(/^SJ\d{6}0001$/);
    expect(await lying()).toEqual(['暂存 A 4+0', 'A-1-1-1 A 6+0']);
    await mover.call(moveShelf, {
      body: { ...head(), lines: [{ ...line, qty: 2, fromId: place('A-1-1-1'), toId: place('A-1-1-2') }] },
    });
    await mover.call(takeDown, { body: { ...head(), lines: [{ ...line, qty: 1, fromId: place('A-1-1-2') }] } });
    expect(await lying()).toEqual(['暂存 A 5+0', 'A-1-1-1 A 4+0', 'A-1-1-2 A 1+0']);
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 10 });
    expect(await layers(world, house, 'A')).toEqual(cost);
    expect(await mover.call(countShelf, { body: { filter: {} } })).toEqual({ all: 3, STAGED: 1, SHELVED: 2 });
  });

  it('move once for one client id, whoever sends it again', async () => {
    const body = { ...head(), lines: [{ productId: productOf(house, 'A'), qty: 1, toId: place('A-1-1-3') }] };
    const first = await mover.call(putAway, { body });
    expect(await mover.call(putAway, { body })).toEqual({ ...first, repeated: true });
    expect(await lying()).toEqual(['暂存 A 4+0', 'A-1-1-1 A 4+0', 'A-1-1-2 A 1+0', 'A-1-1-3 A 1+0']);
  });

  it('do not go where they cannot, and do not go when they are not there', async () => {
    const line = { productId: productOf(house, 'A'), qty: 9, toId: place('A-1-1-1') };
    const short = await mover.send(putAway, { body: { ...head(), lines: [line] } });
    expect(short.msg).toBe('SKU【A】在【深圳仓】可用库存不足：需要 9，可用 4');
    const same = await mover.send(moveShelf, {
      body: { ...head(), lines: [{ ...line, qty: 1, fromId: place('A-1-1-1') }] },
    });
    expect(same.msg).toBe('移出库位与移入库位不能相同');
    await house.owner.call(freezeLocations, { body: { ids: [place('A-1-1-2')], frozen: true } });
    const frozen = await mover.send(putAway, {
      body: { ...head(), lines: [{ ...line, qty: 1, toId: place('A-1-1-2') }] },
    });
    expect(frozen.msg).toBe('库位【A-1-1-2】已冻结，暂不支持库存操作');
    await house.owner.call(freezeLocations, { body: { ids: [place('A-1-1-2')], frozen: false } });
    const foreign = await mover.send(putAway, {
      body: { ...head(), warehouseId: house.second, lines: [{ ...line, qty: 1 }] },
    });
    expect(foreign.msg).toBe('SKU【A】在【义乌仓】可用库存不足：需要 1，可用 0');
    expect((await house.clerk.send(putAway, { body: { ...head(), lines: [line] } })).code).toBe(403);
  });

  it('stay where they lie while a document holds them', async () => {
    const saved = await house.clerk.call(outboundCalls.save, {
      body: {
        warehouseId: house.main,
        lines: [{ productId: productOf(house, 'A'), qty: 3, locationId: place('A-1-1-1') }],
      },
    });
    await house.clerk.call(outboundCalls.submit, { body: { id: saved.id } });
    await house.chief.call(outboundCalls.approve, { body: { id: saved.id } });
    expect(await lying()).toContain('A-1-1-1 A 1+3');
    const line = { productId: productOf(house, 'A'), fromId: place('A-1-1-1') };
    const held = await mover.send(takeDown, { body: { ...head(), lines: [{ ...line, qty: 2 }] } });
    expect(held.msg).toBe('SKU【A】在【深圳仓】可用库存不足：需要 2，可用 1');
    await mover.call(takeDown, { body: { ...head(), lines: [{ ...line, qty: 1 }] } });
    expect(await lying()).toContain('A-1-1-1 A 0+3');
  });

  it('leave a record of both sides whose pieces add up to nothing', async () => {
    const { records } = await mover.call(listShelfRecords, { body: { pagesize: 100, filter: {} } });
    expect(records.reduce((sum, row) => sum + row.qty, 0)).toBe(0);
    expect(records.slice(-2).map((row) => [row.action, row.location, row.qty])).toEqual(
      expect.arrayContaining([
        ['库位·上架', '暂存', -6],
        ['库位·上架', 'A-1-1-1', 6],
      ]),
    );
    expect(records.every((row) => row.number.startsWith('SJ'))).toBe(true);
  });
});
