/**
 * What the simulated business shows to the wire surface. The wire never computes a figure of its own: every answer of
 * the marketplace, and the truth that tests compare with, is read from these shapes.
 *
 * Money is a decimal string in the marketplace's currency ("19.99", JPY without decimals: "1980").
 * Instants are epoch milliseconds (UTC). Everything is "as of" the data clock handed to the call.
 */

import type { SimAdBook, SimAdChange, SimAdRow, TruthCampaign } from './ads-types.ts';
import type { FbaBooks, FbaFees, FbaMeasured } from './fba-types.ts';

export type Region = 'na' | 'eu' | 'fe';

export interface SimMarketplace {
  marketplaceId: string;
  /** As the API spells it: the United Kingdom is "GB". */
  countryCode: string;
  region: Region;
  currency: string;
  /** IANA zone of the marketplace's business day. */
  timeZone: string;
  /** "Amazon.com", "Amazon.co.uk", … as reports and orders name the sales channel. */
  salesChannel: string;
  language: string;
  /** Charset of flat-file reports: "UTF-8", "Cp1252" or "Shift_JIS" (served as Windows-31J). */
  reportCharset: 'UTF-8' | 'Cp1252' | 'Shift_JIS';
}

/** One sellingPartnerId in one selling region. A seller has the same id in every region it sells in. */
export interface SimAccount {
  sellingPartnerId: string;
  region: Region;
  storeName: string;
  marketplaceIds: string[];
}

export interface SimProduct {
  sku: string;
  asin: string;
  fnsku: string;
  parentAsin?: string;
  /** Title by language ("en", "de", "fr", "ja"); "en" always present. */
  titles: Record<string, string>;
  brand: string;
  productType: string;
  /** Key of the drawing that /images serves. */
  imageKey: string;
  fulfilment: 'AFN' | 'MFN';
  condition: 'New';
  lengthCm: number;
  widthCm: number;
  heightCm: number;
  weightKg: number;
  /** Pieces in the box; 1 for what is sold singly. */
  pack: number;
  openedAt: number;
}

/** One product's offer in one marketplace. */
/** What Amazon finds wrong with a listing, and what it does because of it. */
export interface SimIssue {
  code: string;
  message: string;
  severity: 'ERROR' | 'WARNING';
  categories: string[];
  attributeNames: string[];
  actions: ('LISTING_SUPPRESSED' | 'SEARCH_SUPPRESSED' | 'ATTRIBUTE_SUPPRESSED' | 'CATALOG_ITEM_REMOVED')[];
}

export interface SimListing {
  account: SimAccount;
  marketplaceId: string;
  product: SimProduct;
  listingId: string;
  price: string;
  /** Merchant-fulfilled quantity; undefined for FBA. */
  quantity?: number;
  status: 'ACTIVE' | 'INACTIVE' | 'INCOMPLETE';
  /** e.g. search suppressed: code and message of the listing issue. */
  issues: SimIssue[];
  lastUpdatedAt: number;
}

export type SimOrderStatus = 'PENDING' | 'UNSHIPPED' | 'PARTIALLY_SHIPPED' | 'SHIPPED' | 'CANCELLED' | 'UNFULFILLABLE';

export interface SimOrderItem {
  orderItemId: string;
  sku: string;
  asin: string;
  title: string;
  quantityOrdered: number;
  quantityShipped: number;
  unitPrice: string;
  /** unit price x quantity ordered, before discount; empty while the order is pending. */
  itemPrice: string;
  itemTax: string;
  shippingPrice: string;
  shippingTax: string;
  giftWrapPrice: string;
  giftWrapTax: string;
  /** Positive. */
  itemDiscount: string;
  shippingDiscount: string;
  promotionIds: string[];
}

/** A package of an order that the merchant sends himself. */
export interface SimPackage {
  reference: string;
  createdAt: number;
  shippedAt: number;
  carrier: string;
  service: string;
  trackingNumber: string;
  items: { orderItemId: string; quantity: number }[];
}

/** What a seller says of a package when he confirms that he sent it. */
export interface PackageSaid {
  reference: string;
  carrier: string;
  service?: string;
  trackingNumber: string;
  shippedAt: number;
  items: { orderItemId: string; quantity: number }[];
}

