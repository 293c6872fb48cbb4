import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { putShipBoxes, putShipReceived, putShipWay, shipSteps } from '../contract/order-calls.ts';
import { listTransit, transitBoard, transitSpeed } from '../contract/transit.ts';
import { arriveBy } from '../server/shipment/abandoned.ts';
import { stacksOf } from '../web/transit/arrivals.ts';
import { approved, createShipper, lineOf, type Shipper } from './support.ts';

let world: World;
let shipper: Shipper;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A'], { 'A-US': [['A', 1]] });
  await stocked(world, shipper, 'A', 1000, '2.5');
});
afterAll(() => world.close());

/** An order of so many pieces that has left now. */
async function sent(qty: number, more: object = {}, way: { shipmentNo?: string; carrier?: string } = {}) {
  const id = await approved(shipper, [['A-US', qty]], more);
  await shipper.packer.call(shipSteps.picked, { body: { id } });
  const line = await lineOf(shipper, id, 'A-US');
  const size = { length: '60', width: '40', height: '40', weight: '15.2' };
  await shipper.packer.call(putShipBoxes, { body: { id, boxes: [{ ...size, items: [{ lineId: line, qty }] }] } });
  await shipper.packer.call(shipSteps.packed, { body: { id } });
  const body = { id, shipmentNo: '', carrier: '', trackingNo: '', ...way };
  await shipper.packer.call(putShipWay, { body });
  await shipper.packer.call(shipSteps.ship, { body: { id } });
  return { id, line };
}

/** Amazon says of a shipment of the shipper's that it is so far; it was at the door so many days after it left. */
async function told(shipmentNo: string, status: string, days: { left?: number; door?: number; shelf?: number } = {}) {
  await world.as(shipper.owner, async (ctx) => {
    const { left = 0, door = null, shelf = null } = days;
    await sql`UPDATE shipping.ship_order SET shipped_at = kit.now() - make_interval(days => ${left}::int)
       WHERE company_id = ${ctx.companyId} AND shipment_no = ${shipmentNo}`.execute(ctx.db);
    const at = (after: number | null) =>
      sql`kit.now() - make_interval(days => ${left}::int) + make_interval(days => ${after}::int)`;
    await sql`
      INSERT INTO shipping.fba_shipment (company_id, account_id, marketplace_id, shipment_no, status, delivered_at, first_received_at)
      SELECT company_id, account_id, marketplace_id, shipment_no, ${status}, ${at(door)}, ${at(shelf)} FROM shipping.ship_order
       WHERE company_id = ${ctx.companyId} AND shipment_no = ${shipmentNo}`.execute(ctx.db);
  });
}

const rows = async (filter: object = {}) =>
  (await shipper.owner.call(listTransit, { body: { filter, pagesize: 100 } })).records;
const board = () => shipper.owner.call(transitBoard, { body: { filter: {} } });
const day = (ahead: number) => world.clock.dayAhead(ahead);

