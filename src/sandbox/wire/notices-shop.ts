import type { SimAccount, SimStock } from '../business/types.ts';
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
