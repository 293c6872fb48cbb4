import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal, plainDecimal, sum } from '#kit/contract/decimal.ts';
import { orderDetail, orderSteps, saveOrder } from '#modules/purchase/contract/order-calls.ts';
import { receiveGoods } from '#modules/purchase/contract/receipt.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/contract.ts';
import { addCost, post } from '#modules/warehouse/server/index.ts';
import { createHouse, type House, productOf } from '#test/support/house.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { CLOSE, COST, EDIT, REOPEN, VIEW } from '../contract/fields.ts';
import {
  freezeMonth,
  listWorthMonths,
  readWriteDowns,
  rebuildWorth,
  reopenMonth,
  saveWriteDown,
} from '../contract/months.ts';
import { listWorth, worthDiff, worthSummary, worthTrend } from '../contract/worth.ts';
import { keepUp } from '../server/make/job.ts';
import { type Site, shipped, tellStock } from './support.ts';

const DAY_MS = 86_400_000;
const plain = (amount: string | null | undefined) => plainDecimal(amount ?? '0');

let world: World;
let house: House;
let owner: Person;
let site: Site;
let receipt: string;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A-1', 'B-1', 'C-1', 'D-1']);
  owner = house.owner;
  site = { account: (await makeSellerAccount(world, owner)).id, marketplaceId: US, msku: 'A-1' };
});
afterAll(() => world.close());

const keep = () => keepUp(world.runtime, owner.companyId);
const netOn = async (day: string) => {
  const { all, known } = await owner.call(worthSummary, { body: { filter: { day } } });
  return known ? new Decimal(all.net ?? 0).toFixed(2) : null;
};
const moved = (sku: string, qty: number, way: 'in' | 'out', unit: string, day?: string) =>
  world.as(house.owner, (ctx) => {
    const here = { warehouse: house.main, status: 'AVAILABLE' } as const;
    const product = productOf(house, sku);
    return post(ctx, {
      source: { type: 'test', id: randomUUID(), event: way, number: 'D1' },
      ...(day ? { day } : {}),
      moves: [
        way === 'in'
          ? { product, qty, from: 'OPENING', to: here, cost: { unit } }
          : { product, qty, from: here, to: 'CUSTOMER' },
      ],
    });
  });

test('days that were missed are told by the books of those days; a day that nobody knows is not a day of nothing', async () => {
  receipt = (await moved('A-1', 100, 'in', '10')).id;
  await keep();
  expect(await netOn('2026-11-18')).toBe('1000.00');
  await world.advance(2 * DAY_MS);
  await moved('A-1', 30, 'out', '10');
  await tellStock(world, house, site, { unsellable: 4 });
  await world.as(house.owner, (ctx) =>
    addCost(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'freight', number: 'YF1' },
      posting: receipt,
      component: 'localFreight',
      values: [{ move: 0, amount: '50' }],
    }),
  );
  await world.advance(DAY_MS);
  await keep();
  expect(await netOn('2026-11-17')).toBeNull();
  expect(await netOn('2026-11-19')).toBe('1000.00');
  // 70 pieces are left, with their share of the freight; the four at Amazon's have no layer and no cost.
  expect(await netOn('2026-11-20')).toBe('735.00');
  const { records } = await owner.call(listWorth, { body: { filter: { day: '2026-11-20', by: 'STAGE' } } });
  expect(records.map((row) => [row.first, row.other, row.uncosted])).toEqual([
    // By the make-up of what the layer holds and held: 35 of 1,035.
    ['国内仓', '24.8551', 0],
    ['FBA不可售', null, 4],
  ]);
  const days = await owner.call(worthTrend, {
    body: { from: '2026-11-17', to: '2026-11-21', filter: { stages: ['LOCAL'] } },
  });
  expect(days.map(({ day, known, stages }) => `${day} ${known} ${stages.map((one) => plain(one.net))}`)).toEqual([
    '2026-11-17 false ',
    '2026-11-18 true 1000',
    '2026-11-19 true 1000',
    '2026-11-20 true 735',
    '2026-11-21 true 735',
  ]);
});

