import type { SimStock } from '../business/types.ts';
import { iso } from './clock.ts';
import { invalidInput, unauthorized } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { cutPage, openPage } from './paging.ts';
import { instant, list, text } from './query.ts';
import { titleIn } from './report-stock.ts';

const PAGE_SIZE = 50;
/** The real token dies after half a minute; a caller that dawdles has to start again. */
const TOKEN_LIFE_MS = 30_000;
const OLDEST_MS = 548 * 86_400_000;

function marketplaceOf(call: Call): string {
  if (text(call.query, 'granularityType') !== 'Marketplace') {
    throw invalidInput("granularityType: must be 'Marketplace'");
  }
  const [marketplaceId, ...more] = list(call.query, 'marketplaceIds', 1);
  const granularityId = text(call.query, 'granularityId');
  if (marketplaceId === undefined || more.length > 0) throw invalidInput('marketplaceIds: exactly one is required');
  if (granularityId !== marketplaceId) throw invalidInput('granularityId: must be the marketplace asked for');
  if (!call.account.marketplaceIds.includes(marketplaceId)) {
    throw unauthorized(`The seller does not sell in marketplace ${marketplaceId}`);
  }
  return marketplaceId;
}

function selected(call: Call, marketplaceId: string, asOf: number): readonly SimStock[] {
  const since = instant(call.query, 'startDateTime');
  if (since !== undefined && since < asOf - OLDEST_MS) {
    throw invalidInput('startDateTime: must not be more than 18 months ago');
  }
  const one = text(call.query, 'sellerSku');
  const skus = new Set([...list(call.query, 'sellerSkus', 50), ...(one === undefined ? [] : [one])]);
  const { sellingPartnerId, region } = call.account;
  const key = ['stock', sellingPartnerId, region, marketplaceId, asOf].join('|');
  const all = call.world.cachedList(key, () => call.world.business.stock(call.account, marketplaceId, asOf));
  return all.filter(
    (stock) =>
      stock.product.fulfilment === 'AFN' &&
      (since === undefined || stock.lastUpdatedAt >= since) &&
      (skus.size === 0 || skus.has(stock.product.sku)),
  );
}

function detailsOf(stock: SimStock): object {
  const { reservedCustomerOrders, reservedTransfers, reservedProcessing, researching, unsellable } = stock;
  return {
    fulfillableQuantity: stock.fulfillable,
    inboundWorkingQuantity: stock.inboundWorking,
    inboundShippedQuantity: stock.inboundShipped,
    inboundReceivingQuantity: stock.inboundReceiving,
    reservedQuantity: {
      totalReservedQuantity: reservedCustomerOrders + reservedTransfers + reservedProcessing,
      pendingCustomerOrderQuantity: reservedCustomerOrders,
      pendingTransshipmentQuantity: reservedTransfers,
      fcProcessingQuantity: reservedProcessing,
    },
    researchingQuantity: {
      totalResearchingQuantity: researching,
      researchingQuantityBreakdown: [
        { name: 'researchingQuantityInShortTerm', quantity: researching },
        { name: 'researchingQuantityInMidTerm', quantity: 0 },
        { name: 'researchingQuantityInLongTerm', quantity: 0 },
      ],
    },
    unfulfillableQuantity: {
      totalUnfulfillableQuantity: unsellable,
      customerDamagedQuantity: unsellable,
      warehouseDamagedQuantity: 0,
      distributorDamagedQuantity: 0,
      carrierDamagedQuantity: 0,
      defectiveQuantity: 0,
      expiredQuantity: 0,
    },
  };
}

function totalOf(stock: SimStock): number {
  const reserved = stock.reservedCustomerOrders + stock.reservedTransfers + stock.reservedProcessing;
  const inbound = stock.inboundWorking + stock.inboundShipped + stock.inboundReceiving;
  return stock.fulfillable + stock.unsellable + reserved + stock.researching + inbound;
}

function getInventorySummaries(call: Call): Answer {
  const marketplaceId = marketplaceOf(call);
  const open = openPage(call, 'nextToken', text(call.query, 'nextToken'), TOKEN_LIFE_MS);
  const { page, nextToken } = cutPage(call, open, selected(call, marketplaceId, open.asOf), PAGE_SIZE);
  const details = text(call.query, 'details') === 'true';
  const marketplace = call.world.marketplace(marketplaceId);
  const inventorySummaries = page.map((stock) => ({
    asin: stock.product.asin,
    fnSku: stock.product.fnsku,
    sellerSku: stock.product.sku,
    condition: 'NewItem',
    ...(details ? { inventoryDetails: detailsOf(stock) } : {}),
    lastUpdatedTime: iso(stock.lastUpdatedAt),
    productName: titleIn(stock.product, marketplace),
    totalQuantity: totalOf(stock),
    stores: [],
  }));
  const granularity = { granularityType: 'Marketplace', granularityId: marketplaceId };
  return {
    body: {
      payload: { granularity, inventorySummaries },
      ...(nextToken === undefined ? {} : { pagination: { nextToken } }),
    },
  };
}

/** FBA Inventory API v1. */
export const inventoryOperations: Operation[] = [
  {
    name: 'getInventorySummaries',
    method: 'GET',
    path: '/fba/inventory/v1/summaries',
    plan: { rate: 2, burst: 2 },
    handle: getInventorySummaries,
  },
];
