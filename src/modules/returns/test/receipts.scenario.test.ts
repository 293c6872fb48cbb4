import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { balances, createHouse, type House, layers, stocked } from '#test/support/house.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { OWN } from '../contract/fields.ts';
import {
  cancelReceipt,
  countIncoming,
  type IncomingFilter,
  incoming,
  parcelsOf,
  RECEIVE,
  receiptPlaces,
  receiptsOf,
  receiveIncoming,
  settleIncoming,
} from '../contract/receipts.ts';
import { buy, sendBack } from './support.ts';

let world: World;
let house: House;
let owner: Person;
let account: string;
let today: string;

/** A SKU in a parcel of a removal order; answers its key. */
function parcel(sku: string, order: string, quantity: number, type = 'Return'): Promise<string> {
  return world.as(owner, async (ctx) => {
    const row = randomUUID();
    const day = dayAfter(today, -6);
    await sql`
      INSERT INTO inventory.removal_parcel (company_id, account_id, day, row_id, stock, marketplace_id, document_id, shipped_at,
        order_id, order_type, seller_sku, fnsku, disposition, quantity, carrier, tracking)
      VALUES (${ctx.companyId}, ${account}, ${day}, ${row}, 'US', ${US}, ${randomUUID()}, ${`${day}T20:00:00Z`}, ${order}, ${type},
        ${sku}, ${`X-${sku}`}, 'Sellable', ${quantity}, 'UPS', ${`1Z${order}`})`.execute(ctx.db);
    return `REMOVAL.${account}.${day}.${row}`;
  });
}

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['RA', 'RB', 'RC', 'RD']);
  owner = house.owner;
  account = (await makeSellerAccount(world, owner)).id;
  today = await world.as(owner, async (ctx) => ctx.clock.today());
});
afterAll(() => world.close());

const rowsOf = async (filter: IncomingFilter) =>
  (await owner.call(incoming.list, { body: { pagesize: 100, filter } })).records;
const receive = (id: string, body: object) => owner.send(receiveIncoming, { body: { id, ...body } });
const into = () => ({ warehouseId: house.main, repairWarehouseId: house.defective });

test('a parcel is taken in by grade: sound pieces can be sold, broken ones are defective, the rest is no stock', async () => {
  await stocked(world, house, 'RA', 10, '12.5');
  const id = await parcel('RA', 'RM-1', 10);
  expect(await rowsOf({ orderId: 'RM-1' })).toMatchObject([{ state: 'coming', sent: 10, received: 0, difference: 10 }]);
  const first = await owner.call(receiveIncoming, { body: { id, good: 5, repair: 2, scrap: 1, ...into() } });
  expect(first.number).toMatch(/^TJ\d{10}$/);
  expect(await balances(world, house, 'RA')).toEqual({ AVAILABLE: 15 });
  expect(await balances(world, house, 'RA', house.defective)).toEqual({ DEFECTIVE: 2 });
  expect(await rowsOf({ orderId: 'RM-1' })).toMatchObject([
    { state: 'part', received: 8, good: 5, repair: 2, scrap: 1, difference: 2 },
  ]);
  // They are worth what the product was worth.
  expect(await layers(world, house, 'RA', house.defective)).toEqual([`2@25.0000 ${today}`]);
});

test('more than was sent, nothing at all, or without a warehouse is refused beside its field', async () => {
  const id = await parcel('RB', 'RM-2', 3);
  const over = await receive(id, { good: 4, ...into() });
  expect(over).toMatchObject({
    status: 400,
    data: { fields: [{ field: 'good', msg: '最多还可收 3 件' }] },
  });
  expect((await receive(id, { good: 0 })).msg).toContain('请填写收到的件数');
  expect((await receive(id, { good: 1 })).data).toMatchObject({ fields: [{ field: 'warehouseId' }] });
  expect((await receive(id, { repair: 1, repairWarehouseId: house.main })).msg).toContain('所选仓库不是可用的次品仓库');
  expect((await receive(id, { good: -1, ...into() })).status).toBe(400);
  await owner.call(receiveIncoming, { body: { id, good: 2, ...into() } });
  expect((await receive(id, { scrap: 2 })).data).toMatchObject({
    fields: [{ field: 'scrap', msg: '最多还可收 1 件' }],
  });
  expect(await balances(world, house, 'RB')).toEqual({ AVAILABLE: 2 });
  // An SKU that is matched with nothing can only be thrown away.
  const unknown = await parcel('NOBODY', 'RM-3', 2);
  expect((await receive(unknown, { good: 1, ...into() })).msg).toBe('MSKU【NOBODY】还没有配对本地产品，请先配对');
  expect((await receive(unknown, { scrap: 2 })).status).toBe(200);
  expect(await rowsOf({ orderId: 'RM-3' })).toMatchObject([{ state: 'done', scrap: 2, difference: 0 }]);
});

