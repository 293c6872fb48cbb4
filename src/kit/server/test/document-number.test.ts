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

test('twenty people taking numbers at once get twenty numbers without a gap', async () => {
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => world.as(owner, (ctx) => nextNumber(ctx, 'UP{yyMMdd}{seq:4}', '2026-07-18'))),
  );
  const wanted = Array.from({ length: 20 }, (_, i) => `UP260718${String(i + 1).padStart(4, '0')}`);
  expect(taken.sort()).toEqual(wanted);
});

test('a number that was rolled back is given out again', async () => {
  const failed = world.as(owner, async (ctx) => {
    await nextNumber(ctx, 'X{yyMMdd}{seq:3}', '2026-07-19');
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await world.as(owner, (ctx) => nextNumber(ctx, 'X{yyMMdd}{seq:3}', '2026-07-19'))).toBe('X260719001');
});

test('another company counts for itself', async () => {
  const other = await world.owner('另一家公司');
  expect(await world.as(other, (ctx) => nextNumber(ctx, 'UP{yyMMdd}{seq:4}', '2026-07-18'))).toBe('UP2607180001');
});
