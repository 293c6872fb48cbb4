import type { SimAccount } from '../business/types.ts';
import { iso } from './clock.ts';
import type { Told } from './notices.ts';
import { decimalsOf, landed, type Offer, type OfferBook, offerBooks } from './offers.ts';
import type { World } from './world.ts';

/** A notification names no more offers than these. */
const MOST_OFFERS = 20;

type Money = (minor: number) => { Amount: number; CurrencyCode: string };

const channelOf = (fba: boolean): string => (fba ? 'Amazon' : 'Merchant');

function toldOffer(offer: Offer, money: Money, at: number): object {
  const { sellerId, fba, positive, ratings, price, shipping, featured, eligible } = offer;
  const hours = fba ? [0, 0] : [24, 48];
  return {
    SellerId: sellerId,
    SubCondition: 'new',
    SellerFeedbackRating: { FeedbackCount: ratings, SellerPositiveFeedbackRating: positive },
    ShippingTime: { MinimumHours: hours[0], MaximumHours: hours[1], AvailabilityType: 'NOW', AvailableDate: iso(at) },
    ListingPrice: money(price),
    Points: { PointsNumber: 0 },
    Shipping: money(shipping),
    ShipsFrom: { Country: 'US', State: '' },
    IsFulfilledByAmazon: fba,
    IsBuyBoxWinner: featured,
    PrimeInformation: { IsOfferPrime: fba, IsOfferNationalPrime: fba },
    IsExpeditedShippingAvailable: fba,
    IsFeaturedMerchant: eligible,
    ShipsDomestically: true,
    ShipsInternationally: false,
  };
}

const counted = (offers: readonly Offer[]): object[] =>
  [true, false].map((fba) => ({
    Condition: 'new',
    FulfillmentChannel: channelOf(fba),
    OfferCount: offers.filter((one) => one.fba === fba).length,
  }));

function summaryOf({ offers, base }: OfferBook, money: Money): object {
  const prices = (one: Offer) => ({
    Condition: 'new',
    LandedPrice: money(landed(one)),
    ListingPrice: money(one.price),
    Shipping: money(one.shipping),
  });
  const lowest = [true, false].flatMap((fba) => offers.find((one) => one.fba === fba) ?? []);
  const eligible = offers.filter((one) => one.eligible);
  return {
    NumberOfOffers: counted(offers),
    LowestPrices: lowest.map((one) => ({ ...prices(one), FulfillmentChannel: channelOf(one.fba) })),
    BuyBoxPrices: offers.filter((one) => one.featured).map(prices),
    ListPrice: money(base),
    MinimumAdvertisedPrice: money(base),
    SuggestedLowerPricePlusShipping: money(offers[0] ? landed(offers[0]) : base),
    TotalBuyBoxEligibleOffers: eligible.length,
    SalesRankings: [],
    NumberOfBuyBoxEligibleOffers: counted(eligible),
    CompetitivePriceThreshold: money(base),
  };
}

function payloadOf(world: World, book: OfferBook, at: number): object {
  const { account, marketplaceId, product } = book.listing;
  const { currency } = world.marketplace(marketplaceId);
  const money: Money = (minor) => ({ Amount: minor / 10 ** decimalsOf(currency), CurrencyCode: currency });
  return {
    AnyOfferChangedNotification: {
      SellerId: account.sellingPartnerId,
      OfferChangeTrigger: {
        MarketplaceId: marketplaceId,
        ASIN: product.asin,
        ItemCondition: 'New',
        TimeOfOfferChange: iso(at),
        OfferChangeType: 'Internal',
      },
      Summary: summaryOf(book, money),
      Offers: book.offers.slice(0, MOST_OFFERS).map((one) => toldOffer(one, money, at)),
    },
  };
}

/** Instants of [from, to) at which the offers of a product changed; of several at one instant each counts. */
function instantsOf(
  world: World,
  { listing, base }: OfferBook,
  from: number,
  to: number,
): { at: number; key: string }[] {
  const { marketplaceId, product, lastUpdatedAt, price } = listing;
  const subject = { marketplaceId, asin: product.asin };
  const place = `${marketplaceId}|${product.asin}`;
  const own = lastUpdatedAt >= from && lastUpdatedAt < to ? [lastUpdatedAt] : [];
  const seen = new Map<number, number>();
  const others = base > 0 ? world.rivals.changes(subject, from, to) : [];
  return [
    ...own.map((at) => ({ at, key: `${place}|${at}|${price}` })),
    ...others.map((at) => {
      const nth = (seen.get(at) ?? 0) + 1;
      seen.set(at, nth);
      return { at, key: `${place}|${at}|rivals ${nth}` };
    }),
  ];
}

/** Products of which an offer changed in [from, to): the seller's own, or one of his rivals'. */
export function offerEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  return account.marketplaceIds.flatMap((id) => {
    const now = offerBooks(world, account, id, world.now()).filter(({ listing }) => listing.price !== '');
    const earlier = new Map<number, OfferBook[]>();
    const bookAt = (asin: string, at: number): OfferBook | undefined => {
      const books = earlier.get(at) ?? offerBooks(world, account, id, at);
      earlier.set(at, books);
      return books.find(({ listing }) => listing.product.asin === asin);
    };
    return now.flatMap((book) =>
      instantsOf(world, book, from, to).flatMap(({ at, key }) => {
        const then = bookAt(book.listing.product.asin, at);
        return then ? [{ key, at, payload: payloadOf(world, then, at) }] : [];
      }),
    );
  });
}
