import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { countDrafts, draftDetail, listDrafts } from '../contract/draft.ts';

/** Everything that shows drafts asks again. */
export async function refreshDrafts(): Promise<void> {
  await Promise.all(
    [draftDetail, listDrafts, countDrafts].map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })),
  );
}
