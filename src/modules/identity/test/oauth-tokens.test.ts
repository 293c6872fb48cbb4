import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '#src/app/api.ts';
import { openRuntime } from '#src/app/runtime.ts';
import type { Person } from '#test/support/world.ts';
import { getSecurity, saveSecurity } from '../contract/security.ts';
import { logout } from '../contract/session.ts';
import { addSubUser, disableSubUsers, enableSubUsers, forceOff } from '../contract/sub-users.ts';
import { purgeCodes } from '../server/codes/purge.ts';
import {
  begin,
  clientSide,
  comeIn,
  consent,
  createOauthWorld,
  type OauthWorld,
  outcome,
  reply,
} from './oauth-support.ts';
import { TestBrowser } from './sso-browser.ts';

let on: OauthWorld;
let owner: Person;
let client: oidc.Configuration;

beforeAll(async () => {
  on = await createOauthWorld();
  owner = await on.world.owner('乙公司');
  client = await clientSide(on, await on.register('portal'));
});
afterAll(() => on.world.close());

type Tokens = Awaited<ReturnType<typeof comeIn>>['tokens'];

/** What is left of a client's tokens: the access token's state, what userinfo says, what a refresh brings. */
async function left(tokens: Tokens, sub: string, at = client) {
  const { active } = await oidc.tokenIntrospection(at, tokens.access_token);
  const info = await outcome(oidc.fetchUserInfo(at, tokens.access_token, sub));
  return [active, info, await outcome(oidc.refreshTokenGrant(at, tokens.refresh_token ?? ''))];
}

const ALIVE = [true, 'fine', 'fine'];
const DEAD = [false, 'invalid_token', 'invalid_grant'];

describe('codes', () => {
  test('work once; the second use takes back what the first brought', async () => {
    const { back, begun, tokens } = await comeIn(on, client, owner);
    expect(await outcome(oidc.authorizationCodeGrant(client, back, begun.checks))).toBe('invalid_grant');
    expect(await left(tokens, owner.userId)).toEqual(DEAD);
  });

  test('of several uses at once one brings tokens at most, and they do not last', async () => {
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    const back = await consent(on, browser, owner.session, begun.uid);
    const uses = [1, 2, 3, 4].map(() => oidc.authorizationCodeGrant(client, back, begun.checks));
    const ends = await Promise.allSettled(uses);
    const brought = ends.filter((end) => end.status === 'fulfilled');
    expect(brought.length).toBeLessThanOrEqual(1);
    for (const { value } of brought) expect(await left(value, owner.userId)).toEqual(DEAD);
  });

  test('are worth nothing without what the client checks them by, nor to another client', async () => {
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    const back = await consent(on, browser, owner.session, begun.uid);
    const stranger = await clientSide(on, await on.register('stranger'));
    expect(await outcome(oidc.authorizationCodeGrant(stranger, back, begun.checks))).toBe('invalid_grant');
    const guess = { ...begun.checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
    expect(await outcome(oidc.authorizationCodeGrant(client, back, guess))).toBe('invalid_grant');
  });
});

describe('refresh tokens', () => {
  test('are changed with each use; an old one that turns up ends them all', async () => {
    const { tokens } = await comeIn(on, client, owner);
    const next = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await outcome(oidc.fetchUserInfo(client, next.access_token, owner.userId))).toBe('fine');
    expect(await outcome(oidc.refreshTokenGrant(client, tokens.refresh_token ?? ''))).toBe('invalid_grant');
    expect(await outcome(oidc.refreshTokenGrant(client, next.refresh_token ?? ''))).toBe('invalid_grant');
    expect(await outcome(oidc.fetchUserInfo(client, next.access_token, owner.userId))).toBe('invalid_token');
  });
});

