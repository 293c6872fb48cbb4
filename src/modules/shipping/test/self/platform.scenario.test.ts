import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelWrite, listWrites } from '#modules/marketplace/contract/writes.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import type { OrderRow } from '#modules/order/contract/orders.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { balances, createHouse, type House, stocked } from '#test/support/house.ts';
import type { MarketplaceWorld } from '#test/support/marketplace.ts';
import { busyWorld, detailOf, NOW, ordersToShip, orderThere, sellerThere } from '#test/support/order-acts.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { putSelfWay, selfDetail, selfSteps, sendBackSelf } from '../../contract/self/calls.ts';
import { buildSelf, listWaiting } from '../../contract/self/waiting.ts';

let world: MarketplaceWorld;
let house: House;
let rows: OrderRow[];

/** Local products called like the SKUs that orders name, a hundred pieces of each. */
async function learn(skus: readonly string[]): Promise<void> {
  const { rows: found } = await world.as(house.owner, async (ctx) => {
    await learnProducts(
      ctx,
      skus.map((sku) => ({ sku, name: sku })),
    );
    return sql<{ id: string; sku: string }>`
      SELECT id, sku FROM product.local_product WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  });
  for (const { id, sku } of found) house.products.set(sku, id);
  for (const sku of skus) await stocked(world, house, sku, 100, '2');
}

beforeAll(async () => {
  world = await busyWorld();
  house = await createHouse(world, []);
  await world.work();
  rows = await ordersToShip(house.owner);
  const { records } = await house.owner.call(listWaiting, { body: { pagesize: 100 } });
  expect(records.length).toBeGreaterThan(12);
  const details = await Promise.all(rows.map((row) => detailOf(house.owner, row.id)));
  await learn([...new Set(details.flatMap(({ lines }) => lines.map((line) => line.product.code)))]);
});
afterAll(() => world.close());

/** The next order of one line that no story has used yet. */
function next(fits: (row: OrderRow) => boolean = () => true): OrderRow {
  const at = rows.findLastIndex((row) => row.product.more === undefined && fits(row));
  const [row] = at < 0 ? [] : rows.splice(at, 1);
  if (!row) throw new Error('too few orders are to be shipped');
  return row;
}

const documentOf = async (id: string) => (await house.owner.call(selfDetail, { params: { id } })).document;
const settled = (id: string) => expect.poll(async () => (await documentOf(id)).state, { timeout: PATIENCE_MS });
const step = (name: keyof typeof selfSteps, id: string, more: object = {}) =>
  house.owner.call(selfSteps[name], { body: { id, ...more } });

/** A document over an order that holds its pieces. */
async function approved(row: OrderRow): Promise<string> {
  const body = { warehouseId: house.main, groups: [{ orders: [row.id] }] };
  const { ids } = await house.owner.call(buildSelf, { body });
  const [id = ''] = ids;
  await step('approve', id);
  return id;
}

describe('orders of a platform', () => {
  it('leave with their cost, are reported, and are sent once Amazon shows them', async () => {
    const row = next();
    const id = await approved(row);
    await step('print', id);
    // Without a tracking number it leaves and waits to be reported.
    expect((await step('ship', id)).message).toContain('填写承运商和运单号后标记发货');
    await expect(step('mark', id)).rejects.toThrow('承运商不能为空');
    const { faults } = world.sandbox.world;
    const { id: blind } = faults.add({ kind: 'serverError', operation: 'getOrder' });
    await house.owner.call(putSelfWay, { body: { id, carrier: 'ups', trackingNo: '1ZSELF1' } });
    await step('mark', id);
    await expect.poll(async () => (await documentOf(id)).mark, { timeout: PATIENCE_MS }).toBe('accepted');
    expect((await documentOf(id)).state).toBe('out');
    faults.clear(blind);
    await settled(id).toBe('shipped');
    expect(orderThere(world, row.amazonOrderId).packages).toMatchObject([{ trackingNumber: '1ZSELF1' }]);
    const { lines } = await house.owner.call(selfDetail, { params: { id } });
    const [line] = lines;
    expect(line?.cost).toBe((2 * (line?.qty ?? 0)).toFixed(4));
    expect((await balances(world, house, line?.msku ?? '')).RESERVED).toBeUndefined();
    // The order is over for everybody.
    const again = { warehouseId: house.main, groups: [{ orders: [row.id] }] };
    await expect(house.owner.call(buildSelf, { body: again })).rejects.toThrow('订单已发货');
  });

  it('that Amazon refuses stand still, say why, and may come back', async () => {
    const row = next(({ quantity }) => quantity === 1);
    const id = await approved(row);
    const sku = (await house.owner.call(selfDetail, { params: { id } })).lines[0]?.msku ?? '';
    const before = await balances(world, house, sku);
    // Somebody sends it in Seller Central, and we have not heard of it.
    const { orderId, items } = orderThere(world, row.amazonOrderId);
    const { sellingPartnerId, region } = sellerThere(world);
    const said = { reference: '1', carrier: 'USPS', trackingNumber: '9400', shippedAt: NOW };
    const inIt = items.map(({ orderItemId }) => ({ orderItemId, quantity: 1 }));
    const there = { type: 'packageConfirmed' as const, sellingPartnerId, region, orderId, at: NOW };
    world.sandbox.world.command({ ...there, said: { ...said, items: inIt } });
    await house.owner.call(putSelfWay, { body: { id, carrier: '云途', trackingNo: 'YT1' } });
    expect((await step('ship', id)).message).toContain('已提交标记发货');
    await settled(id).toBe('trouble');
    expect((await documentOf(id)).problem).toContain(`订单 ${row.amazonOrderId}：平台拒绝标记发货`);
    expect(orderThere(world, row.amazonOrderId).packages).toMatchObject([{ trackingNumber: '9400' }]);
    await expect(step('cancel', id, { reason: '不发' })).rejects.toThrow('货物已出库，请用异常退回');
    // Once more, with another number: refused again, and told once a day.
    await house.owner.call(putSelfWay, { body: { id, carrier: '云途', trackingNo: 'YT2' } });
    expect((await step('mark', id)).state).toBe('out');
    await settled(id).toBe('trouble');
    const told = (await house.owner.call(getRemind, { body: {} })).records.map(({ title }) => title);
    expect(told.filter((title) => title.startsWith('自发货单'))).toHaveLength(1);
    await house.owner.call(sendBackSelf, { body: { id, reason: '已由他处发货' } });
    const after = await balances(world, house, sku);
    expect(after.AVAILABLE).toBe((before.AVAILABLE ?? 0) + 1);
    expect((await documentOf(id)).state).toBe('returned');
  });

  it('whose report somebody calls off stand still until it is made again', async () => {
    const row = next();
    const id = await approved(row);
    await house.owner.call(putSelfWay, { body: { id, carrier: 'UPS', trackingNo: '1ZOFF' } });
    const { faults } = world.sandbox.world;
    const { id: blind } = faults.add({ kind: 'throttleStorm', operation: 'confirmShipment' });
    await step('ship', id);
    const { records } = await house.owner.call(listWrites, { body: { filter: { subject: row.amazonOrderId } } });
    await expect
      .poll(async () => (await house.owner.send(cancelWrite, { params: { id: records[0]?.id ?? '' } })).code, {
        timeout: PATIENCE_MS,
      })
      .toBe(201);
    faults.clear(blind);
    await settled(id).toBe('trouble');
    expect((await documentOf(id)).problem).toContain('标记发货已撤销');
    await step('mark', id);
    await settled(id).toBe('shipped');
    expect(orderThere(world, row.amazonOrderId).packages).toHaveLength(1);
  });
});
