import { randomUUID } from 'node:crypto';
import { type CaptchaChallenge, CaptchaType } from '../../contract/session.ts';
import { checkClickWord, checkSlider, parsePoint, parsePoints } from './check.ts';
import { decrypt, newKey, sha256, verificationFor } from './cipher.ts';
import { type ClientStore, clientsInMemory, createClientLimits } from './limits.ts';
import type { CaptchaPool } from './pool.ts';
import type { CaptchaAnswer } from './prepare.ts';
import { type Rep, repOk, repRefused } from './protocol.ts';

const TOKEN_MS = 120_000;
const PASS_MS = 180_000;

/** A captcha that was handed out and waits for its one check. */
export interface StoredChallenge {
  /** UUID. */
  token: string;
  type: CaptchaType;
  answer: CaptchaAnswer;
  /** 16 characters, or empty where the configured key applies. */
  secretKey: string;
  /** Epoch ms, as all instants here. */
  createdAt: number;
  expiresAt: number;
}

/** Where challenges and passes live; shared by all processes that serve the same users. */
export interface CaptchaStore {
  insert(challenge: StoredChallenge): Promise<void>;
  /** Removes and returns a challenge in one step (DELETE ... RETURNING): of two checks at once only one finds it. */
  take(token: string): Promise<StoredChallenge | undefined>;
  /** `hash` is the kind of captcha, a colon and the SHA-256 of the captchaVerification. */
  savePass(hash: string, expiresAt: number): Promise<void>;
  /** Removes a pass in one step; true where it was there and had not expired at `at`. */
  takePass(hash: string, at: number): Promise<boolean>;
}

export interface CaptchaCheckResult {
  captchaType: CaptchaType;
  token: string;
  result: boolean;
}

export type PassOutcome = { ok: true; type: CaptchaType } | { ok: false };

export interface CaptchaService {
  /** A new captcha; a client under suspicion gets click-word whatever it asked for (wordList tells). */
  get(type: CaptchaType, client: string): Promise<Rep<CaptchaChallenge>>;
  /** Checks an answer once; the token is spent, right or wrong. The kind is the one handed out, not the one sent. */
  check(type: CaptchaType, pointJson: string, token: string, client: string): Promise<Rep<CaptchaCheckResult>>;
  /**
   * Spends the pass behind a captchaVerification (the bare value) and tells which kind earned it; not ok where there is
   * none, it expired, or was used.
   */
  verify(captchaVerification: string): Promise<PassOutcome>;
  /** Tells how many log-ins of a client failed in a row (0 after a success): from three on it gets click-word only. */
  escalate(client: string, loginFailures: number): Promise<void>;
}

export interface CaptchaServiceOptions {
  store: CaptchaStore;
  pool: Pick<CaptchaPool, 'take'>;
  /** Where the limits per client are counted; this process alone unless told. */
  clients?: ClientStore;
  /** Epoch ms. */
  now?: () => number;
  /** 16 characters; decrypts answers to challenges without a key of their own, which fail where it is not set. */
  fixedKey?: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isRight(challenge: StoredChallenge, pointText: string, elapsedMs: number): boolean {
  const { answer } = challenge;
  if (answer.type === 'blockPuzzle') return checkSlider(answer.x, parsePoint(pointText), elapsedMs);
  return checkClickWord(answer.points, parsePoints(pointText));
}

function passKey(type: CaptchaType, captchaVerification: string): string {
  return `${type}:${sha256(captchaVerification)}`;
}

/** The captcha's rules over any store; errors of the store go to the caller. */
export function createCaptchaService(options: CaptchaServiceOptions): CaptchaService {
  const { store, pool, now = Date.now, fixedKey } = options;
  const limits = createClientLimits(now, options.clients ?? clientsInMemory());

  const get: CaptchaService['get'] = async (asked, client) => {
    const { refusal, clickWordOnly } = await limits.enter(client, 'get');
    if (refusal) return repRefused(refusal);
    const type = clickWordOnly ? 'clickWord' : asked;
    const prepared = pool.take(type);
    if (!prepared) return repRefused('6112');
    const { answer, ...pictures } = prepared;
    const token = randomUUID();
    const secretKey = newKey();
    const createdAt = now();
    await store.insert({ token, type, answer, secretKey, createdAt, expiresAt: createdAt + TOKEN_MS });
    return repOk({ ...pictures, token, secretKey });
  };

  const check: CaptchaService['check'] = async (_type, pointJson, token, client) => {
    const { refusal } = await limits.enter(client, 'check');
    if (refusal) return repRefused(refusal);
    if (!pointJson.trim() || !token.trim()) return repRefused('0011');
    // A store may keep tokens as UUIDs and would stumble over anything else.
    const challenge = UUID.test(token) ? await store.take(token) : undefined;
    if (!challenge || challenge.expiresAt <= now()) return repRefused('6110');
    const key = challenge.secretKey || fixedKey || '';
    const pointText = decrypt(pointJson, key);
    if (pointText === undefined || !isRight(challenge, pointText, now() - challenge.createdAt)) {
      await limits.failed(client);
      return repRefused('6111');
    }
    const hash = passKey(challenge.type, verificationFor(token, pointText, key));
    await store.savePass(hash, now() + PASS_MS);
    return repOk({ captchaType: challenge.type, token, result: true });
  };

  const verify: CaptchaService['verify'] = async (captchaVerification) => {
    for (const type of CaptchaType.options) {
      if (await store.takePass(passKey(type, captchaVerification), now())) return { ok: true, type };
    }
    return { ok: false };
  };

  return { get, check, verify, escalate: limits.escalate };
}
