/** A line of an order at the platform: so many units of an offer's variant. */
export interface Cargo {
  offerId: string;
  specId: string;
  quantity: number;
}

/** By this an offer's variant is known in previews and orders: "offerId/specId". */
export const keyOf = ({ offerId, specId }: Pick<Cargo, 'offerId' | 'specId'>) => `${offerId}/${specId}`;

export interface RemoteOffer {
  subject: string;
  seller: string;
  unit: string;
  minimum: number;
  /** Price in CNY for one unit. */
  skus: { specId: string; spec: string; price: string; stock: number }[];
}

/** One order that the platform would make, CNY. `amounts` by offer and variant, see keyOf(). */
export interface RemotePreview {
  goods: string;
  freight: string;
  total: string;
  amounts: Map<string, string>;
  flow: string;
}

/** An order as the platform has it. Amounts in CNY, instants ISO 8601 in UTC. */
export interface RemoteOrder {
  id: string;
  outOrderId: string;
  status: string;
  total: string;
  freight: string;
  refund: string;
  modifiedAt: string;
  paidAt: string | null;
  seller: string;
  /** What is in it; empty where the platform does not say. */
  items: (Cargo & { amount: string })[];
}

export interface RemoteTrace {
  /** Of several parcels all numbers, with 、 between them. */
  trackingNo: string;
  steps: { at: string; text: string }[];
}

/**
 * The platform for one buyer; tokens and signatures are behind it. Throws PlatformRefused where the platform said no,
 * Unanswered where nobody knows whether a call had its effect, ConsentLost where the buyer has to agree again.
 */
export interface Platform {
  offer(offerId: string): Promise<RemoteOffer>;
  addresses(): Promise<{ id: string; text: string; standard: boolean }[]>;
  /** What would be ordered, one of each order that the platform would make of it; all of one seller. */
  preview(addressId: string, cargo: readonly Cargo[]): Promise<RemotePreview[]>;
  /** The numbers of the orders that it became, at least one. */
  create(addressId: string, cargo: readonly Cargo[], flow: string, outOrderId: string): Promise<string[]>;
  /** Orders of one number of ours; empty where there is none. */
  findByOwnNumber(outOrderId: string): Promise<RemoteOrder[]>;
  /** Orders that changed since an instant (ISO 8601), those that changed first come first. */
  changedSince(since: string, page: number): Promise<{ orders: RemoteOrder[]; more: boolean }>;
  trace(orderId: string): Promise<RemoteTrace | undefined>;
  cancel(orderId: string): Promise<void>;
  /** The goods are here: releases the money to the seller, for good. */
  confirm(orderId: string): Promise<void>;
  /** One page on which all of these are paid. */
  payUrl(orderIds: readonly string[]): Promise<string>;
}

/** The platform answered, and refused in its own words. */
export class PlatformRefused extends Error {}

/** No answer came: what the call was to do may have happened or not. */
export class Unanswered extends Error {}

/** The buyer's consent has ended. */
export class ConsentLost extends Error {}
