import type { ListingIssue } from '../contract/issues.ts';
import type { FulfilledBy } from '../contract.ts';
import type { OfferTerms } from './terms/wire.ts';

/**
 * One listing as a snapshot states it. `undefined` means that this source does not know the field, so what is known
 * stays; null means that the listing has none. Price in `currency`, instants ISO in UTC.
 */
export interface ListingFact {
  sellerSku: string;
  asin: string | undefined;
  parentAsin?: string | undefined;
  fnsku?: string | undefined;
  title: string | undefined;
  imageUrl: string | undefined;
  price: string | null;
  currency: string;
  quantity: number | null;
  fulfilledBy: FulfilledBy | undefined;
  status: 'ACTIVE' | 'INACTIVE' | 'INCOMPLETE' | undefined;
  condition: string | undefined;
  productType?: string | undefined;
  issues?: readonly ListingIssue[] | undefined;
  openedAt: string | undefined;
  lastUpdatedAt?: string | undefined;
  /** Beside the price. */
  terms?: OfferTerms | undefined;
}

/** Where and when a snapshot was taken. */
export interface SnapshotOf {
  accountId: string;
  marketplaceId: string;
  /** Marketplace time at which its reading began, ISO. */
  asOf: string;
  source: 'api' | 'report';
  /** Whether it holds every listing of the marketplace: what it lacks is gone then. */
  full: boolean;
}
