import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { countExpenses, expenseData, listExpenses } from '../contract/calls.ts';
import { listPeriodCosts } from '../contract/period.ts';

/** Reads anew what a step of an expense changes. */
export async function refreshExpenses(): Promise<void> {
  await Promise.all(
    [listExpenses, countExpenses, expenseData, listPeriodCosts].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}
