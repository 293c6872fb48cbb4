import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { ListingRef } from '../../contract/match.ts';
import { ALWAYS } from '../../contract.ts';
import { tellTouched } from '../touched.ts';
import { refreshConflicts } from './conflicts.ts';
import { refreshListingCosts } from './listing-costs.ts';

/** After matches changed: the listings cost something else, and whoever counts with costs hears of it. */
export async function costsOfListings(ctx: Ctx, listings: readonly ListingRef[]): Promise<void> {
  if (listings.length === 0) return;
  await unscoped(ctx, async () => {
    await refreshListingCosts(ctx, listings);
    await refreshConflicts(ctx, listings);
  });
  const mskus = [...new Set(listings.map((one) => one.msku))];
  await tellTouched(
    ctx,
    mskus.map((sku) => ({ sku, validFrom: ALWAYS })),
  );
}
