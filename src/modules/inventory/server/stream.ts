import {
  ApiRefused,
  type Fetched,
  type SpApi,
  type StreamDef,
  type StreamRun,
} from '#modules/marketplace/server/index.ts';
import { conditionOf, type StockFact } from './fact.ts';
import { landStock } from './land.ts';

/** What we read of one summary of FBA Inventory v1, named as the API names it. */
interface ApiSummary {
  sellerSku?: string;
  fnSku?: string;
  asin?: string;
  condition?: string;
  lastUpdatedTime?: string;
  totalQuantity?: number;
  inventoryDetails?: {
    fulfillableQuantity?: number;
    inboundWorkingQuantity?: number;
    inboundShippedQuantity?: number;
    inboundReceivingQuantity?: number;
    reservedQuantity?: {
      totalReservedQuantity?: number;
      pendingCustomerOrderQuantity?: number;
      pendingTransshipmentQuantity?: number;
      fcProcessingQuantity?: number;
    };
    researchingQuantity?: { totalResearchingQuantity?: number };
    unfulfillableQuantity?: { totalUnfulfillableQuantity?: number };
  };
}

interface Summaries {
  payload?: { inventorySummaries?: ApiSummary[] | null };
  pagination?: { nextToken?: string | null } | null;
}

function factOf(summary: ApiSummary): StockFact | undefined {
  if (!summary.sellerSku) return undefined;
  const { inventoryDetails: details = {} } = summary;
  const reserved = details.reservedQuantity ?? {};
  return {
    sellerSku: summary.sellerSku,
    condition: conditionOf(summary.condition),
    fnsku: summary.fnSku ?? '',
    asin: summary.asin ?? '',
    fulfillable: details.fulfillableQuantity ?? 0,
    unsellable: details.unfulfillableQuantity?.totalUnfulfillableQuantity ?? 0,
    reserved: reserved.totalReservedQuantity ?? 0,
    reservedCustomer: reserved.pendingCustomerOrderQuantity ?? null,
    reservedTransfer: reserved.pendingTransshipmentQuantity ?? null,
    reservedProcessing: reserved.fcProcessingQuantity ?? null,
    researching: details.researchingQuantity?.totalResearchingQuantity ?? 0,
    inboundWorking: details.inboundWorkingQuantity ?? 0,
    inboundShipped: details.inboundShippedQuantity ?? 0,
    inboundReceiving: details.inboundReceivingQuantity ?? 0,
    statedTotal: summary.totalQuantity ?? 0,
    lastUpdatedAt: summary.lastUpdatedTime,
  };
}

async function readOnce(api: SpApi, marketplaceId: string): Promise<StockFact[] | 'expired'> {
  const facts: StockFact[] = [];
  let nextToken: string | undefined;
  do {
    try {
      const { body }: { body: Summaries } = await api.call<Summaries>({
        operation: 'getInventorySummaries',
        method: 'GET',
        path: '/fba/inventory/v1/summaries',
        query: {
          details: 'true',
          granularityType: 'Marketplace',
          granularityId: marketplaceId,
          marketplaceIds: [marketplaceId],
          nextToken,
        },
      });
      for (const summary of body.payload?.inventorySummaries ?? []) {
        const fact = factOf(summary);
        if (fact) facts.push(fact);
      }
      nextToken = body.pagination?.nextToken ?? undefined;
    } catch (error) {
      if (nextToken !== undefined && error instanceof ApiRefused && error.status === 400) return 'expired';
      throw error;
    }
  } while (nextToken !== undefined);
  return facts;
}

const TRIES = 4;

/**
 * All pages of a marketplace. A token lives 30 seconds: when one died on the way, half a snapshot is worth nothing and
 * the reading begins anew. @throws Error when the tokens keep dying; the engine then comes back later.
 */
export async function readStock(api: SpApi, marketplaceId: string): Promise<StockFact[]> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const facts = await readOnce(api, marketplaceId);
    if (facts !== 'expired') return facts;
  }
  throw new Error('库存分页令牌反复失效，稍后重试');
}

async function fetchStock({ account, marketplaceId, window, api }: StreamRun): Promise<Fetched> {
  if (marketplaceId === undefined) throw new Error('stock is read per marketplace');
  const facts = await readStock(api, marketplaceId);
  const of = { accountId: account.id, marketplaceId, asOf: window.to, source: 'api' as const };
  return { land: (ctx) => landStock(ctx, of, facts) };
}

/** Stock per marketplace: the present only, so a run that was missed leaves no hole but that of its days. */
export const fbaStock: StreamDef = {
  code: 'fba.stock',
  wokenBy: ['FBA_INVENTORY_AVAILABILITY_CHANGES'],
  title: 'FBA库存',
  scope: 'marketplace',
  cadenceSec: 900,
  overlapSec: 0,
  safetyLagSec: 0,
  maxWindowSec: 366 * 86_400,
  historySec: 0,
  priority: 15,
  sloMin: 30,
  fetch: fetchStock,
};
