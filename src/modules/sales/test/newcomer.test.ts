import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#kit/server/context.ts';
import { deliver, makeSeller, type Order, rowsOf } from '#test/support/sold.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { foldOnce } from '../server/fold.ts';

const ORDERS = 600;
const SKUS = 12;

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const orders: Order[] = Array.from({ length: ORDERS }, (_, n) => ({
  id: `N${n}`,
  at: new Date(Date.UTC(2026, 9, 1) + n * 40 * 60_000).toISOString(),
  lines: [0, 1].map((part) => ({ sku: `S${(n + part) % SKUS}`, quantity: 1, price: '9.99' })),
}));

/** Statistics that know the first company only, as autovacuum leaves them until a newcomer is a fifth of the table. */
async function analyse(): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  await client.query('ANALYZE "order".amazon_order, "order".amazon_order_line, sales.sku_day, sales.slot');
  await client.end();
}

/** Rows of orders and of their lines that this connection has read of late. */
async function rowsRead(ctx: Ctx): Promise<number> {
  const [counted] = await rowsOf(
    ctx,
    `SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0) AS n FROM pg_stat_xact_user_tables
      WHERE schemaname = 'order' AND relname IN ('amazon_order', 'amazon_order_line')`,
  );
  return Number(counted?.n);
}

it('a company that has just come to a full database is folded by looking up each line once, not by walking', async () => {
  const established = await world.owner('早已在用');
  const first = await makeSeller(world, established);
  await world.as(established, (ctx) => deliver(ctx, first, orders));
  await world.as(established, (ctx) => foldOnce(ctx, first.accountId));
  await analyse();
  const newcomer = await world.owner('刚刚到来');
  const seller = await makeSeller(world, newcomer);
  await world.as(newcomer, (ctx) => deliver(ctx, seller, orders));
  const read = await world.as(newcomer, async (ctx) => {
    // The counters of a connection keep what its last transactions read until they are handed on, once a second at most.
    const before = await rowsRead(ctx);
    expect(await foldOnce(ctx, seller.accountId)).toBeGreaterThan(ORDERS);
    return (await rowsRead(ctx)) - before;
  });
  const lines = 2 * ORDERS;
  // Each line and its order, once for the SKUs and once for the half hours.
  expect(read).toBeGreaterThanOrEqual(2 * lines);
  expect(read).toBeLessThanOrEqual(5 * lines);
});
