/** The face of the module: what modules above it may use. */

export {
  bomOf,
  type Exploded,
  explode,
  type PartOf,
  partPieces,
  partsOfAll,
  saveBomVersion,
  someKit,
} from './catalogue/bom.ts';
export { choicesOf as productChoices, find as findProducts } from './catalogue/choices.ts';
export { type CustomsFacts, customsOf, type Declared } from './catalogue/customs.ts';
export { bundlesOf, holdersOf, leavesOnDaysSelect } from './catalogue/leaves.ts';
export { bytesOf, readPicture } from './catalogue/media.ts';
export { putSupply, savePriceList, suppliesOfAll } from './catalogue/prices.ts';
export {
  type Carton,
  cartonsOf,
  type PackedMeasures,
  type PackedSize,
  packedMeasures,
  packedSizes,
} from './catalogue/sizes.ts';
export { type ProductTab, productTabs } from './catalogue/tabs.ts';
export { orderAmounts, type PriceTier, quantityWarnings, quote, tierFor } from './catalogue/tiers.ts';
export { type ProductUse, productStocks, productUses, type StockPlace } from './catalogue/usage.ts';
export { codesOf, productByCode } from './codes.ts';
export { type DeclaredOf, declaredOf } from './customs-value/values.ts';
export { demoProducts } from './demo.ts';
export { demoImports } from './demo-imports.ts';
export { demoInquiries } from './demo-inquiries.ts';
export { type LocalProduct, localProducts, productCount, productIdsBySku } from './lookup.ts';
export {
  cartonUnitsSelect,
  type ListingOf,
  type ListingPart,
  listingKey,
  matchedCartonsSelect,
  partsOfAllListings,
  partsOfListings,
} from './match/of-listing.ts';
export { poolPartsSelect } from './match/of-pool.ts';
export { listingsOfProduct, listingsOfProducts } from './match/of-product.ts';
export { partsOnDaysSelect } from './match/on-days.ts';
export { standsFor } from './match/stands-for.ts';
export { listingStocks, localStocks } from './match/stocks.ts';
export { matchedVolumesSelect, namedVolumesSelect } from './match/volumes.ts';
export { type KnownProduct, learnProducts, learnSold } from './products.ts';
export { costTouched, partsChanged, productMeasured } from './touched.ts';
