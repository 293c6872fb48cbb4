/** How v0 tells what has to be done to products before they are sent. */
import type { Answer, Call } from '../operation.ts';
import { list, text } from '../query.ts';
import { offersOf } from './desk.ts';
import { needsLabel, needsPrep, prepOf } from './prep-rules.ts';
import { wrong } from './v0-labels.ts';

/** How v0 calls what is done to products. */
export const OLD_NAMES: Readonly<Record<string, string>> = {
  ITEM_BLACK_SHRINKWRAP: 'BlackShrinkWrapping',
  ITEM_BLANKSTK: 'BlankStickering',
  ITEM_BOXING: 'Boxing',
  ITEM_BUBBLEWRAP: 'BubbleWrapping',
  ITEM_CAP_SEALING: 'CapSealing',
  ITEM_DEBUNDLE: 'Debundle',
  ITEM_HANG_GARMENT: 'HangGarment',
  ITEM_LABELING: 'Labeling',
  ITEM_NO_PREP: 'NoPrep',
  ITEM_POLYBAGGING: 'Polybagging',
  ITEM_RMOVHANG: 'RemoveFromHanger',
  ITEM_SETCREAT: 'SetCreation',
  ITEM_SETSTK: 'SetStickering',
  ITEM_SIOC: 'ShipsInProductPackaging',
  ITEM_SUFFOSTK: 'SuffocationStickering',
  ITEM_TAPING: 'Taping',
};

/** Guidance for SKUs and ASINs; those that are unknown come back in lists of their own. Throws 400. */
export function getPrepInstructions(call: Call): Answer {
  const country = text(call.query, 'ShipToCountryCode') ?? '';
  const marketplaceId = call.account.marketplaceIds.find((id) => call.world.marketplace(id).countryCode === country);
  if (marketplaceId === undefined) throw wrong(`ShipToCountryCode: '${country}' is invalid`);
  const skus = list(call.query, 'SellerSKUList', 50);
  const asins = list(call.query, 'ASINList', 50);
  if (skus.length + asins.length === 0) throw wrong('Either SellerSKUList or ASINList is required');
  const offers = offersOf(call.world, call.account, marketplaceId, call.now);
  const byAsin = new Map([...offers.values()].map(({ product }) => [product.asin, product]));
  const guidance = (msku: string): object => {
    const prep = prepOf(call.world, call.account, marketplaceId, msku);
    return {
      BarcodeInstruction: needsLabel(prep) ? 'RequiresFNSKULabel' : 'CanUseOriginalBarcode',
      PrepGuidance:
        prep.category === 'UNKNOWN'
          ? 'ConsultHelpDocuments'
          : needsPrep(prep)
            ? 'SeePrepInstructionsList'
            : 'NoAdditionalPrepRequired',
      PrepInstructionList: prep.types.flatMap((type) => OLD_NAMES[type] ?? []),
    };
  };
  return {
    body: {
      payload: {
        SKUPrepInstructionsList: skus.flatMap((sku) => {
          const product = offers.get(sku)?.product;
          return product ? [{ SellerSKU: sku, ASIN: product.asin, ...guidance(sku) }] : [];
        }),
        InvalidSKUList: skus
          .filter((sku) => !offers.has(sku))
          .map((SellerSKU) => ({ SellerSKU, ErrorReason: 'DoesNotExist' })),
        ASINPrepInstructionsList: asins.flatMap((asin) => {
          const product = byAsin.get(asin);
          return product ? [{ ASIN: asin, ...guidance(product.sku) }] : [];
        }),
        InvalidASINList: asins
          .filter((asin) => !byAsin.has(asin))
          .map((ASIN) => ({ ASIN, ErrorReason: 'InvalidASIN' })),
      },
    },
  };
}
