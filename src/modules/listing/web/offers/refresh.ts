import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { countOfferChanges, listOfferChanges } from '../../contract/offers.ts';
import { listingDetail, listListings } from '../../contract.ts';

/** Reads anew what a change of offers changes. */
export async function refreshOffers(): Promise<void> {
  await Promise.all(
    [listListings, listingDetail, listOfferChanges, countOfferChanges].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}
