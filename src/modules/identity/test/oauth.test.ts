import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, worldClock } from '#test/support/world.ts';
import { listClients, NOBODYS_COMPANY, removeClient, rotateClient, saveClient } from '../contract/operator.ts';
import {
  ask,
  BACK,
  begin,
  clientSide,
  comeIn,
  consent,
  createOauthWorld,
  type OauthWorld,
  outcome,
  reply,
} from './oauth-support.ts';
import { auditOf } from './organisation-support.ts';
import { TestBrowser } from './sso-browser.ts';

let on: OauthWorld;
let anna: Person;

beforeAll(async () => {
  on = await createOauthWorld();
  anna = await on.world.owner('甲公司');
});
afterAll(() => on.world.close());

/** Edits an entered client as the operator does. */
async function edit(id: string, change: object): Promise<void> {
  const { records } = await on.operator.call(listClients, { body: { pagesize: 100 } });
  const row = records.find((each) => each.id === id);
  if (!row) throw new Error('no such client');
  const { name, scopes, grants, tokenSeconds, redirectUris, autoApprove, version } = row;
  const body = { name, scopes, grants, tokenSeconds, redirectUris, autoApprove, version, ...change };
  await on.operator.call(saveClient, { params: { id }, body });
}

describe('a person comes to a client with an account of the product', () => {
  test('sees what it asks for, agrees, and the client learns that and no more', async () => {
    const entered = await on.register('reports', { tokenSeconds: 900 });
    const client = await clientSide(on, entered);
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    expect(begun.landed.headers.get('location')).toBe(`${on.pages}/oauth/authorize?uid=${begun.uid}`);
    const { data } = await ask(on, browser, anna.session, begun.uid);
    expect(data).toMatchObject({
      client: '报表门户',
      back: '127.0.0.1:9',
      name: '管理员',
      company: '甲公司',
      scopes: ['openid', 'profile', 'email'],
      ask: true,
      again: false,
    });
    const back = await consent(on, browser, anna.session, begun.uid);
    const tokens = await oidc.authorizationCodeGrant(client, back, begun.checks);
    expect(tokens.claims()).toMatchObject({ sub: anna.userId, iss: `${on.pages}/oauth2`, aud: 'reports' });
    expect(tokens.expires_in).toBe(900);
    const info = await oidc.fetchUserInfo(client, tokens.access_token, anna.userId);
    expect(info).toEqual({
      sub: anna.userId,
      name: '管理员',
      preferred_username: data.account,
      company: '甲公司',
      company_id: anna.companyId,
      email: data.account,
      email_verified: false,
    });
    expect((await auditOf(on.world, anna.companyId, 'identity.oauth_client')).at(-1)).toMatchObject({
      action: '同意应用登录',
      resource_id: entered.id,
      after: { client: '报表门户', clientId: 'reports', scopes: ['openid', 'profile', 'email'] },
    });
    const { records } = await on.operator.call(listClients, { body: { filter: { search: 'reports' } } });
    expect(Date.parse(records[0]?.lastUsedAt ?? '')).toBeGreaterThan(worldClock().ms() - 60_000);
  });

  test('is asked once in a session, unless the client wants the question', async () => {
    const client = await clientSide(on, await on.register('once'));
    const eva = await on.world.member(anna, []);
    await comeIn(on, client, eva);
    const browser = new TestBrowser();
    const asked = async (more: Record<string, string>) =>
      (await ask(on, browser, eva.session, (await begin(client, browser, more)).uid)).data.ask;
    expect(await asked({})).toBe(false);
    expect(await asked({ prompt: 'consent' })).toBe(true);
    expect(await asked({ scope: 'openid' })).toBe(false);
    const others = await on.world.member(anna, []);
    expect((await ask(on, browser, others.session, (await begin(client, browser)).uid)).data.ask).toBe(true);
  });

  test('is not asked where the operator lets the client in', async () => {
    const client = await clientSide(on, await on.register('trusted', { autoApprove: true }));
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    expect((await ask(on, browser, anna.session, begun.uid)).data.ask).toBe(false);
    const back = await consent(on, browser, anna.session, begun.uid);
    expect(await outcome(oidc.authorizationCodeGrant(client, back, begun.checks))).toBe('fine');
    expect((await auditOf(on.world, anna.companyId, 'identity.oauth_client')).at(-1)?.action).toBe(
      '登录应用（自动放行）',
    );
  });

  test('says no: the client hears that and gets nothing', async () => {
    const client = await clientSide(on, await on.register('refused'));
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    const back = await consent(on, browser, anna.session, begun.uid, false);
    expect(back.searchParams.get('code')).toBeNull();
    expect(await outcome(oidc.authorizationCodeGrant(client, back, begun.checks))).toBe('access_denied');
    expect((await auditOf(on.world, anna.companyId, 'identity.oauth_client')).at(-1)?.action).toBe('拒绝应用登录');
  });

  test('must log in anew where the client insists on it', async () => {
    const client = await clientSide(on, await on.register('strict'));
    const browser = new TestBrowser();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const begun = await begin(client, browser, { prompt: 'login' });
    expect((await ask(on, browser, anna.session, begun.uid)).data.again).toBe(true);
    expect(await reply(on, browser, anna.session, begun.uid)).toMatchObject({
      code: 'B0197',
      msg: '该应用要求重新登录',
    });
    const fresh = await on.world.member(anna, []);
    const back = await consent(on, browser, fresh.session, begun.uid);
    expect(await outcome(oidc.authorizationCodeGrant(client, back, begun.checks))).toBe('fine');
    const aged = await begin(client, browser, { max_age: '0' });
    expect((await ask(on, browser, anna.session, aged.uid)).data.again).toBe(true);
    // The session lives in the page, so nothing can be answered without it.
    const silent = await begin(client, browser, { prompt: 'none' });
    const said = new URL(silent.landed.headers.get('location') ?? '');
    expect(said.searchParams.get('error')).toBe('login_required');
  });
});

