import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import type { Db } from '#kit/server/db/database.ts';
import { AppError } from '#kit/server/errors.ts';
import { type PublicCtx, RedirectReply } from '#kit/server/http/serve.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { closeSessionsById, hashOf } from '../sessions.ts';
import { unionIdOf } from './account.ts';
import { holderCookie, holderOf } from './browser.ts';
import { type Key, parseSigned } from './jws.ts';
import { pagesOf, providerOf, ssoOf } from './provider.ts';

type Row = { company_id: string; id: string };

/** Ends all sessions that this browser opened through the provider; answers the youngest one's id token. */
async function closeOfHolder(runtime: Runtime, holder: string): Promise<string | undefined> {
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<Row & { id_token_sealed: string }>`
      DELETE FROM identity.sso_session WHERE holder_hash = ${hashOf(holder)}
      RETURNING company_id, session_id AS id, id_token_sealed, created_at`.execute(db);
    await closeSessionsById(db, rows, '已退出登录');
    const last = rows.sort((a, b) => (a.id < b.id ? 1 : -1))[0];
    return last && opened(runtime, last.id_token_sealed);
  });
}

/** Sealed under a key that is gone, a token is no help to the provider, and no hindrance to logging out. */
function opened(runtime: Runtime, sealed: string): string | undefined {
  try {
    return runtime.secrets.decrypt(sealed);
  } catch {
    return undefined;
  }
}

/** Ends the browser's session here, then at the provider, which sends it back to the log-in page. */
export async function leaveSso(ctx: PublicCtx): Promise<RedirectReply> {
  const { config } = ctx.runtime;
  const holder = holderOf(config, ctx);
  const idToken = holder ? await closeOfHolder(ctx.runtime, holder) : undefined;
  const page = `${pagesOf(config)}/login`;
  const forget = [holderCookie(config, '')];
  // Who did not come through the provider, or came long ago, has nothing to end there.
  if (!idToken || !config.sso) return new RedirectReply(page, forget);
  try {
    const provider = await providerOf(ctx.runtime);
    if (!provider.serverMetadata().end_session_endpoint) return new RedirectReply(page, forget);
    const url = oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: page, id_token_hint: idToken });
    return new RedirectReply(url.href, forget);
  } catch (error) {
    ctx.runtime.log.warn({ err: error }, 'log-out at the provider failed');
    return new RedirectReply(page, forget);
  }
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** A token may be this old, and the clocks this far apart; in seconds. */
const MAX_AGE = 300;
const SKEW = 60;

const bad = (why: string) => new AppError(400, 400, `退出令牌无效：${why}`, { code: 'B0191' });

/** Tokens that have been used; as long as one could be used again. */
const used = new LRUCache<string, true>({ max: 10_000, ttl: (MAX_AGE + 2 * SKEW) * 1000 });

async function keysOf(runtime: Runtime): Promise<readonly Key[]> {
  const { jwks_uri } = (await providerOf(runtime)).serverMetadata();
  if (!jwks_uri) return [];
  const response = await fetch(jwks_uri, { signal: AbortSignal.timeout(5_000), redirect: 'error' });
  const { keys } = (await response.json()) as { keys?: Key[] };
  return Array.isArray(keys) ? keys : [];
}

/** Keys are asked for again this often, so that strangers' tokens do not become calls of ours. */
const KEYS_MS = 10_000;
const keyring = new WeakMap<Runtime, { at: number; keys: Promise<readonly Key[]> }>();

function recentKeys(runtime: Runtime): Promise<readonly Key[]> {
  const known = keyring.get(runtime);
  if (known && Date.now() - known.at < KEYS_MS) return known.keys;
  const keys = keysOf(runtime);
  keyring.set(runtime, { at: Date.now(), keys });
  return keys;
}

interface Notice {
  issuer: string;
  sub: string | undefined;
  sid: string | undefined;
}

function requireFresh(payload: Record<string, unknown>): void {
  const now = Date.now() / 1000;
  const { iat, exp } = payload;
  if (typeof iat !== 'number' || iat > now + SKEW || iat < now - MAX_AGE) throw bad('签发时间');
  if (typeof exp !== 'undefined' && (typeof exp !== 'number' || exp < now - SKEW)) throw bad('已过期');
}

/** Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). @throws AppError 400 */
async function noticeIn(runtime: Runtime, token: string): Promise<Notice> {
  const signed = parseSigned(token);
  if (!signed) throw bad('格式');
  const { header, payload } = signed;
  const { issuer } = (await providerOf(runtime)).serverMetadata();
  const { iss, aud, events, sub, sid, jti, nonce } = payload;
  if (header.typ !== undefined && !/^(application\/)?(logout\+jwt|jwt)$/i.test(header.typ)) throw bad('类型');
  if (iss !== issuer) throw bad('签发者');
  if (!(Array.isArray(aud) ? aud : [aud]).includes(ssoOf(runtime).clientId)) throw bad('受众');
  requireFresh(payload);
  const event = (events as Record<string, unknown> | null | undefined)?.[LOGOUT_EVENT];
  if (typeof event !== 'object' || event === null) throw bad('事件');
  if (nonce !== undefined) throw bad('nonce');
  if (typeof jti !== 'string' || (typeof sub !== 'string' && typeof sid !== 'string')) throw bad('缺少标识');
  const keys = (await recentKeys(runtime)).filter((key) => header.kid === undefined || key.kid === header.kid);
  if (!keys.some((key) => signed.by(key))) throw bad('签名');
  if (used.has(`${issuer} ${jti}`)) throw bad('重复使用');
  used.set(`${issuer} ${jti}`, true);
  return {
    issuer,
    sub: typeof sub === 'string' ? sub : undefined,
    sid: typeof sid === 'string' ? sid : undefined,
  };
}

/** Sessions that a notice ends: that of one browser, or all of a person. */
async function sessionsOf(db: Db, { issuer, sub, sid }: Notice): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT company_id, session_id AS id FROM identity.sso_session
     WHERE issuer = ${issuer} AND (${sub ?? null}::text IS NULL OR sub = ${sub ?? null})
       AND (${sid ?? null}::text IS NULL OR sid = ${sid ?? null})`.execute(db);
  if (sub === undefined) return rows;
  // Log-ins that went through a second step of ours are not told apart by browser.
  const more = await sql<Row>`
    SELECT s.company_id, s.id FROM identity.external_identity e
      JOIN identity.session s ON s.company_id = e.company_id AND s.member_id = e.member_id
     WHERE e.provider = 'oidc' AND e.union_id = ${unionIdOf({ issuer, sub })} AND s.login_type = 'sso'
       AND s.revoked_at IS NULL AND NOT EXISTS (
         SELECT FROM identity.sso_session x WHERE x.company_id = s.company_id AND x.session_id = s.id)`.execute(db);
  return [...rows, ...more.rows];
}

/** The provider says that somebody logged out there: his sessions here end too. */
export async function hearOfLogout(ctx: PublicCtx, token: string): Promise<'success'> {
  ssoOf(ctx.runtime);
  const notice = await noticeIn(ctx.runtime, token);
  await inSystem(ctx.runtime, async (db) => closeSessionsById(db, await sessionsOf(db, notice), '已在单点登录中退出'));
  return 'success';
}
