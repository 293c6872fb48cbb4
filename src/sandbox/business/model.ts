/**
 * Shapes inside the business. Amounts are whole minor units of the marketplace's currency (cents, pence, yen), instants
 * epoch milliseconds. Nothing here leaves the folder: views.ts turns it into what the wire reads.
 */
import type {
  SimAdBook,
  SimAdCampaign,
  SimAdChange,
  SimAdGroup,
  SimAdPlacement,
  SimAdTarget,
  SimProductAd,
} from './ads-types.ts';
import type { EventHeap } from './heap.ts';
import type { InboundPhase, RemovalSaid, SimAccount, SimMarketplace, SimProduct } from './types.ts';

/** One seller account in one marketplace: the unit that is simulated day by day, on its own. */
export interface Shop {
  seed: string;
  /** Position among all shops of the scenario; keeps order numbers of different shops apart. */
  index: number;
  account: SimAccount;
  market: SimMarketplace;
  startAt: number;
  lanes: Lane[];
  /** Business days are complete up to here, exclusive. Always a local midnight. */
  simulatedUntil: number;
  /** Calendar day that begins at `simulatedUntil`. */
  nextDay: string;
  dayCount: number;
  /** By purchase instant. */
  orders: Order[];
  orderById: Map<string, Order>;
  /** Storage, subscription, advertising, coupon fees and reimbursements, in the order they were posted. */
  charges: Charge[];
  heap: EventHeap<Happening>;
  week: { coupons: number };
  ads: AdBooks;
  /** What the seller announced through the marketplace, by the number on its labels. */
  announced: Map<string, Delivery>;
  /** What Amazon sends for the seller to buyers from elsewhere, by a reference of the order. */
  outbound: Map<string, Outbound>;
  /** Removal orders that the seller placed himself, by his number. */
  removals: Map<string, Removal>;
  settled: SettledPeriod[];
}

/** A removal order of the seller's own: when it was placed, and when its parts are done. */
export interface Removal {
  type: RemovalSaid['type'];
  at: number;
  doneAt: readonly number[];
}

/** Pieces set aside for a buyer from elsewhere; held as long as it is not known when they leave. */
export interface Outbound {
  at: number;
  shipAt: number | undefined;
  cancelledAt: number | undefined;
  lines: { lane: Lane; quantity: number; itemId: string }[];
}