test('a document of a day that is over changes that day and those after it', async () => {
  await moved('B-1', 10, 'in', '2', '2026-11-19');
  await keep();
  expect(await netOn('2026-11-18')).toBe('1000.00');
  expect(await netOn('2026-11-19')).toBe('1020.00');
  expect(await netOn('2026-11-21')).toBe('755.00');
});

test('what is ordered is no stock of ours until it comes: shown where it is asked for, at the price of its order', async () => {
  const supplier = await owner.call(saveSupplier, { body: { shortName: '永康锐达' } });
  await owner.call(moveSupplier, { body: { id: supplier.id, action: 'activate' } });
  const lines = [{ productId: productOf(house, 'D-1'), qty: 40, unitPrice: '2.5' }];
  const { id } = await owner.call(saveOrder, { body: { supplierId: supplier.id, warehouseId: house.main, lines } });
  for (const step of ['submit', 'approve', 'place'] as const) await owner.call(orderSteps[step], { body: { id } });
  await keep();
  expect(await netOn('2026-11-21')).toBe('755.00');
  const asked = () => owner.call(worthSummary, { body: { filter: { stages: ['ORDERED'] } } });
  expect((await asked()).stages.map((row) => [row.qty, plain(row.gross)])).toEqual([[40, '100']]);
  const [line] = (await owner.call(orderDetail, { params: { id } })).lines;
  await owner.call(receiveGoods, { body: { id, lines: [{ lineId: line?.id ?? '', qty: 40, inspect: false }] } });
  await keep();
  expect((await asked()).stages).toEqual([]);
  expect(await netOn('2026-11-21')).toBe('855.00');
});

test('the effects of a difference add up to it, group by group, whatever happened in between', async () => {
  await world.advance(DAY_MS);
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return 1 + (seed % most);
  };
  for (let step = 0; step < 12; step += 1) {
    await moved(['A-1', 'B-1', 'C-1'][step % 3] ?? 'A-1', random(60), 'in', `${random(40)}.${random(9)}7`);
    if (step % 2) await moved('A-1', random(9), 'out', '0');
  }
  await moved('B-1', random(9), 'out', '0');
  await shipped(world, house, 'A-1', site.account, 'US', 30, 20);
  await tellStock(world, house, site, { fulfillable: 7, reserved: 3, unsellable: 5 });
  await owner.call(saveWriteDown, { body: { disposition: 'OTHER', validFrom: '2026-11-22', percent: '33.33' } });
  await keep();
  for (const by of ['STAGE', 'PRODUCT', 'PLACE', 'DISPOSITION'] as const) {
    const { total, rows } = await owner.call(worthDiff, {
      body: { from: '2026-11-18', to: '2026-11-22', by, filter: {} },
    });
    for (const row of [total, ...rows]) {
      const effects = sum([row.quantity, row.cost, row.fresh, row.gone, row.writeDown].map((part) => part ?? '0'));
      expect(new Decimal(row.after ?? 0).minus(row.before ?? 0).eq(effects), JSON.stringify(row)).toBe(true);
    }
    for (const key of ['before', 'quantity', 'cost', 'fresh', 'gone', 'writeDown', 'after'] as const)
      expect(new Decimal(sum(rows.map((row) => row[key] ?? '0'))).eq(total[key] ?? 0), `${by} ${key}`).toBe(true);
    expect([plain(total.before), await netOn('2026-11-22')]).toEqual([
      '1000',
      new Decimal(total.after ?? 0).toFixed(2),
    ]);
    expect(plain(total.quantity)).not.toBe('0');
    expect(new Decimal(total.writeDown ?? 0).isNegative()).toBe(true);
  }
});

