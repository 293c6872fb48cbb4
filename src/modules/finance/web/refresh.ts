import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { listAccounts, listJournal } from '../contract/accounts.ts';
import { blocData, countBloc, listBloc } from '../contract/bloc-calls.ts';
import { listDealings, listItems } from '../contract/payables.ts';
import { countRequests, listRequests, requestData } from '../contract/requests.ts';

const MONEY = [listAccounts, listJournal, listItems, listDealings];

const anew = (calls: readonly Parameters<typeof cacheKey>[0][]) =>
  Promise.all(calls.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));

/** Reads anew what a step of a request changes. */
export async function refreshRequests(): Promise<void> {
  await anew([listRequests, countRequests, requestData, ...MONEY, blocData]);
}

/** Reads anew what a step of a request between companies changes. */
export async function refreshBloc(): Promise<void> {
  await anew([listBloc, countBloc, blocData, ...MONEY]);
}
