import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { claimDetail, countClaims, listClaims } from '../../contract/claim-calls.ts';

/** Everything that shows claims asks again. */
export async function refreshClaims(): Promise<void> {
  const touched = [listClaims, countClaims, claimDetail];
  await Promise.all(touched.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
