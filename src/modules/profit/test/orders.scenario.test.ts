import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { type FileLine, makeAccount, settle } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { exportOrderProfit, listOrderProfit, type OrderProfitFilter } from '../contract/order.ts';
import { fold, foldOrderMoney, orderRollup, rebuildOrders } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const GOOD = '113-1111111-1111111';
const BAD = '113-2222222-2222222';
const DEAR = '113-3333333-3333333';

const line = (orderId: string, sku: string, what: [string, string], amount: string, more: Partial<FileLine> = {}) => ({
  orderId,
  sku,
  marketplaceName: 'Amazon.com',
  amountType: what[0],
  amountDescription: what[1],
  amount,
  ...more,
});
const PRINCIPAL: [string, string] = ['ItemPrice', 'Principal'];
const COMMISSION: [string, string] = ['ItemFees', 'Commission'];
const FBA: [string, string] = ['ItemFees', 'FBAPerUnitFulfillmentFee'];

const LINES: FileLine[] = [
  line(GOOD, 'A', PRINCIPAL, '40.00', { quantity: 2 }),
  line(GOOD, 'A', COMMISSION, '-6.00'),
  line(GOOD, 'A', FBA, '-7.50'),
  line(BAD, 'A', PRINCIPAL, '20.00', { quantity: 1 }),
  line(BAD, 'A', COMMISSION, '-3.00'),
  line(BAD, 'A', PRINCIPAL, '-20.00', { transactionType: 'Refund', postedAt: '2026-01-14T12:00:00Z' }),
  line(DEAR, 'B', PRINCIPAL, '99.99', { quantity: 1 }),
  {
    amountType: 'other-transaction',
    amountDescription: 'Storage Fee',
    amount: '-5.00',
    transactionType: 'other-transaction',
  },
];

describe('the money of orders', () => {
  let owner: Person;
  const list = (filter: OrderProfitFilter = {}, person = owner) => person.call(listOrderProfit, { body: { filter } });
  const numbers = async (filter: OrderProfitFilter) =>
    (await list(filter)).records.map((row) => row.orderId).toSorted();
  beforeAll(async () => {
    owner = await world.owner();
    const account = await makeAccount(world, owner);
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '35.50', validFrom: '2026-01-01' } });
    await settle(world, owner, account, LINES);
    await fold(world, owner);
    await foldOrderMoney(world, owner);
  });

  it('is each order whole: what it brought, what its goods cost, what is left', async () => {
    const { records, totals } = await list();
    expect(records).toHaveLength(3);
    const good = records.find((row) => row.orderId === GOOD);
    expect(good).toMatchObject({
      state: 'settled',
      units: 2,
      refundUnits: 0,
      sales: '40',
      commission: '-6',
      fba: '-7.5',
      net: '26.5',
      orderKey: null,
    });
    // Two pieces of 35.50 CNY; the company has no rate of its own for January 2026.
    const cost = new Decimal('71').div(PRESET_RATES.USD ?? Number.NaN);
    const near = (amount: string | null | undefined) => new Decimal(amount ?? Number.NaN).toFixed(4);
    expect(near(good?.cogs)).toBe(cost.neg().toFixed(4));
    expect(near(good?.profit)).toBe(new Decimal('26.5').minus(cost).toFixed(4));
    expect(near(good?.margin)).toBe(new Decimal('26.5').minus(cost).div(40).toFixed(4));
    expect(records.find((row) => row.orderId === BAD)).toMatchObject({ refund: '-20', refundUnits: 1, net: '-3' });
    expect(new Decimal(String(totals?.net)).toFixed(2)).toBe('123.49');
  });

  it('is found by its result, by a refund, by a number and by a SKU that nobody ordered', async () => {
    expect(await numbers({ result: 'gain' })).toEqual([GOOD]);
    expect(await numbers({ result: 'loss' })).toEqual([BAD]);
    expect(await numbers({ result: 'unknown' })).toEqual([DEAR]);
    expect(await numbers({ refunded: true })).toEqual([BAD]);
    expect(await numbers({ orderIds: [DEAR], date: { from: '2030-01-01' } })).toEqual([DEAR]);
    expect(await numbers({ date: { from: '2030-01-01' } })).toEqual([]);
    expect(await numbers({ sku: 'nobody' })).toEqual([]);
  });

  it('keeps costs from those who may not see them, and from other companies', async () => {
    const clerk = await world.member(owner, ['fin:profit:view', 'fin:profit:export']);
    const { records } = await list({}, clerk);
    expect(records).toHaveLength(3);
    expect(records.some((row) => 'cogs' in row || 'profit' in row || 'margin' in row)).toBe(false);
    expect((await clerk.send(listOrderProfit, { body: { filter: { result: 'loss' } } })).status).toBe(403);
    const file = await clerk.send(exportOrderProfit, { body: { filter: {}, format: 'csv' } });
    const text = file.raw.toString('utf8');
    expect(text).toContain(GOOD);
    expect(text).not.toContain('采购成本');
    const stranger = await world.owner();
    expect((await list({}, stranger)).records).toEqual([]);
  });

  it('follows a cost that becomes known later', async () => {
    await owner.call(saveCost, { body: { sku: 'B', unitCost: '7.10', validFrom: '2026-01-01' } });
    await foldOrderMoney(world, owner);
    expect(await numbers({ result: 'unknown' })).toEqual([]);
    expect(await numbers({ result: 'gain' })).toEqual([GOOD, DEAR]);
  });
});

