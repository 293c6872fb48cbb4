import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logInAs } from '#test/support/log-in.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { adminOf } from '#test/walk.ts';
import {
  countLoginLog,
  exportLoginLog,
  forceOff,
  getSecurity,
  listLoginLog,
  listOnline,
  type SecuritySettings,
  saveSecurity,
} from '../contract/security.ts';
import { userInfo } from '../contract/users.ts';
import { forgetLogins } from '../server/security/retention.ts';
import { PASSWORD } from './support.ts';

let world: World;
let owner: Person;
let other: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  other = await world.owner();
});
afterAll(() => world.close());

const SETTINGS: SecuritySettings = {
  mfaRequired: false,
  passwordProfile: 'standard',
  idleMinutes: 180,
  maxSessions: 3,
  ipAllow: [],
};

describe('who is online', () => {
  test('is listed with device and address; one is put out and reads why', async () => {
    const member = await world.member(owner, []);
    const { records } = await owner.call(listOnline, { body: { sort: 'loggedInAt', order: 'desc' } });
    expect(records).toHaveLength(2);
    const [theirs, mine] = [records.find((row) => !row.current), records.find((row) => row.current)];
    expect(theirs).toMatchObject({ ip: '127.0.0.1', loginType: 'api' });
    expect(await owner.call(forceOff, { body: { ids: [theirs?.id ?? ''] } })).toBe(1);
    const answer = await member.send(userInfo, {});
    expect([answer.status, answer.msg]).toEqual([401, '管理员已将您强制下线']);
    expect((await owner.send(forceOff, { body: { ids: [mine?.id ?? ''] } })).msg).toBe(
      '不能强退当前会话，请使用退出登录',
    );
    expect((await owner.send(forceOff, { body: { ids: [theirs?.id ?? ''] } })).status).toBe(404);
    expect((await owner.send(forceOff, { body: { ids: [] } })).status).toBe(400);
  });

  test('an owner is put out by owners only, and nobody of another company at all', async () => {
    const helper = await world.member(owner, ['sys:security:view', 'sys:user:assign']);
    const { records } = await helper.call(listOnline, { body: { filter: { search: '管理员' } } });
    expect(records).toHaveLength(1);
    const ids = [records[0]?.id ?? ''];
    expect((await helper.send(forceOff, { body: { ids } })).msg).toBe('不能修改主账号');
    expect((await other.send(forceOff, { body: { ids } })).status).toBe(404);
    expect((await other.call(listOnline, { body: {} })).total).toBe(1);
    expect((await owner.send(userInfo, {})).status).toBe(200);
    const reader = await world.member(owner, ['sys:security:view']);
    expect((await reader.send(forceOff, { body: { ids } })).status).toBe(403);
    expect((await owner.send(listOnline, { body: { sort: 'account' } })).code).toBe(400);
  });
});

