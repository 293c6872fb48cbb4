import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { countQuoteRequests, listQuoteRequests } from '../../contract/quote-request/calls.ts';
import { requestPage } from '../../server/quote-request/list.ts';
import { detail } from '../support.ts';
import { type Asker, asked, createAsker, planned } from './support.ts';

let world: World;
let house: Asker;
let order: string;
/** As many as a very large seller asks in some years; a third is open, most of it over. */
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
       WHERE company_id = ${ctx.companyId} AND NOT EXISTS (SELECT FROM shipping.quote_request_order AS r
         WHERE r.company_id = q.company_id AND r.request_id = q.id)`.execute(ctx.db);
  });
});
afterAll(() => world.close());

/** Rows of requests that a page reads one by one through the whole table, and numbers on it. */
const read = (filter: object) =>
  world.as(house.owner, async (ctx) => {
    const { records } = await requestPage(ctx, listQuoteRequests.body.parse({ filter }) as never);
    const { rows } = await sql<{ n: number }>`
      SELECT seq_tup_read::int AS n FROM pg_stat_xact_user_tables
       WHERE schemaname = 'shipping' AND relname = 'quote_request'`.execute(ctx.db);
    ctx.audited = true;
    return { through: rows[0]?.n, numbers: records.map((one) => one.number) };
  });

it('a hundred thousand requests are listed by state and searched without being read through', async () => {
  const counts = await house.buyer.call(countQuoteRequests, { body: {} });
  expect(counts.all).toBe(MANY + 1);
  expect((counts.asking ?? 0) + (counts.expired ?? 0)).toBeGreaterThan(MANY / 4);
  for (const filter of [{}, { state: 'asking' }, { state: 'expired' }, { state: 'closed' }]) {
    const { through, numbers } = await read(filter);
    expect(numbers, JSON.stringify(filter)).toHaveLength(20);
    expect(through, JSON.stringify(filter)).toBe(0);
  }
  expect(await read({ keyword: 'wx2500012345' })).toEqual({ through: 0, numbers: ['WX2500012345'] });
  expect((await read({ keyword: order.slice(0, 10) })).through).toBe(0);
});
