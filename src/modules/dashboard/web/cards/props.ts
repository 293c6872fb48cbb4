import type { HomeFilter } from '../../contract.ts';

export interface CardProps {
  /** The page's filter, with what the card has of its own. */
  filter: HomeFilter;
  /** "marketplaceId-accountId" of every site. */
  sites: readonly string[];
}
