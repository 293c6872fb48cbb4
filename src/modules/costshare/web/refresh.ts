import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { costData, countCosts, listCostLines, listCosts } from '../contract/calls.ts';
import { listItemFees } from '../contract/item.ts';

/** Reads anew what a step of a document changes. */
export async function refreshCosts(): Promise<void> {
  await Promise.all(
    [listCosts, countCosts, listCostLines, listItemFees, costData].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}
