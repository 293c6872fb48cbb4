import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { PriceFloors } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { DEFAULTS, type RuleSettings } from '../contract/settings.ts';
import { floorOf } from './cost.ts';

/** Standard rates of VAT in prices, by country of the site as Amazon names it; elsewhere prices are without tax. */
const VAT: Readonly<Record<string, string>> = {
  UK: '0.2',
  GB: '0.2',
  DE: '0.19',
  FR: '0.2',
  IT: '0.22',
  ES: '0.21',
  NL: '0.21',
  BE: '0.21',
  IE: '0.23',
  PL: '0.23',
  SE: '0.25',
  JP: '0.1',
};

interface Listed {
  listingId: string;
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
  currency: string;
  fulfilledBy: string;
  otherCost: string | null;
  settings: RuleSettings | null;
}

/** What a price that nobody has a rule for must earn: nothing, but its cost. */
function breakEven(marketplaceId: string): RuleSettings {
  return { ...DEFAULTS, margin: '0', vat: VAT[countryOf(marketplaceId)] ?? '0' };
}

/**
 * Floors of listings for prices that people set: by the rule that a listing is bound to, else what it costs with the usual
 * referral fee and the VAT of its country. A listing whose cost is not known has none.
 */
export const listingFloors: PriceFloors = {
  floors: async (ctx: Ctx, listingIds) => {
    const { rows } = await sql<Listed>`
      SELECT p.listing_id AS "listingId", p.account_id AS "accountId", p.marketplace_id AS "marketplaceId",
             p.seller_sku AS "sellerSku", p.currency, p.fulfilled_by AS "fulfilledBy", b.other_cost::text AS "otherCost",
             r.settings
        FROM listing.product AS p
        LEFT JOIN (repricing.binding AS b
              JOIN repricing.rule AS r ON r.company_id = b.company_id AND r.id = b.rule_id AND r.status <> 'ARCHIVED')
          ON b.company_id = p.company_id AND b.listing_id = p.listing_id
       WHERE p.company_id = ${ctx.companyId} AND p.listing_id = ANY (${[...listingIds]}::uuid[])`.execute(ctx.db);
    const floors = new Map<string, string>();
    for (const { listingId, otherCost, settings, ...of } of rows) {
      const known = await floorOf(ctx, { ...of, otherCost: otherCost ?? '0' }, settings ?? breakEven(of.marketplaceId));
      if (typeof known !== 'string') floors.set(listingId, known.floor);
    }
    return floors;
  },
};
