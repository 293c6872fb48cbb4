import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { company, knocks, login, sessionOf } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('three hundred log-ins at once: some wait, the rest is told to come back, nobody starves', async () => {
  const { account } = await company(world);
  const session = await sessionOf(world.app, account);
  // The dummy hash for unknown accounts exists from here on, as it does in a process that has run for a while.
  await login(world.app, `${randomUUID()}@example.com`);
  const crowd = Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      login(world.app, `${randomUUID()}@example.com`, 'Falsch-1', {}, `10.0.${index >> 8}.${index & 255}`),
    ),
  );
  const during = knocks(world.app, session);
  const answers = await crowd;
  expect(await during).toBe('in');
  const late = answers.filter((answer) => answer.status === 429);
  const served = answers.filter((answer) => answer.status === 200);
  expect(late.length + served.length).toBe(300);
  // Four are computed at a time and two hundred may wait; some were done while the last came in.
  expect(late.length).toBeGreaterThan(0);
  expect(served.length).toBeGreaterThanOrEqual(204);
  for (const answer of late)
    expect(answer).toMatchObject({ code: 429, msg: '操作过于频繁，请稍后再试', retryAfter: '5' });
  for (const answer of served) expect(answer.msg).toBe('账号或密码错误');
  expect((await login(world.app, account)).code).toBe(201);
});
