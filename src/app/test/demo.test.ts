import { afterEach, expect, test } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { DEMO, ensureDemo } from '../demo.ts';
import { OPERATOR } from '../demo-people.ts';

let world: World;
afterEach(() => world.close());

const logsIn = async (account: string) => {
  const payload = { account, password: DEMO.password };
  const response = await world.app.inject({ method: 'POST', url: '/api/auth/login', payload });
  return response.json<{ code: number }>().code === 201;
};

test('an empty database gets the demo once, and its accounts log in', async () => {
  world = await createWorld();
  expect(await ensureDemo(world.runtime)).toEqual([DEMO.account, OPERATOR.account]);
  expect(await ensureDemo(world.runtime)).toEqual([DEMO.account, OPERATOR.account]);
  expect([await logsIn(DEMO.account), await logsIn(OPERATOR.account)]).toEqual([true, true]);
});

test('a database that people took for their own gets none, and none is announced', async () => {
  world = await createWorld();
  await world.owner('自己的公司');
  expect(await ensureDemo(world.runtime)).toEqual([]);
  expect(await logsIn(DEMO.account)).toBe(false);
});
