/** The face of the module: what modules above it may use. */
export { profitFolded } from './fold.ts';
export { goodsNames, listingOwners } from './goods.ts';
export { freshness } from './list.ts';
export { listingProfit } from './listing.ts';
export { type OwnerMonth, ownerMonths } from './owners.ts';
export { UNALLOCATED } from './shares.ts';
