import type { SimAccount, SimListing } from '../business/types.ts';
import type { Rival } from './rivals.ts';
import type { World } from './world.ts';

/** One offer of a product as buyers see it; money in minor units. */
export interface Offer extends Rival {
  own: boolean;
  /** Whether it may be featured at all. */
  eligible: boolean;
  featured: boolean;
}

/** All offers of a product in a marketplace, the lowest landed price first. */
export interface OfferBook {
  offers: Offer[];
  /** The seller's listing of it. */
  listing: SimListing;
  /** What the seller asked when the business began, minor units. */
  base: number;
}

const OWN = { positive: 97, ratings: 1_240 };
/** Below these a seller's offers are never featured. */
const LEAST_POSITIVE = 85;
const LEAST_RATINGS = 10;
/** What a parcel of the merchant's must be cheaper to be featured. */
const MERCHANT_HANDICAP = 1.05;
/** Every point of ratings below this one counts as half a percent of the price. */
const GOOD_POSITIVE = 95;
/** Nothing is featured at more than this multiple of what is usual. */
const MOST_OF_BASE = 1.5;

/** Decimals of a currency. */
export const decimalsOf = (currency: string): number => (currency === 'JPY' ? 0 : 2);

/** A decimal text in minor units. */
export const minorOf = (text: string, currency: string): number =>
  Math.round(Number(text) * 10 ** decimalsOf(currency));

/** Price and shipping together. */
export const landed = ({ price, shipping }: Rival): number => price + shipping;

function scoreOf(offer: Offer): number {
  const trust = 1 + Math.max(0, GOOD_POSITIVE - offer.positive) * 0.005;
  return landed(offer) * (offer.fba ? 1 : MERCHANT_HANDICAP) * trust;
}

/** The offer that buyers get with one click: cheap, sent by Amazon, of a seller who is trusted. Of equal ones the seller's own. */
function featured(offers: readonly Offer[], base: number): Offer | undefined {
  const [best] = offers
    .filter((one) => one.eligible)
    .sort((a, b) => scoreOf(a) - scoreOf(b) || Number(b.own) - Number(a.own) || (a.sellerId < b.sellerId ? -1 : 1));
  return best && landed(best) <= base * MOST_OF_BASE ? best : undefined;
}

/** The offers of a listing's product at an instant; `first` is the listing as it was when the business began. */
function bookOf(world: World, listing: SimListing, first: SimListing | undefined, at: number): OfferBook {
  const { account, marketplaceId, product } = listing;
  const { currency } = world.marketplace(marketplaceId);
  const base = minorOf((first ?? listing).price, currency);
  const subject = { marketplaceId, asin: product.asin };
  const rivals = world.rivals.of(subject, base, at).map((one) => ({ ...one, own: false }));
  const own = {
    sellerId: account.sellingPartnerId,
    price: minorOf(listing.price, currency),
    shipping: 0,
    fba: product.fulfilment === 'AFN',
    ...OWN,
    own: true,
  };
  const all = [...(listing.status === 'ACTIVE' && listing.price !== '' ? [own] : []), ...rivals];
  const offers = all.map((one) => ({
    ...one,
    eligible: one.positive >= LEAST_POSITIVE && one.ratings >= LEAST_RATINGS,
    featured: false,
  }));
  const best = featured(offers, base);
  if (best) best.featured = true;
  offers.sort((a, b) => landed(a) - landed(b) || (a.sellerId < b.sellerId ? -1 : 1));
  return { offers, listing, base };
}

/** The books of all that a seller offers in a marketplace, at an instant. */
export function offerBooks(world: World, account: SimAccount, marketplaceId: string, at: number): OfferBook[] {
  const first = new Map(
    world.business
      .listings(account, marketplaceId, world.startAt)
      .map((listing) => [listing.product.sku, listing] as const),
  );
  return world.business
    .listings(account, marketplaceId, at)
    .map((listing) => bookOf(world, listing, first.get(listing.product.sku), at));
}
