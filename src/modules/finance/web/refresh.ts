import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { listAccounts, listJournal } from '../contract/accounts.ts';
import { listDealings, listItems } from '../contract/payables.ts';
import { countRequests, listRequests, requestData } from '../contract/requests.ts';

/** Reads anew what a step of a request changes. */
export async function refreshRequests(): Promise<void> {
  await Promise.all(
    [listRequests, countRequests, requestData, listAccounts, listJournal, listItems, listDealings].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}
