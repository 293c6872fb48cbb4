import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveBomVersion } from '#modules/product/server/index.ts';
import { createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { outboundCalls } from '../contract/documents/outbound.ts';
import { listStock } from '../contract/inventory.ts';
import { listPlanned } from '../contract/planned.ts';
import { setsFrom } from '../server/stock/assemblable.ts';

describe('可组装', () => {
  it('is the least over the parts of free pieces by what one kit takes, rounded down', () => {
    const parts = [
      { componentId: 'a', qtyPer: '2', scrapShare: '0' },
      { componentId: 'b', qtyPer: '1', scrapShare: '0' },
    ];
    const free = (a: number, b: number) =>
      new Map([
        ['a', a],
        ['b', b],
      ]);
    expect(setsFrom(parts, free(100, 390))).toBe(50);
    expect(setsFrom(parts, free(99, 390))).toBe(49);
    expect(setsFrom(parts, free(1, 390))).toBe(0);
    expect(setsFrom(parts, new Map([['a', 7]]))).toBe(0);
    // With 2 % scrap 52 pieces are 50.96 kits; three thirds of a piece are a whole one.
    expect(setsFrom([{ componentId: 'a', qtyPer: '1', scrapShare: '0.02' }], free(52, 0))).toBe(50);
    expect(setsFrom([{ componentId: 'a', qtyPer: '0.3333', scrapShare: '0' }], free(1, 0))).toBe(3);
  });

  describe('in the stock report', () => {
    let world: World;
    let house: House;
    beforeAll(async () => {
      world = await createWorld();
      house = await createHouse(world, ['KIT', 'A', 'B']);
    });
    afterAll(() => world.close());

    it('counts the parts of the row’s own warehouse, and says nothing of a product that is no kit', async () => {
      const line = (sku: string, qtyPer: string) => ({ componentId: productOf(house, sku), qtyPer, scrapShare: '0' });
      await world.as(house.owner, (ctx) =>
        saveBomVersion(ctx, { productId: productOf(house, 'KIT'), lines: [line('A', '2'), line('B', '1')] }),
      );
      await stocked(world, house, 'KIT', 1, '5');
      await stocked(world, house, 'KIT', 1, '5', house.second);
      await stocked(world, house, 'A', 9, '1');
      await stocked(world, house, 'B', 30, '1');
      await stocked(world, house, 'A', 100, '1', house.second);
      const { records } = await house.owner.call(listStock, { body: { filter: {} } });
      const found = Object.fromEntries(records.map((row) => [`${row.product.code} ${row.warehouse}`, row.assemblable]));
      expect(found).toEqual({
        'A 深圳仓': null,
        'A 义乌仓': null,
        'B 深圳仓': null,
        'KIT 深圳仓': 4,
        'KIT 义乌仓': 0,
      });
    });

    it('promises what is free less what submitted documents want, and says which; approval turns it into 待出库', async () => {
      const lines = [{ productId: productOf(house, 'B'), qty: 12 }];
      const { id, number } = await house.clerk.call(outboundCalls.save, { body: { warehouseId: house.main, lines } });
      const b = async () => {
        const { records } = await house.owner.call(listStock, { body: { filter: { skus: ['B'] } } });
        const { available, reserved, planned, promisable } = records[0] ?? {};
        return { available, reserved, planned, promisable };
      };
      // A draft holds nothing.
      expect(await b()).toEqual({ available: 30, reserved: 0, planned: 0, promisable: 30 });
      await house.clerk.call(outboundCalls.submit, { body: { id } });
      expect(await b()).toEqual({ available: 30, reserved: 0, planned: 12, promisable: 18 });
      const query = { productId: productOf(house, 'B'), warehouseId: house.main };
      expect(await house.owner.call(listPlanned, { query })).toMatchObject([{ number, kind: '出库单', qty: 12 }]);
      await house.chief.call(outboundCalls.approve, { body: { id } });
      expect(await b()).toEqual({ available: 18, reserved: 12, planned: 0, promisable: 18 });
      expect(await house.owner.call(listPlanned, { query })).toEqual([]);
      expect((await house.owner.send(listPlanned, { query: { ...query, productId: 'x' } })).code).toBe(400);
    });
  });
});