/** One SKU in one marketplace: its demand, its price and its stock. */
export interface Lane {
  index: number;
  product: SimProduct;
  /** "US:NQ-SWB-750-BL", the part of a draw's key that names the lane. */
  key: string;
  listingId: string;
  /** Reference price in minor units. */
  refPrice: number;
  pricePhase: number;
  /** Mean orders a day before season, price and stock. */
  base: number;
  elasticity: number;
  trend: number;
  seasonSwing: number;
  refundRate: number;
  /** Instants between which the listing is search-suppressed and sells nothing. */
  suppressed: { from: number; to: number } | undefined;
  // Walking state, as of the shop's simulatedUntil.
  fulfillable: number;
  moving: number;
  unsellable: number;
  nextArrivalDay: number;
  deliveries: number;
  unitDays: number;
  ledger: LedgerEntry[];
  plans: InboundPlan[];
  /** Shipments that the seller announced through the marketplace and that hold this product. */
  announced: Delivery[];
  /** What the seller himself said of the offer, oldest first; from the first one on his price holds. */
  offers: OfferChange[];
  /** Measurements of Amazon's, oldest first; before the first one it takes the product for what it is. */
  measured: { at: number; sizes: Pick<SimProduct, 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'> }[];
}

export interface OfferChange {
  at: number;
  /** Minor units. */
  price?: number;
  /** Pieces for sale that the merchant ships, and what the books said of them then. */
  quantity?: { stated: number; booked: number };
}

export interface InboundPlan {
  plannedAt: number;
  arriveAt: number;
  quantity: number;
  /** What arrives; sometimes a little less than planned. */
  received: number;
}

/** A shipment that the seller announced through the marketplace. */
export interface Delivery {
  reference: string;
  centre: string;
  /** Counts the announcements: what an older one planned and that has not happened will not. */
  version: number;
  phases: InboundPhase[];
  lines: DeliveryLine[];
  /** Names of the fees that were taken: each is taken once. */
  taken: Set<string>;
  /** What was booked in, oldest first; the last ones may lie later on the business day that was walked. */
  received: { at: number; lane: Lane; sellable: number; damaged: number }[];
}

export interface DeliveryLine {
  lane: Lane;
  quantity: number;
  /** Pieces that were paid for as lost. */
  reimbursed: number;
}

export type LedgerKind =
  | 'opening'
  | 'receipt'
  | 'receiptDamaged'
  | 'toTransfer'
  | 'fromTransfer'
  | 'toProcessing'
  | 'fromProcessing'
  | 'reserve'
  | 'unreserve'
  | 'ship'
  | 'returnSellable'
  | 'returnUnsellable'
  | 'lost'
  | 'found'
  | 'writtenOff'
  | 'damaged'
  | 'disposed'
  | 'removed'
  | 'disposedSellable'
  | 'removedSellable';

/** One movement; `quantity` is always positive, the kind says between which buckets. */
export interface LedgerEntry {
  at: number;
  kind: LedgerKind;
  quantity: number;
  /** What it belongs to: the order's line, the refunded order, the delivery. */
  reference?: string;
  /** The warehouse that booked it in; of receipts of announced shipments. */
  centre?: string;
}

export interface OrderLine {
  lane: Lane;
  itemId: string;
  quantity: number;
  unitPrice: number;
  itemPrice: number;
  itemTax: number;
  shipping: number;
  shippingTax: number;
  giftWrap: number;
  giftWrapTax: number;
  discount: number;
  shippingDiscount: number;
  promotionIds: string[];
  coupon: boolean;
}

export interface Refund {
  at: number;
  line: OrderLine;
  quantity: number;
  fate: 'SELLABLE' | 'UNSELLABLE' | 'KEPT';
}

export interface Order {
  id: string;
  shop: Shop;
  purchasedAt: number;
  /** Payment is verified here: before it the order is PENDING. */
  verifiedAt: number;
  cancelledAt: number | undefined;
  shippedAt: number;
  deliveredAt: number;
  /** Delivery + 7 days: the sale's money is released into the settlement. */
  releasedAt: number;
  refund: Refund | undefined;
  fulfilment: 'AFN' | 'MFN';
  isBusiness: boolean;
  replacedOrderId: string | undefined;
  expedited: boolean;
  buyer: number;
  place: number;
  lines: OrderLine[];
  /** What the seller himself confirmed as sent, by package; without it he sends all of it at `shippedAt` unasked. */
  confirmed?: ConfirmedPackage[];
}

/** A package that the seller confirmed. */
export interface ConfirmedPackage {
  reference: string;
  /** When he told of it first, and last. */
  at: number;
  changedAt: number;
  /** When it was sent by his own word. */
  sentAt: number;
  carrier: string;
  service: string | undefined;
  tracking: string;
  items: { itemId: string; quantity: number }[];
}

/** A posting without an order. */
export interface Charge {
  postedAt: number;
  transactionType: string;
  amountType: string;
  amountDescription: string;
  amount: number;
  lane: Lane | undefined;
  quantity: number | undefined;
  reference: string | undefined;
  /** Words for the transaction's description. */
  description: string;
}

/** One ad under one target: what is drawn day by day. */
export interface AdLine {
  campaign: SimAdCampaign;
  adGroup: SimAdGroup;
  ad: SimProductAd;
  target: SimAdTarget;
  /** What the ad shows; one of Sponsored Brands shows several. */
  lanes: readonly Lane[];
  /** Share of the lanes' clicks. */
  weight: number;
  /** Highest price of a click (of a thousand views) at the beginning, minor units. */
  bid: number;
  /** What people searched for who see it. */
  terms: string[];
}

export interface AdPlan extends SimAdBook {
  lines: AdLine[];
  /** Everything that was changed, by time, as of the shop's simulatedUntil. */
  changes: SimAdChange[];
  /** What holds after those changes. A day's budget by campaign and bids by target, minor units; paused campaigns. */
  budgets: Map<string, number>;
  bids: Map<string, number>;
  paused: Set<string>;
}

/** An order that followed a click, or only a showing. */
export interface AdSale {
  order: Order;
  /** From the click or showing to the purchase, ms. */
  lag: number;
  viewOnly?: true;
}

/** Clicks of one line and one search term on one business day. */
export interface AdCell {
  day: string;
  line: AdLine;
  term: string;
  placement: SimAdPlacement;
  impressions: number;
  views: number;
  clicks: number;
  /** Counted at first and taken back when found out. */
  invalidClicks: number;
  /** Price of one click, or of a thousand views where those are paid, minor units. */
  price: number;
  /** The campaign's budget on the day, minor units. */
  budget: number;
  sales: AdSale[];
}

/** Advertising of a shop, as of its simulatedUntil. */
export interface AdBooks {
  plan: AdPlan | undefined;
  days: Map<string, AdCell[]>;
  /** What is charged for each walked day, minor units. */
  spend: number[];
  /** Orders before this place in the shop's book have found their click, or have none. */
  attributed: number;
}

/** What is remembered of a closed settlement; its lines are made again when asked for. */
export interface SettledPeriod {
  number: number;
  startAt: number;
  endAt: number;
  /** Held back at the end of the period, given back in the next. */
  reserve: number;
  total: number;
}

/** What waits in a shop's calendar. */
export type Happening =
  | { kind: 'receipt'; lane: Lane; plan: InboundPlan }
  | { kind: 'bookIn'; delivery: Delivery; version: number; lane: Lane; sellable: number; damaged: number }
  | { kind: 'payMissing'; delivery: Delivery; version: number }
  | { kind: 'takeFee'; delivery: Delivery; version: number; description: string; amount: number }
  | { kind: 'move'; lane: Lane; entry: 'fromTransfer' | 'fromProcessing'; quantity: number }
  | { kind: 'cancel'; order: Order }
  | { kind: 'return'; lane: Lane; quantity: number; sellable: boolean; orderId: string }
  | { kind: 'lost' | 'damaged'; lane: Lane }
  | { kind: 'search'; lane: Lane; found: boolean }
  | { kind: 'demand'; lane: Lane; day: string; index: number }
  | { kind: 'replace'; order: Order };
