/** What callers may send about products, by Amazon's published model. */
import { z } from 'zod';
import { marketplaceId, money, words } from './bodies.ts';

const prepCategory = z.enum([
  'ADULT',
  'BABY',
  'FC_PROVIDED',
  'FRAGILE',
  'GRANULAR',
  'HANGER',
  'LIQUID',
  'PERFORATED',
  'SET',
  'SHARP',
  'SMALL',
  'TEXTILE',
  'UNKNOWN',
  'NONE',
]);
const prepType = z.enum([
  'ITEM_BLACK_SHRINKWRAP',
  'ITEM_BLANKSTK',
  'ITEM_BOXING',
  'ITEM_BUBBLEWRAP',
  'ITEM_CAP_SEALING',
  'ITEM_DEBUNDLE',
  'ITEM_HANG_GARMENT',
  'ITEM_LABELING',
  'ITEM_NO_PREP',
  'ITEM_POLYBAGGING',
  'ITEM_RMOVHANG',
  'ITEM_SETCREAT',
  'ITEM_SETSTK',
  'ITEM_SIOC',
  'ITEM_SUFFOSTK',
  'ITEM_TAPING',
]);
/** setPrepDetails */
export const prepBody = z.object({
  marketplaceId,
  mskuPrepDetails: z
    .array(z.object({ msku: words(255), prepCategory, prepTypes: z.array(prepType) }))
    .min(1)
    .max(100),
});

const taxDetails = z.object({
  declaredValue: money.optional(),
  hsnCode: words(1024).optional(),
  taxRates: z
    .array(
      z.object({ taxType: words(1024).optional(), gstRate: z.number().optional(), cessRate: z.number().optional() }),
    )
    .optional(),
});
export type TaxDetails = z.infer<typeof taxDetails>;
/** updateItemComplianceDetails */
export const complianceBody = z.object({ msku: words(255), taxDetails });

const side = z.number().min(25).max(100);
/** createMarketplaceItemLabels */
export const itemLabelsBody = z.object({
  marketplaceId,
  labelType: z.enum(['STANDARD_FORMAT', 'THERMAL_PRINTING']),
  mskuQuantities: z
    .array(z.object({ msku: words(255), quantity: z.int().min(1).max(10_000) }))
    .min(1)
    .max(100),
  pageType: z
    .enum([
      'A4_21',
      'A4_24',
      'A4_24_64x33',
      'A4_24_66x35',
      'A4_24_70x36',
      'A4_24_70x37',
      'A4_24i',
      'A4_27',
      'A4_40_52x29',
      'A4_44_48x25',
      'Letter_30',
    ])
    .optional(),
  localeCode: z
    .string()
    .regex(/^[a-z]{2}_[A-Z]{2}$/)
    .optional(),
  height: side.optional(),
  width: side.optional(),
});
