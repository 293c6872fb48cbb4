import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inSystem } from '#kit/server/runtime.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { consumeCode, verifyCode } from '../server/codes/check.ts';
import { waitFor } from '../server/codes/limits.ts';
import { sendCode } from '../server/codes/send.ts';
import { codeOf, newPhone, sentTo } from './outbox.ts';
import { call, company } from './support.ts';

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

/** Moves the codes of a target into the past, as if somebody had waited. */
const wait = (target: string, seconds: number) =>
  admin.query(
    `UPDATE identity.verify_code SET created_at = created_at - make_interval(secs => $2),
            expires_at = expires_at - make_interval(secs => $2) WHERE target = $1`,
    [target, seconds],
  );

const ask = (mobile: string, ftype = 'register', ip = '192.0.2.1') =>
  call(world.app, 'GET', `/admin/api/v1/users/getSmsCode?mobile=${encodeURIComponent(mobile)}&ftype=${ftype}`, { ip });
const check = (key: unknown, code: string) =>
  call(world.app, 'GET', `/auth/verifySmsCode?key=${String(key)}&code=${code}`);

/** A code that is none of the given. */
const other = (code: string) => (code === '000000' ? '000001' : '000000');

async function asked(ftype = 'register') {
  const phone = newPhone();
  const { data: key } = await ask(phone, ftype);
  return { phone, key: key as unknown as string, code: await codeOf(world, phone) };
}

describe('asking', () => {
  test('sends six digits and answers with a key that says nothing', async () => {
    const { phone, key, code } = await asked();
    expect(await sentTo(world, phone)).toEqual([expect.stringContaining('5分钟内有效')]);
    expect(key).toMatch(/^[\w-]{32}$/);
    expect(await check(key, code)).toMatchObject({ code: 201, data: 'success' });
  });

  test('by mail as well, and on the older addresses', async () => {
    const mail = await call(
      world.app,
      'GET',
      '/admin/api/v1/users/getEmailCode?email=Li%40Example.com&ftype=activeEmail',
    );
    expect(await check(mail.data, await codeOf(world, 'li@example.com'))).toMatchObject({ data: 'success' });
    const phone = newPhone();
    const sms = await call(world.app, 'GET', `/admin/api/v1/sms/getSmsCode?mobile=${phone}&ftype=register`);
    const code = await codeOf(world, phone);
    const answer = await call(world.app, 'GET', `/admin/api/v1/sms/checkSmsCode?key=${String(sms.data)}&code=${code}`);
    expect(answer).toMatchObject({ code: 201, data: 'success' });
  });

  test.each([
    ['/admin/api/v1/users/getSmsCode?mobile=&ftype=register', '手机号码不能为空'],
    ['/admin/api/v1/users/getSmsCode?mobile=12345&ftype=register', '请输入正确的手机号'],
    ['/admin/api/v1/users/getSmsCode?mobile=13900000000&ftype=else', '用途'],
    ['/admin/api/v1/sms/getSmsCode?mobile=abc&ftype=register', '请输入正确的手机号'],
    ['/admin/api/v1/users/getEmailCode?email=li&ftype=losepassword', '请输入正确的邮箱'],
    ['/auth/verifySmsCode?key=&code=1', '请先获取验证码'],
    ['/admin/api/v1/sms/checkSmsCode?key=abc&code=', '验证码不能为空'],
  ])('%s is refused: %s', async (url, msg) => {
    const answer = await call(world.app, 'GET', url);
    expect(answer).toMatchObject({ status: 400, code: 400 });
    expect(answer.msg).toContain(msg);
  });

  test('the table holds neither key nor code', async () => {
    const { phone, key, code } = await asked();
    const { rows } = await admin.query('SELECT * FROM identity.verify_code WHERE target = $1', [phone]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(Object.values(rows[0] as object)).not.toContain(code);
  });
});

describe('limits of a target', () => {
  test('the next code after 60 s, five within an hour, ten within a day', async () => {
    const phone = newPhone();
    const soon = { status: 429, code: 429, msg: '操作过于频繁，请稍后再试' };
    expect((await ask(phone)).code).toBe(201);
    expect(await ask(phone)).toMatchObject({ ...soon, retryAfter: '60' });
    // However it is written, it is the same phone.
    expect(await ask(`+86${phone}`)).toMatchObject(soon);
    for (let n = 2; n <= 5; n += 1) {
      await wait(phone, 61);
      expect((await ask(phone)).code, `code ${n}`).toBe(201);
    }
    await wait(phone, 61);
    const sixth = await ask(phone);
    expect(sixth).toMatchObject(soon);
    expect(Number(sixth.retryAfter)).toBeGreaterThan(3000);
    await wait(phone, 3600);
    for (let n = 6; n <= 10; n += 1) {
      expect((await ask(phone)).code, `code ${n}`).toBe(201);
      await wait(phone, 61);
    }
    await wait(phone, 3600);
    expect(await ask(phone)).toMatchObject(soon);
    await wait(phone, 86_400);
    expect((await ask(phone)).code).toBe(201);
  });

  test('of ten requests at once one is served', async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(phone)));
    expect(answers.filter((answer) => answer.code === 201)).toHaveLength(1);
    expect(await sentTo(world, phone)).toHaveLength(1);
  });

  test('whoever waits as long as told gets a code, and nobody a moment earlier', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 86_399 }), { maxLength: 10 }), (ages) => {
        const sorted = [...ages].sort((a, b) => a - b);
        const seconds = waitFor(sorted);
        const later = (by: number) => sorted.map((age) => age + by);
        expect(waitFor(later(seconds))).toBe(0);
        if (seconds > 0) expect(waitFor(later(seconds - 1))).toBeGreaterThan(0);
      }),
    );
  });
});

