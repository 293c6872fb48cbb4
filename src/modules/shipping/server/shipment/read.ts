import type { SpApi } from '#modules/marketplace/server/index.ts';

/** A shipment as v0 tells it; the newer API knows no received quantities. */
interface ApiShipment {
  ShipmentId?: string;
  ShipmentName?: string;
  DestinationFulfillmentCenterId?: string;
  ShipmentStatus?: string;
}

interface ApiItem {
  SellerSKU?: string;
  FulfillmentNetworkSKU?: string;
  QuantityShipped?: number;
  QuantityReceived?: number;
}

interface ShipmentPage {
  payload?: { ShipmentData?: ApiShipment[] | null; NextToken?: string | null };
}
interface ItemPage {
  payload?: { ItemData?: ApiItem[] | null; NextToken?: string | null };
}

export interface ShipmentItem {
  msku: string;
  fnsku: string | null;
  shipped: number;
  received: number;
}

/** A shipment with what was announced and received of each SKU. */
export interface ShipmentFact {
  shipmentNo: string;
  name: string;
  center: string;
  status: string;
  items: ShipmentItem[];
}

type Query = Readonly<Record<string, string | readonly string[]>>;

async function pages(api: SpApi, marketplaceId: string, query: Query): Promise<ApiShipment[]> {
  const found: ApiShipment[] = [];
  let token: string | undefined;
  do {
    const { body }: { body: ShipmentPage } = await api.call<ShipmentPage>({
      operation: 'getShipments',
      method: 'GET',
      path: '/fba/inbound/v0/shipments',
      query: {
        MarketplaceId: marketplaceId,
        ...(token === undefined ? query : { QueryType: 'NEXT_TOKEN', NextToken: token }),
      },
    });
    found.push(...(body.payload?.ShipmentData ?? []));
    token = body.payload?.NextToken || undefined;
  } while (token !== undefined);
  return found;
}

/** What was announced and received of a shipment; of a SKU that comes twice the sum. */
async function itemsOf(api: SpApi, marketplaceId: string, shipmentNo: string): Promise<ShipmentItem[]> {
  const { body } = await api.call<ItemPage>({
    operation: 'getShipmentItemsByShipmentId',
    method: 'GET',
    path: `/fba/inbound/v0/shipments/${encodeURIComponent(shipmentNo)}/items`,
    query: { MarketplaceId: marketplaceId },
  });
  const items = new Map<string, ShipmentItem>();
  for (const { SellerSKU: msku, FulfillmentNetworkSKU: fnsku, QuantityShipped, QuantityReceived } of body.payload
    ?.ItemData ?? []) {
    if (!msku) continue;
    const before = items.get(msku);
    items.set(msku, {
      msku,
      fnsku: fnsku ?? before?.fnsku ?? null,
      shipped: (before?.shipped ?? 0) + (QuantityShipped ?? 0),
      received: (before?.received ?? 0) + (QuantityReceived ?? 0),
    });
  }
  return [...items.values()];
}

async function withItems(api: SpApi, marketplaceId: string, found: readonly ApiShipment[]): Promise<ShipmentFact[]> {
  const facts: ShipmentFact[] = [];
  for (const { ShipmentId: shipmentNo, ShipmentName, DestinationFulfillmentCenterId, ShipmentStatus } of found) {
    if (!shipmentNo || !ShipmentStatus) continue;
    facts.push({
      shipmentNo,
      name: ShipmentName ?? '',
      center: DestinationFulfillmentCenterId ?? '',
      status: ShipmentStatus,
      items: await itemsOf(api, marketplaceId, shipmentNo),
    });
  }
  return facts;
}

/** Shipments of a marketplace that changed within [from, to), ISO instants. */
export async function readChanged(
  api: SpApi,
  marketplaceId: string,
  from: string,
  to: string,
): Promise<ShipmentFact[]> {
  const query = { QueryType: 'DATE_RANGE', LastUpdatedAfter: from, LastUpdatedBefore: to };
  return withItems(api, marketplaceId, await pages(api, marketplaceId, query));
}

/** Amazon takes so many numbers in one question. */
const MOST = 50;

/** Shipments by number; one that is gone is absent. */
export async function readNamed(
  api: SpApi,
  marketplaceId: string,
  numbers: readonly string[],
): Promise<ShipmentFact[]> {
  const facts: ShipmentFact[] = [];
  for (let first = 0; first < numbers.length; first += MOST) {
    const query = { QueryType: 'SHIPMENT', ShipmentIdList: numbers.slice(first, first + MOST) };
    facts.push(...(await withItems(api, marketplaceId, await pages(api, marketplaceId, query))));
  }
  return facts;
}