export interface SimOrder {
  account: SimAccount;
  orderId: string;
  marketplaceId: string;
  purchasedAt: number;
  /** Of the state shown, i.e. as of the clock that was asked. */
  lastUpdatedAt: number;
  status: SimOrderStatus;
  fulfilment: 'AFN' | 'MFN';
  isBusiness: boolean;
  isReplacement: boolean;
  replacedOrderId?: string;
  serviceLevel: string;
  earliestShipAt: number;
  latestShipAt: number;
  earliestDeliverAt: number;
  latestDeliverAt: number;
  shippedAt?: number;
  deliveredAt?: number;
  carrier?: string;
  trackingNumber?: string;
  /** Of orders that the merchant sends himself, once there are any. */
  packages?: SimPackage[];
  buyer: { name: string; email: string };
  shipTo: {
    name: string;
    line1: string;
    city: string;
    state: string;
    postalCode: string;
    countryCode: string;
    phone: string;
  };
  items: SimOrderItem[];
}

/** FBA stock of one SKU in one marketplace, derived from the conserved ledger. */
export interface SimStock {
  account: SimAccount;
  marketplaceId: string;
  product: SimProduct;
  fulfillable: number;
  unsellable: number;
  reservedCustomerOrders: number;
  reservedTransfers: number;
  reservedProcessing: number;
  researching: number;
  inboundWorking: number;
  inboundShipped: number;
  inboundReceiving: number;
  lastUpdatedAt: number;
}

export interface SimMoneyLine {
  /** As V2 settlement files spell them. */
  transactionType: string;
  amountType: string;
  amountDescription: string;
  amount: string;
  postedAt: number;
  orderId?: string;
  merchantOrderId?: string;
  adjustmentId?: string;
  shipmentId?: string;
  marketplaceName?: string;
  orderItemCode?: string;
  sku?: string;
  quantity?: number;
  promotionId?: string;
  fulfillmentId?: string;
}

export interface SimSettlement {
  account: SimAccount;
  marketplaceId: string;
  settlementId: string;
  /** Id of the report that Amazon generated for it. */
  reportId: string;
  financialEventGroupId: string;
  currency: string;
  startAt: number;
  endAt: number;
  depositAt: number;
  total: string;
  lines: SimMoneyLine[];
}

/** The money of one period of one account and marketplace: what becomes a settlement when it closes. */
export interface SimEventGroup {
  account: SimAccount;
  marketplaceId: string;
  groupId: string;
  currency: string;
  startAt: number;
  /** Absent while the group is open. */
  endAt?: number;
  /** What the period before handed over: its reserve, or its debt (negative). */
  beginning: string;
  /** Of a closed group what was paid out (or charged: negative); of an open one the balance as of the asking. */
  total: string;
  /** Closed groups that pay something out; `at` and what follows once the money is on its way. */
  transfer?: { status: 'Processing' | 'Succeeded'; at?: number; traceId?: string; accountTail?: string };
}

/** One transaction of Finances 2024-06-19; its leaves are the same money that the settlement file later carries. */
export interface SimTransaction {
  account: SimAccount;
  marketplaceId: string;
  transactionId: string;
  transactionType: string;
  status: 'DEFERRED' | 'RELEASED' | 'DEFERRED_RELEASED';
  description: string;
  postedAt: number;
  currency: string;
  total: string;
  orderId?: string;
  settlementId?: string;
  /** The group that pays it out; absent on what was deferred, which is in none: its release is. */
  financialEventGroupId?: string;
  /** DEFERRED only. */
  maturityAt?: number;
  /** On the release of a deferred sale: the transaction that it releases. */
  deferredTransactionId?: string;
  /** DEFERRED_RELEASED only: the transaction that released it. */
  releaseTransactionId?: string;
  shipmentId?: string;
  refundId?: string;
  items: {
    sku?: string;
    asin?: string;
    quantity?: number;
    orderItemCode?: string;
    /** Leaves, with the path of their parents: ["Sales","Product Charges"], amount. */
    breakdowns: { path: string[]; amount: string }[];
  }[];
  /** Leaves that belong to no item (storage, subscription, reserve …). */
  breakdowns: { path: string[]; amount: string }[];
}

export interface TruthRow {
  sku: string;
  /** Per handbook measures: counted lines only (not cancelled, not replacement). */
  units: number;
  grossUnits: number;
  cancelledUnits: number;
  orders: number;
  productSales: string;
  discount: string;
}

