import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { marketplaceOf, type Region } from '../../contract/marketplaces.ts';
import { requireSiteRoom } from './site-room.ts';

/** Stands where an authorised account names the application that it consented to. */
const NO_APPLICATION = 'manual';

export interface ManualInput {
  storeId: string;
  marketplaceIds: readonly string[];
  sellerId?: string | undefined;
}

/** The one region of all sites; refused for unknown sites and for a mixture. */
function regionOf(marketplaceIds: readonly string[]): Region {
  const regions = new Set(marketplaceIds.map((id) => marketplaceOf(id)?.region));
  const [region] = regions;
  if (!region || regions.has(undefined)) throw refused('站点不存在，请重新选择', 'B0323');
  if (regions.size > 1) throw refused('一个账号只能包含同一区域的站点，请按区域分别新增', 'B0324');
  return region;
}

async function refuseMissingStore(ctx: Ctx, storeId: string): Promise<void> {
  const store = await ctx.db
    .selectFrom('marketplace.store')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', storeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!store) throw notFound('店铺不存在或已删除');
}

async function writeAccount(ctx: Ctx, storeId: string, region: Region, sellerId: string): Promise<string> {
  const known = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select(['id', 'status'])
    .where('company_id', '=', ctx.companyId)
    .where('region', '=', region)
    .where('selling_partner_id', '=', sellerId)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
  if (known && known.status !== 'disabled') throw refused(`卖家ID「${sellerId}」在该区域已存在`, 'B0325');
  const values = { store_id: storeId, status: 'manual', refresh_token_sealed: null, expires_at: null };
  if (known) {
    await ctx.db
      .updateTable('marketplace.seller_account')
      .set({ ...values, version: sql`version + 1` })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', known.id)
      .execute();
    return known.id;
  }
  const row = await ctx.db
    .insertInto('marketplace.seller_account')
    .values({
      ...values,
      company_id: ctx.companyId,
      selling_partner_id: sellerId,
      region,
      application_id: NO_APPLICATION,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Adds a seller account that is never called: its facts come from uploaded files. Without a seller id it gets one of
 * its own ("MANUAL…"), because facts are keyed by it. A later consent of the same seller turns it into an ordinary one.
 */
export async function addManualAccount(ctx: Ctx, input: ManualInput): Promise<{ authid: string }> {
  const region = regionOf(input.marketplaceIds);
  await refuseMissingStore(ctx, input.storeId);
  const sellerId = input.sellerId ?? `MANUAL${randomBytes(5).toString('hex').toUpperCase()}`;
  await requireSiteRoom(ctx, { region, sellingPartnerId: sellerId }, input.marketplaceIds);
  const authid = await writeAccount(ctx, input.storeId, region, sellerId);
  await ctx.db
    .insertInto('marketplace.seller_marketplace')
    .values(
      [...new Set(input.marketplaceIds)].map((id) => ({
        company_id: ctx.companyId,
        account_id: authid,
        marketplace_id: id,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'account_id', 'marketplace_id']).doUpdateSet({
        enabled: true,
        is_participating: true,
      }),
    )
    .execute();
  await audit(ctx, {
    action: '新增手工店铺账号',
    resource: 'marketplace.sellerAccount',
    resourceId: authid,
    after: { sellerId, region, marketplaceIds: input.marketplaceIds },
  });
  return { authid };
}
