import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { nextNumber } from '../sequence.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

test('what a transaction only reads is of one moment, whatever others commit between two of its statements', async () => {
  const count = sql<{ n: number }>`SELECT count(*)::int AS n FROM kit.sequence`;
  const seen = await world.runtime.connections.tenant(
    owner.companyId,
    async (db) => {
      const first = (await count.execute(db)).rows[0]?.n;
      await world.as(owner, (ctx) => nextNumber(ctx, 'M{yyMMdd}{seq:4}', '2026-07-20'));
      return [first, (await count.execute(db)).rows[0]?.n];
    },
    { readOnly: true },
  );
  expect(seen[1]).toBe(seen[0]);
  const after = await world.as(owner, async (ctx) => (await count.execute(ctx.db)).rows[0]?.n);
  expect(after).toBe((seen[0] ?? 0) + 1);
});
