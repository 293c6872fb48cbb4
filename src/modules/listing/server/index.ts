/** The face of the module: what modules above it may use. The SQL view `listing.product` belongs to it. */
export { type ListingKey, productInfo, productKey } from './product.ts';
