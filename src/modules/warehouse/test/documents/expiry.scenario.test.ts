import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { saveSetting } from '../../contract/documents/choices.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';
import { transferCalls } from '../../contract/documents/transfer.ts';
import { listReservations } from '../../contract/inventory.ts';
import { runHealth } from '../../server/health/run.ts';
import { expire, overdue } from '../../server/stock/expiry.ts';

let world: World;
let house: House;
let admin: pg.Client;

const SETTING = { separateApprover: false, receiveTolerance: '0', recountShare: '0.02', recountAmount: '200' };

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'C']);
  await house.owner.call(saveSetting, { body: { ...SETTING, holdDays: 3 } });
  admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Lets days go by for what is held now. */
const wait = (days: number) =>
  admin.query(`UPDATE warehouse.reservation SET expires_at = expires_at - $1 * interval '1 day'`, [days]);

/** What the job does. */
async function sweep(): Promise<number> {
  const found = await world.as(house.owner, overdue);
  let count = 0;
  for (const one of found) count += await world.as(house.owner, (ctx) => expire(ctx, one));
  return count;
}

async function approved(sku: string, qty: number) {
  const { id } = await house.owner.call(outboundCalls.save, {
    body: { warehouseId: house.main, lines: [{ productId: productOf(house, sku), qty }] },
  });
  await house.owner.call(outboundCalls.submit, { body: { id } });
  await house.owner.call(outboundCalls.approve, { body: { id } });
  return id;
}

describe('reservations that expire', () => {
  it('are given back when their time is over, and say so; not a moment before', async () => {
    await stocked(world, house, 'A', 10, '1');
    await approved('A', 4);
    await wait(2);
    expect(await sweep()).toBe(0);
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 6, RESERVED: 4 });
    await wait(1);
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 10 });
    const { records } = await house.owner.call(listReservations, { body: { filter: { state: 'EXPIRED' } } });
    expect(records).toMatchObject([{ held: 0, released: 4, state: 'EXPIRED' }]);
    expect(await world.as(house.owner, async (ctx) => (await runHealth(ctx)).broken)).toBe(0);
  });

  it('stay where a picker has begun', async () => {
    await stocked(world, house, 'B', 10, '1');
    const id = await approved('B', 4);
    const { lines } = await house.owner.call(outboundCalls.data, { params: { id } });
    await house.owner.call(outboundCalls.pick, { body: { id, lines: [{ lineId: lines[0]?.id ?? '', qty: 1 }] } });
    await wait(9);
    expect(await sweep()).toBe(0);
    expect(await balances(world, house, 'B')).toEqual({ AVAILABLE: 6, RESERVED: 4 });
  });

  it('do not let a transfer leave with less than it says', async () => {
    await stocked(world, house, 'C', 10, '1');
    const body = {
      warehouseId: house.main,
      toWarehouseId: house.second,
      lines: [{ productId: productOf(house, 'C'), qty: 5 }],
    };
    const { id } = await house.owner.call(transferCalls.save, { body });
    await house.owner.call(transferCalls.submit, { body: { id } });
    await house.owner.call(transferCalls.approve, { body: { id } });
    await wait(4);
    expect(await sweep()).toBe(1);
    await expect(house.owner.call(transferCalls.ship, { body: { id } })).rejects.toThrow('占用的库存已释放');
    await house.owner.call(transferCalls.cancel, { body: { id } });
    expect(await balances(world, house, 'C')).toEqual({ AVAILABLE: 10 });
    expect(await balances(world, house, 'C', house.second)).toEqual({});
  });
});
