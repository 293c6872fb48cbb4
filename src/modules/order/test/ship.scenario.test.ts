import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelWrite, countWrites, listWrites, retryWrite, writeDetail } from '#modules/marketplace/contract/writes.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { asOperator } from '#test/faults/story.ts';
import type { MarketplaceWorld } from '#test/support/marketplace.ts';
import {
  busyWorld,
  callsOf,
  detailOf,
  endedWrite,
  NOW,
  ordersToShip,
  orderThere,
  sellerThere,
  writeOf,
} from '#test/support/order-acts.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import { shipOrders, shipPasted } from '../contract/acts.ts';
import { listOrders, type OrderRow } from '../contract/orders.ts';

let world: MarketplaceWorld;
let owner: Person;
let rows: OrderRow[];
let worker: { stop(): Promise<void> };

beforeAll(async () => {
  world = await busyWorld();
  owner = await world.owner();
  worker = await world.work();
  rows = await ordersToShip(owner);
});
afterAll(() => world.close());

/** The next order that no story has used yet. */
function next(fits: (row: OrderRow) => boolean = () => true): OrderRow {
  const at = rows.findLastIndex(fits);
  const [row] = at < 0 ? [] : rows.splice(at, 1);
  if (!row) throw new Error('too few orders are to be shipped');
  return row;
}

const sentAt = new Date(NOW - 60_000).toISOString();
const parcel = (id: string, trackingNumber = '1Z999AA1', more: object = {}) => ({
  id,
  carrierCode: 'UPS',
  trackingNumber,
  shippedAt: sentAt,
  ...more,
});
const ship = (id: string, tracking?: string, more?: object) =>
  owner.call(shipOrders, { body: { packages: [parcel(id, tracking, more)] } });
const refusal = async (id: string, more: object) =>
  (await owner.send(shipOrders, { body: { packages: [parcel(id, '1Z', more)] } })).msg;

const standing = async (id: string) => {
  const { status, shipping } = await detailOf(owner, id);
  return [status, shipping];
};
const settled = (id: string) => expect.poll(() => standing(id), { timeout: PATIENCE_MS });

