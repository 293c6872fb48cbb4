import type { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { StoredBytes } from '#kit/server/files.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { LabelFormat } from '../../../contract/self/label.ts';

/** A parcel as those see it who would carry it. Nothing of its recipient: the seller of labels has the order. */
export interface CarrierParcel {
  docId: string;
  number: string;
  account: string;
  marketplaceId: string;
  orderId: string;
  items: readonly { orderItemId: string; quantity: number }[];
  weightG: number;
  /** Length, width, height, cm. */
  sides: readonly [string, string, string];
  /** Where it leaves from, as `shipFromOf` of the marketplace says it. */
  from: Readonly<Record<string, string>>;
  /** ISO instant by the marketplace's clock. */
  askedAt: string;
}

/** An offer to carry it. */
export interface CarrierRate {
  serviceId: string;
  offerId: string;
  service: string;
  carrier: string;
  amount: Decimal;
  currency: string;
  /** ISO instant, the latest that is meant; null where none is named. */
  arrivesAt: string | null;
  /** Why it cannot be bought here, in Chinese. */
  unfit?: string;
}

/** What is known of a label that was bought. */
export interface BoughtLabel {
  /** The seller's number of it; null where only the tracking number is known. */
  shipmentNo: string | null;
  trackingNo: string;
  /** Undefined where nobody said. */
  carrier?: string;
  charged?: string;
  currency?: string;
  /** The label, in the store already; null where it has yet to be fetched. */
  file: LabelFile | null;
}

export interface LabelFile extends StoredBytes {
  mediaType: string;
}

/** A purchase as its row has it. */
export interface KnownLabel {
  id: string;
  docId: string;
  account: string;
  marketplaceId: string;
  orderId: string;
  shipmentNo: string | null;
  /** ISO instant by the marketplace's clock. */
  askedAt: string;
  items: readonly { orderItemId: string; quantity: number }[];
}

export interface CarrierWork {
  runtime: Runtime;
  companyId: string;
}

/**
 * Who sells labels. Prices are asked outside of any transaction; a purchase and its calling back are planned in the caller's,
 * next to the row that says so, and end in `settleBought` and its like.
 */
export interface LabelCarrier {
  /** As rows name it, e.g. "amazon". */
  seller: string;
  /** Offers for a parcel, as they come. @throws AppError in Chinese where nobody answers */
  rates(work: CarrierWork, parcel: CarrierParcel, format: LabelFormat): Promise<CarrierRate[]>;
  /** Plans the purchase; answers the write that carries it out. */
  buy(ctx: Ctx, labelId: string, parcel: CarrierParcel, rate: CarrierRate, format: LabelFormat): Promise<string>;
  /** Plans that it is called back. */
  callBack(ctx: Ctx, label: KnownLabel): Promise<string>;
  /** Looks for a purchase whose answer was lost; undefined where it cannot be told. @throws AppError where nobody answers */
  look(work: CarrierWork, label: KnownLabel): Promise<BoughtLabel | undefined>;
  /** Fetches a label anew by its number. @throws AppError where nobody answers */
  fetch(work: CarrierWork, label: KnownLabel & { shipmentNo: string }): Promise<BoughtLabel>;
}

/** Where labels for parcels of our own are bought. */
export const labelCarriers = extensionPoint<LabelCarrier>('shipping.labelCarriers');

/** Who sold, or would sell, a label. @throws Error where no module does any more */
export function carrierBy(runtime: Runtime, seller: string): LabelCarrier {
  const found = extensionsOf(runtime.modules, labelCarriers).find((one) => one.seller === seller);
  if (!found) throw new Error(`nobody sells labels as ${seller}`);
  return found;
}
