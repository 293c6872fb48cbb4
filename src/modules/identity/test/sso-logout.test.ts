import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putOperator } from '../server/index.ts';
import { providerOf, providerRuns } from '../server/sso/provider.ts';
import { TestBrowser } from './sso-browser.ts';
import { CLIENT } from './sso-provider.ts';
import { comeIn, createSsoWorld, endOf, knock, type SsoWorld } from './sso-support.ts';
import { call, company, PASSWORD, sessionOf } from './support.ts';

let on: SsoWorld;
let admin: pg.Pool;

beforeAll(async () => {
  on = await createSsoWorld();
  admin = new pg.Pool({ connectionString: on.world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
});
afterAll(async () => {
  await admin.end();
  await on.close();
});

interface Entered {
  sub: string;
  userId: string;
  companyId: string;
  browser: TestBrowser;
  session: string;
}

async function enter(sub: string, browser = new TestBrowser()): Promise<string> {
  const session = (await comeIn(on, browser, sub)).searchParams.get('jsessionid') ?? '';
  expect(await knock(on, browser, session)).toMatch(/^in /);
  return session;
}

async function somebodyIn(): Promise<Entered> {
  const sub = `sub-${randomUUID()}`;
  const { account, userId, companyId } = await company(on.world);
  on.provider.people.set(sub, { email: account, email_verified: true });
  const browser = new TestBrowser();
  return { sub, userId, companyId, browser, session: await enter(sub, browser) };
}

/** Gone as soon as the announcement has come back from the database. */
const gone = (browser: TestBrowser, session: string) =>
  expect.poll(() => knock(on, browser, session), { timeout: 2000 });

describe('logging out', () => {
  test('ends the session here and at the provider, and leads back to the log-in page', async () => {
    const { sub, browser, session } = await somebodyIn();
    const out = await browser.open(`${on.pages}/sso/logout`);
    const address = endOf(out);
    expect(address.origin).toBe(on.provider.issuer);
    expect(address.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3);
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${on.pages}/login`);
    await gone(browser, session).toBe('A0200 已退出登录');
    const asked = await browser.open(address);
    const landed = await browser.follow(
      await browser.submit(asked, { logout: 'yes' }),
      (url) => url.origin === on.pages,
    );
    expect(landed.url.href).toBe(`${on.pages}/login`);
    // Nobody comes in without logging in there again: of what made the browser known to us only that it was here is left.
    expect(browser.cookies(on.pages)).toMatch(/^device=[\w-]{43}$/);
    const again = await browser.follow(await browser.open(`${on.pages}/sso/getJSession`), () => false);
    expect(again.text).toContain('name="login"');
    expect(await enter(sub, browser)).toHaveLength(43);
  });

  test('without a session it only leads to the log-in page; a stranger’s cookie ends nothing', async () => {
    const { browser, session } = await somebodyIn();
    const stranger = new TestBrowser();
    stranger.setCookie(on.pages, 'sso', 'x'.repeat(43));
    expect(endOf(await stranger.open(`${on.pages}/sso/logout`)).href).toBe(`${on.pages}/login`);
    expect(endOf(await new TestBrowser().open(`${on.pages}/sso/logout`)).href).toBe(`${on.pages}/login`);
    expect(await knock(on, browser, session)).toMatch(/^in /);
  });

  test('the ordinary log-out ends the session here as well, and the provider’s can still be ended', async () => {
    const { browser, session } = await somebodyIn();
    expect((await call(on.world.app, 'GET', '/auth/apilogout', { session })).data).toBe('success');
    expect(endOf(await browser.open(`${on.pages}/sso/logout`)).origin).toBe(on.provider.issuer);
  });
});

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

function tokenFor(sub: string, more: object = {}) {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: on.provider.issuer,
    aud: CLIENT.id,
    iat,
    exp: iat + 120,
    jti: randomUUID(),
    sub,
    events: EVENTS,
    ...more,
  };
}

async function tell(token: string): Promise<string> {
  const response = await fetch(`${on.pages}/sso/backchannel`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
  const { msg } = (await response.json()) as { msg: string };
  return `${response.status} ${msg}`;
}

describe('the provider tells', () => {
  test('that a browser logged out there: its session ends, that of another browser goes on', async () => {
    const { sub, browser, session } = await somebodyIn();
    const other = new TestBrowser();
    const elsewhere = await enter(sub, other);
    const asked = await browser.open(`${on.provider.issuer}/session/end?client_id=${CLIENT.id}`);
    await browser.submit(asked, { logout: 'yes' });
    await gone(browser, session).toBe('A0200 已在单点登录中退出');
    expect(await knock(on, other, elsewhere)).toMatch(/^in /);
  });

  test('that a person is out: all his sessions of single sign-on end, those by password and of others do not', async () => {
    const { sub, userId, browser, session } = await somebodyIn();
    const { rows } = await admin.query<{ account: string }>('SELECT account FROM identity.member WHERE id = $1', [
      userId,
    ]);
    const byPassword = await sessionOf(on.world.app, rows[0]?.account ?? '');
    const bystander = await somebodyIn();
    // As after a second step of ours: a session that is not known by browser.
    const second = await enter(sub);
    await admin.query(
      'DELETE FROM identity.sso_session WHERE session_id = (SELECT max(id::text)::uuid FROM identity.session WHERE member_id = $1)',
      [userId],
    );
    expect(await tell(on.provider.signed(tokenFor(sub)))).toBe('200 操作成功');
    await gone(browser, session).toMatch(/^A0200/);
    await gone(browser, second).toMatch(/^A0200/);
    expect(await knock(on, browser, byPassword)).toMatch(/^in /);
    expect(await knock(on, bystander.browser, bystander.session)).toMatch(/^in /);
  });

  test('and is not believed where the token is not what it should be', async () => {
    const { sub, browser, session } = await somebodyIn();
    const { signed } = on.provider;
    const now = Math.floor(Date.now() / 1000);
    const wrong: [string, string][] = [
      ['签发者', signed(tokenFor(sub, { iss: 'https://evil.example' }))],
      ['受众', signed(tokenFor(sub, { aud: ['somebody-else'] }))],
      ['签发时间', signed(tokenFor(sub, { iat: now - 3600 }))],
      ['签发时间', signed(tokenFor(sub, { iat: now + 3600 }))],
      ['签发时间', signed(tokenFor(sub, { iat: 'yesterday' }))],
      ['已过期', signed(tokenFor(sub, { exp: now - 120 }))],
      ['事件', signed(tokenFor(sub, { events: {} }))],
      ['事件', signed(tokenFor(sub, { events: undefined }))],
      ['nonce', signed(tokenFor(sub, { nonce: 'x' }))],
      ['缺少标识', signed(tokenFor(sub, { sub: undefined }))],
      ['缺少标识', signed(tokenFor(sub, { jti: undefined }))],
      ['类型', signed(tokenFor(sub), { typ: 'at+jwt' })],
      ['签名', signed(tokenFor(sub), { kid: 'unknown' })],
      ['签名', signed(tokenFor(sub), { alg: 'RS384' })],
      ['格式', signed(tokenFor(sub), { alg: 'none' })],
      ['格式', signed(tokenFor(sub), { alg: 'HS256' })],
      ['格式', signed(tokenFor(sub), { crit: ['x'] })],
      ['格式', 'not.a.token'],
      ['格式', 'nothing'],
    ];
    for (const [why, token] of wrong) expect(await tell(token), why).toBe(`400 退出令牌无效：${why}`);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const [head = '', body = '', signature = ''] = signed(tokenFor(sub)).split('.');
    const forged = sign('sha256', Buffer.from(`${head}.${body}`), privateKey).toString('base64url');
    expect(await tell(`${head}.${body}.${forged}`)).toBe('400 退出令牌无效：签名');
    const changed = Buffer.from(JSON.stringify(tokenFor('somebody else'))).toString('base64url');
    expect(await tell(`${head}.${changed}.${signature}`)).toBe('400 退出令牌无效：签名');
    expect(await knock(on, browser, session)).toMatch(/^in /);
    const good = signed(tokenFor(sub));
    expect(await tell(good)).toBe('200 操作成功');
    expect(await tell(good)).toBe('400 退出令牌无效：重复使用');
  });
});

test('forms reach only the call that asks for them', async () => {
  const { account } = await company(on.world);
  const response = await fetch(`${on.pages}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ account, password: 'x' }),
  });
  expect(response.status).toBe(415);
  expect((await fetch(`${on.pages}/sso/nowhere`)).status).toBe(404);
});

