import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { putShipReceived, shipSteps } from '../../contract/order-calls.ts';
import { exportShipOrderReport, listShipOrderReport } from '../../contract/report/detail.ts';
import type { ReportBy } from '../../contract/report/fields.ts';
import { exportShipSums, listShipSums, type ShipSumFilter, type ShipSumRow } from '../../contract/report/summary.ts';
import { bill, createForwarded, E4, type Forwarded, numberOf, sentBoxes } from '../freight/support.ts';
import { draft, lineOf } from '../support.ts';

let world: World;
let house: Forwarded;
/** An order that is closed four short, one on its way, one that waits to be picked. */
let closed: string;
let coming: string;

const sums = (filter: ShipSumFilter) => house.chief.call(listShipSums, { body: { pagesize: 50, filter } });
const orders = (filter: object = {}) => house.chief.call(listShipOrderReport, { body: { pagesize: 50, filter } });

beforeAll(async () => {
  world = await createWorld();
  house = await createForwarded(world);
  closed = await sentBoxes(world, house, E4);
  const came: Record<string, number> = { 'A-US': 120, 'B-US': 140, 'C-US': 56 };
  for (const [msku, total] of Object.entries(came)) {
    const lineId = await lineOf(house, closed, msku);
    await house.packer.call(putShipReceived, { body: { id: closed, lines: [{ lineId, total }] } });
  }
  await house.lead.call(shipSteps.close, { body: { id: closed, reason: '少收 4 件' } });
  coming = await sentBoxes(world, house, [{ 'A-US': 30, 'C-US': 10 }], { channelId: null });
  await draft(house, [['A-US', 7]]);
});
afterAll(() => world.close());

