import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#kit/server/context.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { countQuoteRequests, listQuoteRequests } from '../../contract/quote-request/calls.ts';
import { requestPage } from '../../server/quote-request/list.ts';
import { detail } from '../support.ts';
import { type Asker, asked, createAsker, planned } from './support.ts';

let world: World;
let house: Asker;
let order: string;
/** As many as a very large seller asks in some years; a third is open, most of it over. One of a hundred is of one order. */
const MANY = 100_000;

beforeAll(async () => {
  world = await createWorld();
  house = await createAsker(world);
  const id = await planned(world, house, 20);
  order = (await detail(house, id)).order.number;
  await asked(world, house, [id]);
  await world.as(house.owner, async (ctx) => {
    await sql`
      INSERT INTO shipping.quote_request (company_id, number, state, warehouse_id, account_ids, country, divisor, until)
      SELECT ${ctx.companyId}, 'WX25' || lpad(n::text, 8, '0'), (ARRAY['asking', 'booked', 'closed'])[n % 3 + 1], ${house.main},
             ARRAY[${house.account}::uuid], 'US', 6000, kit.day(kit.now()) - n % 300
        FROM generate_series(1, ${MANY}) AS n`.execute(ctx.db);
    await sql`
      INSERT INTO shipping.quote_request_order (company_id, request_id, order_id, line_no, boxes, pieces, weight, volumetric,
        volume, estimated, specs)
      SELECT company_id, id, ${id}, 1, 4, 80, 50, 40, 0.24, true, '[]' FROM shipping.quote_request AS q
       WHERE company_id = ${ctx.companyId} AND number LIKE '%00' AND NOT EXISTS (SELECT FROM shipping.quote_request_order AS r
         WHERE r.company_id = q.company_id AND r.request_id = q.id)`.execute(ctx.db);
  });
  // As autovacuum would, some time or other: what the page reads must not hang on when.
  const admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  await admin.query('ANALYZE shipping.quote_request, shipping.quote_request_order, shipping.ship_order');
  await admin.end();
});
afterAll(() => world.close());

/** Rows of requests that this connection has read of late, by an index or without: also what transactions before have not told yet. */
async function readThrough(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int AS n FROM pg_stat_xact_user_tables
     WHERE schemaname = 'shipping' AND relname = 'quote_request'`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** Rows of requests that a page reads, and numbers on it. */
const read = (filter: object) =>
  world.as(house.owner, async (ctx) => {
    const before = await readThrough(ctx);
    const { records } = await requestPage(ctx, listQuoteRequests.body.parse({ filter }) as never);
    ctx.audited = true;
    return { through: (await readThrough(ctx)) - before, numbers: records.map((one) => one.number) };
  });

it('a hundred thousand requests are listed by state and searched without being read through', async () => {
  const counts = await house.buyer.call(countQuoteRequests, { body: {} });
  expect(counts.all).toBe(MANY + 1);
  expect((counts.asking ?? 0) + (counts.expired ?? 0)).toBeGreaterThan(MANY / 4);
  for (const filter of [{}, { state: 'asking' }, { state: 'expired' }, { state: 'closed' }]) {
    const { through, numbers } = await read(filter);
    expect(numbers, JSON.stringify(filter)).toHaveLength(20);
    // Counting goes on until it is exact enough, row by row where that is cheapest, and never to the end.
    expect(through, JSON.stringify(filter)).toBeLessThan(MANY / 2);
  }
  const one = await read({ keyword: 'wx2500012345' });
  expect(one.numbers).toEqual(['WX2500012345']);
  expect(one.through).toBeLessThan(100);
  // A thousand and one are of this order.
  expect((await read({ keyword: order.slice(0, 10) })).through).toBeLessThan(MANY / 10);
});
