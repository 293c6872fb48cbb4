import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf } from '../../contract/marketplaces.ts';
import type { AccountRef, ReportPlan } from '../streams.ts';

/** Countries whose marketplaces sell out of one stock: what one sells the others have no more. */
const UNION = new Set(['DE', 'FR', 'IT', 'ES', 'NL', 'BE', 'IE', 'SE', 'PL']);

/** Name of the stock that a marketplace sells from: "EU" in the European Union, else its country; an unknown id itself. */
export function stockOf(marketplaceId: string): string {
  const country = marketplaceOf(marketplaceId)?.country;
  if (country === undefined) return marketplaceId;
  return UNION.has(country) ? 'EU' : country;
}

/** Zone of the business days of a stock. Of several marketplaces the first one's: those of the Union share theirs. */
export function zoneOfStock(marketplaceIds: readonly string[]): string {
  return marketplaceOf(marketplaceIds[0] ?? '')?.timeZone ?? 'UTC';
}

/** The sets of marketplaces that a plan's reports are asked for. */
export function groupsOf(plan: Pick<ReportPlan, 'per' | 'countries'>, marketplaceIds: readonly string[]): string[][] {
  const { per, countries } = plan;
  const sites = marketplaceIds.filter((id) => !countries || countries.includes(marketplaceOf(id)?.country ?? ''));
  if (sites.length === 0) return [];
  if (per === 'site') return sites.map((id) => [id]);
  return per === 'stock' ? [...Map.groupBy(sites, stockOf).values()] : [sites];
}

/** An account with the marketplaces that a plan is asked for. */
export async function askedFor(ctx: Ctx, account: AccountRef, plan: Pick<ReportPlan, 'sites'>): Promise<AccountRef> {
  if (!plan.sites) return account;
  const wanted = await plan.sites(ctx, account);
  return { ...account, marketplaceIds: account.marketplaceIds.filter((id) => wanted.includes(id)) };
}
