import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { costData, countCosts, listCostLines, listCosts } from '../contract/calls.ts';

/** Reads anew what a step of a document changes. */
export async function refreshCosts(): Promise<void> {
  await Promise.all(
    [listCosts, countCosts, listCostLines, costData].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}
