export { LinesDrawer } from './LinesDrawer.tsx';
export { REFERENCE_COLUMN } from './reference.tsx';

import { useCall } from '#kit/web/api/index.ts';
import { authMarketplace } from '#modules/marketplace/contract/stores.ts';

/** Choices of a 店铺 filter: every authorised store, as 【国】店铺; undefined while they load. */
export function useStoreOptions(): { value: string; label: string }[] | undefined {
  return useCall(authMarketplace, {}, { staleTime: 300_000 }).data;
}