describe('在途', () => {
  it('says nothing of a day that nobody knows', async () => {
    await sent(10, { transport: 'SEA' });
    expect(await rows()).toMatchObject([
      { qty: 10, sent: 10, value: '25.00', stage: 'WAY', expectedOn: null, basis: 'NONE', daysLate: null },
    ]);
    expect(await board()).toMatchObject({
      all: { orders: 1, pieces: 10, value: '25' },
      unknown: { orders: 1, pieces: 10 },
      late: { orders: 0 },
      arrivals: [],
    });
  });

  it('expects what the channels of its carrier say, or those of all where it names none', async () => {
    await world.as(shipper.owner, async (ctx) => {
      for (const [name, least, most] of [
        ['美森', 20, 25],
        ['普船', 30, 44],
      ] as const) {
        await sql`
          WITH carrier AS (
            INSERT INTO shipping.carrier (company_id, name) VALUES (${ctx.companyId}, ${name}) RETURNING id)
          INSERT INTO shipping.channel (company_id, carrier_id, name, mode, country, days_min, days_max, bill_unit, round_per)
          SELECT ${ctx.companyId}, id, '海运', 'SEA', 'US', ${least}, ${most}, 'KG', 'BOX' FROM carrier`.execute(
          ctx.db,
        );
      }
    });
    await sent(20, { transport: 'SEA' }, { carrier: '美森' });
    const byQty = new Map((await rows()).map((row) => [row.qty, row]));
    expect(byQty.get(20)).toMatchObject({ basis: 'CHANNEL', expectedOn: day(23), latestOn: day(25) });
    expect(byQty.get(10)).toMatchObject({ basis: 'CHANNEL', expectedOn: day(32), latestOn: day(44) });
    expect(await board()).toMatchObject({
      unknown: { orders: 0 },
      arrivals: [
        { day: day(23), transport: 'SEA', pieces: 20, value: '50', late: false },
        { day: day(32), transport: 'SEA', pieces: 10, value: '25', late: false },
      ],
    });
  });

  it('expects what its own shipments took once five of them arrived, and tells what is late', async () => {
    for (const [index, door] of [8, 9, 10, 11].entries()) {
      const shipmentNo = `FBAAIR${index}`;
      const { id, line } = await sent(1, { transport: 'AIR' }, { shipmentNo });
      await told(shipmentNo, 'CLOSED', { left: 40, door, shelf: door + 2 });
      await shipper.packer.call(putShipReceived, { body: { id, lines: [{ lineId: line, total: 1 }] } });
    }
    await sent(7, { transport: 'AIR' }, { shipmentNo: 'FBAWAY1' });
    await told('FBAWAY1', 'IN_TRANSIT', { left: 13 });
    expect(await rows({ transport: ['AIR'] })).toMatchObject([{ basis: 'NONE', expectedOn: null }]);
    await sent(3, { transport: 'AIR' }, { shipmentNo: 'FBAAIR9' });
    await told('FBAAIR9', 'RECEIVING', { left: 30, door: 12 });
    const air = await rows({ transport: ['AIR'] });
    expect(air).toMatchObject([
      { qty: 3, stage: 'DOOR', expectedOn: null, deliveredOn: day(-18), daysLate: null },
      { qty: 7, stage: 'WAY', basis: 'OWN', leftOn: day(-13), expectedOn: day(-3), latestOn: day(-1), daysLate: 1 },
    ]);
    expect(await rows({ late: true })).toHaveLength(1);
    expect(await board()).toMatchObject({ door: { orders: 1, pieces: 3 }, late: { orders: 1, pieces: 7 } });
    const speed = await shipper.owner.call(transitSpeed, {});
    expect(speed.find((row) => row.transport === 'AIR')).toMatchObject({
      country: 'US',
      shipments: 6,
      delivered50: 10,
      delivered90: 12,
      received50: null,
      closed50: null,
    });
  });

  it('leaves out what came, and costs for whoever may not see them', async () => {
    const { id, line } = await sent(5, { transport: 'TRUCK' });
    await shipper.packer.call(putShipReceived, { body: { id, lines: [{ lineId: line, total: 4 }] } });
    const [left] = await shipper.seller
      .call(listTransit, { body: { filter: { transport: ['TRUCK'] } } })
      .then((page) => page.records);
    expect(left).toMatchObject({ qty: 1, sent: 5 });
    expect(left).not.toHaveProperty('value');
    await shipper.packer.call(putShipReceived, { body: { id, lines: [{ lineId: line, total: 5 }] } });
    expect(await rows({ transport: ['TRUCK'] })).toEqual([]);
    const stranger = await world.owner();
    expect((await stranger.call(transitBoard, { body: { filter: {} } })).all.orders).toBe(0);
  });

  it('reads no more than what is away', async () => {
    const plan = await world.as(shipper.owner, async (ctx) => {
      await sql`SET LOCAL enable_seqscan = off`.execute(ctx.db);
      const { rows: lines } = await sql<{ 'QUERY PLAN': string }>`
        EXPLAIN SELECT order_id FROM shipping.ship_order_line
         WHERE company_id = ${ctx.companyId} AND shipped_qty > received_qty + lost_qty`.execute(ctx.db);
      return lines.map((one) => one['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('ship_order_line_away');
  });
});

it('draws by day or by week, what is late in a part of its own', () => {
  const arrival = (on: string, pieces: number, late = false) => ({
    day: on,
    transport: 'SEA' as const,
    late,
    pieces,
    value: `${pieces}.10`,
  });
  const arrivals = [arrival('2026-05-04', 5, true), arrival('2026-05-12', 10), arrival('2026-05-17', 4)];
  expect(stacksOf(arrivals, 'day', 'pieces')).toEqual({
    labels: ['2026-05-04', '2026-05-12', '2026-05-17'],
    stacks: [
      { name: '已超期', tone: 'bad', values: [5, null, null] },
      { name: '海运', values: [null, 10, 4] },
    ],
  });
  expect(stacksOf(arrivals, 'week', 'value')).toMatchObject({
    labels: ['2026-05-04', '2026-05-11'],
    stacks: [{ values: ['5.10', null] }, { values: [null, '14.20'] }],
  });
});

describe('rule 13: when a shipment must arrive, or Amazon takes it for abandoned', () => {
  const limits = { domesticDays: 45, abroadDays: 75, afterFirstDays: 30 };
  const shipment = { status: 'IN_TRANSIT', seenOn: '2026-05-01', from: 'CN', to: 'US', firstOn: null };

  it('within 45 days of its making, 75 from abroad', () => {
    expect(arriveBy(shipment, limits)).toBe('2026-07-15');
    expect(arriveBy({ ...shipment, from: 'US' }, limits)).toBe('2026-06-15');
    expect(arriveBy({ ...shipment, from: undefined }, limits)).toBeNull();
    expect(arriveBy({ ...shipment, status: 'RECEIVING' }, limits)).toBeNull();
  });

  it('and within 30 days of the first arrival of its plan, whichever comes first', () => {
    expect(arriveBy({ ...shipment, firstOn: '2026-06-01' }, limits)).toBe('2026-07-01');
    expect(arriveBy({ ...shipment, firstOn: '2026-06-20' }, limits)).toBe('2026-07-15');
    expect(arriveBy({ ...shipment, from: 'US', firstOn: '2026-06-01' }, limits)).toBe('2026-06-15');
    expect(arriveBy({ ...shipment, from: undefined, firstOn: '2026-06-01' }, limits)).toBe('2026-07-01');
  });

  it('by the limits that are set; never where there is none', () => {
    const none = { domesticDays: null, abroadDays: null, afterFirstDays: null };
    expect(arriveBy({ ...shipment, firstOn: '2026-06-01' }, none)).toBeNull();
    expect(arriveBy({ ...shipment, firstOn: '2026-06-01' }, { ...none, afterFirstDays: 10 })).toBe('2026-06-11');
    expect(arriveBy(shipment, undefined)).toBeNull();
  });
});
