import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  type BoundAccount,
  bindAccount,
  changeLogin,
  changeLoginGet,
  findBindList,
  getBindId,
  openidBind,
  unbindAccount,
} from '../contract/bind.ts';
import { company, knocks, login, PASSWORD } from './support.ts';

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

async function accountOf(person: Person): Promise<string> {
  const { rows } = await admin.query<{ account: string }>('SELECT account FROM identity.member WHERE id = $1', [
    person.userId,
  ]);
  return rows[0]?.account ?? '';
}

async function bound(one: Person, other: Person): Promise<BoundAccount[]> {
  await one.call(bindAccount, { body: { account: await accountOf(other), password: PASSWORD } });
  return one.call(findBindList, {});
}

describe('binding', () => {
  test('two accounts of one person, in two companies, see each other', async () => {
    const [li, liToo] = [await world.owner('甲公司'), await world.owner('乙公司')];
    expect(await li.call(findBindList, {})).toEqual([]);
    const list = await bound(li, liToo);
    expect(list.map((each) => [each.id, each.companyname, each.isactive])).toEqual([
      [li.userId, '甲公司', true],
      [liToo.userId, '乙公司', false],
    ]);
    expect(new Set(list.map((each) => each.lastloginsession)).size).toBe(1);
    expect((await liToo.call(findBindList, {})).map((each) => each.isactive)).toEqual([false, true]);
    expect(await liToo.call(getBindId, {})).toBe(list[0]?.lastloginsession);
    expect(decodeURIComponent(list[1]?.userinfo.companyname ?? '')).toBe('乙公司');
    const log = await admin.query<{ action: string }>(
      "SELECT action FROM kit.audit WHERE company_id = ANY ($1::uuid[]) AND resource = 'identity.bind'",
      [[li.companyId, liToo.companyId]],
    );
    expect(log.rows.map((row) => row.action)).toEqual(['绑定账号', '绑定账号']);
  });

  test('the way of older versions binds too, and keeps the password out of the log', async () => {
    const [li, other] = [await world.owner(), await world.owner()];
    const openid = await li.call(getBindId, {});
    const query = { openid, appType: 'erp', account: await accountOf(other), password: PASSWORD };
    expect(await li.call(openidBind, { query })).toMatchObject({ id: other.userId });
    const { rows } = await admin.query<{ text: string }>(
      'SELECT string_agg(a::text, $2) AS text FROM kit.audit a WHERE company_id = $1',
      [li.companyId, ' '],
    );
    expect(rows[0]?.text).not.toContain(PASSWORD);
  });

  test('what is missing or pointless is said in the words of the dialog', async () => {
    const li = await world.owner();
    const other = await world.owner();
    const send = async (account: string, password: string) =>
      (await li.send(bindAccount, { body: { account, password } })).msg;
    expect(await send('', PASSWORD)).toContain('请输入要绑定的账号');
    expect(await send('a@example.com', '')).toContain('请输入密码');
    expect(await send(` ${(await accountOf(li)).toUpperCase()}`, PASSWORD)).toBe('不能绑定当前账号');
    await bound(li, other);
    expect(await send(await accountOf(other), PASSWORD)).toBe('该账号已绑定');
  });

  test('nobody is bound by a wrong password, and guessing locks as it does at the log-in', async () => {
    const [li, victim] = [await world.owner(), await world.owner()];
    const account = await accountOf(victim);
    for (let i = 0; i < 5; i += 1) {
      expect((await li.send(bindAccount, { body: { account, password: 'falsch' } })).msg).toBe('账号或密码错误');
    }
    expect((await li.send(bindAccount, { body: { account, password: PASSWORD } })).msg).toMatch(/^密码错误次数过多/);
    expect((await login(world.app, account)).msg).toMatch(/^密码错误次数过多/);
    expect(await li.call(findBindList, {})).toEqual([]);
    const nobody = { account: `${randomUUID()}@example.com`, password: 'falsch' };
    expect((await li.send(bindAccount, { body: nobody })).msg).toBe('账号或密码错误');
  });

  test('an account that is bound to others is not taken away from them, and brings nobody along', async () => {
    const [a, b, c] = [await world.owner(), await world.owner(), await world.owner()];
    await bound(a, b);
    expect((await c.send(bindAccount, { body: { account: await accountOf(b), password: PASSWORD } })).msg).toBe(
      '该账号已绑定',
    );
    expect(await c.call(findBindList, {})).toEqual([]);
    expect((await a.call(findBindList, {})).map((each) => each.id)).toEqual([a.userId, b.userId]);
  });

  test('disabled accounts are not bound', async () => {
    const li = await world.owner();
    const { account, companyId } = await company(world);
    await admin.query('UPDATE identity.member SET is_disabled = true WHERE company_id = $1', [companyId]);
    expect((await li.send(bindAccount, { body: { account, password: PASSWORD } })).msg).toBe(
      '账号已停用，请联系管理员',
    );
  });

  test('three at once end in one group', async () => {
    const people = [await world.owner(), await world.owner(), await world.owner()] as const;
    const [a, b, c] = people;
    await Promise.all([
      a.send(bindAccount, { body: { account: await accountOf(b), password: PASSWORD } }),
      b.send(bindAccount, { body: { account: await accountOf(c), password: PASSWORD } }),
      c.send(bindAccount, { body: { account: await accountOf(a), password: PASSWORD } }),
    ]);
    const sizes = await Promise.all(people.map(async (each) => (await each.call(findBindList, {})).length));
    const { rows } = await admin.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM identity.account_bind WHERE member_id = ANY ($1::uuid[]) GROUP BY group_id',
      [people.map((each) => each.userId)],
    );
    // Whoever came second was already bound to another; nobody is in a group that he cannot see.
    expect(rows.reduce((sum, row) => sum + row.n, 0)).toBe(sizes.filter((size) => size > 0).length);
  });
});

