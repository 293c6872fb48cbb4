import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { LwaRefused, refreshAccess } from '../api/lwa.ts';
import { AuthLost, ComeBackLater } from '../api/port.ts';
import { CONFIRM_RETRIES, RENEW_AT } from '../api/tokens.ts';
import { remindOfAds } from '../reminders.ts';
import { retireProfiles } from './block.ts';
import type { AdsConnectionRef } from './port.ts';
import { adsClientOf } from './settings.ts';

interface Row {
  refresh_token_sealed: string;
  access_token_sealed: string | null;
  fresh: boolean;
  status: string;
  suspected: boolean;
}

type Outcome = { token: string } | { lost: true } | { later: true };

async function refusal(ctx: Ctx, connection: AdsConnectionRef, row: Row, error: LwaRefused): Promise<Outcome> {
  if (error.error !== 'invalid_grant')
    throw new ComeBackLater(ctx.runtime.config.retryBaseMs * 450, '广告应用密钥无效');
  await ctx.db
    .updateTable('marketplace.ads_connection')
    .set({
      last_auth_error: error.message,
      auth_failed_at: sql`coalesce(auth_failed_at, kit.now())`,
      status: row.suspected ? 'revoked' : row.status,
    })
    .where('company_id', '=', connection.companyId)
    .where('id', '=', connection.id)
    .execute();
  if (!row.suspected) return { later: true };
  await retireProfiles(ctx, connection.id);
  await remindOfAds(ctx, connection.storeId, connection.region);
  return { lost: true };
}

/**
 * An access token of an advertising consent, by the same rules as a seller's: renewed under the row's lock, and lost only
 * when the grant is refused twice, a minute apart.
 */
export async function adsAccessToken(
  runtime: Runtime,
  connection: AdsConnectionRef,
  forceNew = false,
): Promise<string> {
  const confirmMs = runtime.config.retryBaseMs * CONFIRM_RETRIES;
  const outcome = await inTenant(runtime, systemPrincipal(connection.companyId), async (ctx): Promise<Outcome> => {
    const { rows } = await sql<Row>`
      SELECT refresh_token_sealed, access_token_sealed, status,
             coalesce(access_expires_at > kit.now(), false) AS fresh,
             coalesce(auth_failed_at < kit.now() - make_interval(secs => ${confirmMs / 1000}), false) AS suspected
        FROM marketplace.ads_connection
       WHERE company_id = ${connection.companyId} AND id = ${connection.id} FOR NO KEY UPDATE`.execute(ctx.db);
    const row = rows[0];
    if (row?.status !== 'active') return { lost: true };
    if (row.fresh && row.access_token_sealed && !forceNew) {
      return { token: runtime.secrets.decrypt(row.access_token_sealed) };
    }
    try {
      const tokens = await refreshAccess(adsClientOf(runtime), runtime.secrets.decrypt(row.refresh_token_sealed));
      await ctx.db
        .updateTable('marketplace.ads_connection')
        .set({
          access_token_sealed: runtime.secrets.encrypt(tokens.accessToken),
          access_expires_at: sql`kit.now() + make_interval(secs => ${tokens.expiresInSec * RENEW_AT})`,
          auth_failed_at: null,
          last_auth_error: null,
        })
        .where('company_id', '=', connection.companyId)
        .where('id', '=', connection.id)
        .execute();
      return { token: tokens.accessToken };
    } catch (error) {
      if (!(error instanceof LwaRefused)) throw error;
      return refusal(ctx, connection, row, error);
    }
  });
  if ('token' in outcome) return outcome.token;
  if ('lost' in outcome) throw new AuthLost('广告授权失效');
  throw new ComeBackLater(confirmMs * 1.1, '广告授权可能失效，稍后再次确认');
}
