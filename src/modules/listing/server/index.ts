/** The face of the module: what modules above it may use. The SQL view `listing.product` belongs to it. */
export { listingsTouched } from './land.ts';
export { priceMarksSelect } from './prices.ts';
export { type ListingKey, productInfo, productKey } from './product.ts';
