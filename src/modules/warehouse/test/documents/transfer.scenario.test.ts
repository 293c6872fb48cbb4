import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances, createHouse, type House, layers, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { otherWarehouse, warehouseChoices } from '../../contract/documents/choices.ts';
import { transferCalls } from '../../contract/documents/transfer.ts';
import { shareFees } from '../../server/documents/kinds/fees.ts';
import { runHealth } from '../../server/health/run.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
});
afterAll(() => world.close());

const detail = (id: string) => house.owner.call(transferCalls.data, { params: { id } });

async function submitted(lines: readonly [string, number][], more: object = {}) {
  const { id } = await house.owner.call(transferCalls.save, {
    body: {
      warehouseId: house.main,
      toWarehouseId: house.second,
      lines: lines.map(([sku, qty]) => ({ productId: productOf(house, sku), qty })),
      ...more,
    },
  });
  await house.clerk.call(transferCalls.submit, { body: { id } });
  return id;
}

async function sent(lines: readonly [string, number][], more: object = {}) {
  const id = await submitted(lines, more);
  await house.chief.call(transferCalls.approve, { body: { id } });
  await house.keeper.call(transferCalls.ship, { body: { id } });
  return id;
}

async function receive(id: string, sku: string, qty: number) {
  const line = (await detail(id)).lines.find((one) => one.product.code === sku);
  return house.keeper.call(transferCalls.receive, { body: { id, lines: [{ lineId: line?.id ?? '', qty }] } });
}

describe('fees by line', () => {
  const lines = (...qty: number[]) =>
    qty.map((pieces, index) => ({
      id: `l${index + 1}`,
      lineNo: index + 1,
      product: `p${index + 1}`,
      qty: pieces,
      fee: null,
    }));

  it('E4: largest remainder, ties to the lower line, the sum exact', () => {
    expect([...shareFees('100.00', 'QTY', lines(1, 1, 1)).values()]).toEqual(['33.34', '33.33', '33.33']);
    const sizes = new Map([
      ['p1', { weight: '24.0', volume: null }],
      ['p2', { weight: '28.8', volume: null }],
      ['p3', { weight: '11.2', volume: null }],
    ]);
    expect([...shareFees('663.21', 'WEIGHT', lines(1, 1, 1), sizes).values()]).toEqual(['248.70', '298.45', '116.06']);
  });

  it('a size that is not known is said, never taken for 0', () => {
    expect(() => shareFees('1', 'VOLUME', lines(1), new Map(), () => 'X1')).toThrow(
      'SKU【X1】缺少尺寸或重量，无法按体积分摊',
    );
  });
});

