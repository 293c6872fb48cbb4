import { sql } from 'kysely';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { configOf } from '../settings.ts';
import type { AccountRef } from '../streams.ts';
import { LwaRefused, refreshAccess } from './lwa.ts';
import { AuthLost, ComeBackLater } from './port.ts';

/** A token is renewed when a fifth of its life is left. */
const RENEW_AT = 0.8;
/** A refused grant is asked about a second time, a minute later by default, before the seller counts as lost. */
const CONFIRM_RETRIES = 30;

interface Row {
  refresh_token_sealed: string | null;
  access_token_sealed: string | null;
  fresh: boolean;
  status: string;
  suspected: boolean;
}

/**
 * An access token of a seller account. One worker at a time renews it, under the account's row lock; the others use
 * the winner's. A grant refused twice in a minute marks the account as revoked and throws AuthLost.
 */
export async function accessToken(runtime: Runtime, account: AccountRef, forceNew = false): Promise<string> {
  const confirmMs = runtime.config.retryBaseMs * CONFIRM_RETRIES;
  const outcome = await inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    const { rows } = await sql<Row>`
      SELECT refresh_token_sealed, access_token_sealed, status,
             coalesce(access_expires_at > now(), false) AS fresh,
             coalesce(auth_failed_at < now() - make_interval(secs => ${confirmMs / 1000}), false) AS suspected
        FROM marketplace.seller_account
       WHERE company_id = ${account.companyId} AND id = ${account.id} FOR UPDATE`.execute(ctx.db);
    const row = rows[0];
    if (!row?.refresh_token_sealed || !['active', 'expiring', 'suspended'].includes(row.status)) {
      return { lost: true } as const;
    }
    if (row.fresh && row.access_token_sealed && !forceNew) {
      return { token: runtime.secrets.decrypt(row.access_token_sealed) } as const;
    }
    try {
      const tokens = await refreshAccess(configOf(runtime), runtime.secrets.decrypt(row.refresh_token_sealed));
      await ctx.db
        .updateTable('marketplace.seller_account')
        .set({
          access_token_sealed: runtime.secrets.encrypt(tokens.accessToken),
          access_expires_at: sql`now() + make_interval(secs => ${tokens.expiresInSec * RENEW_AT})`,
          auth_failed_at: null,
          last_auth_error: null,
        })
        .where('company_id', '=', account.companyId)
        .where('id', '=', account.id)
        .execute();
      return { token: tokens.accessToken } as const;
    } catch (error) {
      if (!(error instanceof LwaRefused) || error.error !== 'invalid_grant') throw error;
      await ctx.db
        .updateTable('marketplace.seller_account')
        .set({
          last_auth_error: error.message,
          auth_failed_at: sql`coalesce(auth_failed_at, now())`,
          status: row.suspected ? 'revoked' : row.status,
        })
        .where('company_id', '=', account.companyId)
        .where('id', '=', account.id)
        .execute();
      return row.suspected ? ({ lost: true } as const) : ({ later: true } as const);
    }
  });
  if ('token' in outcome) return outcome.token;
  if ('lost' in outcome) throw new AuthLost('授权失效');
  throw new ComeBackLater(confirmMs * 1.1, '授权可能失效，稍后再次确认');
}
