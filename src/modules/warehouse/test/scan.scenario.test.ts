import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvedInbound, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { addLocations, listLocations } from '../contract/base.ts';
import { inboundCalls } from '../contract/documents/inbound.ts';
import { scanPack, scanResolve, scanStart, scanTasks } from '../contract/scan.ts';
import { type Line, lineOf, meaningOf, openOf } from '../web/scan/codes.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['KD-01', 'KD-02']);
  const span = { area: 'A', rack: '1', shelf: '1', bin: '1-2' };
  await house.owner.call(addLocations, { body: { warehouseId: house.main, ...span } });
  await world.as(house.owner, (ctx) =>
    ctx.db
      .updateTable('product.local_product')
      .set({ barcode: '6901234567892' })
      .where('company_id', '=', ctx.companyId)
      .where('sku', '=', 'KD-01')
      .execute(),
  );
});
afterAll(() => world.close());

describe('work with a scanner', () => {
  it('offers what the person may do, where he may do it', async () => {
    const start = await house.keeper.call(scanStart, {});
    expect(start.modes).toEqual(['receive', 'pick', 'count']);
    expect(start.warehouses.map((one) => one.name)).toContain('深圳仓');
    expect((await house.owner.call(scanStart, {})).modes).toHaveLength(6);
    expect((await house.clerk.call(scanStart, {})).modes).toEqual([]);
  });

  it('lists what waits, with all that is needed to do it without a network', async () => {
    const { id, number } = await approvedInbound(house, [{ sku: 'KD-01', qty: 3 }]);
    await stocked(world, house, 'KD-02', 5, '1');
    const query = { mode: 'receive' as const, warehouseId: house.main };
    expect(await house.keeper.call(scanTasks, { query })).toMatchObject([
      { id, kind: 'inbound', number, skus: 1, qty: 3, done: 0 },
    ]);
    expect(await house.keeper.call(scanTasks, { query: { ...query, warehouseId: house.second } })).toEqual([]);
    const pack = await house.keeper.call(scanPack, { query: { warehouseId: house.main, kind: 'inbound', id } });
    expect(pack.task?.lines).toMatchObject([{ productId: productOf(house, 'KD-01'), want: 3, done: 0 }]);
    expect(pack.products.map((one) => one.codes)).toEqual([['KD-01', '6901234567892']]);
    expect(pack.locations.map((one) => one.code)).toEqual(['暂存', 'A-1-1-1', 'A-1-1-2']);
    const shelf = await house.keeper.call(scanPack, { query: { warehouseId: house.main } });
    expect(shelf).toMatchObject({
      task: null,
      cells: [{ productId: productOf(house, 'KD-02'), locationId: house.main, qty: 5 }],
    });
    const elsewhere = { warehouseId: house.second, kind: 'inbound' as const, id };
    expect((await house.keeper.send(scanPack, { query: elsewhere })).code).toBe(404);
    const line = pack.task?.lines[0]?.lineId ?? '';
    const receipt = { id, clientId: randomUUID(), lines: [{ lineId: line, qty: 3 }] };
    await house.keeper.call(inboundCalls.receive, { body: receipt });
    expect((await house.keeper.call(inboundCalls.receive, { body: receipt })).repeated).toBe(true);
    expect(await house.keeper.call(scanTasks, { query })).toEqual([]);
  });

  it('knows what a code means: own labels, places, products by SKU and barcode, documents', async () => {
    const { records } = await house.owner.call(listLocations, { body: { filter: { keyword: 'A-1-1-2' } } });
    const place = records[0]?.id ?? '';
    const { number } = await approvedInbound(house, [{ sku: 'KD-02', qty: 1 }]);
    const meant = async (code: string) => {
      const found = await house.keeper.call(scanResolve, { body: { code, warehouseId: house.main } });
      if (found.means === 'product') return found.product.code;
      return 'id' in found ? found.id.slice(0, 8) : '—';
    };
    expect(await meant(`LOC.${place}`)).toBe(place.slice(0, 8));
    expect(await meant('a-1-1-2')).toBe(place.slice(0, 8));
    expect(await meant('kd-01')).toBe('KD-01');
    expect(await meant('6901234567892')).toBe('KD-01');
    expect(await meant(number)).toMatch(/^[0-9a-f]{8}$/);
    expect(await meant(`DOC.${number}`)).toBe(await meant(number));
    expect(await meant('LOC.kd-01')).toBe('—');
    expect(await meant('nobody')).toBe('—');
  });
});

describe('what the phone makes of a code by itself', () => {
  const pack = {
    locations: [{ id: 'id-1', code: 'A-1' }],
    products: [{ id: 'p', product: { name: '', code: 'KD' }, codes: ['KD', '690'] }],
  };
  const line = (lineId: string, want: number, done: number, locationId: string | null): Line => ({
    lineId,
    productId: 'p',
    want,
    done,
    now: 0,
    locationId,
    place: '',
  });

  it('reads places before products', () => {
    expect(meaningOf(pack, ' LOC.id-1 ')).toMatchObject({ means: 'location' });
    expect(meaningOf(pack, 'a-1')).toMatchObject({ means: 'location' });
    expect(meaningOf(pack, 'kd')).toMatchObject({ means: 'product' });
    expect(meaningOf(pack, 'LOC.KD')).toBeUndefined();
  });

  it('finds the line: the one in hand, then the place, then any with pieces missing', () => {
    const lines = [line('1', 2, 2, 'x'), line('2', 5, 0, 'y'), line('3', 5, 0, 'z')];
    expect(lineOf(lines, 'p', '3', 'y')?.lineId).toBe('3');
    expect(lineOf(lines, 'p', '1', 'z')?.lineId).toBe('3');
    expect(lineOf(lines, 'p', undefined, undefined)?.lineId).toBe('2');
    expect(lineOf(lines.slice(0, 1), 'p', '1', 'x')).toBeUndefined();
    expect(openOf({ ...line('9', 0, 0, null), want: null })).toBe(Number.POSITIVE_INFINITY);
  });
});
