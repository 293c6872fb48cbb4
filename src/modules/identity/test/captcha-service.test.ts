import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { captchaCheck, captchaGet } from '../contract/session.ts';
import { encrypt, verificationFor } from '../server/captcha/cipher.ts';
import type { PreparedCaptcha } from '../server/captcha/prepare.ts';
import {
  type CaptchaService,
  type CaptchaStore,
  createCaptchaService,
  type StoredChallenge,
} from '../server/captcha/service.ts';

const FIXED_KEY = '0123456789abcdef';
const HOLE = 138;
const WORDS = [
  { x: 40, y: 60 },
  { x: 150, y: 90 },
  { x: 260, y: 40 },
];
const RIGHT = `{"x":${(150 * 310) / 330},"y":5}`;
const ME = '203.0.113.7';

let clock: number;
let challenges: Map<string, StoredChallenge>;
let passes: Map<string, number>;
let service: CaptchaService;
let broken: boolean;

const store: CaptchaStore = {
  insert: async (challenge) => void challenges.set(challenge.token, challenge),
  take: async (token) => {
    const found = challenges.get(token);
    challenges.delete(token);
    return found;
  },
  savePass: async (hash, expiresAt) => void passes.set(hash, expiresAt),
  takePass: async (hash, at) => {
    const expiresAt = passes.get(hash);
    passes.delete(hash);
    return expiresAt !== undefined && expiresAt > at;
  },
};

const pool = {
  take: (type: 'blockPuzzle' | 'clickWord'): PreparedCaptcha | undefined => {
    if (broken) return undefined;
    const pictures = { originalImageBase64: 'b3JpZ2luYWw=', jigsawImageBase64: '', wordList: [] };
    if (type === 'blockPuzzle') return { ...pictures, jigsawImageBase64: 'cGllY2U=', answer: { type, x: HOLE } };
    return { ...pictures, wordList: ['天', '地', '人'], answer: { type, points: WORDS } };
  },
};

beforeEach(() => {
  clock = Date.UTC(2026, 0, 15, 8);
  challenges = new Map();
  passes = new Map();
  broken = false;
  service = createCaptchaService({ store, pool, now: () => clock, fixedKey: FIXED_KEY });
});

async function handedOut(type: 'blockPuzzle' | 'clickWord' = 'blockPuzzle', client = ME) {
  const { repData } = await service.get(type, client);
  if (!repData) throw new Error('no captcha');
  clock += 1500;
  return repData;
}

/** Solves a fresh captcha and returns what the page would send with the log-in. */
async function solved(plain = RIGHT, type: 'blockPuzzle' | 'clickWord' = 'blockPuzzle', client = ME) {
  const { token, secretKey } = await handedOut(type, client);
  const reply = await service.check(type, encrypt(plain, secretKey), token, client);
  return { reply, token, verification: verificationFor(token, plain, secretKey) };
}

async function codeOf(plain: string, client = ME) {
  return (await solved(plain, 'blockPuzzle', client)).reply.repCode;
}

describe('handing out', () => {
  test('gives pictures, a token and a key, keeps the answer, and fits the contract', async () => {
    const reply = await service.get('blockPuzzle', ME);
    expect(captchaGet.reply.parse(reply)).toEqual(reply);
    expect(reply.repCode).toBe('0000');
    expect(reply.repData?.secretKey).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(Object.keys(reply.repData ?? {}).sort()).toEqual(
      ['jigsawImageBase64', 'originalImageBase64', 'secretKey', 'token', 'wordList'].sort(),
    );
    const stored = challenges.get(reply.repData?.token ?? '');
    expect(stored?.answer).toEqual({ type: 'blockPuzzle', x: HOLE });
    expect((stored?.expiresAt ?? 0) - clock).toBe(120_000);
  });

  test('every challenge has its own token and key', async () => {
    const [first, second] = [await handedOut(), await handedOut()];
    expect(first.token).not.toBe(second.token);
    expect(first.secretKey).not.toBe(second.secretKey);
  });

  test('says so when no picture can be drawn', async () => {
    broken = true;
    expect(await service.get('blockPuzzle', ME)).toEqual({
      repCode: '6112',
      repMsg: '验证码生成失败，请稍后再试',
      repData: null,
    });
  });
});

