import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What Amazon takes a SKU for when it gives room to it. */
export interface SkuStorageType {
  account: string;
  /** Stock that sites sell out of, as stockOf() names it. */
  stock: string;
  msku: string;
  /** The marketplace's own word. */
  word: string;
}

/** The storage type of each SKU by the latest planning report of its stock that names it; absent where none does. */
export async function storageTypes(ctx: Ctx, accounts: readonly string[]): Promise<SkuStorageType[]> {
  if (accounts.length === 0) return [];
  const { rows } = await sql<SkuStorageType>`
    SELECT DISTINCT ON (account_id, stock, seller_sku) account_id AS account, stock, seller_sku AS msku, storage_type AS word
      FROM inventory.planning_day
     WHERE company_id = ${ctx.companyId} AND account_id = ANY (${[...accounts]}::uuid[]) AND storage_type <> ''
     ORDER BY account_id, stock, seller_sku, day DESC`.execute(ctx.db);
  return rows;
}
