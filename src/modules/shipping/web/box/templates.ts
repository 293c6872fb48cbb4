import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import { boxTemplates } from '../../contract/box/template.ts';

/** The company's cartons and how strictly it keeps the sites' rules; undefined until they are known. */
export const useTemplates = () => useCall(boxTemplates, {}, { staleTime: 60_000 }).data;

/** Whatever shows cartons asks again. */
export const refreshTemplates = () => queryClient.invalidateQueries({ queryKey: cacheKey(boxTemplates) });
