import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem } from '#kit/server/runtime.ts';
import type { BookPoint, BookSource, listingOffers, MarketOffer } from '../../contract/rivals.ts';
import { SEEN_DAYS } from './seen.ts';

const MOST_POINTS = 500;
const KEPT_DAYS = 90;

/** A book of offers as the database has it; instants ISO, money decimal text. */
export interface StoredBook {
  asOf: string;
  source: BookSource;
  currency: string;
  offers: MarketOffer[];
  offerCount: number;
}

interface Place {
  accountId: string;
  marketplaceId: string;
  asin: string;
}

/** The newest offers known of a product; undefined where nothing has been read. */
export async function bookAt(ctx: Ctx, { accountId, marketplaceId, asin }: Place): Promise<StoredBook | undefined> {
  const { rows } = await sql<StoredBook>`
    SELECT as_of AS "asOf", source, currency, offers, offer_count AS "offerCount" FROM listing.offer_book
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND asin = ${asin}`.execute(ctx.db);
  return rows[0];
}

/** What the offers of a product were in the last days, oldest first: a book for each change, `most` at most. */
export async function booksSince(
  ctx: Ctx,
  { accountId, marketplaceId, asin }: Place,
  days: number,
  most = MOST_POINTS,
): Promise<(StoredBook & BookPoint)[]> {
  const { rows } = await sql<StoredBook & BookPoint>`
    SELECT as_of AS "asOf", source, currency, offers, offer_count AS "offerCount", own_price AS "ownPrice",
           featured_price AS "featuredPrice", featured_seller AS "featuredSeller", own_featured AS "ownFeatured",
           lowest_price AS "lowestPrice"
      FROM listing.offer_book_past
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND asin = ${asin} AND seen_at >= kit.now() - make_interval(days => ${days})
     ORDER BY as_of DESC, id DESC LIMIT ${most}`.execute(ctx.db);
  return rows.reverse();
}

/** The offers of a listing's product and how they changed in so many days. @throws 404 */
export async function offersOfListing(ctx: Ctx, id: string, days: number): Promise<Reply<typeof listingOffers>> {
  const listing = await ctx.db
    .selectFrom('listing.listing')
    .select(['account_id', 'marketplace_id', 'asin', 'currency'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!listing) throw notFound('商品不存在或已删除');
  const { currency, asin } = listing;
  const none = { asOf: null, source: null, currency, offers: [], offerCount: 0, past: [] };
  if (asin === null) return none;
  const place = { accountId: listing.account_id, marketplaceId: listing.marketplace_id, asin };
  const book = await bookAt(ctx, place);
  if (!book) return none;
  const past = (await booksSince(ctx, place, days)).map(({ offers: _, ...point }) => point);
  return { ...book, past };
}

/** Every night: books older than ninety days go, and the days of the Buy Box of as long ago. */
export const forgetOffersJob = job<object>('listing.forgetOffers', async (runtime) => {
  await inSystem(runtime, async (db) => {
    await db
      .deleteFrom('listing.offer_book_past')
      .where('seen_at', '<', sql<string>`kit.now() - make_interval(days => ${KEPT_DAYS})`)
      .execute();
    const before = sql<string>`(kit.now() AT TIME ZONE 'UTC')::date - ${SEEN_DAYS}::int`;
    await db.deleteFrom('listing.offer_seen_day').where('day', '<', before).execute();
  });
});
