import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveBomVersion } from '#modules/product/server/index.ts';
import { balances, createHouse, type House, layers, productOf, stocked, today } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { assemblyCalls, assemblyParts } from '../../contract/documents/assembly.ts';
import { exchangeCalls } from '../../contract/documents/exchange.ts';
import { listReservations, releaseReservation } from '../../contract/inventory.ts';
import { reassignReservation } from '../../contract/reassign.ts';
import { runHealth } from '../../server/health/run.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'KIT', 'PART1', 'PART2', 'SET', 'BIT1', 'BIT2']);
});
afterAll(() => world.close());

const swap = (from: string, to: string, qty: number) =>
  house.clerk.call(exchangeCalls.save, {
    body: {
      warehouseId: house.main,
      lines: [{ productId: productOf(house, from), toProductId: productOf(house, to), qty }],
    },
  });

describe('代料单', () => {
  it('E11: hands cost and age over, and back', async () => {
    await stocked(world, house, 'A', 3, '2.00', house.main, '2026-01-01');
    await stocked(world, house, 'A', 4, '3.00', house.main, '2026-02-01');
    const { id, number } = await swap('A', 'B', 5);
    expect(number).toMatch(/^HB/);
    await house.clerk.call(exchangeCalls.submit, { body: { id } });
    expect((await house.chief.call(exchangeCalls.approve, { body: { id } })).state).toBe('done');
    expect(await layers(world, house, 'B')).toEqual(['3@6.0000 2026-01-01', '2@6.0000 2026-02-01']);
    expect(await layers(world, house, 'A')).toEqual(['2@6.0000 2026-02-01']);
    const { lines, entries } = await house.owner.call(exchangeCalls.data, { params: { id } });
    expect(lines[0]).toMatchObject({ amount: '12.0000', doneQty: 5 });
    const swapped = entries.filter((entry) => entry.event === '换货');
    expect(swapped.map((entry) => [entry.product.code, entry.qty]).sort()).toEqual([
      ['A', -5],
      ['B', 5],
    ]);
    await house.chief.call(exchangeCalls.reverse, { body: { id, reason: '换错' } });
    expect(await layers(world, house, 'A')).toEqual(['3@6.0000 2026-01-01', '4@12.0000 2026-02-01']);
    expect(await balances(world, house, 'B')).toEqual({});
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 7 });
  });

  it('a SKU is not swapped for itself, nor more than there is', async () => {
    await expect(swap('A', 'A', 1)).rejects.toThrow('调出SKU与调入SKU不能相同');
    const { id } = await swap('A', 'B', 8);
    await house.clerk.call(exchangeCalls.submit, { body: { id } });
    await expect(house.chief.call(exchangeCalls.approve, { body: { id } })).rejects.toThrow('需要 8，可用 7');
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 7 });
  });
});