test('a frozen month stays as it is; what comes late is told and falls into the next month', async () => {
  const now = async (month: string) => (await owner.call(listWorthMonths, {})).find((row) => row.month === month);
  const early = await owner.send(freezeMonth, { body: { month: '2026-11', version: 0 } });
  expect(early.msg).toBe('2026-11 尚未结束，不能冻结');
  await world.advance(10 * DAY_MS);
  // Sessions do not last so long.
  owner = await world.member(house.owner, [VIEW, EDIT, CLOSE, REOPEN, COST]);
  await keep();
  const unread = async () => {
    const { known, missingStocks } = await owner.call(worthSummary, { body: { filter: { day: '2026-11-30' } } });
    return known ? missingStocks : null;
  };
  expect(await unread()).toBe(1);
  for (const day of ['2026-11-30', '2026-12-02'])
    await tellStock(world, house, site, { fulfillable: 7, reserved: 3, unsellable: 5 }, day);
  await owner.call(rebuildWorth, { body: { from: '2026-11-30' } });
  const first = await world.work();
  await expect.poll(unread, { timeout: PATIENCE_MS }).toBe(0);
  // It makes the days after that one, too: its last one has to be there before somebody else makes any of them anew.
  await first.stop();
  const before = await netOn('2026-11-30');
  const picker = await world.member(house.owner, [VIEW]);
  expect((await picker.send(freezeMonth, { body: { month: '2026-11', version: 0 } })).code).not.toBe(0);
  expect(await owner.call(freezeMonth, { body: { month: '2026-11', version: 0 } })).toMatchObject({
    state: 'FROZEN',
    version: 1,
  });
  expect((await owner.send(freezeMonth, { body: { month: '2026-11', version: 1 } })).msg).toContain('已冻结');

  await moved('C-1', 10, 'in', '1.5', '2026-11-30');
  await keep();
  expect(await netOn('2026-11-30')).toBe(before);
  expect(await netOn('2026-12-02')).toBe(new Decimal(before ?? 0).plus(15).toFixed(2));
  expect(plain((await now('2026-11'))?.late)).toBe('15');
  const { total } = await owner.call(worthDiff, {
    body: { from: '2026-11-30', to: '2026-12-02', by: 'STAGE', filter: {} },
  });
  expect([plain(total.change), sum([total.quantity ?? '0', total.cost ?? '0'])]).toEqual(['15', '15']);
  expect(
    (await owner.send(saveWriteDown, { body: { disposition: 'OTHER', validFrom: '2026-11-05', percent: '10' } })).msg,
  ).toBe('2026-11 货值已冻结，请先解冻');
  const written = world.as(house.owner, (ctx) =>
    sql`UPDATE worth.line SET reserve = 0 WHERE company_id = ${ctx.companyId} AND month = '2026-11-01'`.execute(ctx.db),
  );
  await expect(written).rejects.toThrow('the month is frozen');

  expect((await owner.send(reopenMonth, { body: { month: '2026-11', version: 1, reason: ' ' } })).code).not.toBe(0);
  expect((await owner.send(reopenMonth, { body: { month: '2026-11', version: 7, reason: '补录' } })).status).toBe(409);
  await owner.call(reopenMonth, { body: { month: '2026-11', version: 1, reason: '补录' } });
  await owner.call(rebuildWorth, { body: { from: '2026-11-29' } });
  const worker = await world.work();
  await expect
    .poll(() => netOn('2026-11-30'), { timeout: PATIENCE_MS })
    .toBe(new Decimal(before ?? 0).plus(15).toFixed(2));
  await worker.stop();
  expect(await now('2026-11')).toMatchObject({ state: 'OPEN', reason: '补录', late: null });
});

test('how much is written down holds from a day on; the usual is all of what Amazon cannot sell', async () => {
  const { now, history } = await owner.call(readWriteDowns, {});
  expect(now.find((row) => row.disposition === 'OTHER')).toMatchObject({ validFrom: '2026-11-22', percent: '33.33' });
  expect(now.find((row) => row.disposition === 'EXPIRED')).toMatchObject({ validFrom: null, percent: '100' });
  expect(now.find((row) => row.disposition === 'LOCAL_DEFECT')).toMatchObject({ percent: '0' });
  expect(history).toHaveLength(1);
  const wrong = await owner.send(saveWriteDown, {
    body: { disposition: 'OTHER', validFrom: '2026-12-01', percent: '101' },
  });
  expect(wrong.msg).toContain('减值比例应在 0 到 100 之间');
});
