import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** How an offer of ours stands among all offers of its product, by the newest offers known. */
interface Standing {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  own_featured: boolean;
  featured_seller: string | null;
  /** Landed prices. */
  own_price: string | null;
  lowest_price: string | null;
}

/** SELECT of the standing of every offer of ours that is on sale and of which we know the others. */
export function standingsSelect({ companyId }: Pick<Ctx, 'companyId'>): RawBuilder<Standing> {
  return sql<Standing>`
    SELECT l.account_id, l.marketplace_id, l.seller_sku, b.own_featured, b.featured_seller, b.own_price, b.lowest_price
      FROM listing.offer_book AS b
      JOIN listing.listing AS l ON l.company_id = b.company_id AND l.account_id = b.account_id
       AND l.marketplace_id = b.marketplace_id AND l.asin = b.asin AND l.state = 'ACTIVE'
     WHERE b.company_id = ${companyId} AND b.own_price IS NOT NULL`;
}

/** SELECT of listings that cannot be bought or that Amazon has found wrong, with the number of its errors. */
export function blockedSelect({ companyId }: Pick<Ctx, 'companyId'>): RawBuilder<{
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  errors: number;
  words: string;
}> {
  return sql`
    SELECT l.account_id, l.marketplace_id, l.seller_sku, coalesce(e.n, 0)::int AS errors, coalesce(e.words, '') AS words
      FROM listing.listing AS l
      LEFT JOIN LATERAL (
        SELECT count(*) AS n, min(i.issue->>'message') AS words FROM jsonb_array_elements(l.issues) AS i (issue)
         WHERE i.issue->>'severity' = 'ERROR') AS e ON true
     WHERE l.company_id = ${companyId} AND (l.state = 'INCOMPLETE' OR (l.state IN ('ACTIVE', 'INACTIVE') AND e.n > 0))`;
}
