import type { SimAccount, SimListing } from '../business/types.ts';
import { iso } from './clock.ts';
import { statusOf } from './listings.ts';
import type { Told } from './notices.ts';
import type { World } from './world.ts';

/** A price that has risen by more than this share is no longer featured. */
const MOST_RISE = 0.1;

/** A listing that changed in a span of time, as it was at its beginning and as it is now. */
interface Change {
  before: SimListing;
  now: SimListing;
}

function changesOf(world: World, account: SimAccount, from: number, to: number): Change[] {
  return account.marketplaceIds.flatMap((id) => {
    const changed = world.listings(account, id, world.now()).filter(({ lastUpdatedAt: at }) => at >= from && at < to);
    if (changed.length === 0) return [];
    const earlier = new Map(world.listings(account, id, from - 1).map((one) => [one.product.sku, one]));
    return changed.flatMap((now) => {
      const before = earlier.get(now.product.sku);
      return before ? [{ before, now }] : [];
    });
  });
}

function toldOf({ now }: Change, payload: object): Told {
  return { key: `${now.marketplaceId}|${now.product.sku}|${now.lastUpdatedAt}`, at: now.lastUpdatedAt, payload };
}

const itemOf = ({ account, marketplaceId, product }: SimListing) => ({
  SellerId: account.sellingPartnerId,
  MarketplaceId: marketplaceId,
  Asin: product.asin,
  Sku: product.sku,
});

/** Listings that began or ceased to be for sale or to be found in [from, to). */
export function statusEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  return changesOf(world, account, from, to)
    .filter(({ before, now }) => before.status !== now.status)
    .map((change) =>
      toldOf(change, {
        ...itemOf(change.now),
        CreatedDate: iso(change.now.product.openedAt),
        Status: statusOf(change.now),
      }),
    );
}

const codesOf = ({ issues }: SimListing): string => issues.map(({ code }) => code).join();

/** Listings whose problems changed in [from, to). */
export function issueEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  return changesOf(world, account, from, to)
    .filter(({ before, now }) => codesOf(before) !== codesOf(now))
    .map((change) => {
      const severities = [...new Set(change.now.issues.map(({ severity }) => severity))];
      return toldOf(change, {
        ...itemOf(change.now),
        Severities: severities,
        EnforcementActions: severities.includes('ERROR') ? ['SEARCH_SUPPRESSED'] : [],
      });
    });
}

/** Offers that lost the featured place in [from, to) because their price rose too far. */
export function pricingEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  return changesOf(world, account, from, to)
    .filter(({ before, now }) => before.price !== '' && Number(now.price) > Number(before.price) * (1 + MOST_RISE))
    .map((change) => toldOf(change, pricingPayload(world, change)));
}

function pricingPayload(world: World, { before, now }: Change): object {
  const { account, product, marketplaceId, lastUpdatedAt } = now;
  const currencyCode = world.marketplace(marketplaceId).currency;
  const money = (text: string) => ({ amount: Number(text), currencyCode });
  const fulfillmentType = product.fulfilment;
  const offer = (price: string) => ({
    condition: 'new',
    listingPrice: money(price),
    shipping: money('0'),
    landedPrice: money(price),
  });
  const offers = [{ condition: 'new', fulfillmentType, offerCount: 1 }];
  return {
    issueType: 'BuyBoxDisqualification',
    sellerId: account.sellingPartnerId,
    offerChangeTrigger: {
      marketplaceId,
      asin: product.asin,
      itemCondition: 'new',
      timeOfOfferChange: iso(lastUpdatedAt),
    },
    merchantOffer: { ...offer(now.price), fulfillmentType },
    summary: {
      numberOfOffers: offers,
      buyBoxEligibleOffers: offers,
      buyBoxPrices: [offer(before.price)],
      salesRankings: [],
      referencePrice: { competitivePriceThreshold: money(before.price) },
    },
  };
}
