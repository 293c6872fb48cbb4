import { afterAll, beforeAll, expect, test } from 'vitest';
import { shipOrderDetail } from '../contract/order-calls.ts';
import { countFbaShipments, fbaShipmentDetail, ignoreFbaShipments, listFbaShipments } from '../contract/shipment.ts';
import { createSender, HOUR, type Sender } from './stream-support.ts';

let sender: Sender;

const find = async (keyword: string) =>
  (await sender.house.owner.call(listFbaShipments, { body: { filter: { keyword } } })).records[0];

beforeAll(async () => {
  sender = await createSender();
});
afterAll(() => sender.world.close());

test('shipments that were made in Seller Central come by themselves, with what was announced', async () => {
  const { house, skus, turn, world } = sender;
  const number = await sender.leaves([12, 8]);
  await turn();
  const row = await find(number);
  expect(row).toMatchObject({ shipmentNo: number, skus: 2, shipped: 20, received: 0, missing: 20, order: null });
  const { items } = await house.owner.call(fbaShipmentDetail, { params: { id: row?.id ?? '' } });
  expect(Object.fromEntries(items.map((item) => [item.msku, item.shipped]))).toEqual({
    [skus[0]]: 12,
    [skus[1]]: 8,
  });
  const orphans = await house.owner.call(listFbaShipments, { body: { filter: { orphan: true } } });
  expect(orphans.records.map((one) => one.shipmentNo)).toEqual([number]);
  await house.owner.call(ignoreFbaShipments, { body: { ids: [row?.id ?? ''] } });
  expect((await house.owner.call(listFbaShipments, { body: { filter: { orphan: true } } })).total).toBe(0);
  const stranger = await world.owner();
  expect((await stranger.call(listFbaShipments, { body: { filter: {} } })).total).toBe(0);
});

test('an order that names its shipment is received as Amazon counts, three of it are missing', async () => {
  const { house, skus, turn, way } = sender;
  const [first, second] = skus;
  const { id, number } = await sender.sends([12, 8], '2');
  const detail = () => house.owner.call(shipOrderDetail, { params: { id } });
  expect((await detail()).order).toMatchObject({ state: 'shipped', receivedQty: 0 });
  expect(await find(number)).toMatchObject({ order: expect.stringMatching(/^FH/), orderId: id });

  await way.control({ action: 'found', shipment: number, lines: [{ msku: first, missing: 3 }] });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await way.advance(HOUR);
  await turn(id);
  expect(await find(number)).toMatchObject({ status: 'CLOSED', received: 17, missing: 3 });
  const { order, lines } = await detail();
  expect(order).toMatchObject({ state: 'done', receivedQty: 17 });
  expect(lines.map((line) => [line.msku, line.receivedQty, line.lostQty]).sort()).toEqual(
    [
      [first, 9, 3],
      [second, 8, 0],
    ].sort(),
  );
  // The same numbers once more change nothing.
  await turn(id);
  expect((await detail()).order).toMatchObject({ receivedQty: 17, version: order.version });
  const counts = await house.owner.call(countFbaShipments, { body: { filter: {} } });
  expect(counts.CLOSED).toBe(1);
});
