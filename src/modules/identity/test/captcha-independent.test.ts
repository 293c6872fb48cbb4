import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '#src/app/api.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { aes, checkCaptcha, getCaptcha, type Post, proofOf, type Rep } from './captcha-client/client.ts';
import { findHole } from './captcha-client/find-hole.ts';
import { company, login, PASSWORD } from './support.ts';

/** A hand takes as long; the server refuses what is faster than any. */
const DRAG_MS = 1_000;

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
beforeEach(() => admin.query('DELETE FROM identity.captcha_client'));

const postTo =
  (app: World['app'], ip = '198.51.100.1'): Post =>
  async (url, payload) =>
    (await app.inject({ method: 'POST', url, payload, remoteAddress: ip })).json();
const post: Post = (path, body) => postTo(world.app)(path, body);

/** Replaces what the server remembers of a challenge, as if it had drawn another picture. */
const redraw = (token: string, answer: object) =>
  admin.query('UPDATE identity.captcha_challenge SET answer = $2 WHERE token = $1', [token, JSON.stringify(answer)]);

async function pointsOf(token: string): Promise<{ x: number; y: number }[]> {
  const { rows } = await admin.query<{ answer: { points: { x: number; y: number }[] } }>(
    'SELECT answer FROM identity.captcha_challenge WHERE token = $1',
    [token],
  );
  return rows[0]?.answer.points ?? [];
}

describe('a client that knows the protocol only', () => {
  test('puts the piece into the hole that it sees and logs in, once', async () => {
    const { account } = await company(world);
    const challenge = await getCaptcha(post, 'blockPuzzle');
    const x = await findHole(challenge.originalImageBase64, challenge.jigsawImageBase64);
    const plain = JSON.stringify({ x, y: 5 });
    world.clock.advance(DRAG_MS);
    const answer = await checkCaptcha(post, 'blockPuzzle', challenge, plain);
    expect(answer).toMatchObject({ code: 201, repCode: '0000', repMsg: null });
    expect(answer.repData).toEqual({ captchaType: 'blockPuzzle', token: challenge.token, result: true });
    // The same fields stand under data.
    expect(answer.data).toMatchObject({ repCode: '0000', repData: answer.repData });
    const verifition = JSON.stringify({ captchaVerification: proofOf(challenge, plain) });
    expect((await login(world.app, account, PASSWORD, { verifition })).code).toBe(201);
    expect((await login(world.app, account, PASSWORD, { verifition })).msg).toBe('验证码已失效，请重新获取');
  });

  test('clicks the three words in order and logs in, once', async () => {
    const { account } = await company(world);
    const challenge = await getCaptcha(post, 'clickWord');
    expect(challenge.wordList).toHaveLength(3);
    expect(challenge.jigsawImageBase64).toBe('');
    const plain = JSON.stringify(await pointsOf(challenge.token));
    expect((await checkCaptcha(post, 'clickWord', challenge, plain)).repCode).toBe('0000');
    const verifition = proofOf(challenge, plain);
    expect((await login(world.app, account, PASSWORD, { verifition })).code).toBe(201);
    expect((await login(world.app, account, PASSWORD, { verifition })).msg).toBe('验证码已失效，请重新获取');
  });
});

describe('the slider', () => {
  test.each([
    [138, 150, '0000'],
    [135, 150, '6111'],
  ])('worked example: hole %i, shown 330 wide, left %i: %s; the token again: 6110', async (hole, left, repCode) => {
    const challenge = await getCaptcha(post, 'blockPuzzle');
    await redraw(challenge.token, { type: 'blockPuzzle', x: hole });
    const plain = JSON.stringify({ x: (left * 310) / 330, y: 5 });
    world.clock.advance(DRAG_MS);
    expect((await checkCaptcha(post, 'blockPuzzle', challenge, plain)).repCode).toBe(repCode);
    expect((await checkCaptcha(post, 'blockPuzzle', challenge, plain)).repCode).toBe('6110');
  });

  test.each([
    [195, 5, '0000'],
    [205, 5, '0000'],
    [194.99, 5, '6111'],
    [205.01, 5, '6111'],
    [200, 4, '6111'],
    [200, 6, '6111'],
  ])('hole 200, answer %d, y %d: %s', async (x, y, repCode) => {
    const challenge = await getCaptcha(post, 'blockPuzzle');
    await redraw(challenge.token, { type: 'blockPuzzle', x: 200 });
    world.clock.advance(DRAG_MS);
    expect((await checkCaptcha(post, 'blockPuzzle', challenge, JSON.stringify({ x, y }))).repCode).toBe(repCode);
  });

  test('dragged faster than a hand can is refused', async () => {
    const challenge = await getCaptcha(post, 'blockPuzzle');
    await redraw(challenge.token, { type: 'blockPuzzle', x: 200 });
    // Handed out a moment ago, however slow this machine is.
    await admin.query("UPDATE identity.captcha_challenge SET created_at = kit.now() + interval '1 minute'");
    expect((await checkCaptcha(post, 'blockPuzzle', challenge, '{"x":200,"y":5}')).repCode).toBe('6111');
  });
});

