import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { AppError } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { providerOf, ssoOf } from './provider.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures of keys shared with us, and none at all, are not taken. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];
/** A token may be this old, and the clocks this far apart; in seconds. */
const MAX_AGE = 300;
const SKEW = 60;

const bad = (why: string) => new AppError(400, 400, `退出令牌无效：${why}`, { code: 'B0191' });

/** Tokens that have been used; as long as one could be used again. */
const used = new LRUCache<string, true>({ max: 10_000, ttl: (MAX_AGE + 2 * SKEW) * 1000 });

const keyrings = new WeakMap<Runtime, { uri: string; keys: JWTVerifyGetKey }>();

/** The provider's keys; asked for again at most every ten seconds, so that strangers' tokens do not become calls. */
function keysOf(runtime: Runtime, uri: string): JWTVerifyGetKey {
  const known = keyrings.get(runtime);
  if (known?.uri === uri) return known.keys;
  const keys = createRemoteJWKSet(new URL(uri), { timeoutDuration: 5_000, cooldownDuration: 10_000 });
  keyrings.set(runtime, { uri, keys });
  return keys;
}

/** What is wrong with a token, in Chinese, by what the check says. */
function wordFor(error: unknown): string {
  if (error instanceof errors.JWTExpired) return error.claim === 'iat' ? '签发时间' : '已过期';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return { iss: '签发者', aud: '受众', iat: '签发时间', typ: '类型' }[error.claim] ?? '缺少标识';
  }
  const { JWSInvalid, JWTInvalid, JOSEAlgNotAllowed, JOSENotSupported } = errors;
  const form = [JWSInvalid, JWTInvalid, JOSEAlgNotAllowed, JOSENotSupported];
  return form.some((kind) => error instanceof kind) ? '格式' : '签名';
}

async function payloadOf(runtime: Runtime, token: string, issuer: string, uri: string): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keysOf(runtime, uri), {
      issuer,
      audience: ssoOf(runtime).clientId,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW,
      maxTokenAge: MAX_AGE,
    });
    const { typ } = protectedHeader;
    if (typ !== undefined && !/^(application\/)?(logout\+jwt|jwt)$/i.test(typ)) throw bad('类型');
    return payload;
  } catch (error) {
    throw error instanceof AppError ? error : bad(wordFor(error));
  }
}

export interface Notice {
  issuer: string;
  sub: string | undefined;
  sid: string | undefined;
}

/** Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). @throws AppError 400 */
export async function noticeIn(runtime: Runtime, token: string): Promise<Notice> {
  const { issuer, jwks_uri } = (await providerOf(runtime)).serverMetadata();
  if (!jwks_uri) throw bad('签名');
  const { events, sub, sid, jti, nonce } = await payloadOf(runtime, token, issuer, jwks_uri);
  const event = (events as Record<string, unknown> | null | undefined)?.[LOGOUT_EVENT];
  if (typeof event !== 'object' || event === null) throw bad('事件');
  if (nonce !== undefined) throw bad('nonce');
  if (typeof jti !== 'string' || (typeof sub !== 'string' && typeof sid !== 'string')) throw bad('缺少标识');
  if (used.has(`${issuer} ${jti}`)) throw bad('重复使用');
  used.set(`${issuer} ${jti}`, true);
  return {
    issuer,
    sub: typeof sub === 'string' ? sub : undefined,
    sid: typeof sid === 'string' ? sid : undefined,
  };
}
