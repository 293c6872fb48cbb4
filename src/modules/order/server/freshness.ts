import type { Ctx } from '#kit/server/context.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import {
  freshnessOf,
  freshnessSelect,
  marketplaceNow,
  readUpTo,
  readUpToSelect,
} from '#modules/marketplace/server/index.ts';
import { LIVE } from './sources/codes.ts';

/** How fresh the orders of the accounts asked for are (of all where none is named); null where it is not known. */
export function ordersAsOf(ctx: Pick<Ctx, 'db' | 'companyId'>, accountIds?: readonly string[]): Promise<string | null> {
  return freshnessOf(ctx, [LIVE], accountIds);
}

/** The same as a scalar subquery. */
export function ordersAsOfSelect(ctx: Pick<Ctx, 'companyId'>, accountIds?: readonly string[]) {
  return freshnessSelect(ctx, [LIVE], accountIds);
}

/** Up to which marketplace time the orders of the accounts (of all where none is named) were read; null before. */
export function ordersReadUpTo(ctx: Ctx, accountIds?: readonly string[]): Promise<string | null> {
  return readUpTo(ctx, LIVE, accountIds);
}

/** SELECT of (account_id, read_to) with the same for each account, for joins. */
export function ordersReadUpToSelect(ctx: Pick<Ctx, 'companyId'>) {
  return readUpToSelect(ctx, LIVE);
}

/** About the same for what is only shown: asks no database for it, and a marketplace that does not answer costs nothing. */
export async function aboutNowThere(runtime: Runtime): Promise<Date> {
  const { marketplace } = runtime.config;
  if (!marketplace || marketplace.clock === 'database') return runtime.clock.now();
  return marketplaceNow(runtime).catch(() => runtime.clock.now());
}

/** Now by the marketplace's clock; the machine's where no marketplace is configured (only uploads then). */
export async function nowThere(runtime: Runtime): Promise<Date> {
  return runtime.config.marketplace ? marketplaceNow(runtime) : runtime.clock.now();
}