describe('confirming shipments', () => {
  it('an order is shipped when Amazon says so, and not before', async () => {
    const row = next();
    const { faults } = world.sandbox.world;
    // Nobody can look at the order for the moment: it stands as it stood.
    const { id: blind } = faults.add({ kind: 'serverError', operation: 'getOrder' });
    expect(await ship(row.id)).toEqual({ planned: 1 });
    await settled(row.id).toEqual(['UNSHIPPED', 'accepted']);
    expect(orderThere(world, row.amazonOrderId).status).toBe('SHIPPED');
    expect(await refusal(row.id, {})).toBe(`${row.amazonOrderId}：没有可发货的数量，其余已在提交中`);
    faults.clear(blind);
    await settled(row.id).toEqual(['SHIPPED', null]);
    const { packages, shipments, lines } = await detailOf(owner, row.id);
    expect(packages).toMatchObject([{ carrier: 'UPS', tracking: '1Z999AA1' }]);
    expect(shipments).toMatchObject([
      { reference: packages[0]?.reference, state: 'confirmed', units: row.quantity, createdBy: '管理员' },
    ]);
    expect(lines.map(({ left }) => left)).toEqual(lines.map(() => 0));
    expect(await writeOf(owner, row.amazonOrderId)).toMatchObject({
      title: '确认发货',
      state: 'done',
      call: `POST /orders/v0/orders/${row.amazonOrderId}/shipmentConfirmation`,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      may: { cancel: false, retry: false },
    });
    expect(await refusal(row.id, {})).toBe(`${row.amazonOrderId}：订单已发货`);
  });

  it('in several packages, each of which may hold what the others left', async () => {
    const row = next(({ quantity }) => quantity > 1);
    const { lines } = await detailOf(owner, row.id);
    const items = lines.map(({ orderItemId, left }) => ({ orderItemId: orderItemId ?? '', quantity: left }));
    const [first] = items;
    if (!first) throw new Error('an order without lines');
    const one = [{ ...first, quantity: 1 }];
    await ship(row.id, 'PART1', { items: one });
    await settled(row.id).toEqual(['PARTIALLY_SHIPPED', null]);
    const over = `还可发货 ${first.quantity - 1} 件，不能发 ${first.quantity} 件`;
    expect(await refusal(row.id, { items: [first] })).toContain(over);
    await ship(row.id, 'PART2', { carrierCode: 'Other', carrierName: '云途' });
    await settled(row.id).toEqual(['SHIPPED', null]);
    const { packages } = await detailOf(owner, row.id);
    expect(packages.map(({ carrier, tracking }) => [carrier, tracking])).toEqual([
      ['UPS', 'PART1'],
      ['云途', 'PART2'],
    ]);
    expect(new Set(packages.map(({ reference }) => reference)).size).toBe(2);
  });

  it('whose answer is lost are looked for, and never sent twice', async () => {
    const row = next();
    const before = callsOf(world, 'confirmShipment');
    world.sandbox.world.faults.add({ kind: 'timeoutAfter', operation: 'confirmShipment', ms: 50, count: 1 });
    await ship(row.id, 'LOST1');
    expect((await endedWrite(owner, row.amazonOrderId, 'done')).answer).toContain('"found": true');
    await settled(row.id).toEqual(['SHIPPED', null]);
    expect(callsOf(world, 'confirmShipment') - before).toBe(1);
    expect(orderThere(world, row.amazonOrderId).packages).toMatchObject([{ trackingNumber: 'LOST1' }]);
  });

  it('that never arrived are sent once more when Amazon does not show them', async () => {
    const row = next();
    const before = callsOf(world, 'confirmShipment');
    world.sandbox.world.faults.add({ kind: 'timeoutBefore', operation: 'confirmShipment', ms: 50, count: 1 });
    await ship(row.id, 'LOST2');
    await settled(row.id).toEqual(['SHIPPED', null]);
    // The first one was cut before the marketplace counted it.
    expect(callsOf(world, 'confirmShipment') - before).toBe(1);
    expect(orderThere(world, row.amazonOrderId).packages).toHaveLength(1);
  });

  /** Somebody ships some of an order in Seller Central, and we have not heard of it. */
  function shipThere(row: OrderRow, pieces: number, more: { reference?: string; trackingNumber?: string } = {}): void {
    const { orderId, items } = orderThere(world, row.amazonOrderId);
    const { sellingPartnerId, region } = sellerThere(world);
    const [item] = items;
    const said = { reference: '1', carrier: 'USPS', trackingNumber: '9400', shippedAt: NOW, ...more };
    const inIt = [{ orderItemId: item?.orderItemId ?? '', quantity: pieces }];
    const act = { type: 'packageConfirmed' as const, sellingPartnerId, region, orderId, at: NOW };
    world.sandbox.world.command({ ...act, said: { ...said, items: inIt } });
  }

  it('that Amazon refuses say in Chinese which field is wrong, and go out once more when somebody wants it', async () => {
    const row = next(({ quantity, product }) => quantity > 1 && product.more === undefined);
    shipThere(row, 1);
    await ship(row.id, 'MINE');
    const write = await endedWrite(owner, row.amazonOrderId, 'done', 'refused');
    expect([write.state, write.problem?.slice(0, 25)]).toEqual([
      'refused',
      '发货数量：超过订单还可发货的数量（quantity',
    ]);
    expect(write).toMatchObject({ requestId: expect.any(String), may: { cancel: false, retry: true } });
    expect(write.answer).toContain('"status": 400');
    const { shipments, ...order } = await detailOf(owner, row.id);
    expect([order.status, order.shipping, shipments[0]?.problem]).toEqual(['UNSHIPPED', 'refused', write.problem]);
    // What was there before stays as it was.
    expect(orderThere(world, row.amazonOrderId).packages).toMatchObject([{ trackingNumber: '9400' }]);
    await owner.call(retryWrite, { params: { id: write.id } });
    const again = await endedWrite(owner, row.amazonOrderId, 'refused');
    expect(again.requestId).not.toBe(write.requestId);
    expect((await owner.call(countWrites, { body: { filter: {} } })).refused).toBe(1);
    // Whoever sent it is told once, however often it fails within the hour.
    const told = (await owner.call(getRemind, { body: {} })).records.map(({ title }) => title);
    expect(told.filter((title) => title.startsWith('确认发货'))).toEqual([`确认发货未成功：${row.amazonOrderId}`]);
    expect((await owner.send(retryWrite, { params: { id: (await doneWrite()).id } })).status).toBe(409);
  });

  const doneWrite = async () => {
    const { records } = await owner.call(listWrites, { body: { filter: { state: ['done'] } } });
    const [row] = records;
    if (!row) throw new Error('nothing is done yet');
    return row;
  };

  it('are nobody else’s to see or to make, and need their permission', async () => {
    const row = next();
    const { id } = await doneWrite();
    const stranger = await world.owner('别的公司');
    expect((await stranger.call(listWrites, { body: { filter: {} } })).records).toEqual([]);
    expect((await stranger.send(writeDetail, { params: { id } })).status).toBe(404);
    expect((await stranger.send(shipOrders, { body: { packages: [parcel(row.id)] } })).status).toBe(404);
    const viewer = await world.member(owner, ['amz:order:view', 'amz:write:view', 'amz:write:run']);
    expect((await viewer.send(shipOrders, { body: { packages: [parcel(row.id)] } })).status).toBe(403);
    expect((await viewer.send(shipPasted, { body: { text: 'x', shippedAt: sentAt } })).status).toBe(403);
    const { records } = await viewer.call(listWrites, { body: { filter: { state: ['refused'] } } });
    // To send it again takes the right to what it does, too.
    expect((await viewer.send(retryWrite, { params: { id: records[0]?.id ?? '' } })).status).toBe(403);
    expect((await viewer.call(writeDetail, { params: { id: records[0]?.id ?? '' } })).may.retry).toBe(false);
    rows.unshift(row);
  });

  it('of many orders come from pasted lines: all of them, or each wrong one named', async () => {
    const [one, two] = [next(), next()];
    const paste = (...lines: string[]) => ({ body: { text: lines.join('\n'), shippedAt: sentAt } });
    const good = `${one.amazonOrderId}\tups\t1ZPASTE1`;
    const wrong = await owner.send(
      shipPasted,
      paste(good, '', '12345 UPS 1Z', `${two.amazonOrderId},UPS,`, '111-0000000-0000000 UPS 1Z', good),
    );
    expect(wrong.status).toBe(400);
    expect((wrong.data as unknown as { fields: { field: string; msg: string }[] }).fields).toMatchObject([
      { field: 'lines.3', msg: '第 3 行：订单号「12345」格式应为 3-7-7 位数字' },
      { field: 'lines.4', msg: '第 4 行：缺少运单号' },
      { field: 'lines.5', msg: '第 5 行：订单 111-0000000-0000000 不存在' },
      { field: 'lines.6', msg: `第 6 行：订单号 ${one.amazonOrderId} 重复` },
    ]);
    expect(await standing(one.id)).toEqual(['UNSHIPPED', null]);
    const done = await owner.call(shipPasted, paste(good, '', `${two.amazonOrderId} Yun Express YT2`));
    expect(done).toEqual({ planned: 2 });
    await settled(one.id).toEqual(['SHIPPED', null]);
    await settled(two.id).toEqual(['SHIPPED', null]);
    const carriers = async (id: string) => (await detailOf(owner, id)).packages.map(({ carrier }) => carrier);
    expect([await carriers(one.id), await carriers(two.id)]).toEqual([['UPS'], ['YunExpress']]);
  });

  it('are refused where the order, the time or the lines are wrong, before anything is sent', async () => {
    const row = next();
    const before = callsOf(world, 'confirmShipment');
    expect(await refusal(row.id, { carrierCode: 'Other' })).toBe('承运商选「其他」时请填写承运商名称');
    const late = new Date(NOW + 3_600_000).toISOString();
    expect(await refusal(row.id, { shippedAt: late })).toBe(`${row.amazonOrderId}：发货时间不能晚于现在`);
    const early = new Date(Date.parse(row.purchasedAt) - 1).toISOString();
    expect(await refusal(row.id, { shippedAt: early })).toBe(`${row.amazonOrderId}：发货时间不能早于下单时间`);
    const foreign = { items: [{ orderItemId: '1', quantity: 1 }] };
    expect(await refusal(row.id, foreign)).toBe(`${row.amazonOrderId}：商品行不属于该订单`);
    const { records } = await owner.call(listOrders, { body: { filter: { fulfilledBy: 'AMAZON' } as never } });
    const [fba] = records;
    expect(await refusal(fba?.id ?? '', {})).toBe(`${fba?.amazonOrderId}：FBA 订单由亚马逊发货，不能确认发货`);
    expect(callsOf(world, 'confirmShipment')).toBe(before);
    rows.unshift(row);
  });

  it('that a worker left half-way are looked for by the next one: what arrived is not sent again', async () => {
    const [arrived, lost] = [next(({ product }) => product.more === undefined), next()];
    await worker.stop();
    await ship(arrived.id, 'HALF1');
    await ship(lost.id, 'HALF2');
    // The worker wrote that it calls, called once, and was killed before it heard of it.
    await asOperator(
      world,
      `UPDATE marketplace.write SET state = 'sending', sent_at = kit.now() - interval '10 minutes' WHERE subject = ANY ($1)`,
      [[arrived.amazonOrderId, lost.amazonOrderId]],
    );
    const { shipments } = await detailOf(owner, arrived.id);
    shipThere(arrived, arrived.quantity, { reference: shipments[0]?.reference ?? '', trackingNumber: 'HALF1' });
    const before = callsOf(world, 'confirmShipment');
    worker = await world.work();
    await settled(arrived.id).toEqual(['SHIPPED', null]);
    await settled(lost.id).toEqual(['SHIPPED', null]);
    expect(callsOf(world, 'confirmShipment') - before).toBe(1);
    expect(orderThere(world, lost.amazonOrderId).packages).toMatchObject([{ trackingNumber: 'HALF2' }]);
  });

  it('can be called back as long as they have not left', async () => {
    const row = next();
    await worker.stop();
    await ship(row.id);
    expect(await standing(row.id)).toEqual(['UNSHIPPED', 'queued']);
    const { id, may } = await writeOf(owner, row.amazonOrderId);
    expect(may.cancel).toBe(true);
    await owner.call(cancelWrite, { params: { id } });
    expect((await owner.send(cancelWrite, { params: { id } })).status).toBe(409);
    expect(await standing(row.id)).toEqual(['UNSHIPPED', null]);
    expect(await ship(row.id)).toEqual({ planned: 1 });
    worker = await world.work();
    await settled(row.id).toEqual(['SHIPPED', null]);
    expect(orderThere(world, row.amazonOrderId).packages).toHaveLength(1);
  });
});
