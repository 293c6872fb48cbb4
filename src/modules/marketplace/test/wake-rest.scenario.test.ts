import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { handleNotification } from '../server/notifications/handle.ts';

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  ({ accountId } = await connectStore(owner, 'A1SANDBOX0001'));
});
afterAll(() => world.close());

/** Seconds from the last success of a stream to the run that a notification asks for. */
function restOf(stream: string, type: string): Promise<number | undefined> {
  return world.as(owner, async (ctx) => {
    await sql`
      INSERT INTO marketplace.sync_cursor (company_id, account_id, stream, marketplace_id, state, last_success_at, not_before)
      VALUES (${ctx.companyId}, ${accountId}, ${stream}, '', 'ready', kit.now(), kit.now() + interval '1 hour')`.execute(
      ctx.db,
    );
    await handleNotification(ctx, {
      type,
      subject: '',
      account_id: accountId,
      event_at: new Date(0).toISOString(),
      payload: null,
    });
    const { rows } = await sql<{ rest: number }>`
      SELECT extract(epoch FROM not_before - last_success_at)::int AS rest FROM marketplace.sync_cursor
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND stream = ${stream}`.execute(ctx.db);
    return rows[0]?.rest;
  });
}

test('notifications make a stream run as often as its calls last all day, and no oftener', async () => {
  // A change each second would ask for 1,440 searches a day at a minute's rest; Amazon allows 0.0056 a second, which is 484.
  const rest = await restOf('orders.live', 'ORDER_CHANGE');
  expect(86_400 / (rest ?? 0)).toBeLessThanOrEqual(0.0056 * 86_400);
  expect(await restOf('listings', 'LISTINGS_ITEM_STATUS_CHANGE')).toBe(60);
});
