import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApi } from '#src/app/api.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { lockMinutes } from '../server/lockout.ts';
import { hashOf } from '../server/sessions.ts';
import { call, company, knocks, login, PASSWORD, sessionOf } from './support.ts';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

describe('coming and going', () => {
  test('the right password opens a session, and logging out ends it', async () => {
    const { account, userId } = await company(world);
    const answer = await login(world.app, account);
    expect(answer).toMatchObject({ status: 200, code: 201, data: { id: userId } });
    const session = answer.data.session ?? '';
    expect(await knocks(world.app, session)).toBe('in');
    expect((await call(world.app, 'GET', '/auth/apilogout', { session })).data).toBe('success');
    expect(await knocks(world.app, session)).toBe('A0200');
  });

  test('an account is the same however it is written', async () => {
    await company(world, 'mixed@example.com');
    await company(world, '13812345678');
    for (const account of ['  Mixed@Example.COM ', '+86 138-1234-5678', '138 1234 5678']) {
      expect((await login(world.app, account)).code, account).toBe(201);
    }
  });

  test('disabled, expired and suspended are told only to who knows the password', async () => {
    const cases = [
      ['账号已停用，请联系管理员', 'UPDATE identity.member SET is_disabled = true WHERE company_id = $1'],
      ['账号已过期', "UPDATE identity.member SET expire_date = '2020-01-01' WHERE company_id = $1"],
      ['公司已停用，请联系客服', "UPDATE identity.company SET status = 'suspended' WHERE company_id = $1"],
    ] as const;
    for (const [msg, change] of cases) {
      const { account, companyId } = await company(world);
      await admin.query(change, [companyId]);
      expect(await login(world.app, account)).toMatchObject({ status: 200, code: 400, msg });
      expect((await login(world.app, account, 'falsch')).msg).toBe('账号或密码错误');
    }
  });

  test('the database knows neither passwords nor session ids', async () => {
    const { account } = await company(world);
    const session = await sessionOf(world.app, account);
    const { rows } = await admin.query<{ text: string }>(
      `SELECT (SELECT string_agg(m::text, ' ') FROM identity.member m) || (SELECT string_agg(s::text, ' ') FROM identity.session s)
           || coalesce((SELECT string_agg(l::text, ' ') FROM identity.login_log l), '') AS text`,
    );
    expect(rows[0]?.text).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(rows[0]?.text).toContain(hashOf(session));
    expect(rows[0]?.text).not.toContain(session);
    expect(rows[0]?.text).not.toContain(PASSWORD);
  });
});

