import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { adsStreams } from './streams.ts';

/** Lets go of the profiles of a consent that no longer stands: another company may have them, and nothing reads them. */
export async function retireProfiles(ctx: Ctx, connectionId: string): Promise<void> {
  const codes = extensionsOf(ctx.runtime.modules, adsStreams).map((stream) => stream.code);
  await sql`
    UPDATE marketplace.sync_cursor AS c
       SET state = 'blocked_auth', lease_version = c.lease_version + 1, lease_until = NULL
      FROM marketplace.ads_profile AS p
     WHERE c.company_id = ${ctx.companyId} AND c.stream = ANY(${codes}::text[])
       AND p.company_id = c.company_id AND p.connection_id = ${connectionId} AND p.active
       AND p.account_id = c.account_id AND p.marketplace_id = c.marketplace_id`.execute(ctx.db);
  await ctx.db
    .updateTable('marketplace.ads_profile')
    .set({ active: false })
    .where('company_id', '=', ctx.companyId)
    .where('connection_id', '=', connectionId)
    .execute();
}