/** What lies in Amazon's warehouses and what became of it, as of the same instant. */
export interface TruthWarehouse {
  /** Pieces in warehouses and between them, by the stock books; `unsellable` over all dispositions. */
  stock: { sku: string; sellable: number; inTransit: number; unsellable: number }[];
  returns: { sku: string; units: number }[];
  reimbursements: { count: number; units: number; amount: string };
  /** Pieces over all removal orders. */
  removals: { requested: number; disposed: number; shipped: number };
}

/** Money earned and spent up to the same instant, settled or not; reserves and other balances are neither. */
export interface TruthMoney {
  /** `sales` and `refunds` are what buyers paid and got back, without tax; `net` is all that names the SKU. */
  bySku: { sku: string; units: number; sales: string; refunds: string; net: string }[];
  /** What names no SKU: storage, advertising, subscription. */
  shop: string;
  net: string;
}

export interface Truth {
  asOf: number;
  sellingPartnerId: string;
  region: Region;
  marketplaceId: string;
  currency: string;
  orders: number;
  units: number;
  productSales: string;
  bySku: TruthRow[];
  /** By marketplace-local day "yyyy-MM-dd". */
  byDay: { day: string; orders: number; units: number; productSales: string }[];
  stock: { sku: string; fulfillable: number; unsellable: number; reserved: number; inbound: number }[];
  settlements: { settlementId: string; total: string; lineCount: number; lineSum: string }[];
  warehouse: TruthWarehouse;
  money: TruthMoney;
  /** Of the business days of the period that are over. */
  ads: TruthCampaign[];
}

/** Where an announced shipment stands from an instant on, in the marketplace's own words. */
export interface InboundPhase {
  status: string;
  at: number;
}

/** A shipment that the seller announced, with all that is going to become of it. */
export interface InboundAnnounced {
  /** The number on its labels, "FBA15…". */
  reference: string;
  /** The warehouse that it goes to. */
  centre: string;
  lines: { sku: string; quantity: number }[];
  /** Oldest first; those to come are known ahead of their time. */
  phases: InboundPhase[];
  /** All rounds of booking it in, those that are over too. */
  receipts: { at: number; sku: string; sellable: number; damaged: number }[];
  /** When what is missing is paid for; absent where nobody does. */
  paidAt?: number;
  /** What Amazon takes for it, each named as the settlement names it; positive decimal texts. */
  fees: { at: number; description: string; amount: string }[];
}

/** What was booked in of an announced shipment. */
export interface InboundReceived {
  sku: string;
  /** Damaged pieces included. */
  received: number;
  damaged: number;
  reimbursed: number;
}

/**
 * The deterministic business: a pure function of (seed, scenario, start of the data, commands). Asking for 30 days at
 * once or day by day gives the same books. `now` is the data clock; nothing later than it is ever shown.
 */
/** Pieces that the seller has Amazon send to a buyer from elsewhere; without `shipAt` they are held for now. */
export interface OutboundSaid {
  reference: string;
  lines: { sku: string; quantity: number; itemId: string }[];
  shipAt?: number;
}

/** Pieces that the seller wants out of Amazon's warehouses. */
export interface RemovalSaid {
  /** The seller's own number. */
  orderId: string;
  type: 'Return' | 'Disposal' | 'Liquidations';
  lines: { sku: string; sellable: number; unsellable: number }[];
  /** When its parts leave or are destroyed, within three days; two of what goes in two parcels. */
  doneAt: number[];
}