test('two who receive the same parcel at once never take in more than was sent', async () => {
  const id = await parcel('RC', 'RM-4', 5);
  const both = await Promise.all([1, 2, 3].map(() => receive(id, { good: 2, ...into() })));
  expect(both.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(await balances(world, house, 'RC')).toEqual({ AVAILABLE: 4 });
});

test('a receipt is taken back with its stock, once', async () => {
  const id = await parcel('RD', 'RM-5', 4);
  const receipt = await owner.call(receiveIncoming, {
    body: { id, good: 3, repair: 1, ...into(), remark: '外箱破损' },
  });
  expect(await owner.call(receiptsOf, { query: { id } })).toMatchObject([
    { number: receipt.number, good: 3, repair: 1, warehouse: '深圳仓、次品仓', remark: '外箱破损', cancelledBy: null },
  ]);
  await owner.call(cancelReceipt, { body: { id: receipt.id } });
  expect(await balances(world, house, 'RD')).toEqual({});
  expect(await rowsOf({ orderId: 'RM-5' })).toMatchObject([{ state: 'coming', received: 0 }]);
  expect((await owner.send(cancelReceipt, { body: { id: receipt.id } })).msg).toBe('收货单已撤销');
  expect((await owner.call(receiptsOf, { query: { id } }))[0]?.cancelledBy).not.toBeNull();
});

test('what will not come is settled with a reason; what comes all the same is still taken in', async () => {
  const id = await parcel('RA', 'RM-6', 6);
  await owner.call(receiveIncoming, { body: { id, good: 4, ...into() } });
  expect(await owner.call(settleIncoming, { body: { id, reason: '承运商丢件' } })).toEqual({ difference: 2 });
  expect(await rowsOf({ orderId: 'RM-6' })).toMatchObject([{ state: 'settled', difference: 2, reason: '承运商丢件' }]);
  await owner.call(receiveIncoming, { body: { id, good: 2, ...into() } });
  expect(await rowsOf({ orderId: 'RM-6' })).toMatchObject([{ state: 'done', difference: 0 }]);
  expect((await owner.send(settleIncoming, { body: { id, reason: '无' } })).msg).toBe('已全部收到，没有差异');
});

test('returns of buyers come beside the parcels; what nobody sends back does not', async () => {
  const rows = await world.as(owner, async (ctx) => {
    const order = await buy(ctx, { account, sku: 'RB', day: dayAfter(today, -30), fulfilledBy: 'MERCHANT' });
    const row = await sendBack(ctx, { account, sku: 'RB', order, day: dayAfter(today, -3), quantity: 2 });
    const kept = await sendBack(ctx, { account, sku: 'RB', order, day: dayAfter(today, -3) });
    await sql`UPDATE inventory.merchant_return SET rma = '' WHERE company_id = ${ctx.companyId} AND row_id = ${kept}`.execute(
      ctx.db,
    );
    return { row, kept };
  });
  await parcel('RB', 'RM-7', 9, 'Disposal');
  const fbm = await rowsOf({ kind: 'FBM' });
  expect(fbm).toMatchObject([{ sent: 2, state: 'coming' }]);
  expect(fbm[0]?.id).toContain(rows.row);
  expect(await rowsOf({ orderId: 'RM-7' })).toEqual([]);
  expect((await owner.call(parcelsOf, { query: { orderId: 'RM-1' } })).map(({ received }) => received)).toEqual([8]);
  await owner.call(receiveIncoming, { body: { id: fbm[0]?.id ?? '', good: 1, repair: 1, ...into() } });
  const counts = await owner.call(countIncoming, { body: { filter: {} } });
  expect(counts).toEqual({ coming: 1, part: 3, done: 3, all: 7 });
  const { totals } = await owner.call(incoming.list, { body: { filter: { kind: 'FBM' } } });
  expect(totals).toMatchObject({ sent: 2, received: 2, good: 1, repair: 1, difference: 0 });
});

test('whoever only sees may not receive, and another company sees and receives nothing', async () => {
  const id = await parcel('RA', 'RM-8', 1);
  const reader = await world.member(owner, [OWN.view]);
  expect((await reader.send(receiveIncoming, { body: { id, good: 1, ...into() } })).status).toBe(403);
  const keeper = await world.member(owner, [OWN.view, RECEIVE]);
  expect((await keeper.call(receiptPlaces, {})).repair).toEqual([{ id: house.defective, name: '次品仓' }]);
  const stranger = await world.owner('别家');
  expect((await stranger.call(incoming.list, { body: { filter: {} } })).total).toBe(0);
  expect(await stranger.call(parcelsOf, { query: { orderId: 'RM-8' } })).toEqual([]);
  for (const [call, body] of [
    [receiveIncoming, { id, good: 1, ...into() }],
    [settleIncoming, { id, reason: '试' }],
  ] as const) {
    expect((await stranger.send(call, { body })).status).toBe(404);
  }
});
