import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { batchData } from '../contract/batch.ts';
import { countBatches, listBatches } from '../contract/batches.ts';

/** Reads anew what a change of a batch's cost touches. */
export async function refreshBatches(): Promise<void> {
  for (const each of [listBatches, countBatches, batchData]) {
    await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
  }
}
