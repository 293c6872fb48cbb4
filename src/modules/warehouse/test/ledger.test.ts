import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { worldClock } from '#test/support/world.ts';
import { heldBy, post, release, reserve, reverse, valuesOf } from '../server/index.ts';
import {
  at,
  balances,
  createLedgerWorld,
  createStock,
  derived,
  layers,
  move,
  productOf,
  receive,
  type Stock,
  source,
  type World,
  within,
} from './support.ts';

let world: World;
let stock: Stock;

beforeAll(async () => {
  world = await createLedgerWorld();
  stock = await createStock(world, [
    'FIFO',
    'AGE',
    'RACE',
    'A',
    'B',
    'MOVE',
    'BACK',
    'KIT',
    'PART1',
    'PART2',
    'GAIN',
    'TWICE',
    'PAST',
  ]);
});
afterAll(async () => {
  await world.close();
});

const p = (sku: string) => productOf(stock, sku);

describe('what pieces cost', () => {
  it('E1: the last piece of a layer takes what is left of its value', async () => {
    await move(world, stock, [
      { product: p('FIFO'), qty: 3, from: 'SUPPLIER', to: at(stock.main), cost: { value: '10.0000' } },
    ]);
    const sell = (qty: number) =>
      move(world, stock, [{ product: p('FIFO'), qty, from: at(stock.main), to: 'CUSTOMER' }]);
    const first = await sell(2);
    const second = await sell(1);
    const values = await within(world, stock, async (ctx) => [
      ...(await valuesOf(ctx, first.id)),
      ...(await valuesOf(ctx, second.id)),
    ]);
    expect(values.map((value) => value.out)).toEqual(['6.6667', '3.3333']);
    expect(await layers(world, stock, 'FIFO', stock.main)).toEqual([]);
  });

  it('E6: pieces keep the day of their first receipt, the oldest leave first', async () => {
    await receive(world, stock, 'AGE', 100, '1', '2026-01-10');
    await receive(world, stock, 'AGE', 50, '1', '2026-03-01');
    await receive(world, stock, 'AGE', 80, '1', '2026-04-20');
    await move(world, stock, [{ product: p('AGE'), qty: 90, from: at(stock.main), to: 'CUSTOMER' }]);
    expect(await layers(world, stock, 'AGE', stock.main)).toEqual([
      '10@10.0000 2026-01-10',
      '50@50.0000 2026-03-01',
      '80@80.0000 2026-04-20',
    ]);
  });

  it('E11: a swap hands cost and age over, without gain or loss', async () => {
    await receive(world, stock, 'A', 3, '2.00', '2026-01-01');
    await receive(world, stock, 'A', 4, '3.00', '2026-02-01');
    await move(world, stock, [
      { product: p('A'), qty: 5, from: at(stock.main), to: 'CONVERSION', group: 1 },
      { product: p('B'), qty: 5, from: 'CONVERSION', to: at(stock.main), group: 1, cost: { carry: true } },
    ]);
    expect(await layers(world, stock, 'B', stock.main)).toEqual(['3@6.0000 2026-01-01', '2@6.0000 2026-02-01']);
    expect(await layers(world, stock, 'A', stock.main)).toEqual(['2@6.0000 2026-02-01']);
  });

  it('a transfer carries the age through the way and the loss takes its value along', async () => {
    await receive(world, stock, 'MOVE', 10, '1.3333', '2026-02-03');
    const sent = source('DB1', 'ship');
    await within(world, stock, (ctx) =>
      reserve(ctx, {
        source: { ...sent, event: 'approve' },
        lines: [{ line: '1', product: p('MOVE'), warehouse: stock.main, qty: 7 }],
      }),
    );
    const [held] = await within(world, stock, (ctx) => heldBy(ctx, sent.type, sent.id));
    await move(
      world,
      stock,
      [
        {
          product: p('MOVE'),
          qty: 7,
          from: at(stock.main, 'RESERVED'),
          to: at(stock.overseas, 'IN_TRANSIT'),
          reservation: held?.id,
        },
      ],
      sent,
    );
    expect(await layers(world, stock, 'MOVE', stock.overseas)).toEqual(['7@9.3331 2026-02-03 在途']);
    await move(world, stock, [
      { product: p('MOVE'), qty: 5, from: at(stock.overseas, 'IN_TRANSIT'), to: at(stock.overseas) },
    ]);
    await move(world, stock, [{ product: p('MOVE'), qty: 2, from: at(stock.overseas, 'IN_TRANSIT'), to: 'LOST' }]);
    expect(await layers(world, stock, 'MOVE', stock.overseas)).toEqual(['5@6.6665 2026-02-03']);
    expect(await balances(world, stock, 'MOVE', stock.overseas)).toEqual({ AVAILABLE: 5 });
    expect(await balances(world, stock, 'MOVE', stock.main)).toEqual({ AVAILABLE: 3 });
  });

  it('an assembled piece costs its parts and the work; taken apart, the parts share its value', async () => {
    await receive(world, stock, 'PART1', 10, '2.50');
    await receive(world, stock, 'PART2', 10, '1.10');
    await move(world, stock, [
      { product: p('PART1'), qty: 4, from: at(stock.main), to: 'ASSEMBLY', group: 1 },
      { product: p('PART2'), qty: 2, from: at(stock.main), to: 'ASSEMBLY', group: 1 },
      { product: p('KIT'), qty: 2, from: 'ASSEMBLY', to: at(stock.main), group: 1, cost: { sum: true, plus: '0.80' } },
    ]);
    const [kit] = await layers(world, stock, 'KIT', stock.main);
    expect(kit).toMatch(/^2@13\.0000 /);
    await move(world, stock, [
      { product: p('KIT'), qty: 2, from: at(stock.main), to: 'ASSEMBLY', group: 1 },
      { product: p('PART1'), qty: 4, from: 'ASSEMBLY', to: at(stock.main), group: 1, cost: { sum: true, weight: '2' } },
      { product: p('PART2'), qty: 2, from: 'ASSEMBLY', to: at(stock.main), group: 1, cost: { sum: true, weight: '1' } },
    ]);
    expect((await layers(world, stock, 'PART1', stock.main)).at(-1)).toMatch(/^4@8\.6667 /);
    expect((await layers(world, stock, 'PART2', stock.main)).at(-1)).toMatch(/^2@4\.3333 /);
  });

  it('a gain of a count is worth what the last layer was', async () => {
    await receive(world, stock, 'GAIN', 3, '7.77');
    await move(world, stock, [{ product: p('GAIN'), qty: 2, from: 'ADJUSTMENT', to: at(stock.main) }]);
    expect((await layers(world, stock, 'GAIN', stock.main)).map((text) => text.split(' ')[0])).toEqual([
      '3@23.3100',
      '2@15.5400',
    ]);
  });
});