describe('checking', () => {
  test('a drag of 150 px of 330 closes the hole at 138; the same token again has expired', async () => {
    const { token, secretKey } = await handedOut();
    const answer = encrypt(RIGHT, secretKey);
    const first = await service.check('blockPuzzle', answer, token, ME);
    expect(captchaCheck.reply.parse(first)).toEqual(first);
    expect(first).toEqual({
      repCode: '0000',
      repMsg: null,
      repData: { captchaType: 'blockPuzzle', token, result: true },
    });
    expect(await service.check('blockPuzzle', answer, token, ME)).toEqual({
      repCode: '6110',
      repMsg: '验证码已失效，请重新获取',
      repData: null,
    });
  });

  test('a wrong answer spends the token too', async () => {
    const { token, secretKey } = await handedOut();
    const wrong = await service.check('blockPuzzle', encrypt('{"x":144,"y":5}', secretKey), token, ME);
    expect(wrong).toEqual({ repCode: '6111', repMsg: '验证失败', repData: null });
    expect((await service.check('blockPuzzle', encrypt(RIGHT, secretKey), token, ME)).repCode).toBe('6110');
    expect(passes.size).toBe(0);
  });

  test('of many checks of one token at once exactly one succeeds', async () => {
    const { token, secretKey } = await handedOut();
    const answer = encrypt(RIGHT, secretKey);
    const replies = await Promise.all(Array.from({ length: 8 }, () => service.check('blockPuzzle', answer, token, ME)));
    expect(replies.filter(({ repCode }) => repCode === '0000')).toHaveLength(1);
    expect(replies.filter(({ repCode }) => repCode === '6110')).toHaveLength(7);
  });

  test('a token lives 120 seconds', async () => {
    for (const [wait, code] of [
      [119_999, '0000'],
      [120_000, '6110'],
    ] as const) {
      const { token, secretKey } = await handedOut();
      clock += wait - 1500;
      expect((await service.check('blockPuzzle', encrypt(RIGHT, secretKey), token, ME)).repCode).toBe(code);
      expect(challenges.has(token)).toBe(false);
    }
  });

  test('an answer faster than any hand is wrong', async () => {
    const { token, secretKey } = await handedOut();
    clock -= 1500 - 299;
    expect((await service.check('blockPuzzle', encrypt(RIGHT, secretKey), token, ME)).repCode).toBe('6111');
  });

  test('click-word wants the three points in order', async () => {
    expect((await solved(JSON.stringify(WORDS), 'clickWord')).reply.repData?.captchaType).toBe('clickWord');
    expect((await solved(JSON.stringify([...WORDS].reverse()), 'clickWord')).reply.repCode).toBe('6111');
  });

  test('a slider answer does not open a click-word by naming another kind', async () => {
    const { token, secretKey } = await handedOut('clickWord');
    expect((await service.check('blockPuzzle', encrypt(RIGHT, secretKey), token, ME)).repCode).toBe('6111');
  });

  test('blank fields, unknown tokens, the wrong key', async () => {
    const { token, secretKey } = await handedOut();
    expect((await service.check('blockPuzzle', ' ', token, ME)).repCode).toBe('0011');
    expect((await service.check('blockPuzzle', 'x', '', ME)).repCode).toBe('0011');
    expect((await service.check('blockPuzzle', 'x', 'tok1', ME)).repCode).toBe('6110');
    expect((await service.check('blockPuzzle', 'x', crypto.randomUUID(), ME)).repCode).toBe('6110');
    expect(secretKey).not.toBe(FIXED_KEY);
    expect((await service.check('blockPuzzle', encrypt(RIGHT, FIXED_KEY), token, ME)).repCode).toBe('6111');
  });

  test('the configured key serves challenges without one, and without it they fail', async () => {
    const token = crypto.randomUUID();
    const challenge = { token, type: 'blockPuzzle', answer: { type: 'blockPuzzle', x: HOLE }, secretKey: '' } as const;
    await store.insert({ ...challenge, createdAt: clock - 1000, expiresAt: clock + 1000 });
    expect((await service.check('blockPuzzle', encrypt(RIGHT, FIXED_KEY), token, ME)).repCode).toBe('0000');
    await store.insert({ ...challenge, createdAt: clock - 1000, expiresAt: clock + 1000 });
    const keyless = createCaptchaService({ store, pool, now: () => clock });
    expect((await keyless.check('blockPuzzle', encrypt(RIGHT, FIXED_KEY), token, ME)).repCode).toBe('6111');
  });

  test('nothing that a client can send throws or passes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), fc.boolean(), async (text, encrypted) => {
        clock += 600_000;
        const { token, secretKey } = await handedOut();
        const { repCode } = await service.check('blockPuzzle', encrypted ? encrypt(text, secretKey) : text, token, ME);
        expect(['6111', '0011']).toContain(repCode);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the pass', () => {
  test('works once, tells its kind, and only its SHA-256 is kept', async () => {
    const { verification } = await solved();
    expect([...passes.keys()].join()).toMatch(/^blockPuzzle:[0-9a-f]{64}$/);
    expect(await service.verify(verification)).toEqual({ ok: true, type: 'blockPuzzle' });
    expect(await service.verify(verification)).toEqual({ ok: false });
    const words = await solved(JSON.stringify(WORDS), 'clickWord');
    expect(await service.verify(words.verification)).toEqual({ ok: true, type: 'clickWord' });
  });

  test('of many log-ins with it at once exactly one passes', async () => {
    const { verification } = await solved();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => service.verify(verification)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('lives 180 seconds', async () => {
    const early = await solved();
    clock += 179_999;
    expect((await service.verify(early.verification)).ok).toBe(true);
    const late = await solved();
    clock += 180_000;
    expect((await service.verify(late.verification)).ok).toBe(false);
  });

  test('is not to be had by a wrong answer, by another point, or by nothing', async () => {
    const wrong = await solved('{"x":10,"y":5}');
    expect((await service.verify(wrong.verification)).ok).toBe(false);
    const { token, secretKey } = await handedOut();
    await service.check('blockPuzzle', encrypt(RIGHT, secretKey), token, ME);
    expect((await service.verify(verificationFor(token, '{"x":138,"y":5}', secretKey))).ok).toBe(false);
    expect((await service.verify('')).ok).toBe(false);
    expect((await service.verify(verificationFor(token, RIGHT, secretKey))).ok).toBe(true);
  });
});

describe('limits of a client', () => {
  test('60 pictures a minute, in a sliding window, each client for itself', async () => {
    for (let n = 0; n < 60; n += 1) {
      expect((await service.get('blockPuzzle', ME)).repCode).toBe('0000');
      clock += 500;
    }
    expect(await service.get('blockPuzzle', ME)).toMatchObject({ repCode: '6201', repMsg: '操作过于频繁，请稍后再试' });
    expect((await service.get('blockPuzzle', '198.51.100.1')).repCode).toBe('0000');
    clock += 30_000;
    expect((await service.get('blockPuzzle', ME)).repCode).toBe('0000');
    expect((await service.get('blockPuzzle', ME)).repCode).toBe('6201');
  });

  test('60 checks a minute; a refused check leaves the token alone', async () => {
    const { token, secretKey } = await handedOut();
    for (let n = 0; n < 60; n += 1) {
      expect((await service.check('blockPuzzle', 'x', crypto.randomUUID(), ME)).repCode).toBe('6110');
    }
    expect((await service.check('blockPuzzle', encrypt(RIGHT, secretKey), token, ME)).repCode).toBe('6204');
    clock += 60_000;
    expect((await service.check('blockPuzzle', encrypt(RIGHT, secretKey), token, ME)).repCode).toBe('0000');
  });

  test('5 wrong answers within a minute lock both calls for 5 minutes', async () => {
    for (let n = 0; n < 5; n += 1) expect(await codeOf('{"x":10,"y":5}')).toBe('6111');
    const lockedAt = clock;
    expect((await service.get('blockPuzzle', ME)).repCode).toBe('6202');
    expect((await service.check('blockPuzzle', 'x', crypto.randomUUID(), ME)).repCode).toBe('6202');
    expect(await codeOf(RIGHT, '198.51.100.1')).toBe('0000');
    clock = lockedAt + 299_999;
    expect((await service.get('blockPuzzle', ME)).repCode).toBe('6202');
    clock = lockedAt + 300_000;
    expect(await codeOf(RIGHT)).toBe('0000');
  });

  test('5 wrong answers over a longer time do not lock', async () => {
    for (let n = 0; n < 8; n += 1) {
      expect(await codeOf('{"x":10,"y":5}')).toBe('6111');
      clock += 14_000;
    }
    expect(await codeOf(RIGHT)).toBe('0000');
  });

  test('after 3 failed log-ins only click-word, until one succeeds or 10 minutes pass', async () => {
    const words = async () => (await service.get('blockPuzzle', ME)).repData?.wordList.length;
    await service.escalate(ME, 2);
    expect(await words()).toBe(0);
    await service.escalate(ME, 3);
    expect(await words()).toBe(3);
    expect((await service.get('blockPuzzle', '198.51.100.1')).repData?.wordList).toEqual([]);
    await service.escalate(ME, 0);
    expect(await words()).toBe(0);
    await service.escalate(ME, 4);
    clock += 600_000;
    expect(await words()).toBe(0);
  });
});
