import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import {
  type ListingPart,
  listingKey,
  type PackedMeasures,
  packedMeasures,
  partsOfAllListings,
} from '#modules/product/server/index.ts';
import type { Measures } from '#modules/ratecard/contract/fulfilment.ts';
import type { FeeGap } from '../../contract/fee-audit.ts';
import { followReports } from '../claims/follow.ts';
import { lockClaims } from '../claims/lock.ts';
import { isApparel } from './apparel.ts';
import { auditOf, chargedApart } from './audit.ts';
import { type FeeFact, feeFacts } from './facts.ts';
import { settleFeeClaims } from './settle.ts';

/** Rows that are written at once. */
const CHUNK = 2_000;

type Sizes = ReadonlyMap<string, PackedMeasures>;

/** Our measurement of what a listing stands for: only one piece of one product can be measured. */
function ownOf(parts: readonly ListingPart[] | undefined, sizes: Sizes): Measures | FeeGap {
  const [only, other] = parts ?? [];
  if (!only) return 'NO_MATCH';
  if (other || only.qty !== 1) return 'BUNDLE';
  const size = sizes.get(only.productId);
  if (!size?.length || !size.width || !size.height || !size.weight) return 'NO_MEASURE';
  return { sides: [size.length, size.width, size.height], weight: size.weight };
}

const amazonOf = ({ longest, median, shortest, weight }: FeeFact): Measures | null =>
  longest && median && shortest && weight ? { sides: [longest, median, shortest], weight } : null;

const ordered = (one: Measures | FeeGap | null) =>
  one === null || typeof one === 'string' ? null : [...one.sides].sort((a, b) => Number(b) - Number(a));

function rowOf(fact: FeeFact, parts: readonly ListingPart[] | undefined, sizes: Sizes) {
  const own = ownOf(parts, sizes);
  const amazon = amazonOf(fact);
  const audit = auditOf({
    country: countryOf(fact.marketplace_id),
    day: fact.day,
    price: fact.price,
    currency: fact.currency,
    theirs: amazon,
    amazonTier: fact.size_tier,
    amazonFee: fact.fulfilment,
    own,
    apparel: isApparel(fact.product_type),
    units30: fact.units30,
  });
  return {
    day: fact.day,
    row_id: fact.row_id,
    amazon_sides: ordered(amazon),
    amazon_weight: fact.weight,
    product_id: parts?.length === 1 ? parts[0]?.productId : null,
    own_sides: ordered(own),
    own_weight: typeof own === 'string' ? null : own.weight,
    own_tier: audit.own?.tier ?? null,
    own_billable: audit.own?.billable ?? null,
    own_fee: audit.own?.fee ?? null,
    card_fee: audit.cardFee,
    card: audit.own?.card ?? '',
    gap: audit.gap,
    diff: audit.diff,
    tolerance: audit.tolerance,
    units_30: fact.units30,
    monthly: audit.monthly,
    verdict: audit.verdict,
    measured_since: fact.measured_since,
    charged: fact.charged,
    charged_units: fact.charged_units,
    charged_diff: chargedApart(fact),
  };
}

async function write(ctx: Ctx, accountId: string, rows: readonly object[]): Promise<void> {
  await sql`
    INSERT INTO inventory.fee_audit (company_id, account_id, day, row_id, stock, marketplace_id, seller_sku, fnsku, asin,
           title, price, currency, amazon_sides, amazon_weight, amazon_tier, amazon_fee, product_id, own_sides, own_weight,
           own_tier, own_billable, own_fee, card_fee, card, gap, diff, tolerance, units_30, monthly, verdict, measured_since,
           happening, charged, charged_units, charged_diff)
    SELECT p.company_id, p.account_id, p.day, p.row_id, p.stock, p.marketplace_id, p.seller_sku, p.fnsku, p.asin, p.title,
           p.price, p.currency, r.amazon_sides, r.amazon_weight, p.size_tier, p.fulfilment, r.product_id, r.own_sides,
           r.own_weight, r.own_tier, r.own_billable, r.own_fee, r.card_fee, r.card, r.gap, r.diff, r.tolerance, r.units_30,
           r.monthly, r.verdict, r.measured_since, p.marketplace_id || '|' || p.seller_sku || '|' || r.measured_since,
           r.charged, r.charged_units, r.charged_diff
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(day date, row_id uuid, amazon_sides numeric[],
           amazon_weight numeric, product_id uuid, own_sides numeric[], own_weight numeric, own_tier text,
           own_billable numeric, own_fee numeric, card_fee numeric, card text, gap text, diff numeric, tolerance numeric,
           units_30 int, monthly numeric, verdict text, measured_since date, charged numeric, charged_units int,
           charged_diff numeric)
      JOIN inventory.fee_preview AS p ON p.company_id = ${ctx.companyId} AND p.account_id = ${accountId} AND p.day = r.day
       AND p.row_id = r.row_id`.execute(ctx.db);
}

/**
 * Compares the fees of an account's newest previews with those by our own measurements anew, and settles the claims that they
 * answer. One run at a time; answers how many rows there are.
 */
export async function refreshFeeAudit(ctx: Ctx, accountId: string): Promise<number> {
  await lockClaims(ctx, accountId);
  const facts = await feeFacts(ctx, accountId);
  const listingOf = (fact: FeeFact) => ({
    accountId,
    marketplaceId: fact.marketplace_id,
    msku: fact.seller_sku,
  });
  const parts = await partsOfAllListings(ctx, facts.map(listingOf));
  const products = [...parts.values()].flatMap((some) => some.map(({ productId }) => productId));
  const sizes = await packedMeasures(ctx, products);
  const rows = facts.map((fact) => rowOf(fact, parts.get(listingKey(listingOf(fact))), sizes));
  await sql`DELETE FROM inventory.fee_audit WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}`.execute(
    ctx.db,
  );
  for (let at = 0; at < rows.length; at += CHUNK) await write(ctx, accountId, rows.slice(at, at + CHUNK));
  await settleFeeClaims(ctx, accountId);
  await followReports(ctx, accountId);
  return rows.length;
}