describe('调库单', () => {
  it('sends with freight in the layers, receives in parts, keeps the age', async () => {
    await stocked(world, house, 'A', 10, '2', house.main, '2026-01-05');
    await stocked(world, house, 'B', 10, '5', house.main, '2026-02-05');
    const id = await submitted(
      [
        ['A', 6],
        ['B', 3],
      ],
      { freight: '8.00', otherFee: '2.00', feeSplit: 'QTY' },
    );
    await house.chief.call(transferCalls.approve, { body: { id } });
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 4, RESERVED: 6 });
    expect(await balances(world, house, 'A', house.second)).toEqual({ EXPECTED: 6 });
    await house.keeper.call(transferCalls.ship, { body: { id } });
    expect(await balances(world, house, 'A', house.second)).toEqual({ IN_TRANSIT: 6 });
    expect(await layers(world, house, 'A', house.second)).toEqual(['6@18.6700 2026-01-05']);
    expect(await layers(world, house, 'B', house.second)).toEqual(['3@18.3300 2026-02-05']);
    expect((await detail(id)).lines.map((line) => line.fee)).toEqual(['6.6700', '3.3300']);
    expect((await receive(id, 'A', 2)).state).toBe('partial');
    await expect(receive(id, 'A', 5)).rejects.toThrow('收货数量超过应收 4');
    await receive(id, 'A', 4);
    expect((await receive(id, 'B', 3)).state).toBe('done');
    expect(await balances(world, house, 'A', house.second)).toEqual({ AVAILABLE: 6 });
    expect((await layers(world, house, 'A', house.second)).map((text) => text.slice(-10))).toEqual([
      '2026-01-05',
      '2026-01-05',
    ]);
    expect(await world.as(house.owner, async (ctx) => (await runHealth(ctx)).broken)).toBe(0);
  });

  it('what does not arrive is lost with a reason; nothing else changes', async () => {
    await stocked(world, house, 'C', 9, '1');
    const id = await sent([['C', 9]]);
    await receive(id, 'C', 5);
    const done = await house.chief.call(transferCalls.close, { body: { id, reason: '运输破损' } });
    expect(done.state).toBe('done');
    expect(await balances(world, house, 'C', house.second)).toEqual({ AVAILABLE: 5 });
    expect((await detail(id)).lines[0]).toMatchObject({ doneQty: 5, shortQty: 4 });
  });

  it('by weight: refused while a weight is unknown, then by what the pieces weigh as packed', async () => {
    await stocked(world, house, 'H', 10, '1', house.main, '2026-03-01');
    await stocked(world, house, 'A', 10, '1', house.main, '2026-03-01');
    const lines: [string, number][] = [
      ['H', 2],
      ['A', 4],
    ];
    const fees = { freight: '10', feeSplit: 'WEIGHT' };
    await expect(submitted(lines, fees)).rejects.toThrow('SKU【H】缺少尺寸或重量，无法按重量分摊');
    await world.as(house.owner, async (ctx) => {
      for (const [sku, weight] of [
        ['H', '3'],
        ['A', '0.5'],
      ] as const) {
        await ctx.db
          .insertInto('product.dimension')
          .values({ company_id: ctx.companyId, product_id: productOf(house, sku), role: 'packed', weight })
          .execute();
      }
    });
    const id = await sent(lines, fees);
    expect((await detail(id)).lines.map((line) => line.fee)).toEqual(['7.5000', '2.5000']);
    expect(await layers(world, house, 'H', house.second)).toEqual(['2@9.5000 2026-03-01']);
  });

  it('a manual split must add up, and goes into the layers as given', async () => {
    await stocked(world, house, 'D', 10, '1', house.main, '2026-03-01');
    const line = { productId: productOf(house, 'D'), qty: 4 };
    await expect(
      submitted([], { freight: '5', feeSplit: 'MANUAL', lines: [{ ...line, fee: '4.99' }] }),
    ).rejects.toThrow('手工分摊合计 4.99 与费用 5.00 不一致');
    await sent([], { freight: '5', feeSplit: 'MANUAL', lines: [{ ...line, fee: '5' }] });
    expect(await layers(world, house, 'D', house.second)).toEqual(['4@9.0000 2026-03-01']);
  });

  it('is done at once by who may, and cancelled without a trace before it leaves', async () => {
    await stocked(world, house, 'E', 10, '1', house.main, '2026-03-01');
    const now = await submitted([['E', 4]]);
    expect((await house.chief.call(transferCalls.direct, { body: { id: now } })).state).toBe('done');
    expect(await layers(world, house, 'E', house.second)).toEqual(['4@4.0000 2026-03-01']);
    const never = await submitted([['E', 6]]);
    await house.chief.call(transferCalls.approve, { body: { id: never } });
    await house.clerk.call(transferCalls.cancel, { body: { id: never } });
    expect(await balances(world, house, 'E')).toEqual({ AVAILABLE: 6 });
    expect(await balances(world, house, 'E', house.second)).toEqual({ AVAILABLE: 4 });
  });

  it('quality changes on the way: to inspection, accepted, scrapped, repaired', async () => {
    await stocked(world, house, 'F', 10, '1', house.main, '2026-03-01');
    const way = async (type: string, from: string, to: string, qty: number) => {
      const id = await sent([['F', qty]], { type, warehouseId: from, toWarehouseId: to });
      return receive(id, 'F', qty);
    };
    await way('INSPECT', house.main, house.qc, 8);
    expect(await balances(world, house, 'F', house.qc)).toEqual({ QUARANTINE: 8 });
    await way('ACCEPT', house.qc, house.second, 5);
    await way('SCRAP', house.qc, house.defective, 3);
    await way('REPAIR', house.defective, house.main, 1);
    expect(await balances(world, house, 'F')).toEqual({ AVAILABLE: 3 });
    expect(await balances(world, house, 'F', house.defective)).toEqual({ DEFECTIVE: 2 });
    expect(await layers(world, house, 'F', house.second)).toEqual(['5@5.0000 2026-03-01']);
    await expect(way('ACCEPT', house.main, house.second, 1)).rejects.toThrow('验收入库须由待检仓调入正品仓');
    await expect(submitted([['F', 1]], { toWarehouseId: house.main })).rejects.toThrow('调出仓库与调入仓库不能相同');
    await expect(submitted([['F', 1]], { type: 'RETURN' })).rejects.toThrow('海外退货须由海外正品仓调入本地仓');
  });

  it('belongs to the keepers of both ends, and each does his own end only', async () => {
    await stocked(world, house, 'G', 10, '1');
    const id = await submitted([['G', 4]]);
    const limited = async (place: string) => {
      const person = await world.member(house.owner, [
        'erp:inv:view',
        'erp:wh:transfer:audit',
        'erp:wh:transfer:ship',
        'erp:wh:transfer:receive',
      ]);
      await world.as(house.owner, async (ctx) => {
        await ctx.db
          .insertInto('identity.member_scope')
          .values({
            company_id: ctx.companyId,
            member_id: person.userId,
            dimension: 'warehouse',
            mode: 'LIST',
            ids: [place],
          })
          .execute();
      });
      return person;
    };
    const sender = await limited(house.main);
    const receiver = await limited(house.second);
    const stranger = await limited(house.qc);
    expect((await sender.call(warehouseChoices, {})).map((place) => place.name)).toEqual(['深圳仓']);
    const asks = (text: string) => house.clerk.call(otherWarehouse, { body: { text } });
    expect((await asks('yw')).map((place) => place.name)).toEqual(['义乌仓']);
    expect(await asks('义乌')).toEqual([]);
    expect((await stranger.send(transferCalls.data, { params: { id } })).status).toBe(404);
    expect((await receiver.call(transferCalls.data, { params: { id } })).document.toWarehouse).toBe('义乌仓');
    expect((await receiver.send(transferCalls.approve, { body: { id } })).status).toBe(403);
    await sender.call(transferCalls.approve, { body: { id } });
    expect((await receiver.send(transferCalls.ship, { body: { id } })).status).toBe(403);
    await sender.call(transferCalls.ship, { body: { id } });
    const line = (await detail(id)).lines[0]?.id ?? '';
    const body = { id, lines: [{ lineId: line, qty: 4 }] };
    expect((await sender.send(transferCalls.receive, { body })).status).toBe(403);
    expect((await receiver.call(transferCalls.receive, { body })).state).toBe('done');
    const seen = (await sender.call(transferCalls.data, { params: { id } })).entries.map((entry) => entry.warehouse);
    expect(new Set(seen)).toEqual(new Set(['深圳仓']));
  });
});
