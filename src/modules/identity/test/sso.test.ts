import { randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseDue } from '../server/self/closure.ts';
import { TestBrowser } from './sso-browser.ts';
import { atProvider, comeIn, createSsoWorld, endOf, knock, type SsoWorld, untilCallback } from './sso-support.ts';
import { call, company, login } from './support.ts';

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
beforeEach(() => {
  on.sso.provision = false;
});

const sessionIn = (url: URL) => url.searchParams.get('jsessionid') ?? '';
const problemIn = (url: URL) => `${url.pathname} ${url.searchParams.get('error')}`;

/** Somebody whom the provider knows, with an account of the same address here. */
async function somebody(name = '林小满') {
  const sub = `sub-${randomUUID()}`;
  const member = await company(on.world, `${randomUUID()}@example.com`);
  on.provider.people.set(sub, { email: member.account, email_verified: true, name });
  return { sub, ...member };
}

/** A mail domain of a company of its own, with a role that new people get. */
async function domain() {
  const name = `${randomUUID().slice(0, 8)}.example`;
  const { companyId } = await company(on.world);
  const { rows } = await admin.query<{ id: string }>(
    "INSERT INTO identity.role (company_id, name) VALUES ($1, '运营') RETURNING id",
    [companyId],
  );
  const roleId = rows[0]?.id;
  await admin.query(
    "INSERT INTO identity.role_permission (company_id, role_id, code) VALUES ($1, $2, 'sys:dept:view')",
    [companyId, roleId],
  );
  await admin.query('INSERT INTO identity.sso_domain (company_id, domain, role_id) VALUES ($1, $2, $3)', [
    companyId,
    name,
    roleId,
  ]);
  return { name, companyId };
}

