import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { listQuotas, quotaDetail } from '../../contract/quota/calls.ts';

/** Everything that shows rooms asks again. */
export async function refreshQuotas(): Promise<void> {
  await Promise.all(
    [listQuotas, quotaDetail].map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })),
  );
}