describe('加工单', () => {
  const make = (
    type: 'ASSEMBLE' | 'DISASSEMBLE',
    product: string,
    qty: number,
    parts: [string, number][],
    otherFee = '0',
  ) =>
    house.owner.call(assemblyCalls.save, {
      body: {
        type,
        warehouseId: house.main,
        productId: productOf(house, product),
        qty,
        otherFee,
        lines: parts.map(([sku, pieces]) => ({ productId: productOf(house, sku), qty: pieces })),
      },
    });
  const ready = async (id: string) => {
    await house.clerk.call(assemblyCalls.submit, { body: { id } });
    await house.chief.call(assemblyCalls.approve, { body: { id } });
  };

  it('takes its parts from the list of the product, and the set costs them and the work', async () => {
    await world.as(house.owner, (ctx) =>
      saveBomVersion(ctx, {
        productId: productOf(house, 'KIT'),
        lines: [
          { componentId: productOf(house, 'PART1'), qtyPer: '2', scrapShare: '0' },
          { componentId: productOf(house, 'PART2'), qtyPer: '0.3', scrapShare: '0' },
        ],
      }),
    );
    await stocked(world, house, 'PART1', 10, '2.50');
    await stocked(world, house, 'PART2', 10, '1.10');
    const parts = await house.clerk.call(assemblyParts, {
      params: { id: productOf(house, 'KIT') },
      query: { qty: 2, warehouseId: house.main },
    });
    expect(parts.map((part) => [part.product.code, part.qty, part.available])).toEqual([
      ['PART1', 4, 10],
      ['PART2', 1, 10],
    ]);
    const { id } = await make(
      'ASSEMBLE',
      'KIT',
      2,
      [
        ['PART1', 4],
        ['PART2', 1],
      ],
      '0.90',
    );
    await ready(id);
    expect(await balances(world, house, 'PART1')).toEqual({ AVAILABLE: 6, RESERVED: 4 });
    await house.keeper.call(assemblyCalls.start, { body: { id } });
    expect(await balances(world, house, 'PART1')).toEqual({ AVAILABLE: 6, PROCESSING: 4 });
    expect((await house.keeper.call(assemblyCalls.finish, { body: { id } })).state).toBe('done');
    expect(await balances(world, house, 'PART1')).toEqual({ AVAILABLE: 6 });
    expect(await layers(world, house, 'KIT')).toEqual([`2@12.0000 ${today()}`]);
    await house.chief.call(assemblyCalls.reverse, { body: { id, reason: '装错' } });
    expect(await balances(world, house, 'KIT')).toEqual({});
    expect(await balances(world, house, 'PART1')).toEqual({ AVAILABLE: 10 });
  });

  it('taken apart, the parts share the value by what they last cost; stopped in the middle, all comes back', async () => {
    await stocked(world, house, 'SET', 3, '10.00');
    await stocked(world, house, 'BIT1', 1, '3');
    await stocked(world, house, 'BIT2', 1, '1');
    const stopped = await make('DISASSEMBLE', 'SET', 1, [
      ['BIT1', 1],
      ['BIT2', 1],
    ]);
    await ready(stopped.id);
    await house.keeper.call(assemblyCalls.start, { body: { id: stopped.id } });
    await house.clerk.call(assemblyCalls.cancel, { body: { id: stopped.id } });
    expect(await balances(world, house, 'SET')).toEqual({ AVAILABLE: 3 });
    const { id } = await make(
      'DISASSEMBLE',
      'SET',
      2,
      [
        ['BIT1', 4],
        ['BIT2', 8],
      ],
      '4.00',
    );
    await ready(id);
    await house.keeper.call(assemblyCalls.start, { body: { id } });
    await house.keeper.call(assemblyCalls.finish, { body: { id } });
    expect(await balances(world, house, 'SET')).toEqual({ AVAILABLE: 1 });
    expect((await layers(world, house, 'BIT1')).at(-1)).toBe(`4@14.4000 ${today()}`);
    expect((await layers(world, house, 'BIT2')).at(-1)).toBe(`8@9.6000 ${today()}`);
    expect(await world.as(house.owner, async (ctx) => (await runHealth(ctx)).broken)).toBe(0);
  });

  it('does not start without the parts that somebody gave back; with those of another one it does', async () => {
    const made = async () => {
      const { id, number } = await make('ASSEMBLE', 'KIT', 2, [['PART1', 4]]);
      await ready(id);
      const { records } = await house.owner.call(listReservations, { body: { filter: { number } } });
      return { id, reservation: records[0]?.id ?? '' };
    };
    const [one, other] = [await made(), await made()];
    await house.owner.call(releaseReservation, { body: { id: one.reservation, reason: '误释放' } });
    await expect(house.keeper.call(assemblyCalls.start, { body: { id: one.id } })).rejects.toThrow('占用的用料已释放');
    await house.owner.call(reassignReservation, {
      body: { id: other.reservation, documentId: one.id, qty: 4, reason: '先做急单' },
    });
    await expect(house.keeper.call(assemblyCalls.start, { body: { id: other.id } })).rejects.toThrow(
      '占用的用料已释放',
    );
    await house.keeper.call(assemblyCalls.start, { body: { id: one.id } });
    expect(await balances(world, house, 'PART1')).toEqual({ AVAILABLE: 6, PROCESSING: 4 });
    await house.keeper.call(assemblyCalls.finish, { body: { id: one.id } });
    await house.clerk.call(assemblyCalls.cancel, { body: { id: other.id } });
    expect(await balances(world, house, 'PART1')).toEqual({ AVAILABLE: 6 });
    expect(await world.as(house.owner, async (ctx) => (await runHealth(ctx)).broken)).toBe(0);
  });

  it('is no part of itself', async () => {
    await expect(make('ASSEMBLE', 'KIT', 1, [['KIT', 1]])).rejects.toThrow('主产品不能同时是子件');
  });
});