describe('coming in', () => {
  test('the browser goes to the provider and comes back with a session of its own', async () => {
    const { data } = await call(on.world.app, 'POST', '/auth/ssologinisrun', { body: {} });
    expect(data).toBe(`${on.pages}/sso`);
    const { sub, userId } = await somebody();
    const browser = new TestBrowser();
    const start = await browser.open(`${on.pages}/sso/getJSession`);
    const query = endOf(start).searchParams;
    expect(start.status).toBe(302);
    expect(start.headers.get('cache-control')).toBe('no-store');
    expect(query.get('code_challenge_method')).toBe('S256');
    expect([query.get('code_challenge')?.length, query.get('state')?.length, query.get('nonce')?.length]).toEqual([
      43, 43, 43,
    ]);
    expect(start.headers.getSetCookie().join()).toMatch(
      /^sso=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const answer = await browser.open(await untilCallback(on, browser, sub));
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const end = endOf(answer);
    expect([end.origin, end.pathname]).toEqual([on.pages, '/ssologin']);
    expect(await knock(on, browser, sessionIn(end))).toBe(`in ${userId}`);
    const { rows } = await admin.query('SELECT login_type, claim_hash FROM identity.session WHERE member_id = $1', [
      userId,
    ]);
    expect(rows).toEqual([{ login_type: 'sso', claim_hash: null }]);
    const kept = await admin.query(
      'SELECT * FROM identity.sso_session s JOIN identity.session USING (company_id) WHERE s.sub = $1',
      [sub],
    );
    expect(JSON.stringify(kept.rows)).not.toContain(sessionIn(end));
    expect(kept.rows[0].id_token_sealed).toMatch(/^v1\./);
  });

  test('the first time by a verified address, later by the provider’s own name for him', async () => {
    const { sub, userId, companyId } = await somebody();
    const first = new TestBrowser();
    expect(await knock(on, first, sessionIn(await comeIn(on, first, sub)))).toBe(`in ${userId}`);
    on.provider.people.set(sub, { email: 'married@example.com', email_verified: false, name: '新名字' });
    const second = new TestBrowser();
    expect(await knock(on, second, sessionIn(await comeIn(on, second, sub)))).toBe(`in ${userId}`);
    const { rows } = await admin.query(
      'SELECT provider, open_id, union_id FROM identity.external_identity WHERE company_id = $1',
      [companyId],
    );
    expect(rows).toEqual([{ provider: 'oidc', open_id: sub, union_id: `${on.provider.issuer}|${sub}` }]);
    const log = await admin.query(
      "SELECT actor_name FROM kit.audit WHERE company_id = $1 AND resource = 'identity.sso'",
      [companyId],
    );
    expect(log.rows).toEqual([{ actor_name: '单点登录' }]);
  });

  test('a stranger gets an account where his domain belongs to a company and the settings allow it', async () => {
    const { name, companyId } = await domain();
    on.provider.people.set('newcomer', { email: `Wang@${name}`, email_verified: true, name: '王芳' });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'newcomer'))).toBe('/ssologin unknown');
    on.sso.provision = true;
    const browser = new TestBrowser();
    const end = await comeIn(on, browser, 'newcomer');
    const { rows } = await admin.query(
      `SELECT m.account, m.name, m.user_type, m.email_verified, r.name AS role FROM identity.member m
         JOIN identity.member_role x ON x.company_id = m.company_id AND x.member_id = m.id
         JOIN identity.role r ON r.company_id = x.company_id AND r.id = x.role_id
        WHERE m.company_id = $1 AND m.account = $2`,
      [companyId, `wang@${name}`],
    );
    expect(rows).toEqual([
      { account: `wang@${name}`, name: '王芳', user_type: 'member', email_verified: true, role: '运营' },
    ]);
    expect(await knock(on, browser, sessionIn(end))).toMatch(/^in /);
    on.provider.people.set('outsider', { email: 'x@nobodys.example', email_verified: true });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'outsider'))).toBe('/ssologin unknown');
  });

  test('two first log-ins at once make one account', async () => {
    const { name, companyId } = await domain();
    on.sso.provision = true;
    on.provider.people.set('twice', { email: `twice@${name}`, email_verified: true });
    const browsers = [new TestBrowser(), new TestBrowser()];
    const backs = await Promise.all(browsers.map((browser) => untilCallback(on, browser, 'twice')));
    const ends = await Promise.all(browsers.map((browser, index) => browser.open(backs[index] ?? '')));
    expect(ends.map((end) => sessionIn(endOf(end)).length)).toEqual([43, 43]);
    const { rows } = await admin.query('SELECT count(*)::int AS n FROM identity.member WHERE company_id = $1', [
      companyId,
    ]);
    expect(rows[0].n).toBe(2);
  });

  test('a full plan and a suspended company take nobody', async () => {
    const { name, companyId } = await domain();
    on.sso.provision = true;
    await admin.query(`UPDATE identity.company SET plan_limits = '{"users": 0}' WHERE company_id = $1`, [companyId]);
    on.provider.people.set('one-more', { email: `more@${name}`, email_verified: true });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'one-more'))).toBe('/ssologin full');
    await admin.query("UPDATE identity.company SET status = 'suspended' WHERE company_id = $1", [companyId]);
    expect(problemIn(await comeIn(on, new TestBrowser(), 'one-more'))).toBe('/ssologin unknown');
  });

  test('two tabs of one browser may log in at the same time', async () => {
    const { sub } = await somebody();
    const browser = new TestBrowser();
    const first = await untilCallback(on, browser, sub);
    const second = await untilCallback(on, browser, sub);
    for (const back of [first, second]) {
      expect(sessionIn(endOf(await browser.open(back)))).toHaveLength(43);
    }
  });

  test('a second factor of ours is asked for too; the session is one of single sign-on', async () => {
    const { sub, companyId, userId } = await somebody();
    await admin.query('INSERT INTO identity.security_policy (company_id, mfa_required) VALUES ($1, true)', [companyId]);
    const end = await comeIn(on, new TestBrowser(), sub);
    expect(end.search).toBe('');
    const step = new URLSearchParams(end.hash.slice(1));
    expect(step.get('enrol')).toBe('true');
    const { rows } = await admin.query('SELECT login_type FROM identity.mfa_challenge WHERE member_id = $1', [userId]);
    expect(rows).toEqual([{ login_type: 'sso' }]);
    const enrolment = await call(on.world.app, 'POST', '/auth/login/mfa/enrol', {
      body: { mfaToken: step.get('mfaToken') },
    });
    expect(enrolment.code).toBe(201);
    const code = new TOTP({ secret: String(enrolment.data.secret) }).generate();
    const body = { mfaToken: step.get('mfaToken'), code };
    expect((await call(on.world.app, 'POST', '/auth/login/mfa', { body })).data.id).toBe(userId);
    const opened = await admin.query('SELECT login_type FROM identity.session WHERE member_id = $1', [userId]);
    expect(opened.rows).toEqual([{ login_type: 'sso' }]);
  });
});

