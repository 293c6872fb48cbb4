import type { Ctx } from '#kit/server/context.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { freshnessOf, marketplaceNow } from '#modules/marketplace/server/index.ts';
import { LIVE } from './sources/live.ts';

/** How fresh the orders of the accounts asked for are (of all where none is named); null where it is not known. */
export function ordersAsOf(ctx: Ctx, accountIds?: readonly string[]): Promise<string | null> {
  return freshnessOf(ctx, [LIVE], accountIds);
}

/** Now by the marketplace's clock; the machine's where no marketplace is configured (only uploads then). */
export async function nowThere(runtime: Runtime): Promise<Date> {
  return runtime.config.marketplace ? marketplaceNow(runtime) : new Date();
}
