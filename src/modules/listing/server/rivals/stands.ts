import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** Who is featured for a product of an account, by the newest offers known. */
export interface OfferStand {
  account_id: string;
  marketplace_id: string;
  asin: string;
  own_featured: boolean;
}

/** A SELECT of the company's OfferStand rows, to join. */
export function offerStandsSelect(ctx: Ctx): RawBuilder<OfferStand> {
  return sql<OfferStand>`
    SELECT account_id, marketplace_id, asin, own_featured FROM listing.offer_book WHERE company_id = ${ctx.companyId}`;
}