describe('tokens end', () => {
  test('with the session that they were given in, and with no other of the person', async () => {
    const member = await on.world.member(owner, []);
    const { tokens } = await comeIn(on, client, member);
    const elsewhere = await comeIn(on, client, owner);
    await member.call(logout, {});
    expect(await left(tokens, member.userId)).toEqual(DEAD);
    expect(await left(elsewhere.tokens, owner.userId)).toEqual(ALIVE);
  });

  test('when somebody is put out, or out of service; a new start does not bring them back', async () => {
    const member = await on.world.member(owner, []);
    const first = await comeIn(on, client, member);
    const params = { ids: member.userId };
    await owner.call(disableSubUsers, { params });
    expect(await left(first.tokens, member.userId)).toEqual(DEAD);
    await owner.call(enableSubUsers, { params });
    expect(await left(first.tokens, member.userId)).toEqual(DEAD);
    const other = await on.world.member(owner, []);
    const second = await comeIn(on, client, other);
    await owner.call(forceOff, { params: { ids: other.userId } });
    expect(await left(second.tokens, other.userId)).toEqual(DEAD);
  });

  test('with the company, and with a session that nobody used for too long', async () => {
    const guest = await on.world.owner('丙公司');
    const { tokens } = await comeIn(on, client, guest);
    const set = (statement: string) =>
      on.world.runtime.connections.tenant(guest.companyId, (_db, pg) => pg.query(statement));
    await set("UPDATE identity.session SET last_seen_at = kit.now() - interval '4 hours'");
    expect(await left(tokens, guest.userId)).toEqual(DEAD);
    await set('UPDATE identity.session SET last_seen_at = kit.now()');
    expect(await left(tokens, guest.userId)).toEqual(ALIVE);
    await set("UPDATE identity.company SET status = 'suspended'");
    expect((await left(tokens, guest.userId)).slice(0, 2)).toEqual(DEAD.slice(0, 2));
  });

  test('a code of somebody who left meanwhile is worth nothing', async () => {
    const member = await on.world.member(owner, []);
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    const said = await reply(on, browser, member.session, begun.uid);
    await owner.call(disableSubUsers, { params: { ids: member.userId } });
    const end = await browser.open(said.data.location);
    const back = new URL(end.headers.get('location') ?? '');
    expect(back.searchParams.get('error')).toBe('access_denied');
  });
});

describe('who may not work here may not log in elsewhere with his account', () => {
  test('with a password that somebody else made up', async () => {
    const account = 'neu@example.com';
    const { password } = await owner.call(addSubUser, { body: { name: '新人', account } });
    const response = await on.world.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { account, password },
    });
    const { session } = response.json<{ data: { session: string } }>().data;
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    expect((await reply(on, browser, session, begun.uid)).code).toBe('A0304');
  });

  test('from outside of the company’s networks', async () => {
    const guest = await on.world.owner('丁公司');
    const { ip: _ip, updatedAt: _at, updatedByName: _by, withoutMfa: _n, ...now } = await guest.call(getSecurity, {});
    await guest.call(saveSecurity, { body: { ...now, ipAllow: ['127.0.0.1'] } });
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    const outside = await reply(on, browser, guest.session, begun.uid, { ip: '203.0.113.9' });
    expect(outside.code).toBe('A0302');
    expect((await reply(on, browser, guest.session, begun.uid)).status).toBe(201);
  });
});

