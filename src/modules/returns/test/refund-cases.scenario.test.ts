import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import { returnsTouched } from '#modules/inventory/server/index.ts';
import { ordersTouched } from '#modules/order/server/index.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { sweepRefundsJob } from '../server/refund/mark.ts';
import { book, buy, comeBack, foldCases, markAll, orderNumber, sendBack } from './support.ts';

const FIRST = '2026-03-01';
const SKUS = ['A', 'B'];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** What happens next to one of three orders. */
const happening = fc.record({
  what: fc.constantFrom('sale', 'refund', 'back', 'home', 'void', 'unsaid', 'fold'),
  order: fc.nat(2),
  sku: fc.constantFrom(...SKUS),
  day: fc.nat(20),
  cents: fc.integer({ min: 1, max: 9999 }),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const mark = (ctx: Ctx, account: string, doc: string) =>
  sql`INSERT INTO returns.refund_dirty (company_id, account_id, source_doc_id) VALUES (${ctx.companyId}, ${account}, ${doc})`.execute(
    ctx.db,
  );

async function cases(ctx: Ctx): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT * FROM returns.refund_case WHERE company_id = ${ctx.companyId} ORDER BY order_id, seller_sku`.execute(
    ctx.db,
  );
  return rows;
}

/** Lets one thing happen, as the loaders tell it: money by its document, returns by their days. */
async function happen(
  ctx: Ctx,
  account: string,
  orders: readonly string[],
  one: Happening,
  docs: string[],
): Promise<void> {
  const { what, sku, cents } = one;
  const order = orders[one.order] ?? '';
  const day = dayAfter(FIRST, one.day);
  const amount = (cents / 100).toFixed(2);
  const at = { account, sku, order, day };
  if (what === 'sale' || what === 'refund') {
    const lines =
      what === 'sale'
        ? ([['Order', 'PRINCIPAL', amount]] as const)
        : ([['Refund', 'REFUND_PRINCIPAL', `-${amount}`]] as const);
    const doc = await book(ctx, { ...at, lines });
    docs.push(doc);
    await mark(ctx, account, doc);
  }
  if (what === 'void') {
    // A settlement takes a transaction's place: its lines do not count any more.
    const doc = docs.pop();
    if (doc === undefined) return;
    await sql`UPDATE settlement.source_doc SET state = 'SUPERSEDED' WHERE company_id = ${ctx.companyId} AND id = ${doc}`.execute(
      ctx.db,
    );
    await mark(ctx, account, doc);
  }
  if (what === 'back' || what === 'home') {
    await (what === 'back' ? comeBack(ctx, at) : sendBack(ctx, at));
    await emit(ctx, returnsTouched, { accountId: account, from: day, to: day });
  }
  if (what === 'unsaid') {
    // A newer report of the day has none of it.
    await sql`DELETE FROM inventory.customer_return WHERE company_id = ${ctx.companyId} AND day = ${day}`.execute(
      ctx.db,
    );
    await emit(ctx, returnsTouched, { accountId: account, from: dayAfter(day, -1), to: dayAfter(day, 1) });
  }
  if (what === 'fold') await foldCases(ctx);
}

test('after anything that happens to orders their cases are those of a count from nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40 }), async (all) => {
      const owner = await world.owner();
      const account = (await makeSellerAccount(world, owner)).id;
      await world.as(owner, async (ctx) => {
        const orders: string[] = [];
        for (const sku of [...SKUS, 'A']) orders.push(await buy(ctx, { account, sku, day: FIRST }));
        const docs: string[] = [];
        for (const one of all) await happen(ctx, account, orders, one, docs);
        await foldCases(ctx);
        const grown = await cases(ctx);
        await sql`DELETE FROM returns.refund_case WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
        await markAll(ctx);
        await foldCases(ctx);
        expect(grown).toEqual(await cases(ctx));
      });
    }),
    { numRuns: 25 },
  );
});

test('an order that was refunded before it was read gives its case what it knows', async () => {
  const owner = await world.owner();
  const account = (await makeSellerAccount(world, owner)).id;
  await world.as(owner, async (ctx) => {
    const order = orderNumber();
    const goods = { account, sku: 'LATE', order };
    await book(ctx, { ...goods, day: '2026-03-09', lines: [['Refund', 'REFUND_PRINCIPAL', '-5.00']] });
    await markAll(ctx);
    await foldCases(ctx);
    const known = { order_id: order, refund: '5.0000', refunded_on: '2026-03-09' };
    expect(await cases(ctx)).toMatchObject([{ ...known, ordered: null, paid: null, channel: null }]);
    await buy(ctx, { ...goods, day: FIRST });
    await sql`CREATE TEMP TABLE touched_orders ON COMMIT DROP AS
      SELECT ${account}::uuid AS account_id, ${US} AS marketplace_id, ${FIRST}::date AS local_date, 'LATE' AS seller_sku,
             ${`${FIRST}T20:00:00Z`}::timestamptz AS slot`.execute(ctx.db);
    await emit(ctx, ordersTouched, { table: 'touched_orders' });
    await foldCases(ctx);
    expect(await cases(ctx)).toMatchObject([{ ...known, ordered: 1, paid: '20.0000', channel: 'FBA' }]);
  });
});

test('cases that a migration marked are added up although nothing happens', async () => {
  const owner = await world.owner();
  const account = (await makeSellerAccount(world, owner)).id;
  await world.as(owner, async (ctx) => {
    await book(ctx, {
      account,
      sku: 'OLD',
      order: orderNumber(),
      day: FIRST,
      lines: [['Refund', 'REFUND_PRINCIPAL', '-5.00']],
    });
    await markAll(ctx);
  });
  await sweepRefundsJob.run(world.runtime, {} as never);
  await world.advance(2_000);
  await world.work();
  await expect
    .poll(() => world.as(owner, cases), { timeout: PATIENCE_MS })
    .toMatchObject([{ seller_sku: 'OLD', refund: '5.0000' }]);
});
