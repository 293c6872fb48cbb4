/** The face of the module: what modules above it may use. The SQL view `listing.product` belongs to it. */

export { demoPrices } from './demo.ts';
export { type ListingEvent, type ListingEvents, listingEvents } from './events.ts';
export { ignoreIssues, issueRow, issuesSelect, type StoredIssue, WORST } from './issues/read.ts';
export { listingsTouched } from './land.ts';
export { atSites, siteOf } from './of-listing.ts';
export { revertChanges } from './offers/actions.ts';
export { type PriceFloors, priceFloors } from './offers/floors.ts';
export { type LeavingPrice, type PriceGuard, priceGuards } from './offers/guard.ts';
export { type LockedOffer, lockOffer, priceAt, sendRulePrice } from './offers/reprice.ts';
export { offerSettled } from './offers/settled.ts';
export { priceMarksSelect } from './prices.ts';
export { type ListingKey, ofListing, productInfo, productKey } from './product.ts';
export { type RankDay, rankDaysSelect, ranksTouched } from './ranks/land.ts';
export { rankReadingsSelect, rankStandsSelect } from './ranks/stands.ts';
export { bookDaysSelect } from './rivals/days.ts';
export { offersChanged } from './rivals/land.ts';
export { bookAt, booksSince, type StoredBook } from './rivals/read.ts';
export {
  lostSelect,
  type SeenDay,
  type SeenOffer,
  type SeenPeriod,
  seenDays,
  seenDaysSelect,
  seenSelect,
} from './rivals/seen.ts';
export { blockedSelect, standingsSelect } from './rivals/standings.ts';
export { type OfferStand, offerStandsSelect } from './rivals/stands.ts';
export { type OfferWatch, offerWatches } from './rivals/stream.ts';
