import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';
import type { BookSource } from '../../contract/rivals.ts';
import type { Book } from './book.ts';
import { keepSeenDays, TOTALS, WAS } from './seen.ts';

/** Offers of products that an account sells changed, in the transaction that tells it. */
export const offersChanged = event<{ accountId: string; marketplaceId: string; asins: readonly string[] }>(
  'listing.offersChanged',
);

function rowOf({ asin, marketplaceId, asOf, currency, offers, count }: Book) {
  const own = offers.find((one) => one.own);
  const featured = offers.find((one) => one.featured);
  return {
    asin,
    marketplaceId,
    asOf,
    currency,
    offers,
    count,
    ownPrice: own?.price ?? null,
    ownFeatured: offers.some((one) => one.own && one.featured),
    featuredPrice: featured?.landed ?? null,
    featuredSeller: featured?.sellerId ?? null,
    lowestPrice: offers[0]?.landed ?? null,
  };
}

const COLUMNS = sql.raw(
  'as_of, source, currency, offers, offer_count, own_price, own_featured, featured_price, featured_seller, lowest_price',
);

/**
 * Takes books over in the caller's transaction; one that is older than what is known is left alone, and one that says the
 * same only makes it fresh. The time between the two is counted for the days of the site (see seen.ts). Returns how many changed.
 */
export async function landBooks(
  ctx: Ctx,
  accountId: string,
  source: BookSource,
  books: readonly Book[],
): Promise<number> {
  if (books.length === 0) return 0;
  // Everybody writes them in one order, so that two who land some of the same do not wait for each other.
  const { rows } = await sql<{ asin: string; marketplaceId: string }>`
    WITH merged AS (
      INSERT INTO listing.offer_book AS b (company_id, account_id, marketplace_id, asin, ${COLUMNS})
      SELECT ${ctx.companyId}::uuid, ${accountId}::uuid, "marketplaceId", asin, "asOf", ${source}, currency, offers, count,
             "ownPrice", "ownFeatured", "featuredPrice", "featuredSeller", "lowestPrice"
        FROM jsonb_to_recordset(${JSON.stringify(books.map(rowOf))}::jsonb) AS r("marketplaceId" text, asin text,
             "asOf" timestamptz, currency text, offers jsonb, count int, "ownPrice" numeric, "ownFeatured" boolean,
             "featuredPrice" numeric, "featuredSeller" text, "lowestPrice" numeric)
       ORDER BY "marketplaceId", asin
      ON CONFLICT (company_id, account_id, marketplace_id, asin) DO UPDATE
         SET (${COLUMNS}, owned_sec, lost_sec, unseen_sec) = ROW (excluded.as_of, excluded.source, excluded.currency, excluded.offers, excluded.offer_count,
              excluded.own_price, excluded.own_featured, excluded.featured_price, excluded.featured_seller,
              excluded.lowest_price, ${TOTALS})
       WHERE b.as_of <= excluded.as_of
      RETURNING new.*, ${WAS}, (old.offers, old.offer_count) IS DISTINCT FROM (new.offers, new.offer_count) AS changed
    ), kept AS (
      INSERT INTO listing.offer_book_past (company_id, account_id, marketplace_id, asin, ${COLUMNS})
      SELECT company_id, account_id, marketplace_id, asin, ${COLUMNS} FROM merged WHERE changed
    ), seen AS (${keepSeenDays()})
    SELECT asin, marketplace_id AS "marketplaceId" FROM merged WHERE changed ORDER BY 2, 1`.execute(ctx.db);
  for (const marketplaceId of new Set(rows.map((row) => row.marketplaceId))) {
    const asins = rows.filter((row) => row.marketplaceId === marketplaceId).map((row) => row.asin);
    await emit(ctx, offersChanged, { accountId, marketplaceId, asins });
  }
  return rows.length;
}
