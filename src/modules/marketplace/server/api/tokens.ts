import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { houseClient } from '../application/house.ts';
import { LIVE_STATUSES } from '../auth/accounts.ts';
import { blockStreams } from '../auth/block.ts';
import { remindOfApplication } from '../reminders.ts';
import type { AccountRef } from '../streams.ts';
import { type LwaClient, LwaRefused, refreshAccess, type Tokens } from './lwa.ts';
import { AuthLost, ComeBackLater } from './port.ts';

/** A token is renewed when a fifth of its life is left. */
export const RENEW_AT = 0.8;
/** A refused grant is asked about a second time, a minute later by default, before the seller counts as lost. */
export const CONFIRM_RETRIES = 30;
/** An application that the marketplace does not know is tried again every quarter of an hour by default. */
const APPLICATION_RETRIES = 450;

interface Row {
  refresh_token_sealed: string | null;
  access_token_sealed: string | null;
  own_client_id: string | null;
  own_client_secret_sealed: string | null;
  proxy_url: string | null;
  fresh: boolean;
  status: string;
  suspected: boolean;
}

type Outcome = { token: string } | { lost: true } | { later: true } | { application: true };

/** The application that an account consented to: its own, or the one of this installation. */
function clientOf(runtime: Runtime, house: LwaClient, row: Row): LwaClient {
  const proxyUrl = row.proxy_url ?? undefined;
  if (row.own_client_id === null || row.own_client_secret_sealed === null) {
    return { ...house, proxyUrl };
  }
  const clientSecret = runtime.secrets.decrypt(row.own_client_secret_sealed);
  return { ...house, clientId: row.own_client_id, clientSecret, proxyUrl };
}

async function keep(ctx: Ctx, account: AccountRef, tokens: Tokens): Promise<void> {
  await ctx.db
    .updateTable('marketplace.seller_account')
    .set({
      access_token_sealed: ctx.runtime.secrets.encrypt(tokens.accessToken),
      access_expires_at: sql`kit.now() + make_interval(secs => ${tokens.expiresInSec * RENEW_AT})`,
      auth_failed_at: null,
      last_auth_error: null,
    })
    .where('company_id', '=', account.companyId)
    .where('id', '=', account.id)
    .execute();
}

/** What a refusal means: for the seller, who is asked twice; or for the application, in which no seller changes. */
async function refusal(ctx: Ctx, account: AccountRef, row: Row, error: LwaRefused): Promise<Outcome> {
  if (error.error === 'invalid_client') {
    await remindOfApplication(ctx, row.own_client_id === null ? undefined : account.id);
    return { application: true };
  }
  if (error.error !== 'invalid_grant') throw error;
  await ctx.db
    .updateTable('marketplace.seller_account')
    .set({
      last_auth_error: error.message,
      auth_failed_at: sql`coalesce(auth_failed_at, kit.now())`,
      status: row.suspected ? 'revoked' : row.status,
    })
    .where('company_id', '=', account.companyId)
    .where('id', '=', account.id)
    .execute();
  if (!row.suspected) return { later: true };
  await blockStreams(ctx, account.id);
  return { lost: true };
}

/** The token that the account has, while nobody need renew it. */
async function freshToken(runtime: Runtime, account: AccountRef): Promise<string | undefined> {
  return inTenant(
    runtime,
    systemPrincipal(account.companyId),
    async (ctx) => {
      const row = await ctx.db
        .selectFrom('marketplace.seller_account')
        .select('access_token_sealed')
        .where('company_id', '=', account.companyId)
        .where('id', '=', account.id)
        .where('status', '=', sql<string>`ANY (${[...LIVE_STATUSES]}::text[])`)
        .where('refresh_token_sealed', 'is not', null)
        .where('access_expires_at', '>', sql<string>`kit.now()`)
        .executeTakeFirst();
      return row?.access_token_sealed ? runtime.secrets.decrypt(row.access_token_sealed) : undefined;
    },
    { readOnly: true, prepared: true },
  );
}

/**
 * An access token of a seller account. One worker at a time renews it, under the account's row lock, which keeps nobody from
 * writing what belongs to the account: a run that does so may hold what this one wants next. The others use the winner's. A
 * grant refused twice in a minute marks the account as revoked, stops its streams and throws AuthLost. An application that is
 * refused changes no seller: an alarm is raised and ComeBackLater thrown.
 */
export async function accessToken(runtime: Runtime, account: AccountRef, forceNew = false): Promise<string> {
  // Nearly always there is one, and calls of one account need not wait for each other.
  const known = forceNew ? undefined : await freshToken(runtime, account);
  if (known !== undefined) return known;
  const { retryBaseMs } = runtime.config;
  const confirmMs = retryBaseMs * CONFIRM_RETRIES;
  const house = await houseClient(runtime);
  const outcome = await inTenant(runtime, systemPrincipal(account.companyId), async (ctx): Promise<Outcome> => {
    const { rows } = await sql<Row>`
      SELECT refresh_token_sealed, access_token_sealed, own_client_id, own_client_secret_sealed, proxy_url, status,
             coalesce(access_expires_at > kit.now(), false) AS fresh,
             coalesce(auth_failed_at < kit.now() - make_interval(secs => ${confirmMs / 1000}), false) AS suspected
        FROM marketplace.seller_account
       WHERE company_id = ${account.companyId} AND id = ${account.id} FOR NO KEY UPDATE`.execute(ctx.db);
    const row = rows[0];
    if (!row?.refresh_token_sealed || !['active', 'expiring', 'suspended'].includes(row.status)) return { lost: true };
    if (row.fresh && row.access_token_sealed && !forceNew) {
      return { token: runtime.secrets.decrypt(row.access_token_sealed) };
    }
    try {
      const tokens = await refreshAccess(
        clientOf(runtime, house, row),
        runtime.secrets.decrypt(row.refresh_token_sealed),
      );
      await keep(ctx, account, tokens);
      return { token: tokens.accessToken };
    } catch (error) {
      if (!(error instanceof LwaRefused)) throw error;
      return refusal(ctx, account, row, error);
    }
  });
  if ('token' in outcome) return outcome.token;
  if ('lost' in outcome) throw new AuthLost('授权失效');
  if ('application' in outcome) throw new ComeBackLater(retryBaseMs * APPLICATION_RETRIES, '应用密钥无效');
  throw new ComeBackLater(confirmMs * 1.1, '授权可能失效，稍后再次确认');
}
