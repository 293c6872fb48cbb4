import { sql } from 'kysely';
import { currencyScale } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { bookAt, type LockedOffer, priceAt, type StoredBook } from '#modules/listing/server/index.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { RuleSettings } from '../contract/settings.ts';
import type { Inputs } from './engine.ts';

/** A binding with its rule, as a decision reads it. */
export interface Bound {
  id: string;
  ruleId: string;
  ruleName: string;
  status: string;
  settings: RuleSettings;
  listingId: string;
  minPrice: string;
  maxPrice: string;
  otherCost: string;
  pauseCode: string | null;
}

/** A binding, locked, with its rule; undefined where it is gone. */
export async function lockBound(ctx: Ctx, id: string): Promise<Bound | undefined> {
  const { rows } = await sql<Bound>`
    SELECT b.id, b.rule_id AS "ruleId", r.name AS "ruleName", r.status, r.settings, b.listing_id AS "listingId",
           b.min_price::text AS "minPrice", b.max_price::text AS "maxPrice", b.other_cost::text AS "otherCost",
           b.pause_code AS "pauseCode"
      FROM repricing.binding AS b JOIN repricing.rule AS r ON r.company_id = b.company_id AND r.id = b.rule_id
     WHERE b.company_id = ${ctx.companyId} AND b.id = ${id} FOR UPDATE OF b`.execute(ctx.db);
  return rows[0];
}

/** Seller ids of all accounts of the company: their offers are no rivals. */
export async function ownSellers(ctx: Ctx): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('selling_partner_id')
    .where('company_id', '=', ctx.companyId)
    .execute();
  return new Set(rows.map((row) => row.selling_partner_id));
}

/** The clock of a site at an instant of the marketplace (ISO): ISO weekday, hour, and when its day began. */
export async function siteClock(
  ctx: Ctx,
  marketplaceId: string,
  at: string,
): Promise<{ weekday: number; hour: number; dayStart: string }> {
  const zone = marketplaceOf(marketplaceId)?.timeZone ?? 'UTC';
  const { rows } = await sql<{ weekday: number; hour: number; dayStart: string }>`
    SELECT extract(isodow FROM l)::int AS weekday, extract(hour FROM l)::int AS hour,
           date_trunc('day', l) AT TIME ZONE ${zone} AS "dayStart"
      FROM (SELECT ${at}::timestamptz AT TIME ZONE ${zone} AS l) AS s`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error('one row is selected');
  return row;
}

/** Minutes since the rule last sent a price for a binding, by our clock; null where it never did. */
export async function sinceLastMin(ctx: Ctx, bindingId: string): Promise<number | null> {
  const { rows } = await sql<{ min: number | null }>`
    SELECT extract(epoch FROM kit.now() - max(at))::float8 / 60 AS min FROM repricing.run
     WHERE company_id = ${ctx.companyId} AND binding_id = ${bindingId}
       AND outcome IN ('sent', 'would') AND (settled IS NULL OR settled <> 'cancelled')`.execute(ctx.db);
  return rows[0]?.min ?? null;
}

const marked = (offers: readonly MarketOffer[], own: ReadonlySet<string>): MarketOffer[] =>
  offers.map((one) => (own.has(one.sellerId) ? { ...one, own: true } : one));

export interface Gathered {
  inputs: Inputs;
  book: StoredBook;
}

/**
 * What a decision is made from, read in the transaction that holds the lock of the listing. Undefined where no offers of
 * the product are known. What buyers pay for shipping is what the marketplace shows of the own offer.
 */
export async function gather(
  ctx: Ctx,
  {
    bound,
    offer,
    price,
    floor,
    now,
  }: { bound: Bound; offer: LockedOffer; price: string; floor: string | null; now: string },
): Promise<Gathered | undefined> {
  if (offer.asin === null) return undefined;
  const book = await bookAt(ctx, { ...offer, asin: offer.asin });
  if (!book) return undefined;
  const offers = marked(book.offers, await ownSellers(ctx));
  const clock = await siteClock(ctx, offer.marketplaceId, now);
  const mine = book.offers.find((one) => one.own && one.fba === (offer.fulfilledBy === 'AMAZON'));
  return {
    book,
    inputs: {
      settings: bound.settings,
      price,
      shipping: mine?.shipping ?? '0',
      ownFba: offer.fulfilledBy === 'AMAZON',
      offers,
      min: bound.minPrice,
      max: bound.maxPrice,
      floor,
      dayOpen: await priceAt(ctx, offer, clock.dayStart),
      sinceMin: await sinceLastMin(ctx, bound.id),
      weekday: clock.weekday,
      hour: clock.hour,
      scale: currencyScale(offer.currency),
    },
  };
}
