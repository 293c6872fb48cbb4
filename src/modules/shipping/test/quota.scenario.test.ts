import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { productOf, today } from '#test/support/house.ts';
import { US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { decideQuota, listQuotas, quotaDetail, removeQuota, requestQuota, saveQuota } from '../contract/quota/calls.ts';
import type { RoomUnit, StorageType } from '../contract/quota/fields.ts';
import { createShipper, draft, type Shipper } from './support.ts';

let world: World;
let shipper: Shipper;
let planner: Person;
const month = today().slice(0, 7);

const fba = (msku: string, figures: { fulfillable: number; unsellable?: number; inbound?: number }) =>
  world.as(shipper.owner, (ctx) =>
    sql`INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable,
          unsellable, inbound_shipped, source, as_of)
        VALUES (${ctx.companyId}, ${shipper.account}, ${US}, ${msku}, 'New', ${figures.fulfillable},
          ${figures.unsellable ?? 0}, ${figures.inbound ?? 0}, 'api', kit.now())`.execute(ctx.db),
  );

const measured = (sku: string, length: number, width: number, height: number) =>
  world.as(shipper.owner, (ctx) =>
    sql`INSERT INTO product.dimension (company_id, product_id, role, length, width, height)
        VALUES (${ctx.companyId}, ${productOf(shipper, sku)}, 'packed', ${length}, ${width}, ${height})`.execute(
      ctx.db,
    ),
  );

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A', 'B', 'C'], {
    'A-US': [['A', 1]],
    'SET-US': [
      ['A', 1],
      ['B', 2],
    ],
    'C-US': [['C', 1]],
    'LOOSE-US': [],
  });
  planner = await world.member(shipper.owner, [
    'amz:quota:view',
    'amz:quota:edit',
    'amz:quota:apply',
    'amz:quota:export',
    'amz:ship:view',
  ]);
  // 24 000 and 6 000 cm³; C was never measured.
  await measured('A', 40, 30, 20);
  await measured('B', 30, 20, 10);
  await fba('A-US', { fulfillable: 90, unsellable: 10, inbound: 5 });
  await fba('SET-US', { fulfillable: 10 });
  await fba('C-US', { fulfillable: 7 });
  await fba('LOOSE-US', { fulfillable: 2 });
});
afterAll(() => world.close());

interface Wanted {
  room: string;
  unit?: RoomUnit;
  month?: string;
  storageType?: StorageType;
  id?: string;
  version?: number;
}

const save = ({ room, unit = 'M3', ...rest }: Wanted) =>
  planner.call(saveQuota, {
    body: { authid: shipper.account, marketplaceId: US, storageType: 'STANDARD', month, room, unit, ...rest },
  });
const rowOf = async (id: string) => (await planner.call(quotaDetail, { params: { id } })).quota;

describe('仓容额度', () => {
  it('sets the room against Amazon stock, what is on its way and what orders still plan', async () => {
    const { id } = await save({ room: '200', unit: 'FT3' });
    // 100 A and 10 sets of 24 000 + 2 × 6 000 cm³ lie there; 5 A come without an order of ours.
    expect(await rowOf(id)).toMatchObject({
      store: { name: '远航旗舰店', country: 'US' },
      room: '5.66',
      roomFt: '200.00',
      onHand: '2.76',
      transit: '0.12',
      waiting: '0.00',
      used: '2.88',
      usedFt: '101.71',
      free: '2.78',
      unmeasured: 9,
      state: 'ok',
      share: '0.5085',
    });
    await draft(shipper, [['A-US', 110]]);
    expect(await rowOf(id)).toMatchObject({ waiting: '2.64', used: '5.52', state: 'tight' });
    await draft(shipper, [['A-US', 10]]);
    expect(await rowOf(id)).toMatchObject({ used: '5.76', free: '-0.10', state: 'over' });
  });

  it('grows by what Amazon grants, which may be less than was asked for', async () => {
    const { id } = await save({ room: '1', storageType: 'OVERSIZE' });
    const asked = await planner.call(requestQuota, { body: { id, wanted: '3', fee: '120.5' } });
    const lost = await planner.call(requestQuota, { body: { id, wanted: '2', fee: '10' } });
    expect(await rowOf(id)).toMatchObject({ room: '1.00', open: 2 });
    const decide = (request: string, body: object) =>
      planner.call(decideQuota, { body: { id: request, state: 'approved', ...body } });
    await expect(decide(asked.id, { granted: '3.5' })).rejects.toThrow('获批额度不能超过申请额度 3');
    await decide(asked.id, { granted: '1.25', version: asked.version });
    await decide(lost.id, { state: 'rejected' });
    await expect(decide(asked.id, {})).rejects.toThrow('申请状态为【已批准】，不能重复登记');
    const { quota, requests } = await planner.call(quotaDetail, { params: { id } });
    expect(quota).toMatchObject({ room: '2.25', granted: '1.25', open: 0 });
    expect(requests.map(({ state, wanted, granted, currency }) => [state, wanted, granted, currency])).toEqual([
      ['rejected', '2', null, 'USD'],
      ['approved', '3', '1.25', 'USD'],
    ]);
    expect(plainDecimal(requests[1]?.fee ?? '')).toBe('120.5');
    const again = { room: '1', storageType: 'OVERSIZE' as const, id };
    await expect(save({ ...again, unit: 'FT3' })).rejects.toThrow('已有申请记录，不能修改单位');
    await expect(planner.call(removeQuota, { body: { id } })).rejects.toThrow('已有申请记录，不能删除');
  });

  it('is one for a store, stock, type and month; a month that is over shows nothing taken', async () => {
    const { id, version } = await save({ room: '9', month: '2024-01' });
    await expect(save({ room: '8', month: '2024-01' })).rejects.toThrow('2024-01 的标准件额度已存在');
    expect(await rowOf(id)).toMatchObject({ state: 'past', used: null, free: null, room: '9.00' });
    const changed = await save({ room: '8.5', month: '2024-01', id, version });
    await expect(save({ room: '7', month: '2024-01', id, version })).rejects.toThrow('已被');
    const found = await planner.call(listQuotas, { body: { filter: { month: '2024-01' } } });
    expect(found.records).toMatchObject([{ id, room: '8.50', version: changed.version }]);
    await planner.call(removeQuota, { body: { id, version: changed.version } });
    expect((await planner.call(listQuotas, { body: { filter: { month: '2024-01' } } })).records).toEqual([]);
    await expect(
      planner.call(saveQuota, {
        body: {
          authid: shipper.account,
          marketplaceId: 'A1VC38T7YXB528',
          storageType: 'STANDARD',
          month,
          room: '1',
          unit: 'M3',
        },
      }),
    ).rejects.toThrow('店铺没有启用【JP】站点');
  });
});
