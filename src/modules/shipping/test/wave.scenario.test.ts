import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '#modules/warehouse/server/index.ts';
import { productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { saveShipOrder, shipSteps } from '../contract/order-calls.ts';
import { pickShip } from '../contract/picking.ts';
import { finishWave, pickWave, waveSheet } from '../contract/wave.ts';
import { approved, balances, createShipper, detail, type Shipper } from './support.ts';

let world: World;
let shipper: Shipper;
/** Shelves by code; one walks to A first. */
const shelves = new Map<string, string>();

beforeAll(async () => {
  world = await createWorld();
  const skus = ['A', 'B', 'C', 'D', 'E', 'F'];
  shipper = await createShipper(world, skus, Object.fromEntries(skus.map((sku) => [`${sku}-US`, [[sku, 1]]])));
  await world.as(shipper.owner, async (ctx) => {
    for (const [index, code] of ['A-01', 'B-01', 'C-01'].entries()) {
      const id = randomUUID();
      await sql`INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type, pick_sequence)
        VALUES (${ctx.companyId}, ${id}, ${shipper.main}, ${code}, ${code}, 'STORAGE', ${index + 1})`.execute(ctx.db);
      shelves.set(code, id);
    }
  });
});
afterAll(() => world.close());

/** Pieces that lie on a shelf. */
const shelved = (sku: string, qty: number, shelf: string) =>
  world.as(shipper.owner, (ctx) =>
    post(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'open', number: 'QC1' },
      moves: [
        {
          product: productOf(shipper, sku),
          qty,
          from: 'OPENING',
          to: { warehouse: shipper.main, location: shelves.get(shelf), status: 'AVAILABLE' },
          cost: { unit: '2', firstDay: '2026-01-05' },
        },
      ],
    }),
  );

const order = (sku: string, qty: number, plannedOn: string) => approved(shipper, [[`${sku}-US`, qty]], { plannedOn });
const sheet = (ids: string[]) => shipper.packer.call(waveSheet, { body: { ids } });
const stop = (sku: string, shelf: string, qty: number) => ({
  locationId: shelves.get(shelf) ?? '',
  productId: productOf(shipper, sku),
  qty,
});
const save = (ids: string[], stops: ReturnType<typeof stop>[], clientId: string = randomUUID()) =>
  shipper.packer.call(pickWave, { body: { ids, clientId, stops } });
const finish = (ids: string[]) => shipper.packer.call(finishWave, { body: { ids } });
const stateOf = async (id: string) => (await detail(shipper, id)).order.state;
const pickedOf = async (ids: string[]) =>
  Object.fromEntries((await sheet(ids)).orders.map((one) => [one.id, one.picked]));

