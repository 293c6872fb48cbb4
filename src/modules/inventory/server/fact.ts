/** Stock of one SKU and condition as a snapshot states it; parts of `reserved` are null where it gives the sum only. */
export interface StockFact {
  sellerSku: string;
  condition: string;
  fnsku: string;
  asin: string;
  fulfillable: number;
  unsellable: number;
  reserved: number;
  reservedCustomer: number | null;
  reservedTransfer: number | null;
  reservedProcessing: number | null;
  researching: number;
  inboundWorking: number;
  inboundShipped: number;
  inboundReceiving: number;
  statedTotal: number;
  /** ISO instant; undefined where the source does not say. */
  lastUpdatedAt: string | undefined;
}

/** Where and when a whole snapshot was taken. */
export interface SnapshotOf {
  accountId: string;
  marketplaceId: string;
  /** Marketplace time at which its reading began, ISO. */
  asOf: string;
  source: 'api' | 'report';
}

/** One spelling of a condition for both sources: "NewItem" and "New" are "New". */
export function conditionOf(word: string | undefined): string {
  const bare = (word ?? '').trim().replace(/Item$/, '');
  return bare === '' ? 'Unknown' : bare;
}

const orNull = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Date.parse(a) >= Date.parse(b) ? a : b;
}

function added(a: StockFact, b: StockFact): StockFact {
  const main = b.statedTotal > a.statedTotal ? b : a;
  return {
    sellerSku: a.sellerSku,
    condition: a.condition,
    fnsku: main.fnsku,
    asin: main.asin,
    fulfillable: a.fulfillable + b.fulfillable,
    unsellable: a.unsellable + b.unsellable,
    reserved: a.reserved + b.reserved,
    reservedCustomer: orNull(a.reservedCustomer, b.reservedCustomer),
    reservedTransfer: orNull(a.reservedTransfer, b.reservedTransfer),
    reservedProcessing: orNull(a.reservedProcessing, b.reservedProcessing),
    researching: a.researching + b.researching,
    inboundWorking: a.inboundWorking + b.inboundWorking,
    inboundShipped: a.inboundShipped + b.inboundShipped,
    inboundReceiving: a.inboundReceiving + b.inboundReceiving,
    statedTotal: a.statedTotal + b.statedTotal,
    lastUpdatedAt: later(a.lastUpdatedAt, b.lastUpdatedAt),
  };
}

/**
 * One fact per SKU and condition. A SKU whose label changed has a row per FNSKU, which are different goods and add up; a
 * row that is there twice because rows moved while pages were read counts once, as it was read last.
 */
export function folded(facts: readonly StockFact[]): StockFact[] {
  const labels = new Map(facts.map((fact) => [`${fact.sellerSku}\t${fact.condition}\t${fact.fnsku}`, fact]));
  const rows = new Map<string, StockFact>();
  for (const fact of labels.values()) {
    const key = `${fact.sellerSku}\t${fact.condition}`;
    const known = rows.get(key);
    rows.set(key, known ? added(known, fact) : fact);
  }
  return [...rows.values()];
}
