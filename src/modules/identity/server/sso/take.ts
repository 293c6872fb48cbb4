import { sql } from 'kysely';
import { refused } from '#kit/server/errors.ts';
import type { PublicCtx } from '#kit/server/http/serve.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { hashOf } from '../sessions.ts';
import { signatureOf } from './browser.ts';

/**
 * Takes up a session that was opened for a browser on its way back from the provider, and answers whose it is. Refuses
 * (B0194) every id that does not wait for this browser: ordinary ones, taken ones, those of a minute ago.
 */
export async function takeSession(ctx: PublicCtx, token: string): Promise<{ id: string }> {
  const signature = signatureOf(ctx.runtime.config, ctx);
  const { rows } = await inSystem(ctx.runtime, (db) =>
    sql<{ id: string }>`
      UPDATE identity.session SET last_seen_at = kit.now(), claim_hash = NULL, claim_until = NULL
       WHERE token_hash = ${hashOf(token)} AND claim_hash = ${signature} AND claim_until > kit.now()
         AND revoked_at IS NULL AND expires_at > kit.now()
      RETURNING member_id AS id`.execute(db),
  );
  const [taken] = rows;
  if (!taken) throw refused('登录链接无效、已使用或已过期，请重新登录', 'B0194');
  return taken;
}
