import { randomUUID } from 'node:crypto';
import { invalidInput } from './errors.ts';
import { decimalsOf, landed, type Offer, type OfferBook, offerBooks } from './offers.ts';
import type { Answer, Call, Operation } from './operation.ts';

const MOST_AT_ONCE = 20;
const MOST_OFFERS = 20;
const CONDITIONS = ['New', 'Used', 'Collectible', 'Refurbished', 'Club'];

interface Asked {
  asin: string;
  MarketplaceId: string;
  ItemCondition: string;
}

/** One of the requests of a batch. Throws 400 for a batch that is none; what is wrong with one of them is its own answer. */
function askedOf(raw: unknown, index: number): Asked {
  if (typeof raw !== 'object' || raw === null) throw invalidInput(`requests[${index}]: an object is expected`);
  const { uri, method, MarketplaceId, ItemCondition } = raw as Record<string, unknown>;
  const asin = /^\/products\/pricing\/v0\/items\/([^/]+)\/offers$/.exec(String(uri))?.[1];
  if (asin === undefined) throw invalidInput(`requests[${index}].uri: is not the address of getItemOffers`);
  if (method !== 'GET') throw invalidInput(`requests[${index}].method: GET is expected`);
  if (typeof MarketplaceId !== 'string') throw invalidInput(`requests[${index}].MarketplaceId: is required`);
  if (!CONDITIONS.includes(String(ItemCondition))) throw invalidInput(`requests[${index}].ItemCondition: is required`);
  return { asin: decodeURIComponent(asin), MarketplaceId, ItemCondition: String(ItemCondition) };
}

type Money = (minor: number) => { CurrencyCode: string; Amount: number };

function detailOf(offer: Offer, money: Money): object {
  const { sellerId, fba, positive, ratings, price, shipping, featured, eligible, own } = offer;
  return {
    SubCondition: 'new',
    SellerId: sellerId,
    SellerFeedbackRating: { SellerPositiveFeedbackRating: positive, FeedbackCount: ratings },
    ShippingTime: { minimumHours: fba ? 0 : 24, maximumHours: fba ? 0 : 48, availabilityType: 'NOW' },
    ListingPrice: money(price),
    Shipping: money(shipping),
    ShipsFrom: { Country: 'US' },
    IsFulfilledByAmazon: fba,
    PrimeInformation: { IsPrime: fba, IsNationalPrime: fba },
    IsBuyBoxWinner: featured,
    IsFeaturedMerchant: eligible,
    ...(own ? { MyOffer: true } : {}),
  };
}

const channelOf = (fba: boolean): string => (fba ? 'Amazon' : 'Merchant');

function counted(offers: readonly Offer[]): object[] {
  return [true, false].flatMap((fba) => {
    const some = offers.filter((one) => one.fba === fba);
    return some.length === 0 ? [] : [{ condition: 'new', fulfillmentChannel: channelOf(fba), OfferCount: some.length }];
  });
}

function summaryOf({ offers }: OfferBook, money: Money): object {
  const prices = (one: Offer) => ({
    condition: 'new',
    LandedPrice: money(landed(one)),
    ListingPrice: money(one.price),
    Shipping: money(one.shipping),
  });
  const lowest = [true, false].flatMap((fba) => offers.find((one) => one.fba === fba) ?? []);
  const best = offers.find((one) => one.featured);
  return {
    TotalOfferCount: offers.length,
    NumberOfOffers: counted(offers),
    LowestPrices: lowest.map((one) => ({ ...prices(one), fulfillmentChannel: channelOf(one.fba) })),
    ...(best ? { BuyBoxPrices: [{ ...prices(best), sellerId: best.sellerId }] } : {}),
    BuyBoxEligibleOffers: counted(offers.filter((one) => one.eligible)),
  };
}

function payloadOf(call: Call, asked: Asked): object {
  const { asin, MarketplaceId, ItemCondition } = asked;
  const { currency } = call.world.marketplace(MarketplaceId);
  const money: Money = (minor) => ({ CurrencyCode: currency, Amount: minor / 10 ** decimalsOf(currency) });
  const book = offerBooks(call.world, call.account, MarketplaceId, call.now).find(
    (one) => one.listing.product.asin === asin,
  );
  const offers = ItemCondition === 'New' ? (book?.offers ?? []) : [];
  return {
    marketplaceId: MarketplaceId,
    ASIN: asin,
    ItemCondition,
    status: offers.length > 0 ? 'Success' : 'NoBuyableOffers',
    Identifier: { MarketplaceId, ASIN: asin, ItemCondition },
    Summary: book && offers.length > 0 ? summaryOf(book, money) : { TotalOfferCount: 0 },
    Offers: offers.slice(0, MOST_OFFERS).map((one) => detailOf(one, money)),
  };
}

function answerOf(call: Call, asked: Asked): object {
  const { asin: Asin, MarketplaceId, ItemCondition } = asked;
  const head = {
    headers: { Date: new Date(call.now).toUTCString(), 'x-amzn-RequestId': randomUUID() },
    request: { MarketplaceId, ItemCondition, Asin },
  };
  const refused = (message: string): object => ({
    ...head,
    status: { statusCode: 400, reasonPhrase: 'Bad Request' },
    body: { errors: [{ code: 'InvalidInput', message, details: '' }] },
  });
  if (!/^[A-Z0-9]{10}$/.test(Asin)) return refused(`${Asin} is an invalid ASIN for marketplace ${MarketplaceId}`);
  if (!call.account.marketplaceIds.includes(MarketplaceId)) return refused(`Invalid marketplace ${MarketplaceId}`);
  const status = { statusCode: 200, reasonPhrase: 'OK' };
  return { ...head, status, body: { payload: payloadOf(call, asked) } };
}

function getItemOffersBatch(call: Call): Answer {
  const { requests } = (call.body ?? {}) as { requests?: unknown };
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > MOST_AT_ONCE)
    throw invalidInput(`requests: 1 to ${MOST_AT_ONCE} are expected`);
  return { body: { responses: requests.map(askedOf).map((asked) => answerOf(call, asked)) } };
}

/** Product Pricing API v0: the offers of products, twenty at a time. */
export const pricingOperations: Operation[] = [
  {
    name: 'getItemOffersBatch',
    method: 'POST',
    path: '/batches/products/pricing/v0/itemOffers',
    plan: { rate: 0.1, burst: 1 },
    handle: getItemOffersBatch,
  },
];