describe('guessing', () => {
  test('five wrong codes end the key, and then the right one is too late', async () => {
    const { key, code } = await asked();
    for (let n = 1; n <= 4; n += 1) {
      expect(await check(key, other(code))).toMatchObject({
        code: 400,
        msg: '验证码错误或已失效',
        data: { code: 'B0110' },
      });
    }
    const last = { code: 400, msg: '验证码错误次数过多，请重新获取', data: { code: 'B0111' } };
    expect(await check(key, other(code))).toMatchObject(last);
    expect(await check(key, code)).toMatchObject(last);
  });

  test('fifty guesses at once count like fifty in a row', async () => {
    const { key, code } = await asked();
    await Promise.all(Array.from({ length: 50 }, () => check(key, other(code))));
    const { rows } = await admin.query<{ n: number }>('SELECT max(attempts) AS n FROM identity.verify_code');
    expect(rows[0]?.n).toBe(5);
    expect((await check(key, code)).data).toMatchObject({ code: 'B0111' });
  });

  test('five minutes later it is worth nothing; an invented key never was', async () => {
    const { phone, key, code } = await asked();
    await wait(phone, 301);
    expect((await check(key, code)).msg).toBe('验证码错误或已失效');
    expect((await check('invented', code)).msg).toBe('验证码错误或已失效');
  });

  test('a right code leaves ten minutes for the rest of the form, once', async () => {
    const { phone, key, code } = await asked();
    expect((await check(key, code)).code).toBe(201);
    await wait(phone, 550);
    expect((await check(key, code)).code).toBe(201);
    await wait(phone, 100);
    expect((await check(key, code)).code).toBe(400);
  });
});

describe('spending', () => {
  const spend = (attempt: Parameters<typeof consumeCode>[1]) =>
    inSystem(world.runtime, (db) => consumeCode(db, attempt));

  test('a code is spent once, for its purpose and its target only', async () => {
    const { phone, key, code } = await asked('changephone');
    const good = { key, code, purpose: 'changephone', target: phone } as const;
    await expect(spend(good), 'not verified yet').rejects.toThrow('验证码错误或已失效');
    await verifyCode(world.runtime, good);
    await expect(spend({ ...good, purpose: 'register' })).rejects.toThrow('验证码错误或已失效');
    await expect(spend({ ...good, target: newPhone() })).rejects.toThrow('验证码错误或已失效');
    await expect(spend({ ...good, code: other(code) })).rejects.toThrow('验证码错误或已失效');
    const outcomes = await Promise.allSettled([spend(good), spend(good), spend(good)]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    await expect(verifyCode(world.runtime, good)).rejects.toThrow('验证码错误或已失效');
  });

  test('what rolls back gives the code back', async () => {
    const { phone, key, code } = await asked('changephone');
    const good = { key, code, purpose: 'changephone', target: phone } as const;
    await verifyCode(world.runtime, good);
    const undone = inSystem(world.runtime, async (db) => {
      await consumeCode(db, good);
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    await spend(good);
  });

  test('a code sent for one thing does not check for another', async () => {
    const { phone, key, code } = await asked('register');
    const wrong = verifyCode(world.runtime, { key, code, purpose: 'losepassword', target: phone });
    await expect(wrong).rejects.toThrow('验证码错误或已失效');
  });
});

describe('who has lost a password', () => {
  test('an account and a phone that is none get the same answer; only one gets a message', async () => {
    const known = newPhone();
    const unknown = newPhone();
    await company(world, known);
    const [one, two] = [await ask(known, 'losepassword'), await ask(unknown, 'losepassword')];
    expect(Object.keys(one)).toEqual(Object.keys(two));
    expect([one.code, two.code]).toEqual([201, 201]);
    expect(String(one.data)).toHaveLength(String(two.data).length);
    await vi.waitFor(async () => expect(await sentTo(world, known)).toHaveLength(1));
    expect(await sentTo(world, unknown)).toEqual([]);
    // Wrong codes, the cool-down and the end of the attempts look alike as well.
    for (let n = 1; n <= 6; n += 1) {
      expect(await check(two.data, '123456')).toEqual(await check(one.data, other(await codeOf(world, known))));
    }
    expect((await ask(unknown, 'losepassword')).status).toBe((await ask(known, 'losepassword')).status);
  });
});

test('what cannot be delivered is said, unless that would tell who has an account', async () => {
  const dead = { url: 'smtp://127.0.0.1:1', from: 'erp@example.com' };
  const runtime = { ...world.runtime, config: { ...world.runtime.config, mail: dead } };
  const request = { channel: 'email', ip: '192.0.2.9' } as const;
  await expect(sendCode(runtime, { ...request, target: 'a@example.com', purpose: 'activeEmail' })).rejects.toThrow(
    '验证码发送失败，请稍后再试',
  );
  await sendCode(runtime, { ...request, target: 'b@example.com', purpose: 'losepassword', known: true });
});
