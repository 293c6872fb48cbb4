import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { US } from '#test/support/seller.ts';
import { readClaimWindows, saveClaimWindows } from '../contract/claim/calls.ts';
import { listFbaShipments } from '../contract/shipment.ts';
import { dueJob } from '../server/claim/jobs.ts';
import { agreed, carried, gone, packed, placed, prepared } from './inbound-support.ts';
import { createSender, type Sender } from './stream-support.ts';

let sender: Sender;

beforeAll(async () => {
  sender = await createSender(500);
  // What is on its way stays there until it is moved.
  await sender.way.control({ action: 'settings', pace: 1000 });
});
afterAll(() => sender.world.close());

/** The day by which a shipment must arrive. */
async function until(no: string): Promise<string | null | undefined> {
  const { records } = await sender.house.owner.call(listFbaShipments, { body: { filter: { keyword: no } } });
  return records.find(({ shipmentNo }) => shipmentNo === no)?.arriveBy;
}

/** Reminders so far, the oldest first. */
async function told(): Promise<string[]> {
  const { world, house } = sender;
  await dueJob.run(world.runtime, {} as never);
  const rows = await world.as(house.owner, (ctx) =>
    ctx.db.selectFrom('message.message').select('title').where('title', 'like', '%到仓期限%').orderBy('id').execute(),
  );
  return rows.map(({ title }) => title);
}

test('once a shipment of a plan has arrived, the others have thirty days, and people are told fourteen and five days ahead', async () => {
  const { house, way, world } = sender;
  const { owner } = house;
  const id = await agreed(sender, [40, 20]);
  await prepared(sender, id);
  await packed(sender, id);
  await placed(sender, id, 2);
  await carried(sender, id);
  const { shipments } = await gone(sender, id);
  const [first = '', second = ''] = shipments.map(({ shipmentNo }) => shipmentNo);
  await sender.turn(id);
  const made = world.clock.today();
  // The house stands in China.
  expect([await until(first), await until(second)]).toEqual([dayAfter(made, 75), dayAfter(made, 75)]);
  expect(await told()).toEqual([]);

  await way.control({ action: 'move', shipment: first, status: 'DELIVERED' });
  await sender.turn(id);
  const arrived = world.clock.today();
  expect([await until(first), await until(second)]).toEqual([null, dayAfter(arrived, 30)]);
  expect(await told()).toEqual([]);

  const set = (afterFirstDays: number | null) =>
    owner.call(saveClaimWindows, { body: { windows: [{ marketplaceId: US, days: 60, afterFirstDays }] } });
  await set(14);
  const windows = await owner.call(readClaimWindows, {});
  expect(windows.find(({ marketplaceId }) => marketplaceId === US)).toMatchObject({
    days: 60,
    domesticDays: 45,
    abroadDays: 75,
    afterFirstDays: 14,
  });
  expect(windows.filter(({ afterFirstDays }) => afterFirstDays !== null)).toHaveLength(1);
  for (let run = 0; run < 2; run += 1) expect(await told()).toEqual([`货件 ${second} 距到仓期限还有 14 天`]);
  await set(5);
  expect(await told()).toEqual([14, 5].map((left) => `货件 ${second} 距到仓期限还有 ${left} 天`));
  await set(null);
  expect(await until(second)).toBe(dayAfter(made, 75));
});