describe('what cannot be', () => {
  it('E10: of two reservations of the last pieces one gets them, the other reads why not', async () => {
    await receive(world, stock, 'RACE', 100, '1');
    const hold = () =>
      within(world, stock, (ctx) =>
        reserve(ctx, {
          source: source('CK9', 'approve'),
          lines: [{ line: '1', product: p('RACE'), warehouse: stock.main, qty: 60 }],
        }),
      );
    const results = await Promise.allSettled([hold(), hold()]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = results.find((result) => result.status === 'rejected');
    expect(lost?.reason).toMatchObject({
      message: 'SKU【RACE】在【深圳仓】可用库存不足：需要 60，可用 40',
      data: { code: 'B0801' },
    });
    expect(await balances(world, stock, 'RACE', stock.main)).toEqual({ AVAILABLE: 40, RESERVED: 60 });
  });

  it('more than there is cannot leave, neither from a known nor from a new cell', async () => {
    const take = (status: 'AVAILABLE' | 'PROCESSING') =>
      move(world, stock, [{ product: p('RACE'), qty: 41, from: at(stock.main, status), to: 'CUSTOMER' }]);
    await expect(take('AVAILABLE')).rejects.toThrow('SKU【RACE】在【深圳仓】可用库存不足：需要 41，可用 40');
    await expect(take('PROCESSING')).rejects.toThrow('SKU【RACE】在【深圳仓】加工中库存不足：需要 41，现有 0');
  });

  it('a place keeps only what it is for', async () => {
    await expect(
      move(world, stock, [{ product: p('RACE'), qty: 1, from: at(stock.main), to: at(stock.qc) }]),
    ).rejects.toThrow('仓库【质检仓】不能存放状态为【可用】的库存');
    await expect(
      move(world, stock, [
        { product: p('RACE'), qty: 1, from: at(stock.main), to: { ...at(stock.overseas), location: stock.main } },
      ]),
    ).rejects.toThrow('没有该库位');
  });

  it('reserved pieces do not move without their reservation', async () => {
    await expect(
      move(world, stock, [{ product: p('RACE'), qty: 1, from: at(stock.main, 'RESERVED'), to: 'CUSTOMER' }]),
    ).rejects.toThrow('预留不存在或数量不足');
  });

  it('a quantity is a positive whole number and a posting has lines', async () => {
    for (const qty of [0, -1, 1.5, Number.NaN]) {
      await expect(
        move(world, stock, [{ product: p('A'), qty, from: 'SUPPLIER', to: at(stock.main) }]),
      ).rejects.toThrow('数量必须为正整数');
    }
    await expect(move(world, stock, [])).rejects.toThrow('至少添加一行数据');
  });
});

describe('an event that comes twice', () => {
  it('is posted once, five times in parallel or again later', async () => {
    const event = source('RK7', 'receive');
    const once = () =>
      move(
        world,
        stock,
        [{ product: p('TWICE'), qty: 5, from: 'SUPPLIER', to: at(stock.main), cost: { unit: '1' } }],
        event,
      );
    const all = await Promise.all([once(), once(), once(), once(), once()]);
    expect(new Set(all.map((one) => one.id)).size).toBe(1);
    expect(all.filter((one) => !one.repeated)).toHaveLength(1);
    expect(await once()).toEqual({ id: all[0].id, repeated: true });
    expect(await balances(world, stock, 'TWICE', stock.main)).toEqual({ AVAILABLE: 5 });
  });
});

describe('taking back', () => {
  it('restores balances and the very layers, once', async () => {
    await receive(world, stock, 'BACK', 3, '3.3333', '2026-01-01');
    await receive(world, stock, 'BACK', 3, '4.4444', '2026-01-02');
    const before = await derived(world.admin, stock.companyId);
    const sold = await move(world, stock, [{ product: p('BACK'), qty: 4, from: at(stock.main), to: 'CUSTOMER' }]);
    const back = () => within(world, stock, (ctx) => reverse(ctx, sold.id, '拦截'));
    const [first, second] = [await back(), await back()];
    expect(second).toEqual({ id: first.id, repeated: true });
    expect(await derived(world.admin, stock.companyId)).toBe(before);
    await expect(within(world, stock, (ctx) => reverse(ctx, first.id))).rejects.toThrow('冲销不能再次撤销');
  });

  it('is refused with the documents that used the pieces', async () => {
    const got = await move(
      world,
      stock,
      [
        {
          product: p('BACK'),
          qty: 10,
          from: 'SUPPLIER',
          to: at(stock.main),
          cost: { unit: '5', firstDay: '2025-01-01' },
        },
      ],
      source('RK100', 'receive'),
    );
    await move(
      world,
      stock,
      [{ product: p('BACK'), qty: 1, from: at(stock.main), to: 'CUSTOMER' }],
      source('CK100', 'ship'),
    );
    await expect(within(world, stock, (ctx) => reverse(ctx, got.id))).rejects.toMatchObject({
      message: '该单据的库存已被 CK100 使用，请先撤销',
      data: { code: 'B0807', users: ['CK100'] },
    });
  });

  it('a dispatch goes back into its reservation, which can then be released', async () => {
    const doc = source('CK200', 'approve');
    await within(world, stock, (ctx) =>
      reserve(ctx, { source: doc, lines: [{ line: '1', product: p('RACE'), warehouse: stock.main, qty: 30 }] }),
    );
    const [held] = await within(world, stock, (ctx) => heldBy(ctx, doc.type, doc.id));
    const shipped = await move(
      world,
      stock,
      [{ product: p('RACE'), qty: 30, from: at(stock.main, 'RESERVED'), to: 'CUSTOMER', reservation: held?.id }],
      { ...doc, event: 'ship' },
    );
    expect(await within(world, stock, (ctx) => heldBy(ctx, doc.type, doc.id))).toEqual([]);
    await within(world, stock, (ctx) => reverse(ctx, shipped.id));
    expect(await within(world, stock, (ctx) => heldBy(ctx, doc.type, doc.id))).toMatchObject([
      { held: 30, shipped: 0 },
    ]);
    await within(world, stock, (ctx) => release(ctx, { ...doc, event: 'cancel' }));
    expect(await balances(world, stock, 'RACE', stock.main)).toEqual({ AVAILABLE: 40, RESERVED: 60 });
  });
});

describe('a day in the past', () => {
  const day = (back: number) => worldClock().dayAhead(-back);

  it('takes nothing that was not there yet, and nothing before the limit', async () => {
    const dated = (back: number, from: 'SUPPLIER' | 'HERE', qty: number) =>
      within(world, stock, (ctx) =>
        post(ctx, {
          source: source(),
          day: day(back),
          moves: [
            from === 'SUPPLIER'
              ? { product: p('PAST'), qty, from, to: at(stock.main), cost: { unit: '1' } }
              : { product: p('PAST'), qty, from: at(stock.main), to: 'CUSTOMER' },
          ],
        }),
      );
    await dated(2, 'SUPPLIER', 5);
    await dated(0, 'SUPPLIER', 5);
    await expect(dated(3, 'HERE', 1)).rejects.toThrow(`补录日期会导致 ${day(3)} 库存为负`);
    await expect(dated(1, 'HERE', 6)).rejects.toThrow(`补录日期会导致 ${day(1)} 库存为负`);
    await dated(1, 'HERE', 5);
    await expect(dated(4, 'SUPPLIER', 1)).rejects.toThrow('业务日期最多可补录 3 天');
    await expect(dated(-1, 'SUPPLIER', 1)).rejects.toThrow('业务日期不能晚于今天');
  });
});
