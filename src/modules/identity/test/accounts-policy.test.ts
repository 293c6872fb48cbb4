import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { ipAllowed, securityPolicyOf } from '../server/index.ts';
import { call, company, knocks, login, sessionOf } from './support.ts';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Sets one rule of a company, as its settings page would. */
async function rule(companyId: string, column: 'idle_minutes' | 'max_sessions' | 'ip_allow', value: unknown) {
  await admin.query(
    `INSERT INTO identity.security_policy (company_id, ${column}) VALUES ($1, $2)
     ON CONFLICT (company_id) DO UPDATE SET ${column} = excluded.${column}`,
    [companyId, value],
  );
}

test('a company that set nothing has the defaults; one that did has its own', async () => {
  const li: Person = await world.owner();
  const read = () => world.as(li, (ctx) => securityPolicyOf(ctx));
  expect(await read()).toEqual({
    mfaRequired: false,
    passwordProfile: 'standard',
    idleMinutes: 180,
    maxSessions: 3,
    ipAllow: [],
  });
  await rule(li.companyId, 'ip_allow', ['203.0.113.0/24', '2001:db8::/32']);
  expect((await read()).ipAllow).toEqual(['203.0.113.0/24', '2001:db8::/32']);
  const other = await world.owner();
  expect((await world.as(other, (ctx) => securityPolicyOf(ctx))).ipAllow).toEqual([]);
});

describe('enforced', () => {
  test('one session at a time, where the company wants it so', async () => {
    const { account, companyId } = await company(world);
    await rule(companyId, 'max_sessions', 1);
    const first = await sessionOf(world.app, account);
    const second = await sessionOf(world.app, account);
    expect([await knocks(world.app, first), await knocks(world.app, second)]).toEqual(['A0200', 'in']);
  });

  test('a shorter silence ends a session', async () => {
    const { account, companyId } = await company(world);
    await rule(companyId, 'idle_minutes', 10);
    const session = await sessionOf(world.app, account);
    const silent = (minutes: number) =>
      admin.query(
        'UPDATE identity.session SET last_seen_at = kit.now() - make_interval(mins => $2) WHERE company_id = $1',
        [companyId, minutes],
      );
    await silent(9);
    expect(await knocks(world.app, session)).toBe('in');
    const other = await sessionOf(world.app, account);
    await silent(11);
    expect(await knocks(world.app, other)).toBe('A0231');
  });

  test('outside the allowed networks nobody logs in, and an open session gets no answers', async () => {
    const { account, companyId } = await company(world);
    const session = await sessionOf(world.app, account);
    expect(await knocks(world.app, session)).toBe('in');
    await rule(companyId, 'ip_allow', ['203.0.113.0/24']);
    await expect.poll(() => knocks(world.app, session)).toBe('A0302');
    expect((await login(world.app, account)).msg).toContain('不在公司允许的范围内');
    const inside = await login(world.app, account, undefined, {}, '203.0.113.9');
    expect(inside.code).toBe(201);
    const from = (ip: string) =>
      call(world.app, 'GET', '/admin/api/v1/users/info', { session: String(inside.data.session), ip });
    expect([(await from('203.0.113.9')).code, (await from('198.51.100.1')).code]).toEqual([201, 403]);
    // The session itself lives on: whoever comes back inside goes on.
    expect((await from('203.0.113.10')).code).toBe(201);
  });
});

test('networks', () => {
  expect(ipAllowed([], 'anything')).toBe(true);
  expect(ipAllowed(['10.0.0.0/8'], '10.255.0.1')).toBe(true);
  expect(ipAllowed(['10.0.0.0/8'], '::ffff:10.1.2.3')).toBe(true);
  expect(ipAllowed(['10.0.0.0/8'], '11.0.0.1')).toBe(false);
  expect(ipAllowed(['10.0.0.1/32'], '10.0.0.2')).toBe(false);
  expect(ipAllowed(['2001:db8::/32'], '2001:db8:1::5')).toBe(true);
  expect(ipAllowed(['2001:db8::/32'], '10.0.0.1')).toBe(false);
  expect(ipAllowed(['10.0.0.0/8'], 'not an address')).toBe(false);
});
