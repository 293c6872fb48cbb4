import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { SupplierState } from '../contract.ts';

export interface SupplierName {
  id: string;
  code: string;
  name: string;
  state: SupplierState;
}

/** Suppliers that may be chosen, by short name. */
export async function choices(ctx: Ctx): Promise<SupplierName[]> {
  const rows = await ctx.db
    .selectFrom('supplier.supplier')
    .select(['id', 'code', 'short_name as name', 'state'])
    .where('company_id', '=', ctx.companyId)
    .where('state', '<>', 'blacklisted')
    .orderBy('short_name')
    .limit(5000)
    .execute();
  return rows.map((row) => ({ ...row, state: row.state as SupplierState }));
}

/** @throws AppError B0725 unless every supplier exists and may be ordered from: active, and better than grade D */
export async function requireOrderable(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', sql<string>`ANY (${[...new Set(ids)]}::uuid[])`)
    .where('state', '=', 'active')
    .where('grade', '<>', 'D')
    .execute();
  if (rows.length < new Set(ids).size) throw refused('供应商已停用或评级过低，不能下单', 'B0725');
}
