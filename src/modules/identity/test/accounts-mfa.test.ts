import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { loginMfa, mfaConfirm, mfaDisable, mfaEnrol, mfaRecovery, mfaStatus } from '../contract/mfa.ts';
import { stepOf } from '../server/mfa/totp.ts';
import { call, knocks, login, PASSWORD } from './support.ts';

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

/** What an authenticator app shows; `ahead` in steps of 30 s, because each code works once. */
function appCode(secret: string, ahead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 });
}

/** As if the last accepted code were long ago. */
const forgetStep = (person: Person) =>
  admin.query('UPDATE identity.mfa SET last_step = 0 WHERE member_id = $1', [person.userId]);

async function accountOf(person: Person): Promise<string> {
  const { rows } = await admin.query<{ account: string }>('SELECT account FROM identity.member WHERE id = $1', [
    person.userId,
  ]);
  return rows[0]?.account ?? '';
}

async function enrolled(): Promise<{ person: Person; account: string; secret: string; codes: string[] }> {
  const person = await world.owner();
  const { secret } = await person.call(mfaEnrol, { body: { password: PASSWORD } });
  const { recoveryCodes } = await person.call(mfaConfirm, { body: { code: appCode(secret) } });
  await forgetStep(person);
  return { person, account: await accountOf(person), secret, codes: recoveryCodes };
}

async function tokenOf(account: string, ip?: string): Promise<string> {
  const answer = await login(world.app, account, PASSWORD, {}, ip);
  expect(answer.code).toBe(428);
  return String(answer.data.mfaToken);
}

const second = (mfaToken: string, code: string, ip?: string) =>
  call(world.app, 'POST', '/auth/login/mfa', { body: { mfaToken, code }, ...(ip ? { ip } : {}) });

describe('setting up', () => {
  test('a secret with its picture, a code to confirm it, eight recovery codes shown once', async () => {
    const person = await world.owner();
    expect(await person.call(mfaStatus, {})).toEqual({ enabled: false, since: null, recoveryLeft: 0, required: false });
    const { secret, uri, qr } = await person.call(mfaEnrol, { body: { password: PASSWORD } });
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toMatch(/^otpauth:\/\/totp\/.*issuer=/);
    expect(qr).toMatch(/^data:image\/png;base64,/);
    expect((await person.call(mfaStatus, {})).enabled).toBe(false);
    // Until it is confirmed, nothing stands between the owner and his log-in.
    expect((await login(world.app, await accountOf(person))).code).toBe(201);
    expect((await person.send(mfaConfirm, { body: { code: '000000' } })).msg).toBe('动态验证码错误');
    const { recoveryCodes } = await person.call(mfaConfirm, { body: { code: appCode(secret) } });
    expect(new Set(recoveryCodes).size).toBe(8);
    expect(await person.call(mfaStatus, {})).toMatchObject({ enabled: true, recoveryLeft: 8 });
    expect((await person.send(mfaEnrol, { body: { password: PASSWORD } })).msg).toBe('动态验证码已启用');
    const { rows } = await admin.query<{ text: string }>(
      `SELECT (SELECT string_agg(m::text, ' ') FROM identity.mfa m) || (SELECT string_agg(r::text, ' ') FROM identity.mfa_recovery r)
           || (SELECT string_agg(a::text, ' ') FROM kit.audit a) AS text`,
    );
    expect(rows[0]?.text).not.toContain(secret);
    for (const code of recoveryCodes) expect(rows[0]?.text).not.toContain(code);
  });

  test('a stolen session without the password sets up nothing', async () => {
    const person = await world.owner();
    expect((await person.send(mfaEnrol, { body: { password: 'falsch' } })).msg).toBe('账号或密码错误');
    expect((await person.send(mfaConfirm, { body: { code: '123456' } })).code).toBe(400);
  });
});