describe('the id in the address', () => {
  test('is worth nothing to another browser, and everything to its own', async () => {
    const { sub, userId } = await somebody();
    const browser = new TestBrowser();
    const session = sessionIn(await comeIn(on, browser, sub));
    expect(await knock(on, new TestBrowser(), session)).toMatch(/^A0231/);
    const sameCookies = new TestBrowser('curl/8');
    sameCookies.setCookie(on.pages, 'sso', browser.cookies(on.pages).slice(4));
    expect(await knock(on, sameCookies, session)).toMatch(/^A0231/);
    const planted = new TestBrowser();
    planted.setCookie(on.pages, 'sso', 'x'.repeat(43));
    expect(await knock(on, planted, session)).toMatch(/^A0231/);
    expect(await knock(on, browser, session)).toBe(`in ${userId}`);
    // From then on it is an ordinary session, which travels in a header only.
    expect(await knock(on, new TestBrowser(), session)).toBe(`in ${userId}`);
  });

  test('is worth nothing after a minute', async () => {
    const { sub, userId } = await somebody();
    const browser = new TestBrowser();
    const session = sessionIn(await comeIn(on, browser, sub));
    const { rows } = await admin.query<{ s: number }>(
      'SELECT extract(epoch FROM claim_until - kit.now())::int AS s FROM identity.session WHERE member_id = $1',
      [userId],
    );
    expect(rows[0]?.s).toBeGreaterThan(50);
    expect(rows[0]?.s).toBeLessThanOrEqual(60);
    await admin.query(
      "UPDATE identity.session SET claim_until = kit.now() - interval '1 second' WHERE member_id = $1",
      [userId],
    );
    expect(await knock(on, browser, session)).toMatch(/^A0231/);
  });
});

describe('refused', () => {
  test('a way back that this browser never began, or that lacks its state', async () => {
    const { sub } = await somebody();
    const thief = new TestBrowser();
    const back = await untilCallback(on, thief, sub);
    // Log-in by a planted link: the victim would work in the thief's account.
    expect(problemIn(endOf(await new TestBrowser().open(back)))).toBe('/ssologin state');
    const victim = new TestBrowser();
    await victim.open(`${on.pages}/sso/getJSession`);
    expect(problemIn(endOf(await victim.open(back)))).toBe('/ssologin state');
    const bare = new URL(back);
    bare.searchParams.delete('state');
    expect(problemIn(endOf(await thief.open(bare)))).toBe('/ssologin state');
    await admin.query("UPDATE identity.sso_flow SET expires_at = kit.now() - interval '1 second'");
    expect(problemIn(endOf(await thief.open(back)))).toBe('/ssologin state');
  });

  test('a token with another nonce', async () => {
    const { sub } = await somebody();
    const browser = new TestBrowser();
    const start = await browser.open(`${on.pages}/sso/getJSession`);
    const address = endOf(start);
    address.searchParams.set('nonce', 'another');
    const back = await atProvider(on, browser, await browser.open(address), sub);
    expect(problemIn(endOf(await browser.open(back)))).toBe('/ssologin provider');
  });

  test('a code used twice, and a code that belongs to another log-in', async () => {
    const { sub } = await somebody();
    const browser = new TestBrowser();
    const back = await untilCallback(on, browser, sub);
    const waiting = await untilCallback(on, browser, sub);
    expect(sessionIn(endOf(await browser.open(back)))).toHaveLength(43);
    expect(problemIn(endOf(await browser.open(back)))).toBe('/ssologin state');
    waiting.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect(problemIn(endOf(await browser.open(waiting)))).toBe('/ssologin provider');
    const mixed = await untilCallback(on, browser, sub);
    mixed.searchParams.set('iss', 'https://evil.example');
    expect(problemIn(endOf(await browser.open(mixed)))).toBe('/ssologin provider');
  });

  test('an address that the provider did not verify, and a log-in that it refused', async () => {
    const { account } = await company(on.world);
    on.provider.people.set('unverified', { email: account, email_verified: false });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'unverified'))).toBe('/ssologin unverified');
    on.provider.people.set('without', { email: account });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'without'))).toBe('/ssologin unverified');
    const browser = new TestBrowser();
    const start = endOf(await browser.open(`${on.pages}/sso/getJSession`));
    const query = new URLSearchParams({
      error: 'access_denied',
      state: start.searchParams.get('state') ?? '',
      iss: on.provider.issuer,
    });
    expect(problemIn(endOf(await browser.open(`${on.pages}/sso/callback?${query}`)))).toBe('/ssologin denied');
  });

  test('disabled, expired and suspended people see why, and are not sent round', async () => {
    const { sub, userId, companyId } = await somebody();
    await admin.query('UPDATE identity.member SET is_disabled = true WHERE id = $1', [userId]);
    expect(problemIn(await comeIn(on, new TestBrowser(), sub))).toBe('/ssologin B0104');
    await admin.query("UPDATE identity.member SET is_disabled = false, expire_date = '2020-01-01' WHERE id = $1", [
      userId,
    ]);
    expect(problemIn(await comeIn(on, new TestBrowser(), sub))).toBe('/ssologin B0105');
    await admin.query("UPDATE identity.company SET status = 'suspended' WHERE company_id = $1", [companyId]);
    expect(problemIn(await comeIn(on, new TestBrowser(), sub))).toBe('/ssologin B0103');
    const { rows } = await admin.query('SELECT ok, reason FROM identity.login_log WHERE member_id = $1', [userId]);
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ ok: false, reason: 'state' })));
  });

  test('an address that was given to somebody else, and one that only looks like an account', async () => {
    const { account } = await somebody();
    const former = [...on.provider.people].find(([, claims]) => claims.email === account)?.[0] ?? '';
    await comeIn(on, new TestBrowser(), former);
    on.provider.people.set('successor', { email: account, email_verified: true });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'successor'))).toBe('/ssologin taken');
    // A company enters an address of somebody else's people, to catch them.
    const { name } = await domain();
    await company(on.world, `boss@${name}`);
    on.provider.people.set('boss', { email: `boss@${name}`, email_verified: true });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'boss'))).toBe('/ssologin elsewhere');
  });

  test('an address of two people who are not told apart', async () => {
    const both = `${randomUUID()}@example.com`;
    for (const each of [await company(on.world), await company(on.world)]) {
      await admin.query('UPDATE identity.member SET email = $1, email_verified = true WHERE id = $2', [
        both,
        each.userId,
      ]);
    }
    on.provider.people.set('both', { email: both, email_verified: true });
    expect(problemIn(await comeIn(on, new TestBrowser(), 'both'))).toBe('/ssologin ambiguous');
  });

  test('who was removed stays out until he is entered again', async () => {
    const { name, companyId } = await domain();
    on.sso.provision = true;
    const email = `leaver@${name}`;
    on.provider.people.set('leaver', { email, email_verified: true });
    await comeIn(on, new TestBrowser(), 'leaver');
    await admin.query('UPDATE identity.member SET deleted_at = kit.now() WHERE account = $1', [email]);
    expect(problemIn(await comeIn(on, new TestBrowser(), 'leaver'))).toBe('/ssologin removed');
    await admin.query(
      `INSERT INTO identity.member (company_id, account, password_hash, name) VALUES ($1, $2, '!', '回来')`,
      [companyId, email],
    );
    expect(sessionIn(await comeIn(on, new TestBrowser(), 'leaver'))).toHaveLength(43);
  });

  test('nothing that the caller sends decides where the browser goes', async () => {
    const browser = new TestBrowser();
    const evil = 'redirect_uri=https://evil.example&returnUrl=//evil.example&url=https://evil.example';
    const start = endOf(await browser.open(`${on.pages}/sso/getJSession?${evil}`));
    expect(start.origin).toBe(on.provider.issuer);
    expect(start.searchParams.get('redirect_uri')).toBe(`${on.pages}/sso/callback`);
    const back = endOf(await browser.open(`${on.pages}/sso/callback?error=x&${evil}`));
    expect(back.href).toBe(`${on.pages}/ssologin?error=state`);
    const out = endOf(
      await browser.open(`${on.pages}/sso/logout?post_logout_redirect_uri=https://evil.example&${evil}`),
    );
    expect(out.href).toBe(`${on.pages}/login`);
    const host = await on.world.app.inject({ url: '/sso/callback?error=x', headers: { host: 'evil.example' } });
    expect(host.headers.location).toBe(`${on.pages}/ssologin?error=state`);
  });
});