describe('a log-in belongs to the browser that began it', () => {
  test('somebody else, lured to the page of it, cannot end it', async () => {
    const client = await clientSide(on, await on.register('lure', { autoApprove: true }));
    const attacker = new TestBrowser();
    const begun = await begin(client, attacker);
    const LOST = { status: 400, code: 'B0195', msg: '登录请求无效或已过期，请回到原应用重新登录' };
    // Without any cookie, and with one of a log-in of his own.
    const victim = new TestBrowser();
    expect(await ask(on, victim, anna.session, begun.uid)).toMatchObject(LOST);
    expect(await reply(on, victim, anna.session, begun.uid)).toMatchObject(LOST);
    await begin(client, victim);
    expect(await ask(on, victim, anna.session, begun.uid)).toMatchObject(LOST);
    expect(await reply(on, victim, anna.session, begun.uid)).toMatchObject(LOST);
    // So what the attacker has leads nowhere: his browser is asked to log in again.
    const again = await attacker.open(`${on.pages}/oauth2/auth/${begun.uid}`);
    expect(again.headers.get('location')).toContain('/oauth/authorize?uid=');
  });

  test('two at once in one browser both end, each once', async () => {
    const client = await clientSide(on, await on.register('tabs'));
    const browser = new TestBrowser();
    const [one, two] = [await begin(client, browser), await begin(client, browser)];
    expect((await reply(on, browser, anna.session, one.uid)).status).toBe(201);
    expect((await reply(on, browser, anna.session, two.uid)).status).toBe(201);
    expect((await reply(on, browser, anna.session, two.uid)).code).toBe('B0195');
  });

  test('nobody ends it without a session, and its name must be one', async () => {
    const client = await clientSide(on, await on.register('nobody'));
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    expect((await ask(on, browser, '', begun.uid)).status).toBe(401);
    expect((await ask(on, browser, anna.session, 'x')).status).toBe(400);
    expect((await ask(on, browser, anna.session, 'a'.repeat(43))).code).toBe('B0195');
  });
});

