import { sql } from 'kysely';
import { on } from '#kit/server/events.ts';
import { companyErased } from '#modules/identity/server/index.ts';

/** A company that is erased keeps no key to anybody's account: the tokens go, and the seller is free for another company. */
export const onCompanyErased = on(companyErased, async (ctx) => {
  await sql`
    UPDATE marketplace.seller_account
       SET status = 'deleted', refresh_token_sealed = '', access_token_sealed = NULL, access_expires_at = NULL,
           own_client_id = NULL, own_client_secret_sealed = NULL, proxy_url = NULL,
           version = version + 1
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  await sql`
    UPDATE marketplace.sync_cursor
       SET lease_version = lease_version + 1, lease_until = NULL, state = 'blocked_auth'
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  await sql`
    UPDATE marketplace.ads_connection
       SET status = 'disabled', refresh_token_sealed = '', access_token_sealed = NULL, access_expires_at = NULL,
           version = version + 1
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  await sql`UPDATE marketplace.ads_profile SET active = false WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
});
