import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { codeOf, newPhone } from './outbox.ts';
import { call, knocks, login } from './support.ts';

const USERS = '/admin/api/v1/users';
const GOOD = 'Segeln-2026';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

async function keyFor(phone: string, ftype: string): Promise<string> {
  await admin.query(
    "UPDATE identity.verify_code SET created_at = created_at - interval '2 minutes' WHERE target = $1",
    [phone],
  );
  const answer = await call(world.app, 'GET', `${USERS}/getSmsCode?mobile=${phone}&ftype=${ftype}`);
  return answer.data as unknown as string;
}

/** A form that is right in every field, with a code that was just sent. */
async function form(phone = newPhone()) {
  const key = await keyFor(phone, 'register');
  return {
    account: phone,
    code: await codeOf(world, phone),
    key,
    password: GOOD,
    oldpassword: GOOD,
    name: '李雷',
    email: 'li@example.com',
    company: '远航贸易',
  };
}

const register = (body: object) => call(world.app, 'POST', `${USERS}/register`, { body });

async function registered() {
  const body = await form();
  expect(await register(body)).toMatchObject({ code: 201, data: 'success' });
  return body.account;
}

test('the first company registers itself on an empty database, logs in and begins to work', async () => {
  const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM identity.company');
  expect(rows[0]?.n).toBe(0);
  const phone = await registered();
  const session = (await login(world.app, phone, GOOD)).data.session ?? '';
  // The wrong spelling of the phone is the same account, a wrong password is none.
  expect((await login(world.app, `+86 ${phone}`, GOOD)).code).toBe(201);
  const info = await call(world.app, 'GET', `${USERS}/info`, { session });
  expect(info.data).toMatchObject({
    name: '李雷',
    account: phone,
    tel: phone,
    email: 'li@example.com',
    company: '远航贸易',
    usertype: 'owner',
    userinfo: { companyname: encodeURIComponent('远航贸易') },
  });
  const menu = await call(world.app, 'GET', '/admin/api/v1/menus/route', { session });
  const sections = menu.data as unknown as { meta: { title: string; permissions?: string[] } }[];
  expect(sections[0]?.meta.title).toBe('首页');
  expect(sections[0]?.meta.permissions).toContain('amz:store:edit');
  expect(sections.length).toBeGreaterThan(3);
  const saved = await world.app.inject({
    method: 'PUT',
    url: '/api/amazon/api/v1/amzgroup/save',
    headers: { jsessionid: session },
    payload: { name: '美国店' },
  });
  expect(saved.json().code).toBe(201);
  const stores = await call(world.app, 'GET', '/amazon/api/v1/amzgroup/list', { session });
  expect(JSON.stringify(stores.data)).toContain('美国店');
  const orders = await call(world.app, 'POST', '/amazon/api/v1/orders/manager/list', {
    session,
    body: { page: 1, limit: 20 },
  });
  expect(orders).toMatchObject({ code: 201, data: { total: 0, records: [] } });
  const { rows: audited } = await admin.query("SELECT action, after FROM kit.audit WHERE action = '注册'");
  expect(audited).toHaveLength(1);
  expect(JSON.stringify(audited)).not.toContain(GOOD);
});

test('a new company begins with a role for each kind of work, each with its rights and open everywhere', async () => {
  const phone = await registered();
  const session = (await login(world.app, phone, GOOD)).data.session ?? '';
  const page = await call(world.app, 'POST', '/admin/api/v1/roles/page', { session, body: {} });
  const { records } = page.data as unknown as { records: { id: string; name: string; codes: number }[] };
  expect(records.map((role) => role.name).sort()).toEqual(['仓库', '客服', '财务', '运营', '采购'].sort());
  expect(records.every((role) => role.codes > 0)).toBe(true);
  const { rows } = await admin.query(
    `SELECT r.name, r.template, count(s.dimension)::int AS open
       FROM identity.member m JOIN identity.role r USING (company_id)
       JOIN identity.role_scope s ON s.company_id = r.company_id AND s.role_id = r.id AND s.mode = 'ALL'
      WHERE m.account = $1 GROUP BY 1, 2 ORDER BY 2`,
    [phone],
  );
  expect(rows.map((role) => role.template)).toEqual(['finance', 'operation', 'purchase', 'service', 'warehouse']);
  expect(rows.every((role) => role.open >= 3)).toBe(true);
});

