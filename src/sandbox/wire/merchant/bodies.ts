/** What callers of Buy Shipping may send, by Amazon's published model. */
import { z } from 'zod';
import { SpApiError } from '../errors.ts';

const words = (max: number) => z.string().min(1).max(max);
const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/);

export const addressBody = z.object({
  Name: words(30),
  AddressLine1: words(180),
  AddressLine2: z.string().max(60).optional(),
  AddressLine3: z.string().max(60).optional(),
  DistrictOrCounty: z.string().optional(),
  Email: z.string(),
  City: words(30),
  StateOrProvinceCode: z.string().max(30).optional(),
  PostalCode: words(30),
  CountryCode: z.string().regex(/^[A-Z]{2}$/),
  Phone: words(30),
});
export type Address = z.infer<typeof addressBody>;

const side = z.number().positive().max(1_000);

export const FORMATS = ['PDF', 'PNG', 'ZPL203'] as const;
export type LabelFormat = (typeof FORMATS)[number];

export const detailsBody = z.object({
  AmazonOrderId: z.string().regex(/^\d{3}-\d{7}-\d{7}$/),
  SellerOrderId: z.string().max(64).optional(),
  ItemList: z
    .array(z.object({ OrderItemId: words(60), Quantity: z.int().min(1) }))
    .min(1)
    .max(500),
  ShipFromAddress: addressBody,
  PackageDimensions: z.object({
    Length: side,
    Width: side,
    Height: side,
    Unit: z.enum(['inches', 'centimeters']),
  }),
  Weight: z.object({ Value: z.number().positive(), Unit: z.enum(['oz', 'g']) }),
  MustArriveByDate: instant.optional(),
  ShipDate: instant.optional(),
  ShippingServiceOptions: z.object({
    DeliveryExperience: z.enum([
      'DeliveryConfirmationWithAdultSignature',
      'DeliveryConfirmationWithSignature',
      'DeliveryConfirmationWithoutSignature',
      'NoTracking',
    ]),
    DeclaredValue: z.object({ CurrencyCode: z.string().length(3), Amount: z.number().min(0) }).optional(),
    CarrierWillPickUp: z.boolean(),
    CarrierWillPickUpOption: z.enum(['CarrierWillPickUp', 'ShipperWillDropOff', 'NoPreference']).optional(),
    LabelFormat: z.enum([...FORMATS, 'ZPL300', 'ShippingServiceDefault']).optional(),
  }),
  LabelCustomization: z
    .object({
      CustomTextForLabel: z.string().max(14).optional(),
      StandardIdForLabel: z.literal('AmazonOrderId').optional(),
    })
    .optional(),
});
export type Details = z.infer<typeof detailsBody>;

export const ratesBody = z.object({
  ShipmentRequestDetails: detailsBody,
  ShippingOfferingFilter: z.looseObject({}).optional(),
});
export const buyBody = z.object({
  ShipmentRequestDetails: detailsBody,
  ShippingServiceId: words(200),
  ShippingServiceOfferId: z.string().optional(),
  HazmatType: z.enum(['None', 'LQHazmat']).optional(),
  LabelFormatOption: z.object({ IncludePackingSlipWithLabel: z.boolean().optional() }).optional(),
  ShipmentLevelSellerInputsList: z.array(z.unknown()).optional(),
});
export const inputsBody = z.object({
  ShippingServiceId: words(200),
  ShipFromAddress: addressBody,
  OrderId: z.string().regex(/^\d{3}-\d{7}-\d{7}$/),
});

/** The body, checked. @throws SpApiError 400 that names the first field that is wrong */
export function bodyOf<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.map(String).join('.') || 'body';
  throw new SpApiError(
    400,
    'InvalidInput',
    `1 validation error detected: Value at '${where}' failed to satisfy constraint: ${issue?.message ?? ''}`,
  );
}
