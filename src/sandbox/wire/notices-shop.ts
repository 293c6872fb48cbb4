import type { SimAccount, SimListing, SimStock } from '../business/types.ts';
import { iso } from './clock.ts';
import { feedShape } from './feed-desk.ts';
import type { Told } from './notices.ts';
import { titleIn } from './report-stock.ts';
import { accountKey, type World } from './world.ts';

/** Feeds that ended: told once each, whenever they did, as they take real time and the business may stand still. */
export function feedEvents(world: World, account: SimAccount, since: number): Told[] {
  return world.feeds
    .all()
    .filter((feed) => accountKey(feed) === accountKey(account) && feed.createdAt >= since)
    .filter((feed) => feed.done !== undefined || feed.cancelled)
    .map((feed) => {
      const { feedId, feedType, processingStatus, resultFeedDocumentId } = feedShape(world, feed);
      return {
        key: feed.feedId,
        at: feed.done?.at ?? feed.createdAt,
        payload: {
          feedProcessingFinishedNotification: {
            sellerId: account.sellingPartnerId,
            accountId: `amzn1.merchant.o.${account.sellingPartnerId}`,
            feedId,
            feedType,
            processingStatus,
            ...(resultFeedDocumentId === undefined ? {} : { resultFeedDocumentId }),
          },
        },
      };
    });
}

function offerPayload(world: World, listing: SimListing): object {
  const { account, product, marketplaceId, lastUpdatedAt } = listing;
  const CurrencyCode = world.marketplace(marketplaceId).currency;
  const money = (Amount: number) => ({ Amount, CurrencyCode });
  const FulfillmentChannel = product.fulfilment === 'AFN' ? 'Amazon' : 'Merchant';
  const price = money(Number(listing.price));
  const offers = [{ Condition: 'new', FulfillmentChannel, OfferCount: listing.status === 'ACTIVE' ? 1 : 0 }];
  const prices = { Condition: 'new', LandedPrice: price, ListingPrice: price, Shipping: money(0) };
  return {
    AnyOfferChangedNotification: {
      SellerId: account.sellingPartnerId,
      OfferChangeTrigger: {
        MarketplaceId: marketplaceId,
        ASIN: product.asin,
        ItemCondition: 'New',
        TimeOfOfferChange: iso(lastUpdatedAt),
        OfferChangeType: 'Internal',
      },
      Summary: {
        NumberOfOffers: offers,
        LowestPrices: [{ ...prices, FulfillmentChannel }],
        BuyBoxPrices: [prices],
        ListPrice: price,
        MinimumAdvertisedPrice: price,
        SuggestedLowerPricePlusShipping: price,
        TotalBuyBoxEligibleOffers: 1,
        SalesRankings: [],
        NumberOfBuyBoxEligibleOffers: offers,
        CompetitivePriceThreshold: price,
      },
      Offers: [],
    },
  };
}

/** Offers that changed in [from, to): a price, or that there is something for sale. */
export function offerEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  return account.marketplaceIds
    .flatMap((id) => world.business.listings(account, id, world.now()))
    .filter(({ lastUpdatedAt: at, price }) => at >= from && at < to && price !== '')
    .map((listing) => ({
      key: `${listing.marketplaceId}|${listing.product.asin}|${listing.lastUpdatedAt}`,
      at: listing.lastUpdatedAt,
      payload: offerPayload(world, listing),
    }));
}

function stockPayload(world: World, stock: SimStock): object {
  const { account, product, marketplaceId } = stock;
  return {
    SellerId: account.sellingPartnerId,
    FNSKU: product.fnsku,
    ASIN: product.asin,
    SKU: product.sku,
    FulfillmentInventoryByMarketplace: [
      {
        MarketplaceId: marketplaceId,
        ItemName: titleIn(product, world.marketplace(marketplaceId)),
        FulfillmentInventory: {
          InboundQuantityBreakdown: {
            Working: stock.inboundWorking,
            Shipped: stock.inboundShipped,
            Receiving: stock.inboundReceiving,
          },
          Fulfillable: stock.fulfillable,
          Unfulfillable: stock.unsellable,
          Researching: stock.researching,
          ReservedQuantityBreakdown: {
            WarehouseProcessing: stock.reservedProcessing,
            WarehouseTransfer: stock.reservedTransfers,
            PendingCustomerOrder: stock.reservedCustomerOrders,
          },
          FutureSupplyBuyable: 0,
          PendingCustomerOrderInTransit: 0,
        },
        Stores: [],
      },
    ],
  };
}

/** Stock in Amazon's warehouses that moved in [from, to). */
export function stockEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  return account.marketplaceIds
    .flatMap((id) => world.business.stock(account, id, world.now()))
    .filter(({ lastUpdatedAt: at }) => at >= from && at < to)
    .map((stock) => ({
      key: `${stock.marketplaceId}|${stock.product.sku}|${stock.lastUpdatedAt}`,
      at: stock.lastUpdatedAt,
      payload: stockPayload(world, stock),
    }));
}