describe('a registration', () => {
  test('is checked in order, one thing at a time', async () => {
    const good = await form();
    const empty = { account: '', email: '', name: '', company: '', password: '', oldpassword: '', code: '', key: '' };
    const steps: [object, string][] = [
      [{}, '手机号不能为空'],
      [{ account: '123' }, '请输入正确的手机号'],
      [{ account: good.account }, '邮箱不能为空'],
      [{ email: 'li@' }, '请输入正确的邮箱'],
      [{ email: good.email }, '用户名不能为空'],
      [{ name: '李雷' }, '公司名称不能为空'],
      [{ company: '远'.repeat(51) }, '公司名称不能超过50个字符'],
      [{ company: good.company }, '密码不能为空'],
      [{ password: 'abcdefg1' }, '密码须包含数字、小写字母、大写字母、特殊符号中的至少三种，长度为8-30位'],
      [{ password: GOOD }, '请再次输入密码'],
      [{ oldpassword: `${GOOD}x` }, '两次输入的密码不一致'],
      [{ oldpassword: GOOD }, '验证码不能为空'],
      [{ code: good.code }, '请先获取验证码'],
    ];
    let body: object = empty;
    for (const [change, msg] of steps) {
      body = { ...body, ...change };
      expect(await register(body)).toMatchObject({ status: 400, code: 400, msg });
    }
    expect(await register({})).toMatchObject({ status: 400, msg: '手机号不能为空' });
    expect(await register({ ...body, key: good.key })).toMatchObject({ code: 201 });
  });

  test.each([
    ['Password1', '密码过于常见，容易被猜到，请更换'],
    ['P@ssw0rd2026', '密码过于常见，容易被猜到，请更换'],
    ['Liverpool1', '密码过于常见，容易被猜到，请更换'],
    ['Zaq12wsx', '密码过于常见，容易被猜到，请更换'],
    ['Qwer1234!', '密码过于常见，容易被猜到，请更换'],
    ['Woaini-1314', '密码过于常见，容易被猜到，请更换'],
    ['Hanmeimei-77', '密码不能包含账号、邮箱或用户名'],
  ])('refuses the password %s', async (password, msg) => {
    const body = { ...(await form()), password, oldpassword: password, name: 'hanmeimei' };
    expect(await register(body)).toMatchObject({ status: 400, msg, data: { fields: [{ field: 'password' }] } });
  });

  test('tells that an account exists only to who has the code of its phone', async () => {
    const phone = await registered();
    const again = await form(phone);
    const wrong = again.code === '111111' ? '222222' : '111111';
    expect(await register({ ...again, code: wrong })).toMatchObject({ msg: '验证码错误或已失效' });
    expect(await register(again)).toMatchObject({ code: 400, msg: '账号已存在，请直接登录', data: { code: 'B0113' } });
  });

  test('with the code of another phone, or of another purpose, is none', async () => {
    const mine = await form();
    const theirs = await form();
    expect((await register({ ...mine, account: theirs.account })).msg).toBe('验证码错误或已失效');
    const phone = newPhone();
    const key = await keyFor(phone, 'changephone');
    const body = { ...mine, account: phone, key, code: await codeOf(world, phone) };
    expect((await register(body)).msg).toBe('验证码错误或已失效');
  });

  test('sent five times at once makes one company', async () => {
    const body = await form();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => register(body)));
    expect(answers.filter((answer) => answer.code === 201)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.code !== 201)) {
      expect(['账号已存在，请直接登录', '验证码错误或已失效']).toContain(answer.msg);
    }
    const { rows } = await admin.query('SELECT 1 FROM identity.member WHERE account = $1', [body.account]);
    expect(rows).toHaveLength(1);
  });

  test('keeps a name with tags as the text that it is', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const company = '"><script>alert(2)</script>';
    const body = { ...(await form()), name, company };
    expect((await register(body)).code).toBe(201);
    const session = (await login(world.app, body.account, GOOD)).data.session ?? '';
    const response = await world.app.inject({ method: 'GET', url: `${USERS}/info`, headers: { jsessionid: session } });
    expect(response.headers['content-type']).toContain('application/json');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.json().data).toMatchObject({ name, company });
  });
});

