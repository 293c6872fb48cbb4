import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import { countProcesses, listProcesses, processChoices, processDetail } from '../../contract/process.ts';

/** Warehouses and processors for forms and filters; undefined until they are known. */
export function useProcessChoices() {
  return useCall(processChoices, {}, { staleTime: 60_000 }).data;
}

/** Everything that shows process orders asks again. */
export async function refreshProcesses(): Promise<void> {
  const touched = [listProcesses, countProcesses, processDetail];
  await Promise.all(touched.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
