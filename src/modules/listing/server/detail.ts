import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { ListingDetail } from '../contract.ts';
import { openIssues } from './issues/read.ts';
import { type DbRow, rowOf } from './list.ts';
import { frozenUntil } from './offers/frozen.ts';

const MOST_CHANGES = 200;

async function pricesOf(ctx: Ctx, listing: DbRow): Promise<ListingDetail['prices']> {
  return ctx.db
    .selectFrom('listing.price_change')
    .select(['id', 'seen_at as seenAt', 'old_price as oldPrice', 'new_price as newPrice', 'currency'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', listing.account_id)
    .where('marketplace_id', '=', listing.marketplace_id)
    .where('seller_sku', '=', listing.seller_sku)
    .orderBy('seen_at', 'desc')
    .limit(MOST_CHANGES)
    .execute();
}

/** One listing with its issues and the changes of its price. 404 for anybody else's. */
export async function listingDetail(ctx: Ctx, id: string): Promise<ListingDetail> {
  const row = await ctx.db
    .selectFrom('listing.listing')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('商品不存在或已删除');
  return {
    ...rowOf(row, await storeNames(ctx)),
    title: row.title,
    issues: await openIssues(ctx, {
      accountId: row.account_id,
      marketplaceId: row.marketplace_id,
      sellerSku: row.seller_sku,
    }),
    prices: await pricesOf(ctx, row),
    firstSeenAt: row.first_seen_at,
    goneAt: row.gone_at,
    source: row.source as ListingDetail['source'],
    asOf: row.as_of,
    frozenUntil: (await frozenUntil(ctx, [row.id])).get(row.id) ?? null,
  };
}
