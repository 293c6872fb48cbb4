import type { FulfilledBy, OrderStatus } from '../../contract/status.ts';

/** One parcel of a merchant-fulfilled order, without addresses. */
export interface PackageFact {
  reference: string;
  status: string | null;
  carrier: string | null;
  service: string | null;
  tracking: string | null;
  /** ISO instant. */
  shippedAt: string | null;
  items: { orderItemId: string; quantity: number }[];
}

/** What a delivery says of an order as a whole. Instants are ISO (UTC), amounts decimal texts; null is "not told". */
export interface OrderHead {
  amazonOrderId: string;
  marketplaceId: string;
  sellerOrderId: string | null;
  salesChannel: string | null;
  channel: 'AMAZON' | 'NON_AMAZON';
  fulfilledBy: FulfilledBy;
  status: OrderStatus;
  purchasedAt: string;
  lastUpdatedAt: string | null;
  earliestShipAt: string | null;
  latestShipAt: string | null;
  earliestDeliverAt: string | null;
  latestDeliverAt: string | null;
  serviceLevel: string | null;
  programs: readonly string[];
  isBusiness: boolean;
  /** Null where the source does not tell: then an order that costs nothing is taken for a replacement. */
  isReplacement: boolean | null;
  originalOrderId: string | null;
  buyerCancelRequested: boolean;
  shipCountry: string | null;
  shipState: string | null;
  /** At most three characters. */
  postalPrefix: string | null;
  /** Null: the marketplace's own. */
  currency: string | null;
  /** As the source states it; null: the sum of the lines. */
  orderTotal: string | null;
  packages: readonly PackageFact[];
}

/** One line of an order. Amounts are those of the whole line; discounts are positive. */
export interface LineFact {
  orderItemId: string | null;
  sku: string;
  asin: string | null;
  title: string | null;
  quantity: number;
  shippedQuantity: number;
  unitPrice: string | null;
  itemPrice: string | null;
  shippingPrice: string | null;
  giftWrapPrice: string | null;
  otherPrice: string | null;
  itemTax: string | null;
  shippingTax: string | null;
  giftWrapTax: string | null;
  itemDiscount: string | null;
  shippingDiscount: string | null;
  promotionIds: readonly string[];
  cancelReason: string | null;
}

/** A line with its order. Rows of one order that belong together carry the same version. */
export interface FactRow {
  version: number;
  head: OrderHead;
  line: LineFact;
}

/** An order that cannot be taken over, and why (Chinese). */
export interface Refused {
  amazonOrderId: string;
  reason: string;
  /** The answer as it came. */
  raw?: unknown;
}

export const NO_LINE: LineFact = {
  orderItemId: null,
  sku: '',
  asin: null,
  title: null,
  quantity: 0,
  shippedQuantity: 0,
  unitPrice: null,
  itemPrice: null,
  shippingPrice: null,
  giftWrapPrice: null,
  otherPrice: null,
  itemTax: null,
  shippingTax: null,
  giftWrapTax: null,
  itemDiscount: null,
  shippingDiscount: null,
  promotionIds: [],
  cancelReason: null,
};