describe('mail domains', () => {
  test('the operator gives them to companies; nobody else does', async () => {
    const account = `${randomUUID()}@example.com`;
    await putOperator(on.world.runtime, { account, password: PASSWORD, name: '运营' });
    const session = await sessionOf(on.world.app, account);
    const { companyId, account: owner } = await company(on.world, undefined, '乙公司');
    const add = (body: object, by = session) =>
      call(on.world.app, 'POST', '/admin/api/v1/sso/domains', { body, session: by });
    const added = await add({ domain: ' Firma.Example ', companyId });
    expect(added.code).toBe(201);
    expect((await add({ domain: 'firma.example', companyId })).msg).toBe('该域名已被使用');
    expect((await add({ domain: 'x@y', companyId })).msg).toBe('请输入正确的邮箱域名');
    expect((await add({ domain: 'other.example', companyId: randomUUID() })).status).toBe(404);
    expect((await add({ domain: 'other.example', companyId, role: '运营' })).msg).toBe('该公司没有名为“运营”的角色');
    await admin.query("INSERT INTO identity.role (company_id, name) VALUES ($1, '运营')", [companyId]);
    expect((await add({ domain: 'other.example', companyId, role: '运营' })).code).toBe(201);
    const asOwner = await sessionOf(on.world.app, owner);
    expect((await add({ domain: 'gmail.com', companyId }, asOwner)).status).toBe(403);
    const list = await call(on.world.app, 'GET', '/admin/api/v1/sso/domains', { session });
    expect(list.data).toMatchObject([
      { domain: 'firma.example', company: '乙公司', companyId, role: null },
      { domain: 'other.example', company: '乙公司', companyId, role: '运营' },
    ]);
    const log = await admin.query(
      "SELECT count(*)::int AS n FROM kit.audit WHERE resource = 'identity.sso' AND resource_id = $1",
      [String(added.data)],
    );
    expect(log.rows[0].n).toBe(2);
    const path = `/api/admin/api/v1/sso/domains/${String(added.data)}`;
    const remove = () => on.world.app.inject({ method: 'DELETE', url: path, headers: { jsessionid: session } });
    expect((await remove()).statusCode).toBe(200);
    expect((await remove()).statusCode).toBe(404);
  });
});

test('a provider that does not answer, or none at all, leaves the log-in page', async () => {
  const { runtime, app } = on.world;
  const { sso } = runtime.config;
  const [dead, none] = [{ ...runtime }, { ...runtime }];
  dead.config = { ...runtime.config, sso: { ...on.sso, issuer: 'http://127.0.0.1:9' } };
  none.config = { ...runtime.config, sso: undefined };
  const before = Date.now();
  expect(await providerRuns(dead)).toBe(false);
  expect(await providerRuns(dead)).toBe(false);
  expect(Date.now() - before).toBeLessThan(4000);
  await expect(providerOf(dead)).rejects.toMatchObject({ code: 'down' });
  runtime.config.sso = undefined;
  try {
    expect((await call(app, 'POST', '/auth/ssologinisrun', { body: {} })).data).toBe('false');
    expect((await call(app, 'GET', '/sso/getJSession')).msg).toBe('未启用单点登录');
    // Who came in while it was set up still gets out.
    expect((await app.inject('/sso/logout')).headers.location).toBe(`${on.pages}/login`);
  } finally {
    runtime.config.sso = sso;
  }
  await expect(providerOf(none)).rejects.toThrow();
});
