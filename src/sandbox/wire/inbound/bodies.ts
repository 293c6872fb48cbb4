/** What callers may send, by Amazon's published model: shapes, lengths and limits. */
import { z } from 'zod';
import { SpApiError } from '../errors.ts';

/** A text of one letter at least. */
export const words = (max: number) => z.string().min(1).max(max);
const id = z
  .string()
  .length(38)
  .regex(/^[a-zA-Z0-9-]*$/);
const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/);
/** The id of a marketplace. */
export const marketplaceId = words(20);

/** An address of dispatch. */
export const addressBody = z.object({
  name: words(50),
  companyName: words(50).optional(),
  addressLine1: words(180),
  addressLine2: words(60).optional(),
  city: words(30),
  districtOrCounty: words(50).optional(),
  stateOrProvinceCode: words(64).optional(),
  postalCode: words(32),
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  phoneNumber: words(20),
  email: words(1024).optional(),
});
export type Address = z.infer<typeof addressBody>;

const owner = z.enum(['AMAZON', 'SELLER', 'NONE']);
/** Pieces of a product. */
export const itemSchema = z.object({
  msku: words(255),
  quantity: z.int().min(1).max(500_000),
  labelOwner: owner,
  prepOwner: owner,
  expiration: z
    .string()
    .regex(/^([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[1-2][0-9]|3[0-1])$/)
    .optional(),
  manufacturingLotCode: words(256).optional(),
});
export type ItemInput = z.infer<typeof itemSchema>;
const items = z.array(itemSchema).min(1).max(2000);

const length = z.number().min(0).max(100_000);
const dimensions = z.object({
  length,
  width: length,
  height: length,
  unitOfMeasurement: z.enum(['IN', 'CM']),
});
const weight = z.object({ unit: z.enum(['LB', 'KG']), value: length });
export type Weight = z.infer<typeof weight>;

/** Contents are told here, or by the barcode on the box, or by whoever opens it: never twice. */
const contentsOnce = (box: { contentInformationSource: string; items?: unknown[] | undefined }): boolean =>
  box.contentInformationSource === 'BOX_CONTENT_PROVIDED'
    ? (box.items ?? []).length > 0
    : (box.items ?? []).length === 0;
const contentsRule = {
  path: ['items'],
  message: 'must hold the contents of BOX_CONTENT_PROVIDED, and be empty for BARCODE_2D and MANUAL_PROCESS',
};
const boxFields = z.object({
  contentInformationSource: z.enum(['BOX_CONTENT_PROVIDED', 'MANUAL_PROCESS', 'BARCODE_2D']),
  dimensions,
  weight,
  quantity: z.int().min(1).max(10_000),
  items: z.array(itemSchema).optional(),
});
const boxBody = boxFields.refine(contentsOnce, contentsRule);
export type BoxInput = z.infer<typeof boxBody>;

const palletBody = z.object({
  quantity: z.int().min(1).max(10_000),
  dimensions: dimensions.optional(),
  weight: weight.optional(),
  stackability: z.enum(['STACKABLE', 'NON_STACKABLE']).optional(),
});
export type PalletInput = z.infer<typeof palletBody>;

const contact = z.object({ name: words(50), phoneNumber: words(20), email: words(1024).optional() });
export type Contact = z.infer<typeof contact>;
/** An amount in a currency. */
export const money = z.object({ amount: z.number(), code: z.string().length(3) });
const freight = z.object({ declaredValue: money.optional(), freightClass: words(1024).optional() });
export type Freight = z.infer<typeof freight>;

/** createInboundPlan */
export const planBody = z.object({
  name: words(40).optional(),
  destinationMarketplaces: z.array(marketplaceId).length(1),
  items,
  sourceAddress: addressBody,
});
/** updateInboundPlanName */
export const planNameBody = z.object({ name: words(40) });
/** updateShipmentName */
export const shipmentNameBody = z.object({ name: words(100) });
/** updateShipmentSourceAddress */
export const sourceAddressBody = z.object({ address: addressBody });

/** setPackingInformation */
export const packingBody = z.object({
  packageGroupings: z
    .array(
      z.object({
        packingGroupId: id.optional(),
        shipmentId: id.optional(),
        boxes: z.array(boxBody).min(1).max(5000),
      }),
    )
    .min(1),
});

/** generatePlacementOptions */
export const placementBody = z.object({
  customPlacement: z.array(z.object({ warehouseId: words(1024), items })).optional(),
});

/** generateTransportationOptions */
export const transportationBody = z.object({
  placementOptionId: id,
  shipmentTransportationConfigurations: z
    .array(
      z.object({
        shipmentId: id,
        readyToShipWindow: z.object({ start: instant }),
        contactInformation: contact.optional(),
        freightInformation: freight.optional(),
        pallets: z.array(palletBody).optional(),
      }),
    )
    .min(1),
});

/** confirmTransportationOptions */
export const selectionBody = z.object({
  transportationSelections: z
    .array(z.object({ shipmentId: id, transportationOptionId: id, contactInformation: contact.optional() }))
    .min(1),
});

/** updateShipmentTrackingDetails */
export const trackingBody = z.object({
  trackingDetails: z.object({
    spdTrackingDetail: z
      .object({ spdTrackingItems: z.array(z.object({ boxId: words(1024), trackingId: words(64) })) })
      .optional(),
    ltlTrackingDetail: z
      .object({ freightBillNumber: z.array(words(64)).length(1), billOfLadingNumber: words(1024).optional() })
      .optional(),
  }),
});

/** generateShipmentContentUpdatePreviews */
export const contentBody = z.object({
  boxes: z
    .array(boxFields.extend({ packageId: id.optional() }).refine(contentsOnce, contentsRule))
    .min(1)
    .max(5000),
  items,
});

/** 400 BadRequest, as this API words what cannot be right in a request. */
export function badRequest(message: string, details = ''): SpApiError {
  return new SpApiError(400, 'BadRequest', message, details);
}

/** 400 with one error for each message. */
export function several(messages: readonly string[]): SpApiError {
  const [first = badRequest('is invalid'), ...rest] = messages.map((message) => badRequest(message));
  first.also.push(...rest);
  return first;
}

/** The body as its shape says; 400 names the first field that is wrong. */
export function read<Body>(shape: z.ZodType<Body>, body: unknown): Body {
  const { success, data, error } = shape.safeParse(body ?? {});
  if (success) return data;
  const [issue] = error.issues;
  throw badRequest(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is invalid'}`);
}
