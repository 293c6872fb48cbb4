import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wakeStream } from '#modules/marketplace/server/index.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import { listOrders } from '../contract/orders.ts';
import { LIVE } from '../server/sources/codes.ts';
import { nightlyOrders } from '../server/sources/nightly.ts';

const HOUR = 3_600_000;
/** The live stream asks for nothing younger. */
const LAG_MS = 180_000;
const SELLER = 'A1SANDBOX0001';

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

const cursor = (stream: string, change: ReturnType<typeof sql>) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ watermark: string }>`
      UPDATE marketplace.sync_cursor SET ${change}
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND stream = ${stream} RETURNING watermark`.execute(
      ctx.db,
    );
    return Date.parse(rows[0]?.watermark ?? '');
  });

async function known(): Promise<number> {
  return (await owner.call(listOrders, { body: { filter: {}, pagesize: 1 } })).total;
}

/** Orders that a report of changes up to five minutes ago tells: one that changed since is told by the next one. */
function told(): number {
  const { business, clock } = world.sandbox;
  const account = business.accounts.find((one) => one.sellingPartnerId === SELLER);
  if (!account) throw new Error(`the sandbox does not know ${SELLER}`);
  const now = clock.now();
  const to = now - 5 * 60_000 - 1;
  return business
    .orders(account, { marketplaceIds: account.marketplaceIds, by: 'created', from: 0, to }, now)
    .filter((order) => order.lastUpdatedAt <= to).length;
}

test('a live stream that cannot keep up goes on from where the nightly report of changes ends', async () => {
  // Stands still, as one does whose calls are used up.
  await cursor(LIVE, sql`not_before = kit.now() + interval '10 days'`);
  const stood = await cursor(LIVE, sql`watermark = watermark`);
  const before = await known();
  world.sandbox.clock.advance(20 * HOUR);
  expect(told()).toBeGreaterThan(before);
  await cursor(nightlyOrders.code, sql`not_before = kit.now()`);
  await world.as(owner, (ctx) => wakeStream(ctx, { accountId, stream: nightlyOrders.code }));
  await expect.poll(known, { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(told());
  // The live stream is there too, and has read what is newer.
  expect(world.sandbox.clock.now() - LAG_MS).toBeGreaterThan(stood + 19 * HOUR);
  await expect
    .poll(() => cursor(LIVE, sql`watermark = watermark`), { timeout: PATIENCE_MS })
    .toBe(world.sandbox.clock.now() - LAG_MS);
});

test('one that is only a little behind keeps its place', async () => {
  const at = await cursor(LIVE, sql`not_before = kit.now() + interval '10 days'`);
  world.sandbox.clock.advance(3 * HOUR);
  await cursor(nightlyOrders.code, sql`not_before = kit.now()`);
  await world.as(owner, (ctx) => wakeStream(ctx, { accountId, stream: nightlyOrders.code }));
  await expect.poll(known, { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(told());
  expect(await cursor(LIVE, sql`watermark = watermark`)).toBe(at);
});
