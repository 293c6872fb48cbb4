import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditCompany } from '#modules/sales/server/index.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { US } from '#test/support/seller.ts';
import type { Person } from '#test/support/world.ts';
import { type CheckRow, countChecks, salesCheck, whyDiffers } from '../contract/check.ts';

const SELLER = 'A1SANDBOX0001';
const ALL = { dates: { from: '2026-06-01' } };
/** A day in the middle of the simulated business. */
const DAY = '2026-07-01';

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  ({ accountId } = await connectStore(owner, SELLER));
  await untilSynced(owner, accountId);
});
afterAll(() => world.close());

async function days(filter: object = ALL): Promise<CheckRow[]> {
  const { records } = await owner.call(salesCheck.list, { body: { filter, pagesize: 100 } });
  return records;
}

const why = (day = DAY) => owner.call(whyDiffers, { query: { accountId, marketplaceId: US, day } });

/** Changes what we have of a day, as a fault of ours would. */
const tamper = (change: ReturnType<typeof sql>) =>
  world.as(owner, (ctx) =>
    sql`UPDATE sales.store_day SET ${change}
         WHERE ctid = (SELECT ctid FROM sales.store_day WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
                          AND marketplace_id = ${US} AND local_date = ${DAY}::date AND units > 2 LIMIT 1)`.execute(
      ctx.db,
    ),
  );

test('every day that is over is counted as Amazon counts it, the one that is not over waits', async () => {
  // Sums are folded in the background.
  await expect
    .poll(() => owner.call(countChecks, { body: { filter: ALL } }), { timeout: PATIENCE_MS })
    .toMatchObject({ equal: 88, pending: 2, all: 90 });
  const rows = await days();
  const us = rows.filter((row) => row.marketplaceId === US);
  // 45 days of business, of which the last is not over.
  expect(us.filter((row) => row.verdict === 'equal').length).toBeGreaterThan(35);
  expect(us[0]).toMatchObject({ day: '2026-07-15', verdict: 'pending' });
  const account = world.sandbox.business.accounts.find((one) => one.sellingPartnerId === SELLER);
  if (!account) throw new Error(`the sandbox does not know ${SELLER}`);
  const from = Date.parse('2026-07-01T07:00:00Z');
  const sold = world.sandbox.business
    .orders(
      account,
      { marketplaceIds: [US], by: 'created', from, to: from + 86_400_000 - 1 },
      world.sandbox.clock.now(),
    )
    .filter((order) => !['CANCELLED', 'UNFULFILLABLE'].includes(order.status) && !order.isReplacement);
  expect(sold.length).toBeGreaterThan(0);
  expect(us.find((row) => row.day === DAY)).toMatchObject({
    orders: sold.length,
    ownOrders: sold.length,
    units: sold.flatMap((order) => order.items).reduce((sum, item) => sum + item.quantityOrdered, 0),
    orderGap: 0,
    unitGap: 0,
    salesGap: expect.stringMatching(/^0(\.0+)?$/),
  });
});

test('a day of which we have too much is to be looked into, until the rollup is made again', async () => {
  await tamper(sql`units = units + 1, product_sales = product_sales + 9.99`);
  const [row, ...others] = await days({ ...ALL, verdict: ['differs'] });
  expect(others).toEqual([]);
  expect(row).toMatchObject({ day: DAY, unitGap: 1, orderGap: 0, salesGap: '9.9900' });
  const counts = await owner.call(countChecks, { body: { filter: { ...ALL, verdict: ['equal'] } } });
  expect(counts.differs).toBe(1);
  expect((await why()).causes.filter((cause) => cause.explains)).toEqual([]);
  await world.as(owner, (ctx) => auditCompany(ctx, 1));
  expect(await days({ ...ALL, verdict: ['differs'] })).toEqual([]);
});

test('pieces that were cancelled and that Amazon counts still are a reason', async () => {
  await tamper(sql`units = units - 2, cancelled_units = 2, product_sales = product_sales - 20`);
  await world.as(owner, (ctx) =>
    sql`UPDATE sales.store_day SET cancelled_units = 0
         WHERE company_id = ${ctx.companyId} AND marketplace_id = ${US} AND local_date = ${DAY}::date
           AND cancelled_units <> 2`.execute(ctx.db),
  );
  const { row, causes } = await why();
  expect(row).toMatchObject({ verdict: 'explained', unitGap: -2 });
  expect(causes[0]).toMatchObject({ code: 'cancelled', units: 2, explains: true });
  await world.as(owner, (ctx) => auditCompany(ctx, 1));
});

test('another company sees none of it', async () => {
  const stranger = await world.owner();
  expect(await stranger.call(countChecks, { body: { filter: ALL } })).toEqual({ all: 0 });
  await expect(stranger.call(whyDiffers, { query: { accountId, marketplaceId: US, day: DAY } })).rejects.toThrow(
    '这一天还没有可核对的数据',
  );
});