test('what the provider said of somebody goes with him, and in any case after eight days', async () => {
  const { sub, userId, companyId } = await somebody();
  const kept = async (column: string, value: string) => {
    const text = `SELECT count(*)::int AS n FROM identity.sso_session WHERE ${column} = $1`;
    return (await admin.query<{ n: number }>(text, [value])).rows[0]?.n;
  };
  await comeIn(on, new TestBrowser(), sub);
  const other = await somebody();
  await comeIn(on, new TestBrowser(), other.sub);
  await admin.query("UPDATE identity.sso_session SET created_at = kit.now() - interval '9 days' WHERE sub = $1", [
    other.sub,
  ]);
  await new TestBrowser().open(`${on.pages}/sso/getJSession`);
  expect([await kept('sub', other.sub), await kept('sub', sub)]).toEqual([0, 1]);
  await admin.query(
    'INSERT INTO identity.closure (company_id, member_id, whole_company, effective_at) VALUES ($1, $2, true, kit.now())',
    [companyId, userId],
  );
  await eraseDue(on.world.runtime);
  expect(await kept('sub', sub)).toBe(0);
  const links = await admin.query('SELECT FROM identity.external_identity WHERE company_id = $1', [companyId]);
  expect(links.rowCount).toBe(0);
});

test('who comes through the provider keeps his password', async () => {
  const { sub, account } = await somebody();
  await comeIn(on, new TestBrowser(), sub);
  expect((await login(on.world.app, account)).code).toBe(201);
});