describe('合并配货', () => {
  it('is one walk by shelf for orders that share a SKU; what is short goes to the earlier order first', async () => {
    await shelved('A', 5, 'C-01');
    await shelved('A', 7, 'A-01');
    await shelved('B', 4, 'B-01');
    // The later one is made first: who is served first is a matter of its day.
    const later = await approved(
      shipper,
      [
        ['A-US', 6],
        ['B-US', 4],
      ],
      { plannedOn: '2026-03-09' },
    );
    const early = await order('A', 6, '2026-03-02');

    const before = await sheet([later, early]);
    expect(before).toMatchObject({ warehouse: '深圳仓', mine: true });
    expect(before.orders.map(({ id, want }) => [id, want])).toEqual([
      [early, 6],
      [later, 10],
    ]);
    const words = before.stops.map(({ place, product, want }) => `${place} ${product.code} ${want}`);
    expect(words).toEqual(['A-01 A 7', 'B-01 B 4', 'C-01 A 5']);
    expect(before.stops.map(({ want, shares }) => shares.reduce((total, one) => total + one.want, 0) - want)).toEqual([
      0, 0, 0,
    ]);

    // Two are missing on the last shelf, where the earlier order is served before the later one.
    const last = before.stops[2];
    const wanted = (id: string) => last?.shares.find((one) => one.orderId === id)?.want ?? 0;
    expect(wanted(early) + wanted(later)).toBe(5);
    await expect(save([early, later], [stop('A', 'C-01', 6)])).rejects.toThrow('配货数量超过该库位待配 5');
    const clientId = randomUUID();
    const stops = [stop('A', 'A-01', 7), stop('B', 'B-01', 4), stop('A', 'C-01', 3)];
    const saved = await save([early, later], stops, clientId);
    expect(saved).toMatchObject({ picked: 14, repeated: false });
    const after = (await sheet([early, later])).stops.at(-1);
    const got = (id: string) => after?.shares.find((one) => one.orderId === id)?.picked ?? wanted(id);
    expect(got(early)).toBe(Math.min(3, wanted(early)));
    expect(got(early) + got(later)).toBe(3);

    // Sent again by a phone that heard no answer: nothing more is taken.
    const counted = await pickedOf([early, later]);
    expect(await save([early, later], stops, clientId)).toMatchObject({ repeated: true, picked: 0 });
    expect(await pickedOf([early, later])).toEqual(counted);

    const done = await finish([early, later]);
    expect(done.message).toContain('张发货单完成配货');
    expect([await stateOf(early), await stateOf(later)]).toEqual(['packing', 'packing']);
    expect(await balances(world, shipper, 'A')).toEqual({ AVAILABLE: 2, RESERVED: 10 });
    expect((await finish([early, later])).repeated).toBe(true);
  });

  it('serves the earlier order in full where one shelf is short', async () => {
    await shelved('C', 10, 'B-01');
    const [early, later] = [await order('C', 4, '2026-04-01'), await order('C', 6, '2026-04-02')];
    const saved = await save([later, early], [stop('C', 'B-01', 5)]);
    expect(saved).toMatchObject({ picked: 5, finished: 1, message: '已配 5 件，1 张发货单已配齐，还差 5 件' });
    expect(await stateOf(early)).toBe('packing');
    expect(await pickedOf([later])).toEqual({ [later]: 1 });
    await expect(save([later, early], [stop('C', 'B-01', 1)])).rejects.toThrow('状态为【待装箱】，请刷新后重试');
    // The rest turns up.
    await save([later], [stop('C', 'B-01', 5)]);
    expect(await stateOf(later)).toBe('packing');
    expect((await detail(shipper, later)).lines).toMatchObject([{ pickedQty: 6 }]);
  });

  it('does not take for picked what a walk did not find', async () => {
    await shelved('D', 6, 'A-01');
    const [early, later] = [await order('D', 3, '2026-05-01'), await order('D', 3, '2026-05-02')];
    await save([early, later], [stop('D', 'A-01', 3)]);
    const number = (await detail(shipper, later)).order.number;
    expect(await finish([early, later])).toMatchObject({
      message: `0 张发货单完成配货；${number} 没有配到货，仍为待配货`,
      orders: [{ orderId: later, finished: false, short: null }],
    });
    await expect(shipper.packer.call(shipSteps.picked, { body: { id: later } })).rejects.toThrow('没有配到货');
    expect(await stateOf(later)).toBe('picking');
    // An order that nobody walked for ends as its sheet says.
    await shelved('D', 2, 'A-01');
    const paper = await order('D', 2, '2026-05-03');
    expect(await finish([paper])).toMatchObject({ finished: 1 });
    expect((await detail(shipper, paper)).lines).toMatchObject([{ pickedQty: 2 }]);
  });

  it('says of each order what became of it', async () => {
    await shelved('D', 10, 'A-01');
    const [early, later] = [await order('D', 4, '2026-05-11'), await order('D', 6, '2026-05-12')];
    await save([early, later], [stop('D', 'A-01', 7)]);
    // The earlier one had all of its pieces and ended by itself.
    expect(await finish([early, later])).toMatchObject({
      message: '1 张发货单完成配货，其中 1 张缺货共 3 件',
      orders: [{ orderId: later, finished: true, short: 3 }],
    });
    expect((await detail(shipper, later)).lines).toMatchObject([{ pickedQty: 3 }]);
  });

  it('never takes more than is held when two walk at once, whatever each of them holds in his hands', async () => {
    await shelved('E', 12, 'A-01');
    const ids = [await order('E', 5, '2026-06-01'), await order('E', 7, '2026-06-02')];
    const single = (await sheet(ids)).orders[0]?.id ?? '';
    const part = (await world.as(shipper.owner, (ctx) =>
      ctx.db.selectFrom('shipping.ship_order_part').select('id').where('order_id', '=', single).executeTakeFirst(),
    )) ?? { id: '' };
    const tries = await Promise.allSettled([
      ...Array.from({ length: 6 }, (_, turn) =>
        save(turn % 2 ? ids : ids.toReversed(), [stop('E', 'A-01', turn % 2 ? 4 : 3)]),
      ),
      ...Array.from({ length: 3 }, () =>
        shipper.packer.call(pickShip, { body: { id: single, lines: [{ lineId: part.id, qty: 2 }] } }),
      ),
    ]);
    const taken = tries.reduce((total, one) => {
      if (one.status === 'rejected') return total;
      return total + ('picked' in one.value ? one.value.picked : 2);
    }, 0);
    const refused = tries.filter((one) => one.status === 'rejected').map((one) => String(one.reason));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatch(/超过|状态为/);
    const { rows } = await world.as(shipper.owner, (ctx) =>
      sql<{ picked: number; held: number }>`
        SELECT sum(picked_qty)::int AS picked, sum(qty)::int AS held FROM warehouse.reservation
         WHERE company_id = ${ctx.companyId} AND document_id = ANY (${ids}::text[])`.execute(ctx.db),
    );
    expect(rows).toEqual([{ picked: taken, held: 12 }]);
    expect(taken).toBeLessThanOrEqual(12);
  });

  it('refuses orders that do not go together, and people who do not pick', async () => {
    await shelved('F', 4, 'A-01');
    await stocked(world, shipper, 'F', 3, '2', shipper.second);
    const here = await order('F', 1, '2026-07-01');
    const there = await approved(shipper, [['F-US', 1]], { warehouseId: shipper.second });
    const { id: platform } = await shipper.seller.call(saveShipOrder, {
      body: {
        authid: shipper.account,
        marketplaceId: 'ATVPDKIKX0DER',
        warehouseId: shipper.main,
        stockMode: 'PLATFORM',
        lines: [{ msku: 'F-US', qty: 1 }],
      },
    });
    await expect(sheet([here, there])).rejects.toThrow('须在同一个发货仓');
    await expect(sheet([here, platform])).rejects.toThrow('不占用库存');
    await expect(sheet([here, randomUUID()])).rejects.toThrow('发货单不存在');
    const body = { ids: [here], clientId: randomUUID(), stops: [stop('F', 'A-01', 1)] };
    await expect(shipper.seller.call(pickWave, { body })).rejects.toThrow();
  });
});
