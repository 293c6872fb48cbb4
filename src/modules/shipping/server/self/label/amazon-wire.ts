import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Decimal } from '#kit/contract/decimal.ts';
import type { LabelFormat } from '../../../contract/self/label.ts';
import type { BoughtLabel, CarrierParcel, CarrierWork, LabelFile } from './carrier.ts';

// The parts of Merchant Fulfillment v0 that we read; where a parcel goes is left where it is.
interface WireMoney {
  CurrencyCode: string;
  Amount: number;
}
export interface WireOffer {
  ShippingServiceName: string;
  CarrierName: string;
  ShippingServiceId: string;
  ShippingServiceOfferId: string;
  LatestEstimatedDeliveryDate?: string;
  RateWithAdjustments: WireMoney;
  AvailableLabelFormats?: string[];
  RequiresAdditionalSellerInputs: boolean;
}
export interface WireShipment {
  ShipmentId: string;
  TrackingId?: string;
  Status: 'Purchased' | 'RefundPending' | 'RefundRejected' | 'RefundApplied';
  ShippingService: { CarrierName: string; RateWithAdjustments: WireMoney };
  Label: { FileContents: { Contents: string; FileType: string; Checksum: string } };
}

export const SHIPMENTS = '/mfn/v0/shipments';
export const shipmentPath = (id: string): string => `${SHIPMENTS}/${encodeURIComponent(id)}`;

/** How Amazon names what printers take. */
export const WIRE_FORMAT = { PDF: 'PDF', ZPL: 'ZPL203' } as const satisfies Record<LabelFormat, string>;

/** Amazon takes so much of a name. */
const MOST_NAME = 30;

/** `ShipmentRequestDetails` of a parcel: the buyer's address is not in it, Amazon knows the order. */
export function detailsOf({ orderId, items, weightG, sides, from }: CarrierParcel, format: LabelFormat) {
  const [length, width, height] = sides.map(Number);
  const state = from.stateOrProvinceCode;
  return {
    AmazonOrderId: orderId,
    ItemList: items.map(({ orderItemId, quantity }) => ({ OrderItemId: orderItemId, Quantity: quantity })),
    ShipFromAddress: {
      Name: (from.name ?? '').slice(0, MOST_NAME),
      AddressLine1: from.addressLine1 ?? '',
      ...(from.addressLine2 ? { AddressLine2: from.addressLine2 } : {}),
      ...(from.districtOrCounty ? { DistrictOrCounty: from.districtOrCounty } : {}),
      Email: from.email ?? '',
      City: from.city ?? '',
      ...(state ? { StateOrProvinceCode: state.slice(0, MOST_NAME) } : {}),
      PostalCode: from.postalCode ?? '',
      CountryCode: from.countryCode ?? '',
      Phone: from.phoneNumber ?? '',
    },
    PackageDimensions: { Length: length, Width: width, Height: height, Unit: 'centimeters' },
    Weight: { Value: weightG, Unit: 'g' },
    ShippingServiceOptions: {
      DeliveryExperience: 'DeliveryConfirmationWithoutSignature',
      CarrierWillPickUp: false,
      LabelFormat: WIRE_FORMAT[format],
    },
  };
}

/** "UPS®" is UPS. */
export const plainName = (name: string): string => name.replaceAll(/[®™]/g, '').trim();

/** The label of an answer, put into the store; null where there is none, or not the one that its checksum is of. */
async function fileOf({ runtime, companyId }: CarrierWork, { Label }: WireShipment): Promise<LabelFile | null> {
  const { Contents, Checksum, FileType } = Label.FileContents;
  if (Contents === '') return null;
  try {
    const document = gunzipSync(Buffer.from(Contents, 'base64'));
    if (createHash('md5').update(document).digest('base64') !== Checksum) return null;
    return { ...(await runtime.files.put(companyId, Readable.from([document]))), mediaType: FileType };
  } catch (error) {
    runtime.log.warn({ err: error }, 'a label could not be read');
    return null;
  }
}

/** What is kept of a shipment: the address that the answer holds is not, the label goes to the store. */
export async function boughtOf(work: CarrierWork, shipment: WireShipment): Promise<BoughtLabel> {
  const { CarrierName, RateWithAdjustments } = shipment.ShippingService;
  return {
    shipmentNo: shipment.ShipmentId,
    trackingNo: shipment.TrackingId ?? '',
    carrier: plainName(CarrierName),
    charged: new Decimal(RateWithAdjustments.Amount).toFixed(),
    currency: RateWithAdjustments.CurrencyCode,
    file: await fileOf(work, shipment),
  };
}
