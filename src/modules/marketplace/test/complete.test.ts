import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { completeAccounts } from '../server/sync/complete.ts';
import { openAccount } from '../server/sync/start.ts';

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner('升级的公司');
});
afterAll(() => world.close());

const within = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
  inTenant(world.runtime, systemPrincipal(owner.companyId), work);

/** Streams that are read, with how far. */
const cursors = () =>
  within(async (ctx) => {
    const { rows } = await sql<{ stream: string; watermark: string | null }>`
      SELECT stream, watermark FROM marketplace.sync_cursor WHERE company_id = ${owner.companyId}
       ORDER BY stream, marketplace_id`.execute(ctx.db);
    return rows;
  });

test('an account of an older version gets the streams that came since; what it has read stays read', async () => {
  const { accountId } = await connectStore(owner);
  const open = () => openAccount.run(world.runtime, { companyId: owner.companyId, accountId } as never);
  await open();
  await within((ctx) =>
    sql`UPDATE marketplace.sync_cursor SET watermark = '2026-05-01T00:00:00Z' WHERE company_id = ${owner.companyId}`.execute(
      ctx.db,
    ),
  );
  const all = await cursors();
  expect(all.length).toBeGreaterThan(8);
  expect(await completeAccounts(world.runtime)).toBe(0);
  // As a version left it that did not know the last two.
  const young = [...new Set(all.map((cursor) => cursor.stream))].slice(-2);
  await within((ctx) =>
    sql`DELETE FROM marketplace.sync_cursor
         WHERE company_id = ${owner.companyId} AND stream = ANY (${young}::text[])`.execute(ctx.db),
  );
  expect(await completeAccounts(world.runtime)).toBe(1);
  await open();
  expect(await cursors()).toEqual(
    all.map((cursor) => (young.includes(cursor.stream) ? { ...cursor, watermark: null } : cursor)),
  );
  expect(await completeAccounts(world.runtime)).toBe(0);
});