describe('several processes on one database', () => {
  test('are one provider: one key, and what one begins another ends', async () => {
    const runtime = await openRuntime(on.world.runtime.config, on.world.databaseUrl);
    const app = await createApi(runtime);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as { port: number };
    const there = { pages: `http://127.0.0.1:${port}` };
    const moved = (address: string) => address.replace(on.pages, there.pages);
    try {
      const entered = await on.register('spread');
      // The same provider, by a load balancer that leads everything but the browser to the other process.
      const far = await clientSide(on, entered, (url, options) => fetch(moved(url), options as RequestInit));
      const browser = new TestBrowser();
      const begun = await begin(far, browser);
      const said = await reply(on, browser, owner.session, begun.uid);
      for (const [name, value] of browser
        .cookies(on.pages)
        .split('; ')
        .map((pair) => pair.split(/=(.*)/s))) {
        browser.setCookie(there.pages, name ?? '', value ?? '');
      }
      const end = await browser.open(moved(said.data.location));
      const back = new URL(end.headers.get('location') ?? '');
      const tokens = await oidc.authorizationCodeGrant(far, back, begun.checks);
      expect(tokens.claims()?.sub).toBe(owner.userId);
      const near = await clientSide(on, entered);
      expect(await left(tokens, owner.userId, near)).toEqual(ALIVE);
      const keys = await Promise.all(
        [on.pages, there.pages].map(async (at) => (await fetch(`${at}/oauth2/jwks`)).json()),
      );
      expect(keys[0]).toEqual(keys[1]);
      expect(JSON.stringify(keys[0])).not.toContain('"d"');
    } finally {
      await app.close();
      await runtime.connections.close();
    }
  });

  test('that start at the same time make one key', async () => {
    await on.world.runtime.connections.system((db) => db.deleteFrom('identity.oauth_key').execute());
    const runtimes = await Promise.all([1, 2, 3].map(() => openRuntime(on.world.runtime.config, on.world.databaseUrl)));
    const apps = await Promise.all(runtimes.map((runtime) => createApi(runtime)));
    const answers = await Promise.all(apps.map((app) => app.inject({ url: '/oauth2/jwks' })));
    const kids = answers.map((answer) => answer.json<{ keys: { kid: string }[] }>().keys.map((key) => key.kid));
    for (const app of apps) await app.close();
    for (const runtime of runtimes) await runtime.connections.close();
    expect(kids[0]).toHaveLength(1);
    expect(new Set(kids.flat()).size).toBe(1);
  });
});

describe('the database', () => {
  test('holds nothing that a thief of it could log in with', async () => {
    const { tokens, back, begun } = await comeIn(on, client, owner);
    const stored = await on.world.runtime.connections.system(async (_db, pg) => {
      const { rows } = await pg.query(`
        SELECT t::text FROM identity.oauth_record t UNION ALL SELECT t::text FROM identity.oauth_grant t
        UNION ALL SELECT t::text FROM identity.oauth_key t`);
      return JSON.stringify(rows);
    });
    expect(stored.length).toBeGreaterThan(1000);
    const secrets = [tokens.access_token, tokens.refresh_token, back.searchParams.get('code'), begun.uid];
    for (const secret of secrets) expect([secret, stored.includes(String(secret))]).toEqual([secret, false]);
    // A private key in the clear, as JWK or PEM: marks that no sealed text can show by chance.
    expect(stored).not.toMatch(/kty\W+RSA|PRIVATE KEY/);
  });

  test('forgets what is over', async () => {
    const guest = await on.world.owner('戊公司');
    await comeIn(on, client, guest);
    const count = () =>
      on.world.runtime.connections.tenant(guest.companyId, async (_db, pg) => {
        const { rows } = await pg.query<{ n: number }>(
          'SELECT (SELECT count(*) FROM identity.oauth_grant) + (SELECT count(*) FROM identity.oauth_record) AS n',
        );
        return rows[0]?.n;
      });
    const purge = () => purgeCodes.run(on.world.runtime, {} as never);
    await purge();
    // The grant, and on it a used code and two tokens.
    expect(await count()).toBe(4);
    await on.world.runtime.connections.tenant(guest.companyId, (_db, pg) =>
      pg.query("UPDATE identity.oauth_grant SET expires_at = kit.now() - interval '1 second'"),
    );
    await purge();
    expect(await count()).toBe(0);
  });
});

test('an address that calls without end is slowed down, by itself', async () => {
  const statuses = new Set<number>();
  for (let round = 0; round < 13; round += 1) {
    const calls = Array.from({ length: 50 }, () =>
      on.world.app.inject({ url: '/oauth2/jwks', remoteAddress: '203.0.113.77' }),
    );
    for (const answer of await Promise.all(calls)) statuses.add(answer.statusCode);
  }
  expect([...statuses].sort()).toEqual([200, 429]);
  expect((await on.world.app.inject({ url: '/oauth2/jwks', remoteAddress: '203.0.113.78' })).statusCode).toBe(200);
});
