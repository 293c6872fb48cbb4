/** The face of the module: what modules above it may use. */
export { profitFolded } from './fold.ts';
export { listingOwners } from './goods.ts';
export { listingProfit } from './listing.ts';
export { UNALLOCATED } from './shares.ts';
