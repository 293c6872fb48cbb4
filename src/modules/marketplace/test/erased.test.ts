import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emit } from '#kit/server/events.ts';
import { companyErased } from '#modules/identity/server/index.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { saveStore } from '../contract/stores.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function connected(owner: Person): Promise<string> {
  const storeId = await owner.call(saveStore, { body: { name: '店铺' } });
  return world.as(owner, async (ctx) => {
    const row = await ctx.db
      .insertInto('marketplace.seller_account')
      .values({
        company_id: owner.companyId,
        store_id: storeId,
        selling_partner_id: `A${randomUUID().slice(0, 8)}`,
        region: 'na',
        application_id: 'app',
        refresh_token_sealed: 'sealed refresh',
        access_token_sealed: 'sealed access',
        expires_at: new Date(worldClock().ms() + 86_400_000).toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
}

const accountOf = (owner: Person) =>
  world.as(owner, (ctx) =>
    ctx.db
      .selectFrom('marketplace.seller_account')
      .select(['status', 'refresh_token_sealed', 'access_token_sealed'])
      .where('company_id', '=', owner.companyId)
      .executeTakeFirst(),
  );

test('an erased company keeps no key to its stores, and its neighbour keeps his', async () => {
  const owner = await world.owner('要注销的公司');
  const neighbour = await world.owner('邻居');
  await connected(owner);
  await connected(neighbour);
  await world.as(owner, (ctx) => emit(ctx, companyErased, {}));
  expect(await accountOf(owner)).toEqual({ status: 'deleted', refresh_token_sealed: '', access_token_sealed: null });
  expect(await accountOf(neighbour)).toMatchObject({ refresh_token_sealed: 'sealed refresh' });
});