describe('发货统计', () => {
  it('counts what was planned, sent, received and lacking, each order once', async () => {
    const { records, totals } = await sums({ by: 'ORDER' });
    const of = async (id: string) => {
      const number = await numberOf(house, id);
      return records.find(({ name }) => name === number);
    };
    expect(await of(closed)).toMatchObject({
      orders: 1,
      abnormal: 1,
      planned: 320,
      shipped: 320,
      received: 316,
      diff: -4,
      toShip: 0,
      toReceive: 0,
      boxes: 4,
      weight: '60.8',
      volume: '0.384',
    });
    // On its way: nothing of it is a difference yet.
    expect(await of(coming)).toMatchObject({ shipped: 40, received: 0, diff: null, toReceive: 40, boxes: 1 });
    expect(totals).toMatchObject({
      orders: 2,
      abnormal: 1,
      shipped: 360,
      received: 316,
      diff: -4,
      toReceive: 40,
      boxes: 5,
    });
  });

  it('adds up to the same whatever it is put together by; boxes of whole orders are not told by SKU', async () => {
    const add = (rows: readonly ShipSumRow[], field: 'shipped' | 'received' | 'toReceive' | 'planned') =>
      rows.reduce((all, row) => all + row[field], 0);
    for (const by of [
      'CARRIER',
      'CHANNEL',
      'CENTER',
      'WAREHOUSE',
      'STORE',
      'SITE',
      'SKU',
      'ORDER',
    ] satisfies ReportBy[]) {
      const { records, totals } = await sums({ by });
      for (const field of ['planned', 'shipped', 'received', 'toReceive'] as const) {
        expect([by, field, add(records, field)]).toEqual([by, field, totals?.[field]]);
      }
      expect([by, sum(records.map((row) => row.freight ?? '0'))]).toEqual([by, sum([String(totals?.freight ?? '0')])]);
      expect(records.every((row) => (row.boxes === null) === (by === 'SKU'))).toBe(true);
    }
    const bySku = await sums({ by: 'SKU' });
    expect(bySku.records.map(({ id, shipped }) => [id, shipped])).toEqual([
      ['A-US', 150],
      ['B-US', 144],
      ['C-US', 66],
    ]);
  });

  it('shows the estimate until a bill is confirmed, and duties apart from freight', async () => {
    const of = async () => (await sums({ by: 'CARRIER' })).records.find(({ name }) => name.startsWith('远航'));
    // E2: 64 kg × 8.80 + 100.
    expect(await of()).toMatchObject({ freight: '663.20', duty: null, billable: '64' });
    const reference = await numberOf(house, closed);
    await bill(world, house, [
      { reference, amount: '700.01', billedWeight: '64' },
      { reference, amount: '88.20', kind: 'DUTY' },
    ]);
    const after = await of();
    expect([sum([after?.freight ?? '0']), sum([after?.duty ?? '0'])]).toEqual(['700.01', '88.2']);
  });

  it('is worth what its layers cost when it left, by whatever it is put together, for those who may see costs', async () => {
    const { totals } = await sums({ by: 'ORDER' });
    const { rows } = await world.as(house.chief, (ctx) =>
      sql<{ value: string }>`
        SELECT sum(c.amount)::text AS value FROM warehouse.layer_consumption AS c
          JOIN shipping.ship_order_event AS e ON e.company_id = c.company_id AND e.posting_id = c.posting_id AND e.event = 'ship'
         WHERE c.company_id = ${ctx.companyId}`.execute(ctx.db),
    );
    expect(new Decimal(rows[0]?.value ?? 0).greaterThan(0)).toBe(true);
    expect(sum([String(totals?.value)])).toBe(sum([rows[0]?.value ?? '']));
    for (const by of ['CARRIER', 'CENTER', 'SKU', 'ORDER', 'SITE'] satisfies ReportBy[]) {
      const { records } = await sums({ by });
      expect([by, sum(records.map((row) => row.value ?? '0'))]).toEqual([by, sum([String(totals?.value)])]);
    }
    const { records } = await sums({ by: 'SKU', keyword: 'A-US' });
    expect(records.find(({ id }) => id === 'A-US')?.value).not.toBeNull();
    const blind = await house.packer.call(listShipSums, { body: { filter: { by: 'SKU' } } });
    expect(blind.records.some((row) => 'value' in row || 'freight' in row)).toBe(false);
    expect(blind.totals).not.toHaveProperty('value');
    const file = await house.owner.send(exportShipSums, { body: { format: 'csv', filter: { by: 'SKU' } } });
    expect(file.raw.toString('utf8')).toContain('货值');
  });

  it('takes the days of the company, by the day of leaving or of making', async () => {
    const today = world.clock.today();
    expect((await sums({ by: 'STORE', day: { from: today, to: today } })).totals).toMatchObject({ orders: 2 });
    expect((await sums({ by: 'STORE', day: { to: '2020-01-01' } })).total).toBe(0);
    // Handed in and not agreed to for want of stock: planned, not sent.
    const { id } = await draft(house, [['B-US', 1]]);
    await house.seller.call(shipSteps.submit, { body: { id } });
    expect((await sums({ by: 'STORE', basis: 'CREATED', day: { from: today } })).totals).toMatchObject({
      orders: 3,
      planned: 361,
      shipped: 360,
      toShip: 1,
    });
    expect((await sums({ by: 'STORE', day: { from: today } })).totals).toMatchObject({ orders: 2, toShip: 0 });
  });
});

describe('发货详情与时效', () => {
  it('has each step with its time, and how long it took', async () => {
    const { records } = await orders();
    const number = await numberOf(house, closed);
    const row = records.find((one) => one.number === number);
    expect(row).toMatchObject({ skus: 3, planned: 320, shipped: 320, received: 316, boxes: 4, state: 'done' });
    const times = [
      row?.createdAt,
      row?.approvedAt,
      row?.pickedAt,
      row?.packedAt,
      row?.shippedAt,
      row?.receivingAt,
      row?.doneAt,
    ];
    expect(times.every((at) => typeof at === 'string')).toBe(true);
    expect(times).toEqual(times.toSorted());
    expect(row?.shipDays).toBe('0');
    const other = records.find((one) => one.number !== number);
    expect(other).toMatchObject({ receivingAt: null, doneAt: null, receiveDays: null, totalDays: null });
  });

  it('is found by number and SKU, exported, and shown to nobody else', async () => {
    const number = await numberOf(house, coming);
    expect((await orders({ keyword: number })).records.map((row) => row.number)).toEqual([number]);
    // The closed one, and the one that was handed in above.
    expect((await orders({ keyword: 'b-us' })).total).toBe(2);
    const file = await house.seller.send(exportShipOrderReport, {
      body: { format: 'xlsx', filter: { keyword: number } },
    });
    expect((await readSheet(file.raw))[1]).toContain(number);
    const thief = await world.owner('别家');
    expect((await thief.call(listShipOrderReport, { body: { filter: {} } })).total).toBe(0);
    expect((await thief.call(listShipSums, { body: { filter: { by: 'SKU' } } })).total).toBe(0);
  });
});