describe('unbinding', () => {
  test('ends a group of two; the other account can be bound again', async () => {
    const [a, b] = [await world.owner(), await world.owner()];
    await bound(a, b);
    expect(await a.call(unbindAccount, { body: { id: b.userId } })).toBe('success');
    expect(await a.call(findBindList, {})).toEqual([]);
    expect(await b.call(findBindList, {})).toEqual([]);
    expect(await bound(b, a)).toHaveLength(2);
  });

  test('of a stranger, of nobody, and without an id is refused', async () => {
    const [a, b, c] = [await world.owner(), await world.owner(), await world.owner()];
    await bound(a, b);
    for (const id of [b.userId, a.userId, randomUUID()]) {
      expect((await c.send(unbindAccount, { body: { id } })).status).toBe(404);
    }
    expect((await c.send(unbindAccount, { body: { id: 'x' } })).status).toBe(400);
    expect(await a.call(findBindList, {})).toHaveLength(2);
  });
});

describe('changing', () => {
  const switchTo = async (from: Person, to: Person, openid: string) => ({
    openid,
    account: await accountOf(to),
    appType: 'web',
    jsessionid: from.session,
  });

  test('opens a session of the other account; the old one answers for ten more seconds', async () => {
    const [a, b] = [await world.owner('甲公司'), await world.owner('乙公司')];
    await bound(a, b);
    const openid = await a.call(getBindId, {});
    const { jsessionid, currentuser } = await a.call(changeLogin, { body: await switchTo(a, b, openid) });
    expect(currentuser).toMatchObject({ id: b.userId, companyname: '乙公司' });
    expect(await knocks(world.app, jsessionid)).toBe('in');
    expect(await knocks(world.app, a.session)).toBe('in');
    await admin.query(
      "UPDATE identity.session SET revoked_at = revoked_at - interval '10 seconds' WHERE member_id = $1",
      [a.userId],
    );
    // That it retires is announced to all processes, to this one as well: until that is heard, it is remembered as it was.
    await expect.poll(() => knocks(world.app, a.session), { timeout: PATIENCE_MS }).toBe('A0200');
    expect(await knocks(world.app, jsessionid)).toBe('in');
  });

  test('to an account of another group, by its true bind id or the own one, is refused', async () => {
    const [a, b, c, d] = [await world.owner(), await world.owner(), await world.owner(), await world.owner()];
    await bound(a, b);
    await bound(c, d);
    const [mine, theirs] = [await a.call(getBindId, {}), await c.call(getBindId, {})];
    for (const openid of [mine, theirs, randomUUID()]) {
      const answer = await a.send(changeLoginGet, { query: await switchTo(a, c, openid) });
      expect([answer.status, answer.data]).toEqual([404, null]);
    }
    const alone = await world.owner();
    expect((await alone.send(changeLogin, { body: await switchTo(alone, a, mine) })).status).toBe(404);
  });

  test('with the id of another session than the one that asks is refused', async () => {
    const [a, b, thief] = [await world.owner(), await world.owner(), await world.owner()];
    await bound(a, b);
    const openid = await a.call(getBindId, {});
    const stolen = { ...(await switchTo(a, b, openid)), jsessionid: a.session };
    expect((await thief.send(changeLogin, { body: stolen })).code).toBe(400);
    expect((await a.send(changeLogin, { body: { ...stolen, jsessionid: b.session } })).code).toBe(400);
  });

  test('to the account that asks, or to one that was disabled meanwhile, is refused', async () => {
    const [a, b] = [await world.owner(), await world.owner()];
    await bound(a, b);
    const openid = await a.call(getBindId, {});
    expect((await a.send(changeLogin, { body: await switchTo(a, a, openid) })).msg).toBe('已是当前账号');
    await admin.query('UPDATE identity.member SET is_disabled = true WHERE id = $1', [b.userId]);
    const answer = await a.send(changeLogin, { body: await switchTo(a, b, openid) });
    expect(answer.msg).toBe('账号已停用，请联系管理员');
    expect(await knocks(world.app, a.session)).toBe('in');
  });
});