const ORDERS = [GOOD, BAD, DEAR, undefined];
const sale = fc.record({
  order: fc.constantFrom(...ORDERS),
  sku: fc.constantFrom('A', 'B'),
  kind: fc.constantFrom(PRINCIPAL, COMMISSION, FBA),
  refund: fc.boolean(),
  cents: fc.integer({ min: -5_000, max: 9_000 }).filter((n) => n !== 0),
  day: fc.integer({ min: 1, max: 28 }),
  quantity: fc.integer({ min: 1, max: 4 }),
});
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('file' as const),
      id: fc.integer({ min: 1, max: 3 }),
      lines: fc.array(sale, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('cost' as const),
      sku: fc.constantFrom('A', 'B'),
      cents: fc.integer({ min: 1, max: 5_000 }),
      day: fc.integer({ min: 1, max: 28 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ what: 'fold' as const }) },
  { weight: 2, arbitrary: fc.constant({ what: 'orders' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const postedAt = (day: number) => new Date(Date.UTC(2026, 0, day, 20)).toISOString();

async function take(person: Person, account: AccountRef, one: Step): Promise<void> {
  if (one.what === 'fold') await fold(world, person);
  else if (one.what === 'orders') await foldOrderMoney(world, person);
  else if (one.what === 'cost') {
    const validFrom = postedAt(one.day).slice(0, 10);
    await person.call(saveCost, { body: { sku: one.sku, unitCost: (one.cents / 100).toFixed(2), validFrom } });
  } else {
    const lines = one.lines.map(({ order, sku, kind, refund, cents, day, quantity }) => ({
      ...line(order ?? '', sku, kind, (cents / 100).toFixed(2), { quantity, postedAt: postedAt(day) }),
      ...(refund ? { transactionType: 'Refund' } : {}),
    }));
    await settle(world, person, account, lines, { id: `1500000000${one.id}` });
  }
}

/** All counted lines of orders, by order and currency. */
async function ledgerByOrder(person: Person): Promise<string[]> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<{ row: string }>`
      SELECT concat_ws(' ', l.order_id, l.currency, sum(l.amount)::numeric(18, 2)) AS row
        FROM settlement.money_line AS l
        JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
       WHERE l.company_id = ${ctx.companyId} AND l.order_id IS NOT NULL AND l.pl_section <> 'BALANCE'
       GROUP BY l.order_id, l.currency ORDER BY 1`.execute(ctx.db);
    return rows.map(({ row }) => row);
  });
}

it('after any arrivals, costs and counts it is what a count from nothing gives, and all that names an order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const person = await world.owner();
      const account = await makeAccount(world, person);
      for (const one of steps) await take(person, account, one);
      await foldOrderMoney(world, person);
      const incremental = await orderRollup(world, person);
      await rebuildOrders(world, person);
      expect(await orderRollup(world, person)).toEqual(incremental);
      const { records } = await person.call(listOrderProfit, { body: { filter: {} } });
      const told = records.map(
        (row) => `${row.orderId} ${row.currency} ${new Decimal(row.net ?? Number.NaN).toFixed(2)}`,
      );
      expect(told.toSorted()).toEqual(await ledgerByOrder(person));
    }),
    { numRuns: 15 },
  );
});