describe('log-ins', () => {
  test('good and bad ones are listed, counted, filtered and taken along', async () => {
    const account = `owner-${owner.companyId}@example.com`;
    await logInAs(world, account, PASSWORD);
    const { records } = await owner.call(listLoginLog, { body: { filter: { result: 'ok', search: 'owner-' } } });
    expect(records).toMatchObject([{ account, result: 'ok' }]);
    await world.app.inject({ method: 'POST', url: '/api/auth/login', payload: { account, password: 'Falsch-2026' } });
    const counts = await owner.call(countLoginLog, { body: {} });
    expect(counts.failed).toBe(1);
    expect(counts.ok).toBeGreaterThan(0);
    const failed = await owner.call(listLoginLog, { body: { filter: { result: 'failed' } } });
    expect(failed.records).toMatchObject([{ account, userName: '管理员', result: 'failed', ip: '127.0.0.1' }]);
    expect(failed.records[0]?.reason).toBeTruthy();
    expect((await owner.call(listLoginLog, { body: { filter: { at: { to: '2020-01-01' } } } })).total).toBe(0);
    const file = await owner.send(exportLoginLog, { body: { filter: { result: 'failed' }, format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain(account);
    expect((await other.call(listLoginLog, { body: { filter: { search: account } } })).total).toBe(0);
  });

  test('need their rights', async () => {
    const reader = await world.member(owner, ['sys:log:view']);
    expect((await reader.send(exportLoginLog, { body: { filter: {} } })).status).toBe(403);
    expect((await reader.send(listLoginLog, { body: { filter: { result: 'maybe' as 'ok' } } })).status).toBe(400);
    expect((await reader.send(countLoginLog, { body: {} })).status).toBe(200);
    const nobody = await world.member(owner, []);
    expect((await nobody.send(listLoginLog, { body: {} })).status).toBe(403);
  });
});

describe('security settings', () => {
  test('are kept and hold', async () => {
    const before = await owner.call(getSecurity, {});
    expect(before).toMatchObject({ ...SETTINGS, ip: '127.0.0.1', updatedAt: null });
    const body: SecuritySettings = {
      ...SETTINGS,
      idleMinutes: 30,
      maxSessions: 1,
      ipAllow: ['127.0.0.9/24', '10.0.0.1'],
    };
    await owner.call(saveSecurity, { body });
    const after = await owner.call(getSecurity, {});
    expect(after).toMatchObject({ idleMinutes: 30, maxSessions: 1, updatedByName: '管理员' });
    expect([...after.ipAllow].sort()).toEqual(['10.0.0.1/32', '127.0.0.0/24']);
    const outside = async () => {
      const reply = await world.app.inject({
        method: 'GET',
        url: '/api/admin/api/v1/users/info',
        headers: { jsessionid: owner.session },
        remoteAddress: '192.0.2.1',
      });
      return reply.statusCode;
    };
    // Every process hears of the change by a notification, which takes its moment.
    await expect.poll(outside, { timeout: 10_000 }).toBe(403);
    await owner.call(saveSecurity, { body: SETTINGS });
  });

  test('a list that shuts its editor out is refused, and so is what is no network', async () => {
    const put = async (ipAllow: string[]) => (await owner.send(saveSecurity, { body: { ...SETTINGS, ipAllow } })).msg;
    expect(await put(['203.0.113.0/24'])).toContain('名单不包含您当前的 IP 地址 127.0.0.1');
    expect(await put(['127.0.0.0/40'])).toContain('不是有效的 IP 地址或网段');
    expect(await put(['127.0.0.999'])).toContain('不是有效的 IP 地址或网段');
    expect(await put(['drop table'])).toContain('请输入 IP 地址或网段');
    expect((await owner.call(getSecurity, {})).ipAllow).toEqual([]);
    expect((await owner.send(saveSecurity, { body: { ...SETTINGS, idleMinutes: 1 } })).msg).toContain('5至720');
    expect((await owner.send(saveSecurity, { body: { ...SETTINGS, maxSessions: 0 } })).status).toBe(400);
    const reader = await world.member(owner, ['sys:security:view']);
    expect((await reader.send(saveSecurity, { body: SETTINGS })).status).toBe(403);
    expect((await other.call(getSecurity, {})).maxSessions).toBe(3);
  });
});

test('log-ins of more than two years ago are forgotten, of strangers too; younger ones nobody can take away', async () => {
  const admin = adminOf(world);
  // Ids hold the time at which a row was written: as old as its row here.
  await admin.query(
    `INSERT INTO identity.login_log (id, at, account, company_id, ok)
     SELECT (left(system.id_at(t)::text, 14) || right(gen_random_uuid()::text, 22))::uuid, t, 'retention', company, false
       FROM unnest($1::uuid[]) AS company, unnest(ARRAY[600, 729, 732, 900]) AS days,
            generate_series(1, 5), LATERAL (SELECT kit.now() - make_interval(days => days) AS t) AS at`,
    [[owner.companyId, null]],
  );
  const left = async () => {
    const { rows } = await admin.query(
      `SELECT kit.now()::date - at::date AS days, company_id IS NULL AS stranger, count(*)::int AS n
         FROM identity.login_log WHERE account = 'retention' GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    return rows.map(({ days, stranger, n }) => [days, stranger, n]);
  };
  expect((await left()).length).toBe(8);
  expect(await forgetLogins(world.runtime, 7)).toBe(20);
  expect(await left()).toEqual([600, 729].flatMap((days) => [false, true].map((stranger) => [days, stranger, 5])));
  expect(await forgetLogins(world.runtime)).toBe(0);
  const take = world.as(owner, (ctx) => ctx.client.query('DELETE FROM identity.login_log'));
  await expect(take).rejects.toThrow('permission denied');
  await admin.end();
});
