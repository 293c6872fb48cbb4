import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import type { OrderFilter } from '../contract/order.ts';
import { countOrders, listOrders, orderSteps, saveOrder } from '../contract/order-calls.ts';
import { recountOrders } from '../server/order/sums.ts';
import {
  type Buyers,
  createBuyers,
  detailOf,
  draftOrder,
  placedOrder,
  productOf,
  receive,
  warehouse,
} from './support.ts';

let world: World;
let buyers: Buyers;
let second: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B']);
  second = await world.as(buyers.owner, (ctx) => warehouse(ctx, 'NB', '宁波仓', 'GOOD'));
});
afterAll(() => world.close());

/** Cells that do not say what their orders say; empty where the sums hold to the last digit. */
const wrong = () =>
  world.as(buyers.owner, async (ctx) => {
    const key = sql`company_id, day, warehouse_id, type, stage, currency`;
    const { rows } = await sql<{ day: string; stage: string }>`
      WITH kept AS (
        SELECT ${key}, sum(orders) AS n, sum(qty) AS q, sum(received_qty) AS r, sum(open_qty) AS w, sum(amount) AS a,
               sum(due_amount) AS d, sum(paid_amount) AS p
          FROM purchase.order_sum GROUP BY ${key}
        HAVING (sum(orders), sum(qty), sum(received_qty), sum(open_qty), sum(amount), sum(due_amount), sum(paid_amount))
               IS DISTINCT FROM (0::numeric, 0::numeric, 0::numeric, 0::numeric, 0::numeric, 0::numeric, 0::numeric)
      ), fresh AS (
        SELECT company_id, (created_at AT TIME ZONE 'Asia/Shanghai')::date AS day, warehouse_id, type, stage, currency,
               count(*) AS n, sum(qty) AS q, sum(received_qty) AS r, coalesce(sum(open_qty) FILTER (WHERE state = 'ordered'), 0) AS w,
               sum(amount) AS a, sum(due_amount) AS d, sum(paid_amount) AS p
          FROM purchase.purchase_order GROUP BY 1, 2, 3, 4, 5, 6)
      SELECT coalesce(kept.day, fresh.day) AS day, coalesce(kept.stage, fresh.stage) AS stage
        FROM kept FULL JOIN fresh USING (${key})
       WHERE (kept.n, kept.q, kept.r, kept.w, kept.a, kept.d, kept.p)
             IS DISTINCT FROM (fresh.n, fresh.q, fresh.r, fresh.w, fresh.a, fresh.d, fresh.p)`.execute(ctx.db);
    return rows;
  });

const rowsOf = (which: 'all' | 'inexact') =>
  world.as(buyers.owner, async (ctx) => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM purchase.order_sum WHERE ${which === 'all'} OR NOT exact`.execute(ctx.db);
    return rows[0]?.n ?? 0;
  });

const recount = () => world.as(buyers.owner, recountOrders);

const listed = async (filter: OrderFilter) => {
  const { total, totals } = await buyers.owner.call(listOrders, { body: { pagesize: 1, filter } });
  const counts = await buyers.owner.call(countOrders, { body: { filter } });
  return { total, totals, counts };
};

it('every step of an order is in the sums of its day, in its own transaction', async () => {
  const { id } = await draftOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '3.333333' }]);
  expect(await wrong()).toEqual([]);
  const line = { productId: productOf(buyers, 'B'), qty: 7, unitPrice: '1.25' };
  await buyers.owner.call(saveOrder, {
    body: { id, supplierId: buyers.supplier, warehouseId: second, currency: 'USD', lines: [line] },
  });
  expect(await wrong()).toEqual([]);
  const placed = await placedOrder(buyers, [
    { sku: 'A', qty: 100, unitPrice: '3.333333' },
    { sku: 'B', qty: 10 },
  ]);
  await receive(buyers, placed.id, 'A', 60);
  await receive(buyers, placed.id, 'B', 4, true);
  expect(await wrong()).toEqual([]);
  const { id: gone } = await draftOrder(buyers, [{ sku: 'B', qty: 5 }]);
  await buyers.owner.call(orderSteps.discard, { body: { id: gone, reason: '不要了' } });
  expect(await wrong()).toEqual([]);
  expect((await detailOf(buyers, placed.id)).order.stage).toBe('inspecting');
});

it('answers a list from the sums with what the orders themselves add up to', async () => {
  // The keyword is one that every number has: the same orders, but the sums by day do not know it.
  for (const filter of [
    {},
    { stage: ['inspecting'] },
    { warehouse: [buyers.main] },
    { type: 'GOODS' },
  ] as OrderFilter[]) {
    expect(await listed(filter)).toEqual(await listed({ ...filter, keyword: ['PO'] }));
  }
  const { totals, counts } = await listed({});
  expect(counts).toEqual({ draft: 1, inspecting: 1, void: 1, all: 3 });
  expect(totals).toMatchObject({ mixed: 2, amount: null, 'amount.USD': '8.7500', 'amount.CNY': '348.3300' });
  expect((await listed({ created: { from: '2020-01-01', to: '2020-01-02' } })).counts).toEqual({ all: 0 });
});

it('rows of changes become one row a cell, whatever happens meanwhile', async () => {
  expect(await rowsOf('inexact')).toBeGreaterThan(10);
  await recount();
  expect([await rowsOf('all'), await rowsOf('inexact')]).toEqual([3, 0]);
  expect(await wrong()).toEqual([]);
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      n % 3 === 2 ? recount() : draftOrder(buyers, [{ sku: 'A', qty: 3 + n, unitPrice: '2.5' }]),
    ),
  );
  expect(await wrong()).toEqual([]);
  await recount();
  expect(await wrong()).toEqual([]);
  expect(await rowsOf('inexact')).toBe(0);
  expect((await listed({ stage: ['draft'] })).total).toBe(9);
});

it('who reaches one warehouse reads its sums only, and may take an order over from one he only sees', async () => {
  const { main, owner } = buyers;
  const { connections } = world.runtime;
  const every = { store: null, account: null };
  const scope = (read: string[], write: string[]) => ({
    dataScope: { read: { ...every, warehouse: read }, write: { ...every, warehouse: write } },
  });
  const seen = await connections.tenant(
    owner.companyId,
    (db) => sql<{ n: number }>`SELECT sum(orders)::int AS n FROM purchase.order_sum`.execute(db),
    scope([second], []),
  );
  expect(seen.rows).toEqual([{ n: 1 }]);
  const taken = await connections.tenant(
    owner.companyId,
    (db) => sql`UPDATE purchase.purchase_order SET warehouse_id = ${main} WHERE warehouse_id = ${second}`.execute(db),
    scope([main, second], [main]),
  );
  expect(taken.numAffectedRows).toBe(1n);
  expect(await wrong()).toEqual([]);
  expect((await listed({ warehouse: [second] })).total).toBe(0);
});
