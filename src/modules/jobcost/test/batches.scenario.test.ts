import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sum } from '#kit/contract/decimal.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { shipOrderDetail } from '#modules/shipping/contract/order-calls.ts';
import { addCost } from '#modules/warehouse/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { batchData, reloadFreight, setBatchCost } from '../contract/batch.ts';
import { countBatches, exportBatches, listBatches } from '../contract/batches.ts';
import { EDIT, EXPORT, VIEW } from '../contract/fields.ts';
import { batchOf, createSender, dataOf, issued, plain, received, type Sender, sent } from './support.ts';

let world: World;
let house: Sender;
let owner: Person;
let first: string;
let second: string;

beforeAll(async () => {
  world = await createWorld();
  house = await createSender(world, ['A', 'B', 'C']);
  owner = house.owner;
});
afterAll(() => world.close());

const figures = async (order: string) => {
  const { state, shipped, received: came, issued: gone, left, gap } = await batchOf(house, order);
  return [state, shipped, came, gone, left, gap].join(' ');
};
const money = async (order: string) => {
  const row = await batchOf(house, order);
  return [row.purchase, row.firstLeg, row.other, row.issuedCost, row.leftCost, row.variance].map(plain).join(' ');
};

/** Freight that comes late to what an order sent. */
const freight = (orderId: string, amount: string) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ posting: string }>`
      SELECT posting_id AS posting FROM shipping.ship_order_event
       WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND event = 'ship'`.execute(ctx.db);
    return addCost(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'bill', number: 'ZD1' },
      posting: rows[0]?.posting ?? '',
      component: 'firstLeg',
      values: [{ move: 0, amount }],
    });
  });

const set = (id: string, input: { component: 'purchase' | 'firstLeg' | 'other'; value: string; before: string }) =>
  owner.call(setBatchCost, { body: { id, by: 'TOTAL', reason: '发票更正', clientId: randomUUID(), ...input } });

