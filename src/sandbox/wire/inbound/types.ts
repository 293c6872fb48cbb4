/** What the sandbox knows of inbound plans. Instants are epoch ms of the data clock unless it says otherwise. */
import type { InboundPhase, Region } from '../../business/types.ts';
import type { Address, BoxInput, Contact, Freight, ItemInput, PalletInput } from './bodies.ts';
import type { TaxDetails } from './product-bodies.ts';

/** Whose it is. */
export interface Owned {
  sellingPartnerId: string;
  region: Region;
}

/** A complaint about an operation, as the API tells it. */
export interface Problem {
  code: string;
  message: string;
  details?: string;
  severity: 'ERROR' | 'WARNING';
}

/** An amount as the API shows it. */
export interface Money {
  amount: number;
  code: string;
}

/** What a placement costs or saves. */
export interface Incentive {
  type: 'FEE' | 'DISCOUNT';
  target: 'Placement Services' | 'Fulfillment Fee Discount';
  description: string;
  value: Money;
}

/** Boxes that are alike, as they were told, each under an id of its own. */
export interface Box extends BoxInput {
  packageId: string;
}

/** A pallet as it was told, under an id of its own. */
export interface Pallet extends PalletInput {
  packageId: string;
}

/** Products that may be packed together. */
export interface PackingGroup {
  groupId: string;
  items: ItemInput[];
  boxes: Box[];
}

/** A way of grouping products into boxes; boxes are told once it is accepted. */
export interface PackingOption {
  optionId: string;
  accepted: boolean;
  expiresAt: number;
  discounts: Incentive[];
  groups: PackingGroup[];
}

/** A choice of warehouses; once accepted it is final. */
export interface PlacementOption {
  optionId: string;
  accepted: boolean;
  expiresAt: number;
  fees: Incentive[];
  discounts: Incentive[];
  shipmentIds: string[];
}

export type ShippingMode = 'GROUND_SMALL_PARCEL' | 'FREIGHT_LTL';

/** A way of transport for one shipment; own carriers cost nothing here. */
export interface TransportationOption {
  optionId: string;
  shipmentId: string;
  carrier: { name: string; alphaCode: string };
  mode: ShippingMode;
  partnered: boolean;
  expiresAt: number;
  cost?: Money;
  /** Of freight that Amazon's partner fetches: [from, to]. */
  appointment?: [number, number];
}

/** A span of days in which a shipment may arrive. */
export interface DeliveryWindow {
  optionId: string;
  availability: 'AVAILABLE' | 'BLOCKED' | 'CONGESTED' | 'DISCOUNTED';
  from: number;
  to: number;
  validUntil: number;
}

/** How a shipment is followed. */
export interface Tracking {
  /** By the box's number. */
  parcels: { boxId: string; trackingId: string; at: number }[];
  freightBills: string[];
  billOfLading?: string;
}

/** What somebody said of how a product of a shipment arrives, instead of what chance would make of it. */
export interface Found {
  msku: string;
  /** All pieces that are counted, damaged ones included. */
  received: number;
  damaged: number;
}

/** The whole contents that a shipment is going to have. */
export interface ContentPreview {
  previewId: string;
  expiresAt: number;
  items: ItemInput[];
  boxes: (BoxInput & { packageId?: string | undefined })[];
  transportation: TransportationOption;
}

/** Goods of a plan that go to one warehouse. */
export interface Shipment {
  shipmentId: string;
  placementOptionId: string;
  /** "FBA15…", from the confirmation of the placement on. */
  confirmationId?: string;
  name: string;
  warehouse: string;
  sourceAddress: Address;
  items: ItemInput[];
  boxes: Box[];
  pallets: Pallet[];
  phases: InboundPhase[];
  changedAt: number;
  readyAt?: number;
  contact?: Contact;
  freight?: Freight;
  windows: DeliveryWindow[];
  window?: DeliveryWindow;
  transportation?: TransportationOption;
  /** When the transportation was confirmed: what may still be voided counts from here. */
  confirmedAt?: number;
  tracking?: Tracking;
  previews: ContentPreview[];
  found: Found[];
  /** Rounds in which it is booked in, from its dispatch on. */
  receipts: { at: number; sku: string; sellable: number; damaged: number }[];
  paidAt?: number;
}

/** An inbound plan with all that was offered for it. */
export interface Plan extends Owned {
  planId: string;
  marketplaceId: string;
  name: string;
  sourceAddress: Address;
  items: ItemInput[];
  createdAt: number;
  changedAt: number;
  status: 'ACTIVE' | 'VOIDED' | 'ERRORED';
  packingOptions: PackingOption[];
  placementOptions: PlacementOption[];
  /** Those of every placement that was offered. */
  shipments: Shipment[];
  transportationOptions: TransportationOption[];
}

/** How a product has to be prepared, as the seller set it. */
export interface PrepSet {
  marketplaceId: string;
  msku: string;
  category: string;
  types: string[];
}

/** What the seller said of a product for customs and taxes. */
export interface ComplianceSet {
  marketplaceId: string;
  msku: string;
  taxDetails: TaxDetails;
}

/** Facts that take the place of those before: of a plan, of some of its shipments, of products. */
export interface InboundChange extends Owned {
  planId?: string;
  /** A plan that is not known yet is begun by it. */
  plan?: Partial<Omit<Plan, 'planId' | 'shipments' | keyof Owned>>;
  shipments?: (Partial<Shipment> & { shipmentId: string })[];
  prep?: PrepSet[];
  compliance?: ComplianceSet[];
}

/** An asynchronous operation as it was asked for. */
export interface InboundAsked extends Owned {
  operationId: string;
  operation: string;
  planId?: string;
  shipmentId?: string;
  /** Of the option or preview that it is about. */
  optionId?: string;
  input: unknown;
  at: number;
  /** Throttle clock: working on it takes real time even when the business stands still. */
  askedAt: number;
  /** Set by faults at the moment of asking. */
  fate?: { stuckMs?: number; problem?: Problem; expired?: true; empty?: true };
}

/** What the command log holds of inbound plans. */
export type InboundCommand =
  | { type: 'inboundAsked'; asked: InboundAsked; change?: InboundChange }
  | ({ type: 'inboundDone'; operationId: string; at: number; problems: Problem[]; change?: InboundChange } & Owned)
  | { type: 'inboundChanged'; at: number; change: InboundChange };

/** An operation with what came of it. */
export interface KnownOperation extends InboundAsked {
  done?: { at: number; problems: Problem[] };
}

/** What working on an operation makes of it: any problem of severity ERROR lets it fail, and then nothing changes. */
export interface Outcome {
  problems?: Problem[];
  change?: Omit<InboundChange, keyof Owned>;
}
