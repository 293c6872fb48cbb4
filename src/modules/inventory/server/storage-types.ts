import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** SQL of what tells a SKU of an account in a stock, as stockOf() names it. */
interface SkuRefs {
  account: RawBuilder<unknown>;
  stock: RawBuilder<unknown>;
  msku: RawBuilder<unknown>;
}

/**
 * What Amazon takes a SKU for when it gives room to it, as SQL: the marketplace's own word in the latest planning report of
 * the stock that says one; NULL where none does. It reads one day of the SKU, however many there are.
 */
export function storageTypeOf(ctx: Ctx, { account, stock, msku }: SkuRefs): RawBuilder<string | null> {
  return sql<string | null>`(
    SELECT y.storage_type FROM inventory.planning_day AS y
     WHERE y.company_id = ${ctx.companyId} AND y.account_id = ${account} AND y.stock = ${stock} AND y.seller_sku = ${msku}
       AND y.storage_type <> ''
     ORDER BY y.day DESC LIMIT 1)`;
}
