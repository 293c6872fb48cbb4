import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addSubUser, resetPassword } from '../contract/sub-users.ts';
import { putOperator } from '../server/index.ts';
import { codeOf } from './outbox.ts';
import { call, knocks, login, sessionOf } from './support.ts';

const OWN = 'Eigenes-2026';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const info = '/admin/api/v1/users/info';
const change = '/admin/api/v1/users/updatePasswordSelf';

/** Logs in and returns the session, whatever it may do. */
async function comeIn(account: string, password: string): Promise<string> {
  const { data, msg } = await login(world.app, account, password);
  if (!data?.session) throw new Error(msg);
  return data.session;
}

async function menu(session: string) {
  const { status, msg, data } = await call(world.app, 'GET', '/admin/api/v1/menus/route', { session });
  return [status, status === 200 ? '' : msg, status === 200 ? '' : data.code];
}

const HELD = [403, '当前为一次性密码，请先修改密码', 'A0304'];
const FREE = [200, '', ''];

test('a sub-user with a password that was made up can do nothing but change it', async () => {
  const account = 'neu@example.com';
  const { password } = await owner.call(addSubUser, { body: { name: '新人', account } });
  const session = await comeIn(account, password ?? '');
  expect(await menu(session)).toEqual(HELD);
  const write = await call(world.app, 'POST', '/admin/api/v1/users/updateSelf', { session, body: { name: '别名' } });
  expect([write.status, write.data.code]).toEqual([403, 'A0304']);
  // Who he is he may know: the page says whose password it asks for.
  expect((await call(world.app, 'GET', info, { session })).status).toBe(200);
  const same = { oldpassword: password, password };
  expect((await call(world.app, 'POST', change, { session, body: same })).status).toBe(400);
  expect(await menu(session)).toEqual(HELD);
  const done = await call(world.app, 'POST', change, { session, body: { oldpassword: password, password: OWN } });
  expect(done.code).toBe(201);
  // At once, with the session that he has.
  expect(await menu(session)).toEqual(FREE);
  expect(await menu(await comeIn(account, OWN))).toEqual(FREE);
});

test('a reset password has to be changed again, and a log-out is always possible', async () => {
  const account = 'reset@example.com';
  const { id, password } = await owner.call(addSubUser, { body: { name: '旧人', account } });
  const first = await comeIn(account, password ?? '');
  await call(world.app, 'POST', change, { session: first, body: { oldpassword: password, password: OWN } });
  const reset = await owner.call(resetPassword, { params: { id } });
  const session = await comeIn(account, reset.password ?? '');
  expect(await menu(session)).toEqual(HELD);
  expect((await call(world.app, 'GET', '/auth/apilogout', { session })).code).toBe(201);
  expect(await knocks(world.app, session)).toBe('A0200');
});

test('who sets a password by a code to his mailbox needs no second change', async () => {
  const account = 'vergessen@example.com';
  await owner.call(addSubUser, { body: { name: '忘记', account } });
  const key = (await call(world.app, 'GET', `/admin/api/v1/users/getEmailCode?email=${account}&ftype=losepassword`))
    .data as unknown as string;
  // The answer does not wait for the delivery, so that it does not tell whether there is one.
  const code = await vi.waitFor(() => codeOf(world, account), { timeout: PATIENCE_MS });
  await call(world.app, 'GET', `/auth/verifySmsCode?key=${key}&code=${code}`);
  const form = { account, key, code, password: OWN, repassword: OWN };
  const answer = await call(world.app, 'POST', '/admin/api/v1/users/updatePasswordForget', { body: form });
  expect(answer.msg).toBe('操作成功');
  expect(await menu(await comeIn(account, OWN))).toEqual(FREE);
});

test('an operator changes his one-time password too', async () => {
  const account = 'betrieb@example.com';
  const password = 'Einmal-2026!';
  await putOperator(world.runtime, { account, password, name: '平台运营', oneTime: true });
  const session = await comeIn(account, password);
  expect(await menu(session)).toEqual(HELD);
  await call(world.app, 'POST', change, { session, body: { oldpassword: password, password: OWN } });
  expect(await menu(session)).toEqual(FREE);
});

test('people who chose their passwords themselves notice nothing', async () => {
  expect(await menu(owner.session)).toEqual(FREE);
  expect(await sessionOf(world.app, `owner-${owner.companyId}@example.com`)).toMatch(/^[\w-]{43}$/);
});

test('the day that a strict company makes people wait does not hold for a one-time password', async () => {
  const strict = await world.owner();
  const account = 'streng@example.com';
  const { password } = await strict.call(addSubUser, { body: { name: '严格', account } });
  await world.as(strict, (ctx) =>
    ctx.db
      .insertInto('identity.security_policy')
      .values({ company_id: strict.companyId, password_profile: 'amazonDpp' })
      .execute(),
  );
  const session = await comeIn(account, password ?? '');
  const fresh = 'Lang-und-Sicher-2026';
  const answer = await call(world.app, 'POST', change, { session, body: { oldpassword: password, password: fresh } });
  expect(answer.msg).toBe('操作成功');
});