describe('logging in', () => {
  test('asks for the code after the password, and lets in with it', async () => {
    const { account, person, secret } = await enrolled();
    const answer = await login(world.app, account);
    expect(answer).toMatchObject({ status: 200, code: 428, msg: '请输入动态验证码', data: { enrol: false } });
    expect(answer.data.session).toBeUndefined();
    const done = await second(String(answer.data.mfaToken), appCode(secret));
    expect(done).toMatchObject({ code: 201, data: { id: person.userId } });
    expect(await knocks(world.app, String(done.data.session))).toBe('in');
  });

  test('a wrong password learns nothing of the second factor', async () => {
    const { account } = await enrolled();
    expect(await login(world.app, account, 'falsch')).toMatchObject({ code: 400, msg: '账号或密码错误' });
  });

  test('a token that was used, is invented or too old is refused', async () => {
    const { account, secret, person } = await enrolled();
    const token = await tokenOf(account);
    expect((await second(token, appCode(secret))).code).toBe(201);
    await forgetStep(person);
    expect(await second(token, appCode(secret))).toMatchObject({ code: 400, msg: '验证已失效，请重新登录' });
    expect((await second('invented', appCode(secret))).msg).toBe('验证已失效，请重新登录');
    const old = await tokenOf(account);
    await admin.query("UPDATE identity.mfa_challenge SET expires_at = kit.now() - interval '1 second'");
    expect((await second(old, appCode(secret))).msg).toBe('验证已失效，请重新登录');
  });

  test('a code that somebody looked at over the shoulder does not work a second time', async () => {
    const { account, secret } = await enrolled();
    const code = appCode(secret);
    expect((await second(await tokenOf(account), code)).code).toBe(201);
    expect((await second(await tokenOf(account), code)).msg).toBe('动态验证码错误');
  });

  test('of two who bring the same code at once one gets in', async () => {
    const { account, secret } = await enrolled();
    const code = appCode(secret);
    const tokens = [await tokenOf(account), await tokenOf(account)];
    const answers = await Promise.all(tokens.map((token) => second(token, code)));
    expect(answers.map((answer) => answer.code).sort()).toEqual([201, 400]);
  });

  test('five wrong codes lock the second factor, also for a right code and another token', async () => {
    const { account, secret } = await enrolled();
    const token = await tokenOf(account, '198.51.100.7');
    for (let i = 0; i < 5; i += 1) {
      expect((await second(token, '000000', '198.51.100.7')).msg).toBe('动态验证码错误');
    }
    expect((await second(token, appCode(secret), '198.51.100.7')).msg).toBe('验证已失效，请重新登录');
    const next = await tokenOf(account, '198.51.100.7');
    expect((await second(next, appCode(secret), '198.51.100.7')).msg).toMatch(
      /^动态验证码错误次数过多，请15分钟后再试/,
    );
    await admin.query("UPDATE identity.login_log SET at = at - interval '16 minutes' WHERE account = $1", [account]);
    expect((await second(next, appCode(secret), '198.51.100.7')).code).toBe(201);
  });

  test('a recovery code works once, however it is written; a foreign one never', async () => {
    const { account, codes } = await enrolled();
    const other = await enrolled();
    const [code = ''] = codes;
    expect((await second(await tokenOf(account), ` ${code.toUpperCase().replace('-', ' ')}`)).code).toBe(201);
    expect((await second(await tokenOf(account), code)).msg).toBe('动态验证码错误');
    expect((await second(await tokenOf(account), other.codes[0] ?? '')).msg).toBe('动态验证码错误');
  });
});

describe('giving it up', () => {
  test('takes password and code; new recovery codes end the old ones', async () => {
    const { person, account, secret, codes } = await enrolled();
    const wrong = { password: 'falsch', code: appCode(secret) };
    expect((await person.send(mfaDisable, { body: wrong })).msg).toBe('账号或密码错误');
    expect((await person.send(mfaDisable, { body: { password: PASSWORD, code: '000000' } })).msg).toBe(
      '动态验证码错误',
    );
    const renewed = await person.call(mfaRecovery, { body: { password: PASSWORD, code: appCode(secret) } });
    expect(renewed.recoveryCodes).toHaveLength(8);
    expect((await second(await tokenOf(account), codes[1] ?? '')).msg).toBe('动态验证码错误');
    const code = renewed.recoveryCodes[0] ?? '';
    expect(await person.call(mfaDisable, { body: { password: PASSWORD, code } })).toBe('success');
    expect((await login(world.app, account)).code).toBe(201);
  });
});

describe('a company that asks everybody for it', () => {
  test('lets nobody in without; the log-in sets it up', async () => {
    const person = await world.owner();
    const account = await accountOf(person);
    await admin.query('INSERT INTO identity.security_policy (company_id, mfa_required) VALUES ($1, true)', [
      person.companyId,
    ]);
    const answer = await login(world.app, account);
    expect(answer).toMatchObject({ code: 428, data: { enrol: true } });
    const mfaToken = String(answer.data.mfaToken);
    const begun = await call(world.app, 'POST', '/auth/login/mfa/enrol', { body: { mfaToken } });
    const secret = String(begun.data.secret);
    expect((await second(mfaToken, '000000')).msg).toBe('动态验证码错误');
    const done = await second(mfaToken, appCode(secret));
    expect(done.code).toBe(201);
    expect(done.data.recoveryCodes).toHaveLength(8);
    await forgetStep(person);
    const off = await person.send(mfaDisable, { body: { password: PASSWORD, code: appCode(secret) } });
    expect(off.msg).toBe('公司要求启用动态验证码，不能停用');
    // The refusal rolled the code's use back, and nothing was switched off.
    expect((await person.call(mfaStatus, {})).enabled).toBe(true);
  });

  test('the enrolment of a log-in is closed to who has a second factor already', async () => {
    const { account, secret } = await enrolled();
    const mfaToken = await tokenOf(account);
    const answer = await call(world.app, 'POST', '/auth/login/mfa/enrol', { body: { mfaToken } });
    expect(answer).toMatchObject({ code: 400, msg: '动态验证码已启用' });
    expect((await second(mfaToken, appCode(secret))).code).toBe(201);
  });
});

test('codes belong to the step of their time, one earlier or later', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  // RFC 6238, appendix B: T = 59 s is step 1, its 8 digits are 94287082.
  expect(stepOf(secret, '287082', 59_000)).toBe(1);
  expect(stepOf(secret, '287082', 89_000)).toBe(1);
  expect(stepOf(secret, '287082', 119_999)).toBeUndefined();
  expect(stepOf(secret, '28708a', 59_000)).toBeUndefined();
  expect(loginMfa.permission).toBe('public');
});
