import { randomUUID } from 'node:crypto';
import type { Region } from '#modules/marketplace/contract/marketplaces.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { worldClock } from '#test/support/world.ts';
import type { Person, World } from './world.ts';

export const US = 'ATVPDKIKX0DER';
export const CA = 'A2EUQ1WTGCTBG2';
export const DE = 'A1PA6795UKMFR9';
export const JP = 'A1VC38T7YXB528';
export const IN = 'A21TJRUUN4KGV';

const DAY_MS = 86_400_000;

export interface SellerOptions {
  /** Name of the store; a fresh one where left out. */
  name?: string;
  region?: Region;
  marketplaceIds?: readonly string[];
  expiresAt?: string;
  status?: string;
}

/** A store of somebody's company with a seller account in it, as a consent would have left them. */
export function makeSellerAccount(world: World, person: Person, options: SellerOptions = {}): Promise<AccountRef> {
  const { name = `店${randomUUID().slice(0, 8)}`, region = 'na', status = 'active' } = options;
  const marketplaceIds = [...(options.marketplaceIds ?? [US])];
  const expiresAt = options.expiresAt ?? new Date(worldClock().ms() + DAY_MS).toISOString();
  const sellingPartnerId = `A${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`;
  return world.as(person, async (ctx) => {
    const { companyId } = ctx;
    const store = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id: companyId, name })
      .returning('id')
      .executeTakeFirstOrThrow();
    const account = await ctx.db
      .insertInto('marketplace.seller_account')
      .values({
        company_id: companyId,
        store_id: store.id,
        selling_partner_id: sellingPartnerId,
        region,
        application_id: 'test',
        refresh_token_sealed: 'x',
        status,
        expires_at: expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ctx.db
      .insertInto('marketplace.seller_marketplace')
      .values(marketplaceIds.map((id) => ({ company_id: companyId, account_id: account.id, marketplace_id: id })))
      .execute();
    return { companyId, id: account.id, storeId: store.id, sellingPartnerId, region, marketplaceIds };
  });
}
