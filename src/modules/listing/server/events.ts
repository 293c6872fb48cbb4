import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint } from '#kit/server/extension.ts';
import { issuesSelect } from './issues/read.ts';
import type { ListingKey } from './product.ts';

/** Something that happened to a listing; `at` ISO, amounts decimal text in the currency of the site. */
export interface ListingEvent {
  at: string;
  kind: 'price' | 'featured' | 'issue' | 'content' | 'stock';
  text: string;
  /** Who did it; empty where nobody of the company did. */
  by: string;
}

/** What a module knows of the past of listings. */
export interface ListingEvents {
  of: (ctx: Ctx, listing: ListingKey & { asin: string | null }, from: string) => Promise<ListingEvent[]>;
}

export const listingEvents = extensionPoint<ListingEvents>('listing.events');

/** Prices, the Buy Box and issues, as they were read from the marketplace since an instant. */
export const ownEvents: ListingEvents = {
  of: async (ctx, { accountId, marketplaceId, sellerSku, asin }, from) => {
    const site = sql`account_id = ${accountId} AND marketplace_id = ${marketplaceId}`;
    const mine = sql`company_id = ${ctx.companyId} AND ${site}`;
    const { rows } = await sql<ListingEvent>`
      SELECT seen_at AS at, 'price' AS kind, '' AS by,
             '售价 ' || coalesce(trim_scale(old_price)::text, '无') || ' → ' || coalesce(trim_scale(new_price)::text, '无') || ' ' || currency AS text
        FROM listing.price_change WHERE ${mine} AND seller_sku = ${sellerSku} AND seen_at >= ${from}
      UNION ALL
      SELECT first_seen_at, 'issue', '', '出现问题：' || message FROM (${issuesSelect(ctx)}) AS i
       WHERE ${site} AND seller_sku = ${sellerSku} AND first_seen_at >= ${from}
      UNION ALL
      SELECT resolved_at, 'issue', '', '问题已消除：' || message FROM (${issuesSelect(ctx)}) AS i
       WHERE ${site} AND seller_sku = ${sellerSku} AND resolved_at >= ${from}
      UNION ALL
      SELECT as_of, 'featured', '',
             CASE WHEN own_featured THEN '获得购物车' WHEN featured_seller IS NULL THEN '购物车无人占有'
                  ELSE '失去购物车，被 ' || featured_seller || ' 以 ' || trim_scale(featured_price) || ' ' || currency || ' 占有' END
        FROM (SELECT *, lag(own_featured) OVER (ORDER BY as_of, id) AS before FROM listing.offer_book_past
               WHERE ${mine} AND asin = ${asin}) AS book
       WHERE own_featured IS DISTINCT FROM before AND before IS NOT NULL AND as_of >= ${from}`.execute(ctx.db);
    return rows;
  },
};
