import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { REGION_NAMES } from '#modules/marketplace/contract/marketplaces.ts';
import { syncOfAccounts } from '#modules/marketplace/server/index.ts';
import type { HomeFilter, sync } from '../contract.ts';

/** How each stream of each account goes, and how far a first synchronisation has come. */
export async function syncOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof sync>> {
  const accounts = await syncOfAccounts(ctx, filter.accountIds);
  return { accounts: accounts.map((account) => ({ ...account, region: REGION_NAMES[account.region] })) };
}
