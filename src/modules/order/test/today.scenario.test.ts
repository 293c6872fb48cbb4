import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { todayCurve, todayList, todaySummary } from '../contract/today.ts';
import { projected } from '../server/today/summary.ts';
import { CA, JP, land, makeAccount, type OrderSpec, orderNumber, US } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;
let clock: Server;
let now: string;

/** Wall clock of Los Angeles in the summer of 2026. */
const there = (day: string, time: string): string => new Date(`2026-${day}T${time}:00-07:00`).toISOString();

let number = 0;
function sold(at: string, units: number, more: Partial<OrderSpec> = {}): OrderSpec {
  number += 1;
  return {
    amazonOrderId: orderNumber(number),
    purchasedAt: at,
    lines: [{ orderItemId: '1', sku: 'A', quantity: units, itemPrice: String(units * 10) }],
    ...more,
  };
}

beforeAll(async () => {
  clock = createServer((_, response) => response.end(JSON.stringify({ now })));
  await new Promise<void>((resolve) => clock.listen(0, '127.0.0.1', resolve));
  const { port } = clock.address() as AddressInfo;
  const none = 'http://127.0.0.1:1';
  world = await createWorld({
    marketplace: {
      spApiBase: { na: none, eu: none, fe: none },
      lwaTokenUrl: none,
      consentBase: none,
      applicationId: 'a',
      clientId: 'a',
      clientSecret: 'a',
      clock: `http://127.0.0.1:${port}/`,
    },
  });
  now = there('07-15', '10:20');
  owner = await world.owner();
  account = await makeAccount(world, owner, { marketplaceIds: [US, CA, JP] });
  await land(world, owner, account, [
    sold(there('07-15', '08:00'), 80),
    sold(there('07-15', '09:59'), 4),
    sold(there('07-15', '10:10'), 6, { status: 'PENDING', lines: [{ orderItemId: '1', sku: 'A', quantity: 6 }] }),
    sold(there('07-15', '09:00'), 9, { status: 'CANCELLED' }),
    sold(there('07-14', '09:30'), 70),
    sold(there('07-14', '10:00'), 170),
    sold(there('07-08', '09:30'), 80, { lines: [{ orderItemId: '1', sku: 'B', quantity: 80, itemPrice: '80.00' }] }),
  ]);
});
afterAll(async () => {
  clock.close();
  await world.close();
});

const us = async () => {
  const { sites } = await owner.call(todaySummary, { body: { filter: {} } });
  return sites.find((site) => site.marketplaceId === US);
};

describe("today's orders", () => {
  it('compare with the same hours and not with whole days', async () => {
    expect(await us()).toMatchObject({
      localTime: '2026-07-15 10:20',
      closedTime: '10:00',
      orders: 3,
      units: 90,
      productSales: '900.0000',
      estimated: '60.0000',
      averagePrice: '10',
      unitsPerOrder: '30',
      closedUnits: 84,
      yesterdayUnits: 70,
      lastWeekUnits: 80,
      vsYesterday: '0.2',
      vsLastWeek: '0.05',
      projection: null,
    });
  });

  it('project the day only on 28 days of history', async () => {
    expect(projected(84, 35, 100)).toBe(240);
    expect([projected(84, 0, 100), projected(84, 0, 0)]).toEqual([null, null]);
    await land(world, owner, account, [sold(there('06-17', '09:00'), 1)]);
    // Before ten: 70 + 80 + 1 of 70 + 170 + 80 + 1 pieces.
    expect((await us())?.projection).toBe(Math.round((84 * 321) / 151));
  });

  it('show quiet sites with their own clock, and nothing of other companies', async () => {
    const { sites } = await owner.call(todaySummary, { body: { filter: { marketplaceIds: [JP] } } });
    expect(sites).toMatchObject([
      { country: 'JP', localTime: '2026-07-16 02:20', units: 0, vsYesterday: null, currency: 'JPY' },
    ]);
    const stranger = await world.owner();
    expect(await stranger.call(todaySummary, { body: { filter: {} } })).toEqual({ sites: [], asOf: null });
    expect(await stranger.call(todayList, { body: { filter: {} as never } })).toMatchObject({ total: 0 });
  });

  it('list SKUs with the four periods, and add up', async () => {
    const page = await owner.call(todayList, { body: { filter: {} as never } });
    expect(
      page.records.map((row) => [
        row.product.code,
        row.units,
        row.yesterdayUnits,
        row.yesterdayAllUnits,
        row.lastWeekUnits,
      ]),
    ).toEqual([
      ['A', 90, 70, 240, 0],
      ['B', 0, 0, 0, 80],
    ]);
    expect(page.records[0]).toMatchObject({
      orders: 3,
      netSales: '900.0000',
      averagePrice: '10',
      vsYesterday: '0.2',
      vsLastWeek: null,
    });
    expect(page.totals).toEqual({ units: 90, yesterdayUnits: 70, yesterdayAllUnits: 240, lastWeekUnits: 80 });
    const one = await owner.call(todayList, { body: { sort: 'units', order: 'asc', filter: { sku: 'b' } as never } });
    expect(one.records.map((row) => row.product.code)).toEqual(['B']);
  });

  it('draw half hours of the wall clock; slots that are not over are unknown', async () => {
    const curve = await owner.call(todayCurve, { body: { marketplaceId: US, filter: {} } });
    const at = (time: string) => curve.slots.indexOf(time);
    expect(curve.slots).toHaveLength(48);
    expect([curve.today[at('08:00')], curve.today[at('09:30')], curve.today[at('10:00')]]).toEqual([80, 4, null]);
    expect([curve.yesterday[at('09:30')], curve.yesterday[at('10:00')]]).toEqual([70, 170]);
    expect(curve.lastWeek.reduce((sum, units) => sum + units, 0)).toBe(80);
  });

  it('need the right to see orders, and hide amounts without theirs', async () => {
    const nobody = await world.member(owner, ['amz:order:edit']);
    for (const [endpoint, body] of [
      [todaySummary, { filter: {} }],
      [todayList, { filter: {} }],
      [todayCurve, { marketplaceId: US, filter: {} }],
    ] as const) {
      expect((await nobody.send(endpoint, { body } as never)).status).toBe(403);
    }
    const clerk = await world.member(owner, ['amz:order:view']);
    const { sites } = await clerk.call(todaySummary, { body: { filter: {} } });
    expect(sites.every((site) => site.productSales === null && site.averagePrice === null)).toBe(true);
    expect(JSON.stringify(await clerk.call(todayList, { body: { filter: {} as never } }))).not.toMatch(/Sales|Price/);
  });
});
