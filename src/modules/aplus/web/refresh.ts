import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { aplusDetail, countAplus, listAplus } from '../contract/documents.ts';

/** Endpoints whose answers a change of a document makes old. */
export const CHANGED = [aplusDetail, listAplus, countAplus] as const;

/** Asks them again. */
export async function refreshAplus(): Promise<void> {
  await Promise.all(CHANGED.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
