import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ListingKey } from './product.ts';

/** SELECT of what the price of a listing became, oldest first, with the instant that showed it first. */
export function priceMarksSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, marketplaceId, sellerSku }: ListingKey,
): RawBuilder<{ seen_at: string; price: string | null }> {
  return sql`
    SELECT seen_at, new_price AS price FROM listing.price_change
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND seller_sku = ${sellerSku}
     ORDER BY seen_at`;
}
