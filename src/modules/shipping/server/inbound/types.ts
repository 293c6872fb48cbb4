import type { ShipOrder } from '../order/load.ts';
import type { Problem } from './answers.ts';

/** Steps of the way through Amazon's inbound API, in their order. */
export const STAGES = [
  'readPrep',
  'tellPrep',
  'createPlan',
  'offerPacking',
  'takePacking',
  'tellBoxes',
  'offerPlacement',
  'takePlacement',
  'offerTransport',
  'offerWindow',
  'takeWindow',
  'takeTransport',
  'labels',
  'previewChange',
  'takeChange',
  'tellTracking',
] as const;
export type StageKey = (typeof STAGES)[number] | 'cancelPlan';

/** What Amazon asks for something: decimal text, as numbers of its answers are turned at the door. */
export interface Cost {
  amount: string;
  code: string;
}

/** How Amazon says that a product is prepared. */
export interface Prep {
  category: string;
  types: string[];
}

export interface PackingOffer {
  optionId: string;
  /** ISO instant; null where Amazon gives none. */
  expiresAt: string | null;
  /** Fees less discounts. */
  fee: Cost | null;
  groups: { groupId: string; items: { msku: string; qty: number }[] }[];
  /** Heaviest box, in Amazon's unit. */
  maxWeight: { value: number; unit: string } | null;
}

/** Where a part of the goods would go. Offers that were read before boxes and postal codes were kept lack both. */
export interface PlacedShipment {
  shipmentId: string;
  center: string;
  postalCode?: string;
  items: { msku: string; qty: number }[];
  /** Numbers of our boxes that would go there. */
  boxes?: number[];
}

export interface PlacementOffer {
  optionId: string;
  expiresAt: string | null;
  fees: (Cost & { name: string })[];
  /** Fees less discounts; null where it costs nothing. */
  fee: Cost | null;
  shipments: PlacedShipment[];
}

export interface TransportOffer {
  optionId: string;
  shipmentId: string;
  /** GROUND_SMALL_PARCEL, FREIGHT_LTL … */
  mode: string;
  /** AMAZON_PARTNERED_CARRIER or USE_YOUR_OWN_CARRIER. */
  solution: string;
  carrier: string;
  carrierCode: string;
  cost: Cost | null;
  expiresAt: string | null;
  needsWindow: boolean;
}

export interface WindowOffer {
  optionId: string;
  availability: string;
  from: string;
  to: string;
  validUntil: string;
}

/** What was chosen for a shipment: found again among offers that are made anew, as their ids change. */
export interface Way {
  shipmentId: string;
  mode: string;
  solution: string;
  carrierCode: string;
  cost: Cost | null;
  /** Beginning of the delivery window; null with a partner of Amazon's. */
  windowFrom: string | null;
}

/** The row of `shipping.inbound`. */
export interface Inbound {
  attempt: number;
  planId: string | null;
  state: 'working' | 'waiting' | 'trouble' | 'ended' | 'cancelled';
  stage: StageKey;
  words: string;
  wish: 'cancel' | 'redo' | null;
  prep: Record<string, Prep> | null;
  prepWish: Record<string, Prep> | null;
  packing: PackingOffer[] | null;
  placement: PlacementOffer[] | null;
  transport: TransportOffer[] | null;
  windows: Record<string, WindowOffer[]> | null;
  chosenPacking: string | null;
  chosenPlacement: string | null;
  acceptedFee: string | null;
  acceptedCurrency: string | null;
  readyOn: string | null;
  ways: Way[] | null;
  fence: number;
  /** Counts what people did to it. */
  woken: number;
  /** Milliseconds until it is due; 0 or less where it is. */
  dueInMs: number;
  /** Seconds since the plan was compared with what Amazon shows; null where it never was. */
  watchedSec: number | null;
}

export interface InboundOperation {
  id: string;
  stage: StageKey;
  subject: string;
  hash: string;
  request: Ask;
  state: 'pending' | 'asked' | 'unknown' | 'done' | 'failed' | 'dropped';
  taken: boolean;
  operationId: string | null;
  problems: Problem[];
  tries: number;
  polls: number;
  /** Seconds since it was asked. */
  ageSec: number;
  askedAt: string;
  endedAt: string | null;
}

export interface InboundShipment {
  shipmentId: string;
  shipmentNo: string;
  center: string;
  status: string;
  items: { msku: string; qty: number }[];
  transport: TransportOffer | null;
  window: { from: string; to: string; editableUntil: string | null } | null;
  labelFileId: string | null;
  /** The same for label printers; null too where Amazon has none. */
  thermalFileId: string | null;
  freightBill: string;
  lading: string;
  /** What people want to be in its boxes instead; what Amazon confirmed of it is `taken` until our own boxes have followed. */
  change: {
    boxes: { no: number; items: { msku: string; qty: number }[] }[];
    previewId: string | null;
    taken: boolean;
  } | null;
}

/** A box as Amazon is told of it: cm and kg, pieces by MSKU. */
export interface InboundBox {
  no: number;
  length: string | null;
  width: string | null;
  height: string | null;
  weight: string | null;
  items: { msku: string; qty: number }[];
  shipmentId: string | null;
  amazonBoxId: string | null;
  packageId: string | null;
  trackingNo: string;
}

/** One call of the inbound API. */
export interface Ask {
  /** As the model spells it: key of its rate limit. */
  operation: string;
  method: 'POST' | 'PUT';
  path: string;
  body?: object;
}

/** An address of dispatch in the shape of the API. */
export type SourceAddress = Record<string, string>;

/** Everything that decides what comes next. */
export interface View {
  order: ShipOrder;
  inbound: Inbound;
  /** Of this attempt, oldest first, without those that count no more. */
  operations: InboundOperation[];
  shipments: InboundShipment[];
  boxes: InboundBox[];
  address: SourceAddress | null;
  /** yyyy-MM-dd: the company's day. */
  today: string;
}

/** What a step found out, to be written down with its end. */
export interface Patch {
  inbound?: Partial<
    Pick<
      Inbound,
      | 'planId'
      | 'prep'
      | 'prepWish'
      | 'packing'
      | 'placement'
      | 'transport'
      | 'windows'
      | 'chosenPacking'
      | 'chosenPlacement'
      | 'ways'
      | 'wish'
      | 'attempt'
      | 'state'
    >
  >;
  shipments?: (Partial<InboundShipment> & Pick<InboundShipment, 'shipmentId'>)[];
  boxes?: (Pick<InboundBox, 'no' | 'shipmentId' | 'amazonBoxId'> & { packageId?: string })[];
}
