import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { approvedInbound, createHouse, type House, productOf, stocked, today } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { inboundCalls } from '../contract/documents/inbound.ts';
import { transferCalls } from '../contract/documents/transfer.ts';
import { listTurnover, listUnsalable, turnoverSummary } from '../contract/reports.ts';
import { type Move, post } from '../server/index.ts';
import { turnsOf } from '../server/reports/turnover.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'KIT', 'OLD', 'SLOW']);
});
afterAll(() => world.close());

const dayBefore = (days: number) => new Date(Date.parse(today()) - days * 86_400_000).toISOString().slice(0, 10);

/** Posts moves of one product, on an earlier day where one is named. */
const did = (moves: readonly Move[], day?: string) =>
  world.as(house.owner, (ctx) =>
    post(ctx, { source: { type: 'test', id: randomUUID(), event: 'do', number: 'T1' }, moves, day }),
  );
const here = () => ({ warehouse: house.main, status: 'AVAILABLE' as const });
const turnover = async (filter: object = {}) => {
  const { records } = await house.owner.call(listTurnover, { body: { filter } });
  return new Map(records.map((row) => [row.product.code, row]));
};

describe('周转报告', () => {
  it('E7: 120, 60 and 30 pieces for ten days each, 140 gone: average 70, 2.00 turns, 15.0 days', () => {
    const average = new Decimal(120 * 10 + 60 * 10 + 30 * 10).div(30);
    expect(turnsOf(140, average, 30)).toEqual({ turns: '2.00', days: '15.0' });
    expect(turnsOf(0, average, 30)).toEqual({ turns: null, days: null });
    expect(turnsOf(5, new Decimal(0), 30)).toEqual({ turns: null, days: null });
  });

  it('puts every piece into one column, and opening and columns add up to the closing', async () => {
    const product = productOf(house, 'A');
    await did([{ product, qty: 100, from: 'OPENING', to: here(), cost: { unit: '1' } }], dayBefore(3));
    const { id } = await approvedInbound(house, [{ sku: 'A', qty: 20 }]);
    const { lines } = await house.owner.call(inboundCalls.data, { params: { id } });
    await house.keeper.call(inboundCalls.receive, {
      body: { id, lines: lines.map((line) => ({ lineId: line.id, qty: 20 })) },
    });
    await did([{ product, qty: 30, from: here(), to: 'CUSTOMER' }], dayBefore(2));
    await did([{ product, qty: 4, from: 'CUSTOMER', to: here() }]);
    await did([{ product, qty: 2, from: 'ADJUSTMENT', to: here() }]);
    await did([
      { product, qty: 6, from: here(), to: 'ASSEMBLY', group: 1 },
      { product: productOf(house, 'KIT'), qty: 3, from: 'ASSEMBLY', to: here(), group: 1, cost: { sum: true } },
    ]);
    for (const [toWarehouseId, qty] of [
      [house.overseas, 10],
      [house.second, 5],
    ] as const) {
      const saved = await house.clerk.call(transferCalls.save, {
        body: { warehouseId: house.main, toWarehouseId, lines: [{ productId: product, qty }] },
      });
      await house.clerk.call(transferCalls.submit, { body: { id: saved.id } });
      await house.chief.call(transferCalls.approve, { body: { id: saved.id } });
      await house.keeper.call(transferCalls.ship, { body: { id: saved.id } });
    }
    const rows = await turnover({ warehouses: [house.main] });
    expect(rows.get('A')).toMatchObject({
      opening: 0,
      received: 20,
      sold: 26,
      dispatched: 10,
      moved: -5,
      assembled: -6,
      counted: 2,
      other: 100,
      closing: 75,
      difference: 0,
    });
    expect(rows.get('KIT')).toMatchObject({ assembled: 3, closing: 3, difference: 0 });
    const later = await turnover({ warehouses: [house.main], period: { from: today(), to: today() } });
    expect(later.get('A')).toMatchObject({ opening: 70, sold: -4, closing: 75, difference: 0 });
  });

  it('tells all products together by day', async () => {
    const { course } = await house.owner.call(turnoverSummary, { body: { filter: { warehouses: [house.main] } } });
    expect(course).toHaveLength(30);
    expect(course.at(-1)).toMatchObject({ day: today(), closing: 78 });
    expect(course.at(-3)).toMatchObject({ day: dayBefore(2), out: 30 });
  });
});

describe('本地滞销', () => {
  it('finds what is too much, and how old it is', async () => {
    await stocked(world, house, 'OLD', 80, '2.5', house.second, dayBefore(400));
    await stocked(world, house, 'SLOW', 10, '1', house.second, dayBefore(100));
    await stocked(world, house, 'SLOW', 90, '1', house.second, dayBefore(5));
    const there = { warehouse: house.second, status: 'AVAILABLE' as const };
    await did([{ product: productOf(house, 'SLOW'), qty: 9, from: there, to: 'CUSTOMER' }]);
    const { records, totals } = await house.owner.call(listUnsalable, {
      body: { filter: { warehouses: [house.second] } },
    });
    // 91 left, 9 gone in 90 days: 910 days, and 82 more than will go in the 90 days to come.
    expect(records).toMatchObject([
      {
        product: { code: 'SLOW' },
        qty: 91,
        d30: 90,
        d180: 1,
        out90: 9,
        daysLeft: '910.0',
        surplus: 82,
        advice: 'SLOW',
      },
      { product: { code: 'OLD' }, qty: 80, over: 80, out90: 0, daysLeft: null, surplus: 80, advice: 'DEAD' },
    ]);
    expect(records[1]?.surplusValue).toBe('200.00');
    expect(totals).toMatchObject({ qty: 171, over: 80, surplus: 162 });
    const dead = await house.owner.call(listUnsalable, {
      body: { filter: { warehouses: [house.second], advice: 'DEAD', targetDays: 30 } },
    });
    expect(dead.records.map((row) => row.product.code)).toEqual(['OLD']);
  });
});
