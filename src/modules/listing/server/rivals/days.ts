import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

interface BookDay {
  day: string;
  own_price: string | null;
  /** Landed prices of the last book of the day, in the currency of the site. */
  featured_price: string | null;
  lowest_price: string | null;
}

/** SELECT of what offers came down to at the end of each day of `zone` on which they changed; other days have no row. */
export function bookDaysSelect(
  ctx: Pick<Ctx, 'companyId'>,
  {
    accountId,
    marketplaceId,
    asin,
    zone,
  }: { accountId: string; marketplaceId: string; asin: string | null; zone: string },
): RawBuilder<BookDay> {
  return sql<BookDay>`
    SELECT DISTINCT ON (day) day, own_price, featured_price, lowest_price
      FROM (SELECT (as_of AT TIME ZONE ${zone})::date AS day, own_price, featured_price, lowest_price, as_of, id
              FROM listing.offer_book_past
             WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
               AND asin = ${asin}) AS book
     ORDER BY day, as_of DESC, id DESC`;
}