export interface Business {
  readonly marketplaces: SimMarketplace[];
  readonly accounts: SimAccount[];
  listings(account: SimAccount, marketplaceId: string, now: number): SimListing[];
  /** Orders whose state changed (`by: 'updated'`) or that were bought (`by: 'created'`) in [from, to), oldest first. */
  orders(
    account: SimAccount,
    query: { marketplaceIds: string[]; by: 'created' | 'updated'; from: number; to: number },
    now: number,
  ): SimOrder[];
  order(account: SimAccount, orderId: string, now: number): SimOrder | undefined;
  stock(account: SimAccount, marketplaceId: string, now: number): SimStock[];
  /** Closed settlements only (end <= now), newest first. */
  settlements(account: SimAccount, now: number): SimSettlement[];
  /** Groups of financial events that began by `now`, the newest first; one of each marketplace is open. */
  eventGroups(account: SimAccount, now: number): SimEventGroup[];
  transactions(
    account: SimAccount,
    query: { from: number; to: number; marketplaceId?: string },
    now: number,
  ): SimTransaction[];
  truth(account: SimAccount, marketplaceId: string, query: { from: number; to: number }, now: number): Truth;
  /** Books of Amazon's warehouses for one marketplace, as of `now`. */
  fba(account: SimAccount, marketplaceId: string, now: number): FbaBooks;
  /** What those warehouses cost, as of `now`. */
  fbaFees(account: SimAccount, marketplaceId: string, now: number): FbaFees;
  /** Products that Amazon takes for larger than they are, as of `now`. */
  mismeasured(account: SimAccount, marketplaceId: string, now: number): FbaMeasured[];
  /**
   * Amazon measures a product of the account's region at `at`: its sides and weight times some factors, or as they are where
   * none are given. False where the account sends no such product through Amazon.
   */
  measure(account: SimAccount, sku: string, at: number, wrong?: { sides: number; weight: number }): boolean;
  /** What is set up in the advertising profile of a marketplace. */
  ads(account: SimAccount, marketplaceId: string, now: number): SimAdBook;
  /** What was changed of it in [from, to], oldest first. */
  adChanges(
    account: SimAccount,
    marketplaceId: string,
    period: { from: number; to: number },
    now: number,
  ): SimAdChange[];
  /** Advertising by business day, from..to both included, as restated by `now`; days that are not over are left out. */
  adRows(account: SimAccount, marketplaceId: string, days: { from: string; to: string }, now: number): SimAdRow[];
  /**
   * The seller says another price (decimal text) or quantity of an offer of his, from `at` on: it is shown at once, and
   * orders follow it from the next business day. False where he has no such offer.
   */
  setOffer(
    account: SimAccount,
    marketplaceId: string,
    sku: string,
    change: { at: number; price?: string; quantity?: number },
  ): boolean;
  /**
   * The seller confirms at `at` that he sent a package of an order of his; one with the same reference takes the place of
   * the former. With the last piece the order is shipped. False where there is nothing that could be sent.
   */
  confirmPackage(account: SimAccount, orderId: string, said: PackageSaid, at: number): boolean;
  /**
   * The seller announces a shipment at `at`, or it is told anew what becomes of one: its pieces are booked in as its rounds
   * come. What was booked in before stays so. False where he does not sell there.
   */
  announceInbound(account: SimAccount, marketplaceId: string, said: InboundAnnounced, at: number): boolean;
  /** What was booked in of an announced shipment by `now`; empty where it is unknown. */
  inboundReceived(account: SimAccount, marketplaceId: string, reference: string, now: number): InboundReceived[];
  /** Pieces of a SKU that could be promised to a buyer from elsewhere at `now`. */
  freeForOutbound(account: SimAccount, marketplaceId: string, sku: string, now: number): number;
  /** Sets pieces aside at `at`, which leave at `shipAt` of what is said; a reference that is known changes nothing. */
  setAside(account: SimAccount, marketplaceId: string, said: OutboundSaid, at: number): void;
  /** Pieces that are still here at `at` leave at `shipAt`, held or not. */
  letGo(account: SimAccount, marketplaceId: string, reference: string, shipAt: number, at: number): void;
  /** Pieces that have not left are for sale again from `at` on. */
  putBack(account: SimAccount, marketplaceId: string, reference: string, at: number): void;
  /** Pieces of a SKU that could be removed at `now`. */
  removable(
    account: SimAccount,
    marketplaceId: string,
    sku: string,
    now: number,
  ): { sellable: number; unsellable: number } | undefined;
  /** Pieces are taken off the shelf at `at`, and away when it is said; an order that is known changes nothing. */
  remove(account: SimAccount, marketplaceId: string, said: RemovalSaid, at: number): void;
  /** What Amazon charges to send a piece of its own warehouses' goods to a buyer of its own, minor units. */
  fulfilmentFee(account: SimAccount, marketplaceId: string, sku: string, now: number): number;
  /** Self-audit: ledger conservation, settlement = lines, chain gapless. Empty when all is well. */
  audit(now: number): string[];
}
