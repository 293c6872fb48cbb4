/** What callers may send, by Amazon's published model: shapes, lengths and limits. */
import { z } from 'zod';
import { SpApiError } from '../errors.ts';

const words = (max: number) => z.string().min(1).max(max);
const destination = z.object({
  name: words(50),
  addressLine1: words(180),
  addressLine2: z.string().max(60).optional(),
  addressLine3: z.string().max(60).optional(),
  city: z.string().max(50).optional(),
  districtOrCounty: z.string().max(150).optional(),
  stateOrRegion: z.string().max(150).optional(),
  postalCode: words(20),
  countryCode: z.string().regex(/^[A-Z]{2}$/, 'is no country code'),
  phone: z.string().max(20).optional(),
});
const speed = z.enum(['Standard', 'Expedited', 'Priority', 'ScheduledDelivery']);
const features = z
  .array(
    z.object({
      featureName: z.enum(['BLANK_BOX', 'BLOCK_AMZL', 'SIGNATURE_CONFIRMATION']),
      featureFulfillmentPolicy: z.enum(['Required', 'NotRequired']),
    }),
  )
  .default([]);
/** At most 100 lines and 250 pieces of an order. */
const MOST_PIECES = 250;
const itemOf = z.object({
  sellerSku: words(50),
  sellerFulfillmentOrderItemId: words(50),
  quantity: z.int().min(1).max(MOST_PIECES),
  displayableComment: z.string().max(250).optional(),
});
const items = z
  .array(itemOf)
  .min(1)
  .max(100)
  .refine((all) => all.reduce((sum, { quantity }) => sum + quantity, 0) <= MOST_PIECES, 'more than 250 units')
  .refine(
    (all) => new Set(all.map((one) => one.sellerFulfillmentOrderItemId)).size === all.length,
    'sellerFulfillmentOrderItemId is used twice',
  );
export type ItemInput = z.infer<typeof itemOf>;

/** createFulfillmentOrder */
export const orderBody = z.object({
  marketplaceId: z.string().optional(),
  sellerFulfillmentOrderId: words(40),
  displayableOrderId: words(40),
  displayableOrderDate: z.iso.datetime({ offset: true }),
  displayableOrderComment: words(750),
  shippingSpeedCategory: speed,
  destinationAddress: destination,
  fulfillmentAction: z.enum(['Ship', 'Hold']).default('Ship'),
  fulfillmentPolicy: z.enum(['FillOrKill', 'FillAll', 'FillAllAvailable']).default('FillOrKill'),
  notificationEmails: z.array(z.string().max(64)).default([]),
  featureConstraints: features,
  items,
});

/** getFulfillmentPreview */
export const previewBody = z.object({
  marketplaceId: z.string().optional(),
  address: destination,
  items,
  shippingSpeedCategories: z.array(speed).optional(),
  featureConstraints: features,
});

/** updateFulfillmentOrder: what of a held order may be said anew; other items are not simulated. */
export const updateBody = z.object({
  marketplaceId: z.string().optional(),
  displayableOrderId: words(40).optional(),
  displayableOrderDate: z.iso.datetime({ offset: true }).optional(),
  displayableOrderComment: words(750).optional(),
  shippingSpeedCategory: z.enum(['Standard', 'Expedited', 'Priority']).optional(),
  destinationAddress: destination.optional(),
  fulfillmentAction: z.enum(['Ship', 'Hold']).optional(),
  fulfillmentPolicy: z.enum(['FillOrKill', 'FillAll', 'FillAllAvailable']).optional(),
  items: z.never('changes of items are not simulated').optional(),
});

/** 400 InvalidInput; this API says in the message itself which field is wrong. */
export function wrong(field: string, why: string): SpApiError {
  return new SpApiError(400, 'InvalidInput', `Value for ${field} is invalid. Reason: ${why}`);
}

/** The body as its shape says; 400 names the first field that is wrong. */
export function read<Body>(shape: z.ZodType<Body>, body: unknown): Body {
  const { success, data, error } = shape.safeParse(body ?? {});
  if (success) return data;
  const [issue] = error.issues;
  throw wrong(issue?.path.join('.') || 'body', issue?.message ?? 'it cannot be read');
}
