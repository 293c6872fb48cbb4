import { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { MarketOffer } from '../../contract/rivals.ts';

/** Everybody's offers of a product at a moment. */
export interface Book {
  asin: string;
  marketplaceId: string;
  /** Marketplace time, ISO. */
  asOf: string;
  currency: string;
  /** The lowest landed price first. */
  offers: MarketOffer[];
  /** All of them; Amazon names twenty at most. */
  count: number;
}

/** Amounts come as JSON numbers of few digits, which their shortest text says exactly. */
const Amount = z.object({ Amount: z.number(), CurrencyCode: z.string() });

/** An offer as both the call and the notification spell it. */
const RawOffer = z.object({
  SellerId: z.string().default(''),
  SellerFeedbackRating: z
    .object({ SellerPositiveFeedbackRating: z.number().nullish(), FeedbackCount: z.number().nullish() })
    .nullish(),
  ListingPrice: Amount,
  Shipping: Amount.nullish(),
  Points: z.object({ PointsNumber: z.number().nullish(), PointsMonetaryValue: Amount.nullish() }).nullish(),
  IsFulfilledByAmazon: z.boolean().nullish(),
  IsBuyBoxWinner: z.boolean().nullish(),
  SubCondition: z.string().nullish(),
});
type RawOffer = z.infer<typeof RawOffer>;

const Featured = z.object({ LandedPrice: Amount, condition: z.string().nullish(), Condition: z.string().nullish() });

/** `getItemOffers` of Product Pricing v0, the payload of one answer. */
const ItemOffers = z.object({
  ASIN: z.string(),
  marketplaceId: z.string(),
  Summary: z.object({ TotalOfferCount: z.int() }),
  Offers: z.array(RawOffer),
});

/** The payload of ANY_OFFER_CHANGED. */
const AnyOfferChanged = z.object({
  AnyOfferChangedNotification: z.object({
    OfferChangeTrigger: z.object({
      MarketplaceId: z.string(),
      ASIN: z.string(),
      ItemCondition: z.string(),
      TimeOfOfferChange: z.iso.datetime({ offset: true }),
    }),
    Summary: z.object({
      NumberOfOffers: z.array(z.object({ Condition: z.string(), OfferCount: z.int() })).default([]),
      BuyBoxPrices: z.array(Featured).nullish(),
    }),
    Offers: z.array(RawOffer).default([]),
  }),
});

const isNew = (condition: string | null | undefined): boolean => (condition ?? 'new').toLowerCase() === 'new';
const text = (value: number): string => new Decimal(value).toFixed();

/** A point is worth one yen; elsewhere only its stated value counts. */
function pointsOf({ Points, ListingPrice }: RawOffer): string {
  if (Points?.PointsMonetaryValue) return text(Points.PointsMonetaryValue.Amount);
  return ListingPrice.CurrencyCode === 'JPY' ? text(Points?.PointsNumber ?? 0) : '0';
}

function offerOf(raw: RawOffer, ownSeller: string): MarketOffer {
  const price = text(raw.ListingPrice.Amount);
  const shipping = text(raw.Shipping?.Amount ?? 0);
  const rating = raw.SellerFeedbackRating;
  return {
    sellerId: raw.SellerId,
    fba: raw.IsFulfilledByAmazon === true,
    landed: new Decimal(price).plus(shipping).minus(pointsOf(raw)).toFixed(),
    price,
    shipping,
    positive: rating?.SellerPositiveFeedbackRating == null ? null : text(rating.SellerPositiveFeedbackRating),
    ratings: rating?.FeedbackCount ?? null,
    featured: raw.IsBuyBoxWinner === true,
    own: raw.SellerId === ownSeller,
  };
}

function sorted(offers: readonly MarketOffer[]): MarketOffer[] {
  return offers.toSorted(
    (a, b) =>
      new Decimal(a.landed).comparedTo(b.landed) || (a.sellerId < b.sellerId ? -1 : a.sellerId > b.sellerId ? 1 : 0),
  );
}

/** Where no offer says that it is featured, the cheapest one at the featured price is. */
function withFeatured(offers: MarketOffer[], landed: number | undefined): MarketOffer[] {
  if (landed === undefined || offers.some((one) => one.featured)) return offers;
  const at = offers.findIndex((one) => new Decimal(one.landed).equals(landed));
  return offers.map((one, index) => (index === at ? { ...one, featured: true } : one));
}

/** A book as a call answered it at `asOf`; `currency` is the marketplace's. Undefined for what is no such answer. */
export function bookOfCall(payload: unknown, of: { asOf: string; currency: string; seller: string }): Book | undefined {
  const parsed = ItemOffers.safeParse(payload).data;
  if (!parsed) return undefined;
  const { ASIN: asin, marketplaceId, Summary, Offers } = parsed;
  const offers = sorted(Offers.filter((one) => isNew(one.SubCondition)).map((one) => offerOf(one, of.seller)));
  return { asin, marketplaceId, asOf: of.asOf, currency: of.currency, offers, count: Summary.TotalOfferCount };
}

/** A book as a notification tells it. Undefined for what is none, and for offers that are not of new goods. */
export function bookOfNotice(
  payload: unknown,
  of: { currency: (id: string) => string; seller: string },
): Book | undefined {
  const parsed = AnyOfferChanged.safeParse(payload).data?.AnyOfferChangedNotification;
  if (!parsed || !isNew(parsed.OfferChangeTrigger.ItemCondition)) return undefined;
  const { OfferChangeTrigger: trigger, Summary, Offers } = parsed;
  const featured = Summary.BuyBoxPrices?.find((one) => isNew(one.Condition ?? one.condition))?.LandedPrice.Amount;
  const all = sorted(Offers.filter((one) => isNew(one.SubCondition)).map((one) => offerOf(one, of.seller)));
  const counts = Summary.NumberOfOffers.filter((one) => isNew(one.Condition)).map((one) => one.OfferCount);
  return {
    asin: trigger.ASIN,
    marketplaceId: trigger.MarketplaceId,
    asOf: trigger.TimeOfOfferChange,
    currency: of.currency(trigger.MarketplaceId),
    offers: withFeatured(all, featured),
    count: Math.max(
      all.length,
      counts.reduce((sum, one) => sum + one, 0),
    ),
  };
}
