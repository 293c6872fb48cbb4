import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Scope } from './scope.ts';
import { conversionOf, reportSql } from './source.ts';

/** Profit of one SKU in one store ("<marketplace>-<account>"), in the currency of its money; null as in the report. */
interface ListingProfit {
  sku: string;
  store_key: string;
  currency: string;
  net_sales: string | null;
  platform_net: string | null;
  cogs: string | null;
  profit: string | null;
  cost_missing: number;
}

/**
 * The profit report by listing for some stores and days (both ends counted) as a SELECT: the figures of its MSKU view in
 * original currency.
 */
export async function listingProfit(
  ctx: Ctx,
  { from, to, stores, skus }: Pick<Scope, 'from' | 'to' | 'stores'> & { skus?: readonly string[] | undefined },
): Promise<RawBuilder<ListingProfit>> {
  const scope: Scope = { from, to, stores, skus: skus ?? [], currency: 'ORIGINAL' };
  const report = reportSql(ctx, scope, await conversionOf(ctx, scope, false), 'msku');
  return sql<ListingProfit>`
    SELECT sku, store_key, currency, net_sales, platform_net, cogs, profit, cost_missing FROM ${report} AS r`;
}
