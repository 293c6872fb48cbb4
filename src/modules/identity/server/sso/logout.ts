import { sql } from 'kysely';
import * as oidc from 'openid-client';
import type { Db } from '#kit/server/db/database.ts';
import { type PublicCtx, RedirectReply } from '#kit/server/http/serve.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { closeSessionsById, hashOf } from '../sessions.ts';
import { unionIdOf } from './account.ts';
import { holderCookie, holderOf } from './browser.ts';
import { type Notice, noticeIn } from './logout-token.ts';
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
