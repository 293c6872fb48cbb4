import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { SLIDER_Y } from '../contract/session.ts';
import { encrypt, verificationFor } from '../server/captcha/cipher.ts';
import { call, company, login, PASSWORD } from './support.ts';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld({ captcha: true });
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

type Kind = 'blockPuzzle' | 'clickWord';

interface Challenge {
  token: string;
  secretKey: string;
  wordList: string[];
  originalImageBase64: string;
}

async function handedOut(kind: Kind, ip?: string): Promise<Challenge> {
  const from = ip ? { ip } : {};
  const answer = await call(world.app, 'POST', '/auth/captcha/get', { body: { captchaType: kind }, ...from });
  // The protocol's own clients read these at the top of the body.
  const top = answer as unknown as { repCode: string; repData: Challenge };
  expect([answer.code, top.repCode]).toEqual([201, '0000']);
  return top.repData;
}

/** The right answer, which only the database knows. */
async function answerOf(token: string): Promise<string> {
  const { rows } = await admin.query<{ answer: { type: Kind; x: number; points: unknown } }>(
    'SELECT answer FROM identity.captcha_challenge WHERE token = $1',
    [token],
  );
  const answer = rows[0]?.answer;
  return JSON.stringify(answer?.type === 'blockPuzzle' ? { x: answer.x, y: SLIDER_Y } : answer?.points);
}

async function check(kind: Kind, challenge: Challenge, plain: string, ip?: string): Promise<string> {
  const body = { captchaType: kind, pointJson: encrypt(plain, challenge.secretKey), token: challenge.token };
  const answer = await call(world.app, 'POST', '/auth/captcha/check', { body, ...(ip ? { ip } : {}) });
  return (answer as unknown as { repCode: string }).repCode;
}

/** A hand takes as long; the server refuses what is faster than any. */
const DRAG_MS = 1_000;

/** Solves a captcha as a person would and returns the proof. */
async function solved(kind: Kind, ip?: string): Promise<string> {
  const challenge = await handedOut(kind, ip);
  const plain = await answerOf(challenge.token);
  world.clock.advance(DRAG_MS);
  expect(await check(kind, challenge, plain, ip)).toBe('0000');
  return verificationFor(challenge.token, plain, challenge.secretKey);
}

test('without a proof, or with an invented one, nobody gets as far as the password', async () => {
  const { account } = await company(world);
  expect((await login(world.app, account)).msg).toBe('请先完成安全验证');
  for (const verifition of ['invented', '{"captchaVerification":"invented"}', '{"captchaVerification":5}', '{broken']) {
    const { code, data } = await login(world.app, account, PASSWORD, { verifition });
    expect([verifition, code]).toEqual([verifition, 400]);
    expect(['B0106', 'B0107']).toContain(data.code);
  }
});

test('a slider that was put right opens the door once', async () => {
  const { account } = await company(world);
  const verifition = JSON.stringify({ captchaVerification: await solved('blockPuzzle') });
  expect((await login(world.app, account, PASSWORD, { verifition })).code).toBe(201);
  expect((await login(world.app, account, PASSWORD, { verifition })).msg).toBe('验证码已失效，请重新获取');
  // The bare value counts as well.
  expect((await login(world.app, account, PASSWORD, { verifition: await solved('blockPuzzle') })).code).toBe(201);
});

test('of two log-ins with one proof at once one gets in', async () => {
  const { account } = await company(world);
  const verifition = await solved('blockPuzzle');
  const answers = await Promise.all([1, 2, 3].map(() => login(world.app, account, PASSWORD, { verifition })));
  expect(answers.filter((answer) => answer.code === 201)).toHaveLength(1);
});

test('a wrong answer spends the picture, and so does the right one', async () => {
  const wrong = await handedOut('blockPuzzle');
  const plain = await answerOf(wrong.token);
  world.clock.advance(DRAG_MS);
  expect(await check('blockPuzzle', wrong, JSON.stringify({ x: 5, y: SLIDER_Y }))).toBe('6111');
  expect(await check('blockPuzzle', wrong, plain)).toBe('6110');
  const fast = await handedOut('blockPuzzle');
  // Handed out a moment ago, however slow this machine is.
  await admin.query("UPDATE identity.captcha_challenge SET created_at = kit.now() + interval '1 minute'");
  expect(await check('blockPuzzle', fast, await answerOf(fast.token))).toBe('6111');
});

