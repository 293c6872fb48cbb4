import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';

const HOUR = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('an hour after midnight in Beijing it is the next day, in the product and in its database, though not in Greenwich', async () => {
  const owner = await world.owner();
  const days = () =>
    world.as(owner, async (ctx) => {
      const { rows } = await sql<{ day: string }>`SELECT kit.today()::text AS day`.execute(ctx.db);
      return [rows[0]?.day, ctx.clock.today()];
    });
  expect(await days()).toEqual(['2026-11-18', '2026-11-18']);
  await world.advance(15 * HOUR);
  expect(world.clock.now().toISOString()).toMatch(/^2026-11-18T17/);
  expect(await days()).toEqual(['2026-11-19', '2026-11-19']);
});
