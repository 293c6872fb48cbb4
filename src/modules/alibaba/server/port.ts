/** A line of an order at the platform: so many units of an offer's variant. */
export interface Cargo {
  offerId: string;
  specId: string;
  quantity: number;
}

export interface RemoteOffer {
  subject: string;
  seller: string;
  unit: string;
  minimum: number;
  /** Price in CNY for one unit. */
  skus: { specId: string; spec: string; price: string; stock: number }[];
}

/** What the platform would take, CNY. `amounts` by offer and variant, as "offerId/specId". */
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
}

export interface RemoteTrace {
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
  preview(addressId: string, cargo: readonly Cargo[]): Promise<RemotePreview>;
  create(addressId: string, cargo: readonly Cargo[], flow: string, outOrderId: string): Promise<string>;
  /** Orders of one number of ours; empty where there is none. */
  findByOwnNumber(outOrderId: string): Promise<RemoteOrder[]>;
  /** Orders that changed since an instant (ISO 8601), those that changed first come first. */
  changedSince(since: string, page: number): Promise<{ orders: RemoteOrder[]; more: boolean }>;
  trace(orderId: string): Promise<RemoteTrace | undefined>;
  cancel(orderId: string): Promise<void>;
  /** The goods are here: releases the money to the seller, for good. */
  confirm(orderId: string): Promise<void>;
  payUrl(orderId: string): Promise<string>;
}

/** The platform answered, and refused in its own words. */
export class PlatformRefused extends Error {}

/** No answer came: what the call was to do may have happened or not. */
export class Unanswered extends Error {}

/** The buyer's consent has ended. */
export class ConsentLost extends Error {}