describe('批次成本', () => {
  it('says of two shipments of one SKU what each cost and which pieces were taken first', async () => {
    first = await sent(world, house, 'A', 100, '20');
    expect(await figures(first)).toBe('WAITING 100 0 0 0 100');
    await received(house, first, 98);
    expect(await figures(first)).toBe('READY 100 98 0 98 2');
    second = await sent(world, house, 'A', 50, '30');
    await received(house, second, 50);
    // The freight of the first comes while all of it is there or on its way, that of the second after half is gone.
    await freight(first, '300');
    const taken = [await issued(world, house, 'A', 60), await issued(world, house, 'A', 63)];
    // 60 × 23; 38 × 23 + 25 × 30.
    expect(taken.map(plain)).toEqual(['1380', '1624']);
    expect(await figures(first)).toBe('RUNNING 100 98 98 0 2');
    expect(await figures(second)).toBe('RUNNING 50 50 25 25 0');
    await freight(second, '100');
    expect(await money(first)).toBe('2000 300 0 2254 46 0');
    expect(await money(second)).toBe('1500 100 0 750 800 50');
  });

  it('agrees with the ledger: what was issued is its cost of goods, what is left its layers', async () => {
    const rows = [await batchOf(house, first), await batchOf(house, second)];
    const ledger = await world.as(owner, async (ctx) => {
      const { rows: found } = await sql<{ sold: string; held: string }>`
        SELECT (SELECT sum(c.amount)::text FROM warehouse.layer_consumption AS c
                  JOIN warehouse.stock_posting AS o ON o.company_id = c.company_id AND o.id = c.posting_id
                 WHERE c.company_id = ${ctx.companyId} AND o.source_event = 'sell') AS sold,
               (SELECT sum(y.amount_remaining)::text FROM warehouse.cost_layer AS y
                 WHERE y.company_id = ${ctx.companyId}) AS held`.execute(ctx.db);
      return found[0];
    });
    expect(plain(sum(rows.map((row) => row.issuedCost ?? '0')))).toBe(plain(ledger?.sold));
    expect(plain(sum(rows.map((row) => row.leftCost ?? '0')))).toBe(plain(ledger?.held));
    const { totals } = await owner.call(listBatches, { body: { filter: { keyword: 'a-us' } } });
    expect(totals).toMatchObject({ shipped: 150, received: 148, issued: 123, left: 25, gap: 2 });
    expect(plain(String(totals?.cost))).toBe('3900');
  });

  it('opens down to where pieces came from and what each issue took of each part', async () => {
    const data = await dataOf(house, (await batchOf(house, second)).id);
    expect(data.origins.map((row) => [row.number, row.qty, plain(row.amount)])).toEqual([['QC1', 50, '1500']]);
    // The freight came after the sale: none of it is in what was sold.
    expect(data.issues.map((row) => [row.kind, row.qty, plain(row.purchase), plain(row.firstLeg)])).toEqual([
      ['SALE', 25, '750', '0'],
    ]);
    expect(data.layers.map((row) => [row.qtyIn, row.qtyLeft, plain(row.purchase), plain(row.firstLeg)])).toEqual([
      [50, 0, '0', '0'],
      [50, 25, '750', '50'],
    ]);
    expect(
      data.changes.map((row) => [row.component, plain(row.before), plain(row.after), plain(row.variance)]),
    ).toEqual([['头程成本', '0', '100', '50']]);
    const before = await dataOf(house, (await batchOf(house, first)).id);
    expect(before.issues.map((row) => [row.qty, plain(row.purchase), plain(row.firstLeg)])).toEqual([
      [60, '1200', '180'],
      [38, '760', '114'],
    ]);
  });

  it('corrects a cost with half of the pieces sold: the layer takes half, the period the rest', async () => {
    const { id } = await batchOf(house, second);
    const clientId = randomUUID();
    const body = {
      id,
      component: 'purchase' as const,
      by: 'UNIT' as const,
      value: '31',
      before: '1500',
      reason: '发票更正',
      clientId,
    };
    const done = await owner.call(setBatchCost, { body });
    expect(done).toMatchObject({ amount: '50.0000', toLayers: '25.0000', variance: '25.0000', repeated: false });
    expect(await owner.call(setBatchCost, { body })).toEqual({ ...done, repeated: true });
    expect(await money(second)).toBe('1550 100 0 750 825 75');
    const { changes } = await dataOf(house, id);
    expect(changes.at(-1)).toMatchObject({ number: done.number, component: '采购成本', note: '发票更正' });
    expect([plain(changes.at(-1)?.before), plain(changes.at(-1)?.after)]).toEqual(['1500', '1550']);
    // Down again, below what the layer can give: it is never worth less than nothing.
    await set(id, { component: 'firstLeg', value: '0', before: '100' });
    expect(await money(second)).toBe('1550 0 0 750 775 25');
  });

  it('refuses in words what makes no sense', async () => {
    const { id } = await batchOf(house, second);
    await expect(set(id, { component: 'purchase', value: '1', before: '1' })).rejects.toThrow('批次成本已变化');
    await expect(set(id, { component: 'purchase', value: '1550', before: '1550' })).rejects.toThrow('无需修改');
    await expect(set(id, { component: 'purchase', value: '-1', before: '1550' })).rejects.toThrow('不小于0');
    await expect(
      owner.call(setBatchCost, {
        body: { id, component: 'purchase', value: '9', before: '1550', reason: ' ', clientId: randomUUID() },
      }),
    ).rejects.toThrow('原因');
    await expect(owner.call(reloadFreight, { body: { id, reason: '核对', clientId: randomUUID() } })).rejects.toThrow(
      '没有已确认的物流账单',
    );
    await expect(set(randomUUID(), { component: 'purchase', value: '1', before: '1' })).rejects.toThrow('404');
  });

  it('filters by state, day, store and words, and counts', async () => {
    const third = await sent(world, house, 'B', 10, '5');
    const of = async (filter: object) =>
      (await owner.call(listBatches, { body: { filter } })).records.map((row) => row.orderId);
    expect(await of({ state: 'WAITING' })).toEqual([third]);
    expect(await of({ state: 'RUNNING' })).toEqual([second, first]);
    expect(await owner.call(countBatches, { body: { filter: {} } })).toEqual({ WAITING: 1, RUNNING: 2, all: 3 });
    const today = world.clock.today();
    expect(await of({ shipped: { from: today, to: today } })).toEqual([third, second, first]);
    expect(await of({ shipped: { to: '2026-01-01' } })).toEqual([]);
    expect(await of({ received: { from: today } })).toEqual([second, first]);
    expect(await of({ keyword: 'B-us' })).toEqual([third]);
    expect(await of({ owners: [owner.userId] })).toEqual([]);
    await received(house, third, 10);
    await issued(world, house, 'B', 4, 'LOST');
    await issued(world, house, 'B', 6);
    expect(await figures(third)).toBe('DONE 10 10 10 0 0');
    const { issues } = await dataOf(house, (await batchOf(house, third)).id);
    expect(issues.map((row) => [row.kind, row.qty])).toEqual([
      ['LOSS', 4],
      ['SALE', 6],
    ]);
  });

  it('shows costs to those who may see them, and to nobody else', async () => {
    const picker = await world.member(owner, [VIEW, EXPORT]);
    const { records, totals } = await picker.call(listBatches, { body: { filter: {} } });
    expect(records).toHaveLength(3);
    expect(records.every((row) => !('purchase' in row) && !('variance' in row) && !('provisional' in row))).toBe(true);
    expect(Object.keys(totals ?? {}).sort()).toEqual(['gap', 'issued', 'left', 'received', 'shipped']);
    const seen = await picker.call(batchData, { params: { id: records[0]?.id ?? '' } });
    expect(seen.freight).toBeNull();
    expect(seen.issues.every((row) => !('amount' in row) && !('purchase' in row))).toBe(true);
    const blind = await world.member(owner, [VIEW, EDIT]);
    await expect(
      blind.call(setBatchCost, {
        body: {
          id: records[0]?.id ?? '',
          component: 'purchase',
          value: '1',
          before: '1',
          reason: '试',
          clientId: randomUUID(),
        },
      }),
    ).rejects.toThrow('403');
    const file = await owner.send(exportBatches, { body: { format: 'xlsx', filter: {} } });
    const cells = (await readSheet(file.raw)).flat();
    expect(cells).toContain('头程成本');
    expect(cells).toContain((await owner.call(shipOrderDetail, { params: { id: first } })).order.number);
  });
});
