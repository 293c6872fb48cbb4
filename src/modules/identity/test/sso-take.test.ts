import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World, worldClock } from '#test/support/world.ts';
import { openSession } from '../server/sessions.ts';
import { signatureOf } from '../server/sso/browser.ts';
import { call, company, knocks, sessionOf } from './support.ts';

let world: World;
let who: Awaited<ReturnType<typeof company>>;

beforeAll(async () => {
  world = await createWorld();
  who = await company(world);
});
afterAll(() => world.close());

const BROWSER = { userAgent: 'Browser/1', cookies: { sso: 'h'.repeat(43) } };

/** A session as the way back from the provider opens it for a browser. */
function minted(): Promise<string> {
  const claim = signatureOf(world.runtime.config, BROWSER);
  return world.runtime.connections.system((db) =>
    openSession(db, {
      companyId: who.companyId,
      memberId: who.userId,
      userType: 'owner',
      loginType: 'sso',
      uid: null,
      ip: '198.51.100.1',
      userAgent: BROWSER.userAgent,
      claim,
    }),
  );
}

async function take(jsessionid: string, browser: { userAgent: string; cookies: Record<string, string> } = BROWSER) {
  const response = await world.app.inject({
    method: 'POST',
    url: '/api/sso/take',
    payload: { jsessionid },
    headers: { 'user-agent': browser.userAgent },
    cookies: browser.cookies,
  });
  return response.json();
}

const REFUSED = { code: 400, msg: '登录链接无效、已使用或已过期，请重新登录', data: { code: 'B0194' } };

test('an id that was made for this browser is taken up once', async () => {
  const session = await minted();
  expect(await take(session)).toMatchObject({ code: 201, data: { id: who.userId } });
  expect(await knocks(world.app, session)).toBe('in');
  expect(await take(session)).toMatchObject(REFUSED);
});

test('a valid id of an ordinary log-in is refused: somebody planted it', async () => {
  const session = await sessionOf(world.app, who.account);
  expect(await knocks(world.app, session)).toBe('in');
  expect(await take(session)).toMatchObject(REFUSED);
  expect(await knocks(world.app, session)).toBe('in');
});

test('an id for another browser is refused, and stays good for its own', async () => {
  const session = await minted();
  expect(await take(session, { ...BROWSER, cookies: {} })).toMatchObject(REFUSED);
  expect(await take(session, { ...BROWSER, userAgent: 'Browser/2' })).toMatchObject(REFUSED);
  expect(await take(session)).toMatchObject({ code: 201 });
});

test('after a minute it is worth nothing', async () => {
  const session = await minted();
  await world.runtime.connections.system((db) =>
    db
      .updateTable('identity.session')
      .set({ claim_until: new Date(worldClock().ms() - 1000) })
      .where('claim_until', 'is not', null)
      .execute(),
  );
  expect(await take(session)).toMatchObject(REFUSED);
  expect(await knocks(world.app, session)).toBe('A0231');
});

test('of two at once one gets it', async () => {
  const session = await minted();
  const answers = await Promise.all([take(session), take(session), take(session)]);
  expect(answers.map((answer) => answer.code).sort()).toEqual([201, 400, 400]);
});

test('nonsense is refused in words', async () => {
  expect(await take('nobody')).toMatchObject(REFUSED);
  expect((await call(world.app, 'POST', '/sso/take', { body: {} })).status).toBe(400);
});
