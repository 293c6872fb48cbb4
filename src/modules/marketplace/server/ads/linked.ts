import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { AuthLost } from '../api/port.ts';
import type { AccountRef } from '../streams.ts';
import type { AdsConnectionRef, AdsProfileRef } from './port.ts';

/** The profile that advertises for an account in a marketplace, with its consent. @throws AuthLost where none works */
export async function linkedProfile(
  runtime: Runtime,
  account: AccountRef,
  marketplaceId: string,
): Promise<{ connection: AdsConnectionRef; profile: AdsProfileRef }> {
  const { companyId } = account;
  const row = await inTenant(runtime, systemPrincipal(companyId), (ctx) =>
    ctx.db
      .selectFrom('marketplace.ads_profile as p')
      .innerJoin('marketplace.ads_connection as c', (join) =>
        join.onRef('c.company_id', '=', 'p.company_id').onRef('c.id', '=', 'p.connection_id'),
      )
      .select(['p.profile_id', 'p.currency', 'p.time_zone', 'c.id', 'c.store_id', 'c.region'])
      .where('p.company_id', '=', companyId)
      .where('p.account_id', '=', account.id)
      .where('p.marketplace_id', '=', marketplaceId)
      .where('p.active', '=', true)
      .where('c.status', '=', 'active')
      .executeTakeFirst(),
  );
  if (!row) throw new AuthLost('广告授权失效');
  const region = row.region as AdsConnectionRef['region'];
  return {
    connection: { companyId, id: row.id, storeId: row.store_id, region },
    profile: {
      profileId: String(row.profile_id),
      marketplaceId,
      currency: row.currency,
      timeZone: row.time_zone,
    },
  };
}