describe('clicks', () => {
  const words = [
    { x: 40, y: 60 },
    { x: 150, y: 90 },
    { x: 260, y: 40 },
  ];
  const moved = (dx: number, dy: number) => words.map(({ x, y }) => ({ x: x + dx, y: y + dy }));

  test.each([
    ['at the edge of the tolerance', moved(25, -25), '0000'],
    ['one to the right of it', moved(26, 0), '6111'],
    ['one below it', moved(0, 26), '6111'],
    ['in another order', [...words].reverse(), '6111'],
    ['two only', words.slice(0, 2), '6111'],
    ['four', [...words, ...words.slice(0, 1)], '6111'],
  ])('%s', async (_name, points, repCode) => {
    const challenge = await getCaptcha(post, 'clickWord');
    await redraw(challenge.token, { type: 'clickWord', points: words });
    expect((await checkCaptcha(post, 'clickWord', challenge, JSON.stringify(points))).repCode).toBe(repCode);
  });
});

describe('time', () => {
  test('a picture is good for two minutes', async () => {
    const challenge = await getCaptcha(post, 'blockPuzzle');
    await redraw(challenge.token, { type: 'blockPuzzle', x: 200 });
    await admin.query(
      `UPDATE identity.captcha_challenge SET created_at = created_at - interval '120 seconds',
              expires_at = expires_at - interval '120 seconds' WHERE token = $1`,
      [challenge.token],
    );
    expect((await checkCaptcha(post, 'blockPuzzle', challenge, '{"x":200,"y":5}')).repCode).toBe('6110');
  });

  test('a passed check is good for three', async () => {
    const { account } = await company(world);
    const challenge = await getCaptcha(post, 'clickWord');
    const plain = JSON.stringify(await pointsOf(challenge.token));
    expect((await checkCaptcha(post, 'clickWord', challenge, plain)).repCode).toBe('0000');
    const { rows } = await admin.query<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - kit.now())::float8 AS seconds FROM identity.captcha_pass',
    );
    expect(Math.max(...rows.map((row) => row.seconds))).toBeGreaterThan(170);
    await admin.query("UPDATE identity.captcha_pass SET expires_at = expires_at - interval '180 seconds'");
    const answer = await login(world.app, account, PASSWORD, { verifition: proofOf(challenge, plain) });
    expect(answer.msg).toBe('验证码已失效，请重新获取');
  });
});

test('the ciphers of the worked example', () => {
  const key = '0123456789abcdef';
  const plain = '{"x":140.9,"y":5}';
  expect(aes(plain, key)).toBe('ZIp4vjoR7vYoMgkSV4BI2wMACutP9R0pGI+C5KFiofY=');
  expect(aes(`tok1---${plain}`, key)).toBe('Smbvp8QE2TxNjhHVJcyVEvFc6DcepY1enVTplglif80=');
});

test('limits of an address count through two processes together', async () => {
  const runtime = await openRuntime(world.runtime.config, world.databaseUrl);
  const other = await createApi(runtime);
  try {
    const ip = '203.0.113.60';
    const both = [postTo(world.app, ip), postTo(other, ip)];
    const token = randomUUID();
    const codes: string[] = [];
    for (let n = 0; n < 61; n += 1) {
      const answer = await both[n % 2]?.('/auth/captcha/check', { captchaType: 'clickWord', pointJson: 'x', token });
      codes.push((answer as Rep<unknown>).repCode);
    }
    expect(codes.slice(0, 60).every((code) => code === '6110')).toBe(true);
    expect(codes[60]).toBe('6204');
    await admin.query('DELETE FROM identity.captcha_client');
    for (let n = 0; n < 5; n += 1) {
      const send = both[n % 2];
      if (!send) continue;
      const challenge = await getCaptcha(send, 'clickWord');
      expect((await checkCaptcha(send, 'clickWord', challenge, '[]')).repCode).toBe('6111');
    }
    for (const send of both) {
      const answer = (await send('/auth/captcha/get', { captchaType: 'clickWord' })) as Rep<unknown>;
      expect(answer).toMatchObject({ repCode: '6202', repMsg: '验证失败次数过多，请稍后再试' });
    }
  } finally {
    await other.close();
    await runtime.connections.close();
  }
});