describe('sessions', () => {
  test('a fourth log-in ends the oldest; the other two go on', async () => {
    const { account } = await company(world);
    const sessions = [];
    for (let i = 0; i < 4; i += 1) sessions.push(await sessionOf(world.app, account));
    expect(await Promise.all(sessions.map((session) => knocks(world.app, session)))).toEqual([
      'A0200',
      'in',
      'in',
      'in',
    ]);
  });

  test('twelve log-ins at once leave three', async () => {
    const { account } = await company(world);
    const sessions = await Promise.all(Array.from({ length: 12 }, () => sessionOf(world.app, account)));
    const states = await Promise.all(sessions.map((session) => knocks(world.app, session)));
    expect(states.filter((state) => state === 'in')).toHaveLength(3);
  });

  test('a log-in never takes over an id that the caller brought', async () => {
    const { account } = await company(world);
    const planted = 'planted-by-somebody-else';
    const response = await world.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { jsessionid: planted, cookie: `jsessionid=${planted}` },
      payload: { account, password: PASSWORD, uid: planted, session: planted },
    });
    const { session } = response.json<{ data: { session: string } }>().data;
    expect(session).not.toBe(planted);
    expect(Buffer.from(session, 'base64url')).toHaveLength(32);
    expect(await knocks(world.app, planted)).toBe('A0231');
    const before = await sessionOf(world.app, account);
    expect(before).not.toBe(session);
  });

  test('three hours of silence end it, and so do seven days however busy', async () => {
    const cases = [
      ["last_seen_at = kit.now() - interval '2 hours 59 minutes'", 'in'],
      ["last_seen_at = kit.now() - interval '3 hours 1 minute'", 'A0231'],
      ["expires_at = kit.now() + interval '1 minute'", 'in'],
      ["expires_at = kit.now() - interval '1 second'", 'A0231'],
    ] as const;
    for (const [change, wanted] of cases) {
      const { account } = await company(world);
      const session = await sessionOf(world.app, account);
      await admin.query(`UPDATE identity.session SET ${change} WHERE token_hash = $1`, [hashOf(session)]);
      expect([change, await knocks(world.app, session)]).toEqual([change, wanted]);
    }
    const { account } = await company(world);
    const session = await sessionOf(world.app, account);
    const { rows } = await admin.query<{ hours: number }>(
      'SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours FROM identity.session WHERE token_hash = $1',
      [hashOf(session)],
    );
    expect(rows[0]?.hours).toBe(7 * 24);
  });

  test('work keeps a session alive', async () => {
    const { account } = await company(world);
    const session = await sessionOf(world.app, account);
    await admin.query(
      "UPDATE identity.session SET last_seen_at = kit.now() - interval '2 hours' WHERE token_hash = $1",
      [hashOf(session)],
    );
    expect(await knocks(world.app, session)).toBe('in');
    const { rows } = await admin.query(
      "SELECT 1 FROM identity.session WHERE token_hash = $1 AND last_seen_at > kit.now() - interval '1 minute'",
      [hashOf(session)],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('a second process on the same database', () => {
  test('takes the session of the first, and forgets it within a second of its end', async () => {
    const runtime = await openRuntime(world.runtime.config, world.databaseUrl);
    const other = await createApi(runtime);
    try {
      const { account } = await company(world);
      const first = await sessionOf(world.app, account);
      expect(await knocks(other, first)).toBe('in');
      await call(world.app, 'GET', '/auth/apilogout', { session: first });
      await vi.waitFor(async () => expect(await knocks(other, first)).toBe('A0200'), { timeout: 1000, interval: 20 });

      const second = await sessionOf(other, account);
      expect(await knocks(world.app, second)).toBe('in');
      for (let i = 0; i < 3; i += 1) await sessionOf(world.app, account);
      await vi.waitFor(async () => expect(await knocks(other, second)).toBe('A0200'), { timeout: 1000, interval: 20 });
    } finally {
      await other.close();
      await runtime.connections.close();
    }
  });

  test('a disabled user is out within a second, everywhere', async () => {
    const runtime = await openRuntime(world.runtime.config, world.databaseUrl);
    const other = await createApi(runtime);
    try {
      const changes = [
        ['S0001', 'UPDATE identity.member SET is_disabled = true WHERE company_id = $1'],
        ['S0003', "UPDATE identity.company SET status = 'suspended' WHERE company_id = $1"],
        ['S0002', "UPDATE identity.member SET expire_date = '2020-01-01' WHERE company_id = $1"],
      ] as const;
      for (const [code, change] of changes) {
        const { account, companyId } = await company(world);
        const session = await sessionOf(world.app, account);
        expect([await knocks(world.app, session), await knocks(other, session)]).toEqual(['in', 'in']);
        await world.runtime.connections.tenant(companyId, (_db, client) => client.query(change, [companyId]));
        for (const app of [world.app, other]) {
          await vi.waitFor(async () => expect(await knocks(app, session)).toBe(code), { timeout: 1000, interval: 20 });
        }
      }
    } finally {
      await other.close();
      await runtime.connections.close();
    }
  });

  test('a right that is taken away is gone within a second', async () => {
    const owner = await world.owner();
    const member = await world.member(owner, ['amz:store:view']);
    const url = '/amazon/api/v1/amzgroup/list';
    expect((await call(world.app, 'GET', url, { session: member.session })).status).toBe(200);
    await world.runtime.connections.tenant(owner.companyId, (db) =>
      db.deleteFrom('identity.role_permission').where('company_id', '=', owner.companyId).execute(),
    );
    await vi.waitFor(
      async () => expect((await call(world.app, 'GET', url, { session: member.session })).status).toBe(403),
      { timeout: 1000, interval: 20 },
    );
  });

  test('a busy process whose listening connection was cut hears of the next revocation too', async () => {
    const { account } = await company(world);
    const session = await sessionOf(world.app, account);
    expect(await knocks(world.app, session)).toBe('in');
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
    await sleep(1500);
    expect(await knocks(world.app, session)).toBe('in');
    await call(world.app, 'GET', '/auth/apilogout', { session: await sessionOf(world.app, account) });
    await admin.query('UPDATE identity.session SET revoked_at = kit.now() WHERE token_hash = $1', [hashOf(session)]);
    await admin.query("SELECT pg_notify('identity_session', $1)", [hashOf(session)]);
    await vi.waitFor(async () => expect(await knocks(world.app, session)).toBe('A0200'), {
      timeout: 1000,
      interval: 20,
    });
  });
});

describe('guessing', () => {
  /** Moves what happened to an account into the past, as if somebody had waited. */
  const wait = async (account: string, minutes: number) => {
    for (const [table, column] of [
      ['login_log', 'at'],
      ['member', 'password_changed_at'],
    ]) {
      await admin.query(
        `UPDATE identity.${table} SET ${column} = ${column} - make_interval(mins => $2) WHERE account = $1`,
        [account, minutes],
      );
    }
  };

  test.each(['known', 'unknown'])('twelve wrong passwords of an account that is %s', async (kind) => {
    const account = kind === 'known' ? (await company(world)).account : `${randomUUID()}@example.com`;
    const ip = kind === 'known' ? '203.0.113.1' : '203.0.113.2';
    const guess = () => login(world.app, account, 'Falsch-1', {}, ip);
    const plain = { status: 200, code: 400, msg: '账号或密码错误', data: { code: 'B0102' } };
    for (let n = 1; n <= 5; n += 1) expect(await guess()).toMatchObject(plain);
    expect(await guess()).toMatchObject({
      code: 400,
      msg: '密码错误次数过多，请15分钟后再试',
      data: { code: 'B0101', minutes: 15 },
    });
    // Not even the right password opens a locked account.
    expect((await login(world.app, account, PASSWORD, {}, ip)).data?.code).toBe('B0101');
    await wait(account, 14);
    expect(await guess()).toMatchObject({ data: { minutes: 1 } });
    await wait(account, 2);
    for (let n = 6; n <= 10; n += 1) expect(await guess()).toMatchObject(plain);
    expect(await guess()).toMatchObject({ msg: '密码错误次数过多，请30分钟后再试', data: { minutes: 30 } });
    await wait(account, 31);
    for (let n = 11; n <= 12; n += 1) expect(await guess()).toMatchObject(plain);
  });

  test('a success begins the count anew', async () => {
    const { account } = await company(world);
    const ip = '203.0.113.3';
    for (let n = 0; n < 4; n += 1) await login(world.app, account, 'falsch', {}, ip);
    expect((await login(world.app, account, PASSWORD, {}, ip)).code).toBe(201);
    for (let n = 0; n < 4; n += 1) await login(world.app, account, 'falsch', {}, ip);
    expect((await login(world.app, account, PASSWORD, {}, ip)).code).toBe(201);
  });

  test('the lock doubles up to a day', () => {
    expect([0, 1, 4, 5, 6, 10, 15, 20, 35, 40, 100].map(lockMinutes)).toEqual([
      0, 0, 0, 15, 0, 30, 60, 120, 960, 1440, 1440,
    ]);
  });

  test('thirty failures from one address close it for ten minutes, whatever account is tried', async () => {
    const ip = '203.0.113.4';
    for (let n = 0; n < 30; n += 1) {
      expect((await login(world.app, `${randomUUID()}@example.com`, 'x', {}, ip)).status).toBe(200);
    }
    const { account } = await company(world);
    expect(await login(world.app, account, PASSWORD, {}, ip)).toMatchObject({
      status: 429,
      code: 429,
      retryAfter: '600',
    });
    expect((await login(world.app, account, PASSWORD, {}, '203.0.113.5')).code).toBe(201);
  });
});
