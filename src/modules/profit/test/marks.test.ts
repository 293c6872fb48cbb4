import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import { moneyTouched } from '#modules/settlement/server/index.ts';
import { US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { foldUnit, markedUnits } from '../server/fold.ts';

let world: World;
let owner: Person;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const unit = { accountId: randomUUID(), marketplaceId: US, month: '2026-11-01' };

/** Tells, inside a transaction, that money of a SKU changed on a day. */
async function touch(ctx: Ctx, sku: string): Promise<void> {
  await sql`
    CREATE TEMP TABLE IF NOT EXISTS touched_money (account_id uuid, marketplace_id text, sku text, posted_date date)
    ON COMMIT DROP`.execute(ctx.db);
  await sql`TRUNCATE pg_temp.touched_money`.execute(ctx.db);
  await sql`
    INSERT INTO pg_temp.touched_money VALUES (${unit.accountId}, ${unit.marketplaceId}, ${sku}, '2026-11-10')`.execute(
    ctx.db,
  );
  await emit(ctx, moneyTouched, { table: 'touched_money', documents: [] });
}

const marked = () => world.as(owner, markedUnits);

it('two that mark the same days in either order do not wait for each other, and a count waits for neither', async () => {
  const aside = Promise.withResolvers<void>();
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const mark = (first: string, second: string, mine: 0 | 1) =>
    world.as(owner, async (ctx) => {
      await touch(ctx, first);
      both[mine].resolve();
      await both[1 - mine]?.promise;
      await touch(ctx, second);
      await aside.promise;
    });
  const work = [mark('A', 'B', 0), mark('B', 'A', 1)];
  await Promise.all(both.map(({ promise }) => promise));
  // Nothing of it is committed: a count sees nothing, takes no mark off, and ends.
  await world.as(owner, (ctx) => foldUnit(ctx, unit));
  expect(await marked()).toEqual([]);
  aside.resolve();
  await Promise.all(work);
  expect(await marked()).toEqual([unit]);
  await world.as(owner, (ctx) => foldUnit(ctx, unit));
  expect(await marked()).toEqual([]);
});

it('what is marked while a count is under way stays marked after it', async () => {
  await world.as(owner, (ctx) => touch(ctx, 'A'));
  await world.as(owner, async (ctx) => {
    await foldUnit(ctx, unit);
    await world.as(owner, (other) => touch(other, 'A'));
  });
  expect(await marked()).toEqual([unit]);
});