describe('a forgotten password', () => {
  const NEW = 'Rudern-2027';
  const forget = (body: object) => call(world.app, 'POST', `${USERS}/updatePasswordForget`, { body });

  async function reset(phone: string, password: string) {
    const key = await keyFor(phone, 'losepassword');
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 50);
    await promise;
    return { account: phone, key, code: await codeOf(world, phone), password, repassword: password };
  }

  test('is replaced by who has the code; every session of the account ends and says why', async () => {
    const phone = await registered();
    const sessions = [await login(world.app, phone, GOOD), await login(world.app, phone, GOOD)];
    const body = await reset(phone, NEW);
    expect(await call(world.app, 'GET', `/auth/verifySmsCode?key=${body.key}&code=${body.code}`)).toMatchObject({
      data: 'success',
    });
    expect(await forget(body)).toMatchObject({ code: 201, data: 'success' });
    for (const { data } of sessions) {
      const answer = await call(world.app, 'GET', `${USERS}/info`, { session: data.session ?? '' });
      expect(answer).toMatchObject({ status: 401, msg: '密码已修改，请重新登录', data: { code: 'A0200' } });
    }
    expect((await login(world.app, phone, GOOD)).msg).toBe('账号或密码错误');
    const fresh = await login(world.app, phone, NEW);
    expect(await knocks(world.app, fresh.data.session ?? '')).toBe('in');
    expect((await forget(body)).msg, 'the same code again').toBe('验证码错误或已失效');
  });

  test('is checked in order', async () => {
    const good = { account: '13900000000', key: 'k', code: '123456', password: NEW, repassword: NEW };
    for (const [change, msg] of [
      [{ account: '' }, '手机号或邮箱不能为空'],
      [{ account: 'li@example' }, '请输入正确的邮箱'],
      [{ account: '12' }, '请输入正确的手机号'],
      [{ code: '' }, '验证码不能为空'],
      [{ password: 'abc' }, '密码须包含'],
      [{ repassword: '' }, '请再次输入密码'],
      [{ repassword: `${NEW}1` }, '两次输入的密码不一致'],
    ] as const) {
      const answer = await forget({ ...good, ...change });
      expect(answer.status).toBe(400);
      expect(answer.msg).toContain(msg);
    }
    expect(await forget(good)).toMatchObject({ code: 400, msg: '验证码错误或已失效' });
  });

  test('may not be one of the last five', async () => {
    const phone = await registered();
    const passwords = [GOOD, ...[1, 2, 3, 4, 5].map((n) => `Rudern-202${n}`)];
    const change = async (password: string) => {
      await admin.query(
        "UPDATE identity.verify_code SET created_at = created_at - interval '1 day' WHERE target = $1",
        [phone],
      );
      return forget(await reset(phone, password));
    };
    for (const password of passwords.slice(1, 5)) expect((await change(password)).code).toBe(201);
    for (const password of passwords.slice(0, 5)) {
      expect(await change(password), password).toMatchObject({ status: 400, msg: '不能使用最近5次用过的密码' });
    }
    expect((await change('Rudern-2025')).code).toBe(201);
    expect((await change(GOOD)).code, 'the sixth last').toBe(201);
    const { rows } = await admin.query('SELECT password_hash FROM identity.password_history');
    expect(rows.length).toBeLessThanOrEqual(10);
  });

  test('that is proven again unlocks the account', async () => {
    const phone = await registered();
    for (let n = 0; n < 5; n += 1) await login(world.app, phone, 'Falsch-1', {}, '203.0.113.77');
    expect((await login(world.app, phone, GOOD, {}, '203.0.113.77')).data.code).toBe('B0101');
    expect((await forget(await reset(phone, NEW))).code).toBe(201);
    expect((await login(world.app, phone, NEW, {}, '203.0.113.77')).code).toBe(201);
  });

  test('the older call works with a verified code and with no other', async () => {
    const phone = await registered();
    const { repassword: _, ...body } = await reset(phone, NEW);
    const update = () => call(world.app, 'POST', `${USERS}/updatePassword`, { body });
    // Neither the current password nor a new one gets another answer: the call is no oracle.
    for (const password of [GOOD, NEW]) {
      const answer = await call(world.app, 'POST', `${USERS}/updatePassword`, { body: { ...body, password } });
      expect(answer.msg, 'not verified').toBe('验证码错误或已失效');
    }
    expect((await login(world.app, phone, GOOD)).code).toBe(201);
    await call(world.app, 'GET', `/auth/verifySmsCode?key=${body.key}&code=${body.code}`);
    expect(await update()).toMatchObject({ code: 201, data: 'success' });
    expect((await update()).msg, 'twice').toBe('验证码错误或已失效');
    expect((await login(world.app, phone, NEW)).code).toBe(201);
    expect(await call(world.app, 'POST', `${USERS}/updatePassword`, { body: {} })).toMatchObject({ status: 400 });
  });

  test('of one account is not replaced with the code of another', async () => {
    const victim = await registered();
    const mine = await registered();
    const body = await reset(mine, NEW);
    expect((await forget({ ...body, account: victim })).msg).toBe('验证码错误或已失效');
    expect((await login(world.app, victim, GOOD)).code).toBe(201);
  });
});