test('the answer is nowhere in what the browser gets', async () => {
  const challenge = await handedOut('blockPuzzle');
  const { x } = JSON.parse(await answerOf(challenge.token)) as { x: number };
  const { originalImageBase64: _picture, ...rest } = challenge;
  const { jigsawImageBase64: _piece, ...words } = rest as unknown as Record<string, unknown>;
  expect(JSON.stringify({ ...words, token: '', secretKey: '' })).not.toContain(String(x));
  expect(Object.keys(challenge).sort()).toEqual([
    'jigsawImageBase64',
    'originalImageBase64',
    'secretKey',
    'token',
    'wordList',
  ]);
});

test('after three wrong passwords the slider is not enough any more, from wherever', async () => {
  const { account } = await company(world);
  for (let n = 0; n < 3; n += 1) {
    const answer = await login(
      world.app,
      account,
      'Falsch-1',
      { verifition: await solved('blockPuzzle') },
      `203.0.113.${n}`,
    );
    expect(answer.msg).toBe('账号或密码错误');
  }
  const slider = await login(world.app, account, PASSWORD, { verifition: await solved('blockPuzzle') });
  expect(slider).toMatchObject({
    code: 400,
    msg: '请先完成安全验证',
    data: { code: 'B0108', captchaType: 'clickWord' },
  });
  const words = await login(world.app, account, PASSWORD, { verifition: await solved('clickWord') });
  expect(words.code).toBe(201);
});

test('an address that keeps failing gets words to click instead of a slider, whichever accounts it tries', async () => {
  const ip = '203.0.113.90';
  const { account } = await company(world);
  for (let n = 0; n < 3; n += 1) {
    expect((await handedOut('blockPuzzle', ip)).wordList).toEqual([]);
    const verifition = await solved('blockPuzzle', ip);
    const answer = await login(world.app, `niemand-${n}-${account}`, 'Falsch-1', { verifition }, ip);
    expect(answer.msg).toBe('账号或密码错误');
  }
  expect((await handedOut('blockPuzzle', ip)).wordList).toHaveLength(3);
  expect((await handedOut('blockPuzzle', '203.0.113.91')).wordList).toEqual([]);
  // The right password begins anew.
  const verifition = await solved('blockPuzzle', ip);
  expect((await login(world.app, account, PASSWORD, { verifition }, ip)).code).toBe(201);
  await admin.query(`UPDATE identity.login_log SET at = at - interval '1 hour' WHERE ip = $1 AND NOT ok`, [ip]);
  const again = await login(world.app, account, PASSWORD, { verifition: await solved('clickWord', ip) }, ip);
  expect(again.code).toBe(201);
  expect((await handedOut('blockPuzzle', ip)).wordList).toEqual([]);
});

test('an address that asked for twenty codes within the hour has to prove that a person asks', async () => {
  const ip = '203.0.113.99';
  const ask = (mobile: string, captchaVerification?: string) =>
    call(
      world.app,
      'GET',
      `/admin/api/v1/users/getSmsCode?${new URLSearchParams({
        mobile,
        ftype: 'register',
        ...(captchaVerification ? { captchaVerification } : {}),
      })}`,
      { ip },
    );
  for (let n = 0; n < 20; n += 1) expect((await ask(`137000000${10 + n}`)).code).toBe(201);
  expect(await ask('13700000040')).toMatchObject({ code: 400, msg: '请先完成安全验证', data: { code: 'B0106' } });
  expect((await ask('13700000040', 'invented')).msg).toBe('验证码已失效，请重新获取');
  const proof = await solved('blockPuzzle', ip);
  expect((await ask('13700000040', proof)).code).toBe(201);
  expect((await ask('13700000041', proof)).msg).toBe('验证码已失效，请重新获取');
  // Others are not bothered, and an hour later this address is not either.
  const elsewhere = { ip: '203.0.113.98' };
  const url = '/admin/api/v1/users/getSmsCode?mobile=13700000050&ftype=register';
  expect((await call(world.app, 'GET', url, elsewhere)).code).toBe(201);
  await admin.query(`UPDATE identity.verify_code SET created_at = created_at - interval '61 minutes' WHERE ip = $1`, [
    ip,
  ]);
  expect((await ask('13700000042')).code).toBe(201);
});
