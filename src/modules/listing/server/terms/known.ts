import { sql } from 'kysely';
import { dayIn } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { Terms, TermsKind } from '../../contract/terms.ts';
import type { OfferTerms } from './wire.ts';

/** What a listing offers beside its price, as the marketplace showed it last. */
export interface KnownTerms extends OfferTerms {
  id: string;
  sellingPartnerId: string;
}

/** Terms of listings by id; their rows are the caller's to lock. */
export async function termsKnown(ctx: Ctx, ids: readonly string[]): Promise<Map<string, KnownTerms>> {
  const { rows } = await sql<KnownTerms>`
    SELECT l.id, l.sale, l.b2b, l.tiers, a.selling_partner_id AS "sellingPartnerId"
      FROM listing.listing AS l
      JOIN marketplace.seller_account AS a ON a.company_id = l.company_id AND a.id = l.account_id
     WHERE l.company_id = ${ctx.companyId} AND l.id = ANY (${[...ids]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The part of a kind. */
export function partOf(known: OfferTerms, kind: TermsKind): Terms | null {
  return known[kind];
}

/** Today in a marketplace, yyyy-MM-dd. */
export function siteToday(ctx: Ctx, marketplaceId: string): string {
  return dayIn(marketplaceOf(marketplaceId)?.timeZone ?? 'UTC', ctx.clock.now());
}