describe('a client', () => {
  test('needs its secret, and the newest', async () => {
    const entered = await on.register('secretive');
    const client = await clientSide(on, entered);
    const { tokens } = await comeIn(on, client, anna);
    const wrong = await clientSide(on, { ...entered, secret: 'x'.repeat(43) });
    expect(await outcome(oidc.refreshTokenGrant(wrong, tokens.refresh_token ?? ''))).toBe('invalid_client');
    const rotated = await on.operator.call(rotateClient, { params: { id: entered.id } });
    expect(await outcome(oidc.refreshTokenGrant(client, tokens.refresh_token ?? ''))).toBe('invalid_client');
    const renewed = await clientSide(on, rotated);
    expect(await outcome(oidc.refreshTokenGrant(renewed, tokens.refresh_token ?? ''))).toBe('fine');
  });

  test('that is disabled is out at once, with all its tokens; nor does a namesake inherit them', async () => {
    const entered = await on.register('ended');
    const client = await clientSide(on, entered);
    const { tokens } = await comeIn(on, client, anna);
    await edit(entered.id, { disabled: true });
    expect(await outcome(oidc.fetchUserInfo(client, tokens.access_token, anna.userId))).toBe('invalid_token');
    expect(await outcome(oidc.refreshTokenGrant(client, tokens.refresh_token ?? ''))).toBe('invalid_client');
    const { landed } = await begin(client, new TestBrowser());
    expect(landed.headers.get('location')).toBe(`${on.pages}/oauth/authorize?error=invalid_client`);
    await on.operator.call(removeClient, { params: { id: entered.id } });
    const namesake = await clientSide(on, await on.register('ended'));
    expect(await outcome(oidc.fetchUserInfo(namesake, tokens.access_token, anna.userId))).toBe('invalid_token');
    expect(await outcome(oidc.refreshTokenGrant(namesake, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  });

  test('that is disabled while somebody reads the question gets no answer', async () => {
    const entered = await on.register('halfway');
    const client = await clientSide(on, entered);
    const browser = new TestBrowser();
    const begun = await begin(client, browser);
    await edit(entered.id, { disabled: true });
    expect(await reply(on, browser, anna.session, begun.uid)).toMatchObject({ status: 400, code: 'B0196' });
  });

  test('has people back only where the operator says, letter by letter', async () => {
    const client = await clientSide(on, await on.register('wayward'));
    for (const uri of [`${BACK}/`, `${BACK}?x=1`, 'http://127.0.0.1:10/back', 'https://evil.example.com/', 'x']) {
      const { landed } = await begin(client, new TestBrowser(), { redirect_uri: uri });
      expect([uri, landed.headers.get('location')]).toEqual([
        uri,
        `${on.pages}/oauth/authorize?error=invalid_redirect_uri`,
      ]);
    }
    const { landed } = await begin(client, new TestBrowser(), { redirect_uri: '' });
    expect(landed.headers.get('location')).toContain(`${on.pages}/oauth/authorize?error=`);
  });

  test('gets nothing that it was not given: scopes, ways and kinds', async () => {
    const entered = await on.register('modest', { scopes: ['openid'], grants: ['authorization_code'] });
    const client = await clientSide(on, entered);
    const at = async (more: Record<string, string>) => {
      const { landed } = await begin(client, new TestBrowser(), more);
      const { searchParams, hash } = new URL(landed.headers.get('location') ?? '');
      return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
    };
    expect(await at({ scope: 'openid phone' })).toBe('invalid_scope');
    expect(await at({ scope: 'openid', response_type: 'token' })).toBe('invalid_request');
    for (const response_mode of ['form_post', 'fragment', 'jwt']) {
      const { uid } = await begin(client, new TestBrowser(), { scope: 'openid', response_mode });
      expect([response_mode, uid]).toEqual([response_mode, '']);
    }
    expect(await at({ scope: 'openid', code_challenge: '', code_challenge_method: '' })).toBe('invalid_request');
    const { tokens } = await comeIn(on, client, anna, { scope: 'openid' });
    expect(tokens.refresh_token).toBeUndefined();
    expect(await oidc.fetchUserInfo(client, tokens.access_token, anna.userId)).toEqual({ sub: anna.userId });
    expect(await outcome(oidc.clientCredentialsGrant(client))).toBe('unsupported_grant_type');
    for (const path of ['reg', 'request', 'interaction/x', 'session/end']) {
      expect([path, (await fetch(`${on.pages}/oauth2/${path}`, { method: 'POST' })).status]).toEqual([path, 404]);
    }
  });

  test('loses what the operator takes from it, also for tokens that it has', async () => {
    const entered = await on.register('shrunk');
    const client = await clientSide(on, entered);
    const { tokens } = await comeIn(on, client, anna);
    await edit(entered.id, { scopes: ['openid', 'profile'] });
    const info = await oidc.fetchUserInfo(client, tokens.access_token, anna.userId);
    expect([info.name, info.email]).toEqual(['管理员', undefined]);
  });

  test('sees its own tokens only, and can give them back', async () => {
    const mine = await clientSide(on, await on.register('mine'));
    const other = await clientSide(on, await on.register('other'));
    const { tokens } = await comeIn(on, mine, anna);
    expect(await oidc.tokenIntrospection(mine, tokens.access_token)).toMatchObject({
      active: true,
      sub: anna.userId,
      client_id: 'mine',
    });
    expect(await oidc.tokenIntrospection(other, tokens.access_token)).toEqual({ active: false });
    await outcome(oidc.tokenRevocation(other, tokens.access_token));
    expect((await oidc.tokenIntrospection(mine, tokens.access_token)).active).toBe(true);
    await oidc.tokenRevocation(mine, tokens.refresh_token ?? '');
    expect(await oidc.tokenIntrospection(mine, tokens.access_token)).toEqual({ active: false });
  });
});

test('whatever a caller says of where he is, addresses are those of the settings', async () => {
  const response = await fetch(`${on.pages}/oauth2/.well-known/openid-configuration`, {
    headers: { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' },
  });
  const description = (await response.json()) as Record<string, string | string[]>;
  const addresses = Object.entries(description).filter(([name]) => /(_endpoint|_uri|^issuer)$/.test(name));
  expect(addresses.length).toBeGreaterThan(5);
  for (const [name, address] of addresses) expect([name, String(address).startsWith(on.pages)]).toEqual([name, true]);
  expect(description.response_modes_supported).toEqual(['query']);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('behind a proxy that speaks https, every address and cookie is of https', async () => {
  const world = await createWorld({ publicUrl: 'https://erp.example.com' });
  try {
    const { body } = await world.app.inject({ url: '/oauth2/.well-known/openid-configuration' });
    expect((JSON.parse(body) as { token_endpoint: string }).token_endpoint).toBe(
      'https://erp.example.com/oauth2/token',
    );
    await world.runtime.connections.system((db) =>
      db
        .insertInto('identity.oauth_client')
        .values({
          company_id: NOBODYS_COMPANY,
          client_id: 'app',
          name: '应用',
          secret_hash: 'x',
          redirect_uris: [BACK],
        })
        .execute(),
    );
    const query = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: BACK,
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    });
    const answer = await world.app.inject({ url: `/oauth2/auth?${query}` });
    expect(answer.headers.location).toMatch(/^https:\/\/erp\.example\.com\/oauth\/authorize\?uid=/);
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map((line) => line.toLowerCase());
    expect(cookies.some((line) => line.startsWith('__host-sso='))).toBe(true);
    for (const line of cookies) expect(line).toMatch(/; secure/);
    for (const line of cookies) expect(line).toMatch(/; httponly/);
  } finally {
    await world.close();
  }
});

test('clients are rows of the operator alone', async () => {
  const rows = await on.world.runtime.connections.tenant(anna.companyId, (db) =>
    db.selectFrom('identity.oauth_client').select('id').execute(),
  );
  expect(rows).toEqual([]);
  expect(NOBODYS_COMPANY).not.toBe(anna.companyId);
});
