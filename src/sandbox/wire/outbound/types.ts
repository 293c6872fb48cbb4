import type { Region } from '../../business/types.ts';

/** Whose orders, and where. */
export interface Owned {
  sellingPartnerId: string;
  region: Region;
}

/** Where the goods go, as the seller wrote it. */
export interface Destination {
  name: string;
  addressLine1: string;
  addressLine2?: string | undefined;
  addressLine3?: string | undefined;
  city?: string | undefined;
  districtOrCounty?: string | undefined;
  stateOrRegion?: string | undefined;
  postalCode: string;
  countryCode: string;
  phone?: string | undefined;
}

/** A line of an order with how many pieces were found for it. */
export interface OutboundItem {
  itemId: string;
  sku: string;
  quantity: number;
  /** Pieces that were set aside; the others cannot be sent. */
  filled: number;
  displayableComment?: string | undefined;
}

export type Speed = 'Standard' | 'Expedited' | 'Priority';
export type Policy = 'FillOrKill' | 'FillAll' | 'FillAllAvailable';

/** When an order reaches its steps, data time; fixed once it may go. */
export interface Way {
  planningAt: number;
  /** Picking begins: from here on it cannot be cancelled. */
  processingAt: number;
  shippedAt: number;
  deliveredAt: number;
}

/** A fulfilment order as it was taken in. Where it stands follows from this and the time. */
export interface OutboundOrder extends Owned {
  id: string;
  marketplaceId: string;
  displayableOrderId: string;
  displayableOrderDate: string;
  displayableOrderComment: string;
  speed: Speed;
  policy: Policy;
  action: 'Ship' | 'Hold';
  destination: Destination;
  notificationEmails: string[];
  features: { featureName: string; featureFulfillmentPolicy: string }[];
  items: OutboundItem[];
  /** Data time at which it was taken in. */
  at: number;
  /** What was wrong with it from the start. */
  verdict: 'GOOD' | 'INVALID' | 'UNFULFILLABLE';
  way?: Way;
  cancelledAt?: number;
}

/** What the command log holds of fulfilment orders: each command takes the place of what was known of the order. */
export interface OutboundCommand {
  type: 'outbound';
  at: number;
  order: OutboundOrder;
}
